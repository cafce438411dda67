"""Reads which figures a question asks for, of which periods: the calls that answer it, or why no rule can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from tradingagents.features.research.rules import measures as known
from tradingagents.features.research.rules.measures import MEASURES, Measure
from tradingagents.retrieval.figures.days import NamedDays, read_days
from tradingagents.retrieval.questions import FigureQuestion, read_figure_question

WINDOW_DAYS = 30
"""Days of news where a question names none."""


class Threshold(NamedTuple):
    """A bound that a question sets, such as `at least 7`."""

    bound: float
    above: bool
    inclusive: bool
    words: str

    def met(self, value: float) -> bool:
        """Tell whether a value is on the side that is asked for."""
        if value == self.bound:
            return self.inclusive
        return value > self.bound if self.above else value < self.bound


@dataclass(frozen=True, slots=True)
class AskedFigure:
    """A figure that a question asks for, and the call that gives it."""

    label: str
    tool: str
    figures: tuple[str, ...]
    """Names of the tool's answer, the one asked for first; empty where the answer holds one figure."""
    arguments: tuple[tuple[str, Any], ...] = ()
    """Without the company."""

    def call(self, symbol: str) -> dict[str, Any]:
        """Return the call of a plan."""
        return {
            "capability": self.tool,
            "arguments": {"ticker": symbol, **dict(self.arguments)},
            "figures": list(self.figures),
        }


@dataclass(frozen=True, slots=True)
class AskedFigures:
    """The figures of a question."""

    figures: tuple[AskedFigure, ...] = ()
    gap: str = ""
    """Why no rule answers it; empty where one may."""
    threshold: Threshold | None = None
    side: str = ""
    """highest or lowest, where a comparison asks for one."""
    dated: bool = False
    """Whether it names a day or a window other than the day of the run."""


@lru_cache(maxsize=256)
def read_asked(question: str, today: date) -> AskedFigures:
    """Return the figures that a question asks for; none where it asks for something else.

    Args:
        question: In plain words.
        today: The day of the run.
    """
    said = _plain(question)
    days = read_days(question, today)
    gap = _gap(said, days, today)
    if gap:
        return AskedFigures(gap=gap)
    dated = days.window or any(one != today for one in (*days.days, days.as_of or today))
    figures, gap = _figures(question, said, days, today)
    if not figures and dated and not gap:
        gap = "No rule knows which figure is asked for those days; name it, such as the close or the revenue."
    if gap:
        return AskedFigures(gap=gap)
    threshold = _threshold(said)
    said = said.replace(threshold.words, " ") if threshold else said
    side = "lowest" if _any(known.LOWEST, said) else "highest" if _any(known.HIGHEST, said) else ""
    return AskedFigures(figures, threshold=threshold, side=side, dated=dated)


def _gap(said: str, days: NamedDays, today: date) -> str:
    """Return why a question cannot be answered by rules, whatever figure it asks for."""
    if days.broken:
        return f"There is no day {days.broken}; write a date such as 2024-06-28."
    late = [one for one in (*days.days, days.as_of, days.period_end) if one is not None and one > today]
    if late:
        return f"Nothing after {today} is known; {late[0]} lies after it."
    topic = next((word for word in known.UNKNOWN_TOPICS if _stands(word, said)), "")
    if topic:
        return f"No rule answers questions about {topic}; use a language model, or search the filings."
    ahead = next((word for word in known.AHEAD if word in f" {said} "), "")
    if ahead:
        return f"No rule says what lies ahead ({ahead.strip()}); ask what was reported, or for a valuation."
    return ""


def _figures(question: str, said: str, days: NamedDays, today: date) -> tuple[tuple[AskedFigure, ...], str]:
    statements = read_figure_question(days.text)
    if _any(known.IN_FILINGS, said) and statements.expression:
        plain = statements.operation == "value" and len(statements.years) == 1 and not statements.quarter
        asked = f"What was the FY{statements.years[0]} {statements.name}?" if plain else question
        return (AskedFigure(statements.name, known.FILINGS_TOOL, (), (("question", asked),)),), ""
    measure = _measure_of(said)
    own = _parts_of(days.text, statements)
    if _any(known.ALL_MARGINS, said) and not (measure and len(measure[0]) > len("margins")):
        own = [read_figure_question(name) for name in known.MARGINS]
    wins = measure is not None and not (own and _longer(own, measure[0]))
    if measure is not None and wins:
        return _of_measure(measure[1], days, today)
    found = [_of_statement(one, statements, days, said) for one in own]
    gap = next((one for one in found if isinstance(one, str)), "")
    figures = [figure for one in found if not isinstance(one, str) for figure in one]
    return tuple(dict.fromkeys(figures)), gap


