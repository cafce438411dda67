"""Sentences on a company's dividend: what it paid, and how many shares an amount of dividends takes."""

from __future__ import annotations

import math
from datetime import date, timedelta

from tradingagents.features.assistant.rules.found import TurnAnswers, places, shown
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.frame_words import SHARES_NEEDED

_YEAR = timedelta(weeks=52)
_TIMES_A_YEAR = (
    (12, frozenset({"month", "monthly", "monat", "monatlich", "每月", "一个月"})),
    (4, frozenset({"quarter", "quarterly", "quartal", "每季", "每季度"})),
)
"""How often a year an amount is wanted, by the words that say so; once a year where none does."""


def dividend_text(found: TurnAnswers, symbol: str) -> str:
    """Return what a company paid; how many of its shares an amount of dividends takes, where a question asks that."""
    fact = found.one("get_dividends", symbol)
    if fact is None:
        return found.say("not_held", reason=found.reason("get_dividends", symbol) or symbol)
    if not fact.figures.get("dividends_12m"):
        return found.say("dividend_none", who=found.who(symbol))
    parts = [
        found.say(
            "dividend",
            who=found.who(symbol),
            paid=fact.shown.get("dividends_12m", "n/a"),
            price=fact.shown.get("price", "n/a"),
            last=fact.shown.get("dividend_last", "n/a"),
            day=fact.facts.get("last_ex_date", ""),
            **{"yield": fact.shown.get("dividend_yield", "n/a")},
        )
    ]
    if "dividend_yoy" in fact.figures:
        parts.append(found.say("dividend_growth", growth=shown(fact, "dividend_yoy")))
    if "payout_ratio" in fact.figures:
        parts.append(found.say("dividend_payout", payout=fact.shown["payout_ratio"]))
    first = (_shares_needed(found, fact, symbol), _next_payment(found, fact, symbol))
    return "\n".join(text for text in (*first, " ".join(parts)) if text)


def _next_payment(found: TurnAnswers, fact: ToolFact, symbol: str) -> str:
    """Return when the next ex-date is due by those of the year before; empty where none is asked for."""
    asked = found.frame.asked
    if not asked.ahead and not found.frame.coming:
        return ""
    today = date.fromisoformat(fact.as_of)
    paid = [date.fromisoformat(row["ex_date"]) for _, row in places(fact, "payments") if row.get("ex_date")]
    due = sorted(day + _YEAR for day in paid if day + _YEAR > today)
    last = ", ".join(map(str, paid[:4]))
    said = found.say("ex_date_unknown", who=found.who(symbol), day=today)
    return f"{said} {found.say('ex_date_due', days=last, due=due[0])}" if due else said


def _shares_needed(found: TurnAnswers, fact: ToolFact, symbol: str) -> str:
    """Return how many shares pay an amount a year at the rate of the last twelve months; empty where none is named."""
    if not SHARES_NEEDED & found.frame.asked.asks or len(found.frame.levels) != 1:
        return ""
    times = next((count for count, words in _TIMES_A_YEAR if words & found.frame.words), 1)
    wanted, paid = times * found.frame.levels[0], fact.figures["dividends_12m"]
    shares = math.ceil(round(wanted / paid, 6))
    price = fact.figures.get("price")
    given = {"who": found.who(symbol), "wanted": f"{wanted:,.2f}", "paid": fact.shown["dividends_12m"]}
    cost = f"{shares * price:,.2f}" if price is not None else "n/a"
    return found.say("dividend_needed", shares=f"{shares:,}", cost=cost, price=fact.shown.get("price", "n/a"), **given)
