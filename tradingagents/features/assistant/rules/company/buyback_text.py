"""Sentences on a company's repurchases of its shares: what it spent a year, and how its share count changed."""

from __future__ import annotations

from tradingagents.features.assistant.rules.found import TurnAnswers
from tradingagents.offline.questions.conversation import ToolFact

BUYBACK_ITEMS = ("share_repurchases", "shares_diluted")
"""Items of statements by fiscal year: the money spent on shares, and the diluted average of shares."""


def buyback_text(found: TurnAnswers, symbol: str) -> str:
    """Return what a company spent on its own shares by fiscal year, and what became of its share count."""
    spent, shares = (_of_item(found, symbol, item) for item in BUYBACK_ITEMS)
    lines = []
    if spent is None:
        lines.append(found.say("buybacks_unknown", who=found.who(symbol)))
    else:
        lines += [found.say("buybacks", who=found.who(symbol)), *_rows(spent)]
    years = _years(shares) if shares is not None else []
    if shares is not None and len(years) > 1:
        first, last = shares.figures[years[0]], shares.figures[years[-1]]
        lines.append(
            found.say(
                "share_count",
                first=shares.shown[years[0]],
                first_year=_year(years[0]),
                last=shares.shown[years[-1]],
                last_year=_year(years[-1]),
                change=f"{100 * (last / first - 1):+.1f}%",
            )
        )
    return "\n".join(lines)


def _of_item(found: TurnAnswers, symbol: str, item: str) -> ToolFact | None:
    own = (fact for fact in found.all("series", symbol) if fact.given.get("item") == item and not fact.failed)
    return next((fact for fact in own if _years(fact)), None)


def _years(fact: ToolFact) -> list[str]:
    return [name for name in fact.figures if "_fy" in name and name in fact.shown]


def _year(name: str) -> str:
    return f"FY{name.rpartition('_fy')[2]}"


def _rows(fact: ToolFact) -> list[str]:
    return [f"- {_year(name)}: {fact.shown[name]}" for name in _years(fact)]
