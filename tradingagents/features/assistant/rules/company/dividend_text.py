"""Sentences on a company's dividend: what it paid, and how many shares an amount of dividends takes."""

from __future__ import annotations

import math

from tradingagents.features.assistant.rules.found import TurnAnswers, shown
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.frames import SHARES_NEEDED

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
    return "\n".join(text for text in (_shares_needed(found, fact, symbol), " ".join(parts)) if text)


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