def _longer(own: Sequence[FigureQuestion], word: str) -> bool:
    """Tell whether the name of a statement figure says more than the word of a measure, as `return on equity` does."""
    return max(len(one.name) for one in own) >= len(word)


def _parts_of(text: str, whole: FigureQuestion) -> list[FigureQuestion]:
    """Return the figures that a question joins by `and` or commas, such as `revenue and net income`."""
    if not whole.expression:
        return []
    if " and " in whole.name or whole.operation == "compare":
        return [whole]
    parts = [read_figure_question(part) for part in text.replace(" and ", ",").split(",")]
    named = {part.name: part for part in parts if part.expression}
    return list(named.values()) if len(named) > 1 else [whole]


def _measure_of(said: str) -> tuple[str, Measure] | None:
    found = [
        (len(word), -number, word, one)
        for number, one in enumerate(MEASURES)
        for word in one.words
        if _stands(word, said)
    ]
    if not found:
        return None
    _, _, word, one = max(found, key=lambda each: each[:2])
    return word, one


def _of_measure(one: Measure, days: NamedDays, today: date) -> tuple[tuple[AskedFigure, ...], str]:
    figure = AskedFigure(one.label, one.tool, one.figures)
    day = days.as_of or (days.days[0] if len(days.days) == 1 and not days.window else None)
    if days.period_end is not None:
        return (), f"The {one.label} is given for days, not for a fiscal period to {days.period_end}."
    if one.days == "window":
        return _of_window(figure, one, days, day, today)
    if one.days == "half_year":
        half_year = days.window and (days.count, days.unit) in ((6, "month"), (2, "quarter"))
        if (days.window and not half_year) or (day is not None and day != today):
            return (), f"The {one.label} is known for the six months to {today} only."
        return (figure,), ""
    if days.window and days.unit != "year" and not _whole_twelve_months(days):
        return (), f"The {one.label} is given for a day, not for a window from {days.start} to {days.end}."
    if one.days == "day":
        return (replace(figure, arguments=(("curr_date", (day or today).isoformat()),)),), ""
    if day is not None and day != today:
        return (), f"The {one.label} is known for the day of the question only; ask as of {day}."
    if days.window and not _whole_twelve_months(days):
        return (), f"The {one.label} is not given for a window from {days.start} to {days.end}."
    arguments = (("framework", one.framework),) if one.framework else ()
    return (replace(figure, arguments=arguments),), ""


def _whole_twelve_months(days: NamedDays) -> bool:
    return (days.count, days.unit) in ((12, "month"), (4, "quarter"), (1, "year"))


def _of_window(
    figure: AskedFigure, one: Measure, days: NamedDays, day: date | None, today: date
) -> tuple[tuple[AskedFigure, ...], str]:
    """Return the call of a tool that takes a window; a price without one is that of the day."""
    if one.tool == "get_news":
        start, end = (days.start, days.end) if days.window else (None, day or today)
        arguments = (
            ("start_date", _iso(start or date.fromordinal((end or today).toordinal() - WINDOW_DAYS))),
            ("end_date", _iso(min(end or today, today))),
        )
        return (replace(figure, arguments=arguments),), ""
    if days.window:
        if days.start is not None and days.start > today:
            return (), f"Nothing after {today} is known; {days.start} lies after it."
        change = figure.figures[0] in ("price_change", "total_return")
        start = days.base if change else days.start
        end = min(days.end or today, today)
        if figure.figures[0] == "last_close":
            start = end
        return (replace(figure, arguments=(("start_date", _iso(start or end)), ("end_date", _iso(end)))),), ""
    if figure.figures[0] != "last_close":
        return (), f"A {figure.label} needs a window; name its first and last day, or such as the last three months."
    at = day or today
    return (replace(figure, arguments=(("start_date", _iso(at)), ("end_date", _iso(at)))),), ""


