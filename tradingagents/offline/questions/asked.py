"""Reads which figures a question asks for, of which periods: the calls that answer it, or why no rule can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from tradingagents.offline.questions.measures import FILINGS_TOOL, MARGINS, MEASURES, STATEMENT_TOOL, Measure
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.figures import FigureQuestion, read_figure_question
from tradingagents.retrieval.questions.names import NamedMeasure, Threshold, any_stands, bound_of, named_in, side_of
from tradingagents.retrieval.questions.reading import QuestionReading

WINDOW_DAYS = 30
"""Days of news where a question names none."""


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


def read_asked(reading: QuestionReading) -> AskedFigures:
    """Return the figures that a question asks for; none where it asks for something else."""
    days, today = reading.days, reading.today
    gap = _gap(reading)
    if gap:
        return AskedFigures(gap=gap)
    dated = days.window or any(day != today for day in (*days.days, days.as_of or today))
    figures, gap = _figures(reading)
    if not figures and dated and not gap:
        gap = "No rule knows which figure is asked for those days; name it, such as the close or the revenue."
    if not figures and not gap and reading.kind_is_declined:
        gap = reading.declined
    if gap:
        return AskedFigures(gap=gap)
    said = reading.said
    threshold = bound_of(said)
    said = said.replace(threshold.words, " ") if threshold else said
    return AskedFigures(figures, threshold=threshold, side=side_of(said), dated=dated)


def _gap(reading: QuestionReading) -> str:
    """Return why a question cannot be answered by rules, whatever figure it asks for."""
    days, today = reading.days, reading.today
    if days.broken:
        return f"There is no day {days.broken}; write a date such as 2024-06-28."
    late = [day for day in (*days.days, days.as_of, days.period_end) if day is not None and day > today]
    if late:
        return f"Nothing after {today} is known; {late[0]} lies after it."
    if reading.unheld:
        return f"No rule answers questions about {reading.unheld}; use a language model, or search the filings."
    if reading.ahead:
        return f"No rule says what lies ahead ({reading.ahead}); ask what was reported, or for a valuation."
    return ""


def _figures(reading: QuestionReading) -> tuple[tuple[AskedFigure, ...], str]:
    days, today, said = reading.days, reading.today, reading.said
    statements = read_figure_question(days.text)
    if named_in("filings", said) and statements.expression:
        plain = statements.operation == "value" and len(statements.years) == 1 and not statements.quarter
        asked = f"What was the FY{statements.years[0]} {statements.name}?" if plain else reading.text
        return (AskedFigure(statements.name, FILINGS_TOOL, (), (("question", asked),)),), ""
    measure = next((each for each in reading.measures if each.key in MEASURES), None)
    own = _parts_of(days.text, statements)
    if any(each.key == "margins" for each in reading.measures) and _of_all_margins(reading, measure):
        own = [read_figure_question(name) for name in MARGINS]
    if measure is not None and not (own and _longer(own, measure.words)):
        return _of_measure(MEASURES[measure.key], days, today)
    found = [_of_statement(part, statements, days, said) for part in own]
    gap = next((given for given in found if isinstance(given, str)), "")
    figures = [figure for given in found if not isinstance(given, str) for figure in given]
    return tuple(dict.fromkeys(figures)), gap


def _of_all_margins(reading: QuestionReading, measure: NamedMeasure | None) -> bool:
    """Tell whether a question asks for its margins together, not for one of them or for a longer name."""
    words = next(each.words for each in reading.measures if each.key == "margins")
    return words != "margin" and not (measure is not None and len(measure.words) > len("margins"))


def _longer(own: Sequence[FigureQuestion], word: str) -> bool:
    """Tell whether the name of a statement figure says more than the word of a measure, as `return on equity` does."""
    return max(len(part.name) for part in own) >= len(word)


def _parts_of(text: str, whole: FigureQuestion) -> list[FigureQuestion]:
    """Return the figures that a question joins by `and` or commas, such as `revenue and net income`."""
    if not whole.expression:
        return []
    if " and " in whole.name or whole.operation == "compare":
        return [whole]
    parts = [read_figure_question(part) for part in text.replace(" and ", ",").split(",")]
    named = {part.name: part for part in parts if part.expression}
    return list(named.values()) if len(named) > 1 else [whole]


def _of_measure(measure: Measure, days: NamedDays, today: date) -> tuple[tuple[AskedFigure, ...], str]:
    figure = AskedFigure(measure.label, measure.tool, measure.figures)
    day = days.as_of or (days.days[0] if len(days.days) == 1 and not days.window else None)
    if days.period_end is not None:
        return (), f"The {measure.label} is given for days, not for a fiscal period to {days.period_end}."
    if measure.days == "window":
        return _of_window(figure, measure, days, day, today)
    if measure.days == "half_year":
        half_year = days.window and (days.count, days.unit) in ((6, "month"), (2, "quarter"))
        if (days.window and not half_year) or (day is not None and day != today):
            return (), f"The {measure.label} is known for the six months to {today} only."
        return (figure,), ""
    if days.window and days.unit != "year" and not _whole_twelve_months(days):
        return (), f"The {measure.label} is given for a day, not for a window from {days.start} to {days.end}."
    if measure.days == "day":
        return (replace(figure, arguments=(("curr_date", (day or today).isoformat()),)),), ""
    if day is not None and day != today:
        return (), f"The {measure.label} is known for the day of the question only; ask as of {day}."
    if days.window and not _whole_twelve_months(days):
        return (), f"The {measure.label} is not given for a window from {days.start} to {days.end}."
    arguments = (("framework", measure.framework),) if measure.framework else ()
    return (replace(figure, arguments=arguments),), ""


def _whole_twelve_months(days: NamedDays) -> bool:
    return (days.count, days.unit) in ((12, "month"), (4, "quarter"), (1, "year"))


def _of_window(
    figure: AskedFigure, measure: Measure, days: NamedDays, day: date | None, today: date
) -> tuple[tuple[AskedFigure, ...], str]:
    """Return the call of a tool that takes a window; a price without one is that of the day."""
    if measure.tool == "get_news":
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
    part: FigureQuestion, whole: FigureQuestion, days: NamedDays, said: str
) -> tuple[AskedFigure, ...] | str:
    """Return the calls for a figure of statements, or why there is none."""
    if days.period_end is not None:
        return f"Name the fiscal year or quarter instead of the day {days.period_end} on which it ended."
    if days.days and days.as_of is None:
        return f"The {part.name} is given for fiscal periods, not for {days.days[0]}; name a year or a quarter."
    years, quarter = whole.years, whole.quarter
    operation = part.operation if part.operation != "value" else whole.operation
    change = {"growth": "growth", "difference": "difference", "average": "average", "cagr": "cagr"}.get(
        operation, "none"
    )
    if operation == "compare":
        change = "growth" if part.output in ("money", "per_share") else "difference"
    if change == "none" and days.unit == "year" and days.count > 1 and not years:
        if not any_stands(("average", "mean"), said):
            return f"Name the fiscal years of the {part.name}, or ask for its average or its growth over them."
        change = "average"
    if change == "average" and any_stands(("growth", "growth rate", "growth rates"), said):
        return f"An average of yearly growth of the {part.name} is not worked out; ask for its CAGR over the years."
    common: list[tuple[str, Any]] = [("figure", part.name)]
    if days.as_of is not None:
        common.append(("curr_date", days.as_of.isoformat()))
    label = part.name
    if quarter and not years:
        return f"Name the fiscal year of the {quarter}. quarter."
    periods = [f"Q{quarter} FY{year}" if quarter else f"FY{year}" for year in years]
    if whole.each_year and change == "none":
        return tuple(AskedFigure(label, STATEMENT_TOOL, (), (*common, ("period", period))) for period in periods)
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
        return tuple(AskedFigure(label, STATEMENT_TOOL, (), (*common, ("period", period))) for period in periods)
    elif days.window and not periods and days.unit in ("day", "week", "month") and not _whole_twelve_months(days):
        return f"The {label} is given for fiscal periods, not for the last {days.count} {days.unit}s."
    return (AskedFigure(label, STATEMENT_TOOL, (), tuple(arguments.items())),)


def _unnamed_period(whole: FigureQuestion, days: NamedDays, said: str, change: str) -> str:
    if says_year(said) and not whole.any_quarter:
        return "latest_year"
    if _whole_twelve_months(days) and days.unit != "year" and days.count != 1:
        return "twelve_months"
    if whole.any_quarter and days.count <= 1:
        return "latest_quarter"
    if says_quarter(said) and days.count <= 1:
        return "latest_quarter"
    if days.unit == "year" or change in ("cagr", "average"):
        return "latest_year"
    return "twelve_months"


def says_year(said: str) -> bool:
    """Tell whether a question asks for a figure of a fiscal year without naming one: `annual revenue`."""
    return any_stands(("fiscal year", "annual", "yearly", "full year"), said)


def says_quarter(said: str) -> bool:
    """Tell whether a question asks for a figure of a quarter without naming one: `quarterly revenue`."""
    return any_stands(("quarterly", "last quarter", "latest quarter", "most recent quarter"), said)


def _iso(day: date) -> str:
    return day.isoformat()
