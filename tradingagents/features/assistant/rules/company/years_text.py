"""Revenue by fiscal year, and how fast it grew over several years, of one company or of several side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.features.assistant.rules.found import TurnAnswers
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.frames import QuestionFrame

_DAYS = 365.25


def years_asked(frame: QuestionFrame) -> int:
    """Return over how many years growth is asked for; 0 where not over two or more."""
    start, end = frame.days.start, frame.days.end
    years = round((end - start).days / _DAYS) if frame.days.window and start and end else 0
    return years if years > 1 else 0


def revenue_years_text(found: TurnAnswers, fact: ToolFact, symbol: str) -> str:
    """Return the revenue of each fiscal year that a question asks for, with its growth; that none is held otherwise."""
    years = _by_year(fact)[-(years_asked(found.frame) + 1) :]
    if not years:
        return found.say("years_none", who=found.who(symbol))
    lines, before = [found.say("years", who=found.who(symbol), label=found.label("revenue"))], None
    for year in years:
        grown = f" ({100 * (year.value / before - 1):+.1f}%)" if before else ""
        lines.append(f"- {year.name}: {year.text}{grown}")
        before = year.value
    return "\n".join(lines)


def growth_over_years(found: TurnAnswers, symbols: Sequence[str]) -> str:
    """Return how fast the revenue of several companies grew over the years asked for, and which was faster.

    No company is ahead where the years of one are not held.
    """
    count = years_asked(found.frame)
    lines: list[str] = []
    rates: dict[str, float] = {}
    for symbol in symbols:
        fact = found.one("series", symbol)
        years = _by_year(fact) if fact is not None else []
        if len(years) <= count or years[-1 - count].value <= 0 or years[-1].value <= 0:
            lines.append(found.say("years_short", who=found.who(symbol), count=count))
            continue
        first, last = years[-1 - count], years[-1]
        rates[symbol] = 100 * ((last.value / first.value) ** (1 / count) - 1)
        lines.append(
            found.say(
                "years_growth",
                who=found.who(symbol),
                first=f"{first.text} ({first.name})",
                last=f"{last.text} ({last.name})",
                whole=f"{100 * (last.value / first.value - 1):+.1f}%",
                rate=f"{rates[symbol]:+.1f}%",
            )
        )
    if len(rates) == len(symbols):
        order = sorted(rates, key=lambda symbol: -rates[symbol])
        figures = ", ".join(f"{found.who(symbol)} {rates[symbol]:+.1f}%" for symbol in order)
        label = found.say("growth_a_year", count=count)
        lines.insert(0, found.say("higher", label=label, who=found.who(order[0]), figures=figures))
    return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class _FiscalYear:
    name: str
    """Such as `FY2024`."""
    value: float
    text: str


def _by_year(fact: ToolFact) -> list[_FiscalYear]:
    """Return the fiscal years of a series without a gap up to the newest, oldest first."""
    found: list[_FiscalYear] = []
    for name, value in fact.figures.items():
        item, _, year = name.rpartition("_fy")
        if not item:
            continue
        if found and int(year) != int(found[-1].name[2:]) + 1:
            found.clear()
        found.append(_FiscalYear(f"FY{year}", value, fact.shown[name]))
    return found