def _of_statement(
    one: FigureQuestion, whole: FigureQuestion, days: NamedDays, said: str
) -> tuple[AskedFigure, ...] | str:
    """Return the calls for a figure of statements, or why there is none."""
    if days.period_end is not None:
        return f"Name the fiscal year or quarter instead of the day {days.period_end} on which it ended."
    if days.days and days.as_of is None:
        return f"The {one.name} is given for fiscal periods, not for {days.days[0]}; name a year or a quarter."
    years, quarter = whole.years, whole.quarter
    operation = one.operation if one.operation != "value" else whole.operation
    change = {"growth": "growth", "difference": "difference", "average": "average", "cagr": "cagr"}.get(
        operation, "none"
    )
    if operation == "compare":
        change = "growth" if one.output in ("money", "per_share") else "difference"
    if change == "none" and days.unit == "year" and days.count > 1 and not years:
        if not _any(("average", "mean"), said):
            return f"Name the fiscal years of the {one.name}, or ask for its average or its growth over them."
        change = "average"
    common: list[tuple[str, Any]] = [("figure", one.name)]
    if days.as_of is not None:
        common.append(("curr_date", days.as_of.isoformat()))
    label = one.name
    if quarter and not years:
        return f"Name the fiscal year of the {quarter}. quarter."
    periods = [f"Q{quarter} FY{year}" if quarter else f"FY{year}" for year in years]
    if whole.each_year and change == "none":
        return tuple(AskedFigure(label, known.STATEMENT_TOOL, (), (*common, ("period", period))) for period in periods)
    arguments: dict[str, Any] = dict(common)
    arguments["period"] = periods[-1] if periods else _unnamed_period(whole, days, said, change)
    if change != "none":
        arguments["change"] = change
        if len(periods) > 1:
            arguments["from_period"] = periods[0]
        elif not periods and days.unit == "year" and days.count > 1:
            back = days.count - 1 if change == "average" else days.count
            arguments["from_period"] = f"{back} years before"
        elif change in ("cagr", "average"):
            return f"Name the years over which the {label} is meant."
    elif len(periods) > 1:
        return tuple(AskedFigure(label, known.STATEMENT_TOOL, (), (*common, ("period", period))) for period in periods)
    elif days.window and not periods and days.unit in ("day", "week", "month") and not _whole_twelve_months(days):
        return f"The {label} is given for fiscal periods, not for the last {days.count} {days.unit}s."
    return (AskedFigure(label, known.STATEMENT_TOOL, (), tuple(arguments.items())),)


def _unnamed_period(whole: FigureQuestion, days: NamedDays, said: str, change: str) -> str:
    if _whole_twelve_months(days) and days.unit != "year" and days.count != 1:
        return "twelve_months"
    if whole.any_quarter and days.count <= 1:
        return "latest_quarter"
    if days.unit == "year" or change in ("cagr", "average") or _any(("fiscal year", "annual", "full year"), said):
        return "latest_year"
    return "twelve_months"


def _threshold(said: str) -> Threshold | None:
    words = said.split()
    for phrases, above in ((known.AT_LEAST, True), (known.AT_MOST, False)):
        for phrase in phrases:
            length = len(phrase.split())
            for at in range(len(words) - length):
                bound = _number(words[at + length]) if words[at : at + length] == phrase.split() else None
                if bound is not None:
                    return Threshold(bound, above, phrase in known.INCLUSIVE, f"{phrase} {words[at + length]}")
    return None


def _number(word: str) -> float | None:
    bare = word.removeprefix("$").removesuffix("%").removesuffix("x")
    try:
        return float(bare)
    except ValueError:
        return None


def _plain(question: str) -> str:
    lower = question.lower().replace("\u2019", "'")
    return " ".join("".join(" " if one in '?!,;:()"' else one for one in lower).split()).rstrip(".")


def _any(words: Sequence[str], said: str) -> bool:
    return any(_stands(word, said) for word in words)


def _stands(word: str, said: str) -> bool:
    return f" {word} " in f" {said.replace(chr(39) + 's', ' ')} " or f" {word} " in f" {said} "


def _iso(day: date) -> str:
    return day.isoformat()
