"""The days that a message names: which request they make of it, and whether it is answered for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from tradingagents.offline.questions.asked import AskedFigure, read_asked, says_quarter, says_year
from tradingagents.offline.questions.conversation import ConversationBrief
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.lookups import BY_FIGURE, BY_KIND, NEWS, PRICE, REPORTING, STATEMENTS
from tradingagents.offline.questions.message import BESIDE, MessageRequest
from tradingagents.retrieval.questions.days import NamedDays, is_one_day, read_days
from tradingagents.retrieval.questions.names import any_stands, names_table, with_long_names, without_indices
from tradingagents.retrieval.questions.periods.unclear_days import unclear_days
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.questions.slips import Mended
from tradingagents.retrieval.questions.spans import (
    completed,
    last_session,
    named_days,
    next_days,
    to_the_day,
)

ONE_SESSION = "Movers are ranked over the last session only: ask for those of today, or for the sectors of the week."
_WITH_DAYS = frozenset({"price", "span", "figure", "technical", "worth", "risk", "results", ""})
"""Kinds of question that may ask for a figure of other days or fiscal years."""
_DATED = frozenset({"analyze", "scan"})
"""Tasks that may be about another day."""


def of_days(own: MessageRequest, reading: QuestionReading, brief: ConversationBrief, found: Mended) -> MessageRequest:
    """Return a request with the days that its message names, or as one that is not answered for them."""
    if found.doubtful:
        return replace(own, wish="unread", declined=found.doubtful)
    asks_more = _asks_more(own, reading)
    silent = _ALONE if asks_more else (*_ALONE, "unread")
    if own.wish in silent or own.question or own.account or own.topics:
        return own
    days = named_days(without_indices(reading.english) if own.index else reading.english, brief.day)
    if own.lookup in (REPORTING, BY_KIND["calendar"], BY_KIND["report_date"]):
        coming = next_days(reading.english, brief.day)
        return replace(own, coming=(coming.start, coming.end), days=days)
    if own.wish == "task":
        named = (*days.days, *([days.as_of] if days.as_of else []))
        return replace(own, day=named[0]) if len(named) == 1 and own.kind in _DATED else own
    if problem := unclear_days(reading.english, brief.day):
        return replace(own, wish="unread", declined=problem)
    if own.wish == "moved" or own.lookup is NEWS:
        return replace(own, days=days if own.wish == "moved" else to_the_day(days, brief.day))
    if reading.kind == "results" and is_one_day(days):
        return replace(own, days=days)  # whether results came on that day is told with them
    dated = _dated(days, reading, brief.day)
    silent_kind = reading.kind in ("", "follow_up") or own.elliptic
    bare = silent_kind and bool(own.symbols or own.index) and not reading.uncovered
    bare = bare or (reading.kind == "compare" and days.window and own.wish == "compare")
    if (reading.kind in _WITH_DAYS or bare) and (dated or asks_more):
        return _with_figures(own, reading, brief, days)
    if dated and own.lookup is not None and own.lookup.tool == "get_market_movers":
        return replace(own, wish="unread", declined=ONE_SESSION)
    if dated and not (own.lookup is not None and own.lookup.tool in _OF_A_WINDOW and days.window):
        return replace(own, wish="other_day")
    if own.wish == "why" and (own.names or set(own.symbols) - set(brief.symbols)):
        return replace(own, wish="unread")
    return replace(own, days=days)


_ALONE = ("help", "greeting", "decision", "run", "tasks")
"""Requests that no day changes."""
_OF_A_WINDOW = frozenset(
    {"get_sector_performance", "get_industry_performance", "risk_profile", "get_insider_transactions"}
)
"""Tools whose answer covers several windows to the day."""


def _dated(days: NamedDays, reading: QuestionReading, today: date) -> bool:
    """Tell whether a message is about days or fiscal years other than the day of the conversation."""
    if reading.kind == "results" and days.unit == "quarter" and days.count <= 1:
        return False  # the last quarter is the one that is shown
    named = (*days.days, *([days.as_of] if days.as_of else []))
    if any(day != today for day in named) or days.window:
        of_now = "yesterday" not in days.text.lower()
        return not (days.window and of_now and days.start == days.end == last_session(today))
    return bool({year for year in reading.figure.years if year != today.year}) or reading.figure.quarter is not None


def _asks_more(own: MessageRequest, reading: QuestionReading) -> bool:
    """Tell whether a figure is asked for that no look-up of the day shows, such as a dividend yield."""
    keys = {each.key for each in reading.measures}
    of_period = (says_year(reading.said) or says_quarter(reading.said)) and bool(reading.figure.expression)
    if of_period and (own.wish == "compare" or own.lookup in BY_FIGURE.values()):
        return True
    if own.wish not in ("lookup", "unread") or own.declined.startswith(BESIDE):
        return False
    if _OF_TWELVE_MONTHS in keys and len(own.symbols) == 1:
        return True  # and not the earnings of the last quarter
    if keys & _RATIOS and reading.kind in ("figure", "price", "") and own.lookup in (None, PRICE):
        return True
    if reading.kind != "figure":
        return False
    if own.lookup is STATEMENTS and reading.figure.expression:
        return True
    figure = reading.figure
    changes = bool(figure.expression) and figure.operation in ("growth", "cagr", "average")
    return changes or (
        not own.lookup and (bool(keys & _RATIOS) or any_stands(names_table()["plain_figures"], reading.said))
    )


_OF_TWELVE_MONTHS = "eps_ttm"
_RATIOS = frozenset(
    {
        "ps",
        "pb",
        "peg",
        "ev_ebitda",
        "eps_ttm",
        "dividend_yield",
        "fcf_yield",
        "high_52w",
        "low_52w",
        "sma_200",
        "sma_50",
    }
)


def _with_figures(
    own: MessageRequest, reading: QuestionReading, brief: ConversationBrief, days: NamedDays
) -> MessageRequest:
    """Return a request for the figures of named days or fiscal years; declined where no rule knows which are meant."""
    text = completed(reading.english, brief.day)
    free = own.elliptic or reading.kind in ("span", "price", "follow_up", "compare", "")
    if days.window and (own.index or (free and not _says_figure(reading))):
        start, end = days.base or days.start, min(days.end or brief.day, brief.day)
        if start is None or start > end:
            return replace(own, wish="other_day")
        return replace(own, wish="figures", figures=(_change(start, end),), days=days)
    plain = read_days(text, brief.day)
    other = days.count and not reading.figure.expression and (plain.start, plain.end) != (days.start, days.end)
    if days.window and days.end is not None and (not plain.window or other):  # such as `last year`, of the calendar
        one_day = days.start == days.end
        text = f"{text} on {days.end}" if one_day else f"{text} from {days.base} to {days.end}"
    if not reading.figure.expression:
        text = with_long_names(text, reading.said)
    if own.wish == "compare" and reading.figure.operation == "compare":  # of companies, not of years
        text = " ".join([reading.figure.name, *_periods_said(reading, days)])
    asked = read_asked(QuestionReading(text, brief.day, instruments=brief.instruments))
    if asked.gap or not asked.figures:
        dated = _dated(days, reading, brief.day)
        return replace(own, wish="other_day" if dated and not asked.gap else "unread", declined=asked.gap)
    if _are_of_other_days(asked.figures, days):
        return replace(own, wish="unread", declined=OF_PERIODS)
    return replace(own, wish="figures", figures=asked.figures, days=days)


OF_PERIODS = "Figures of statements are of a quarter, a fiscal year or the last four quarters: ask for one of these."


def _are_of_other_days(figures: Sequence[AskedFigure], days: NamedDays) -> bool:
    """Tell whether figures of statements are not of the days that a question names, such as a month or several years.

    The four quarters to the last one stand for the twelve months to the present day, and for the year that runs.
    """
    if not (days.window and days.start and days.end) or any(figure.tool not in _OF_STATEMENTS for figure in figures):
        return False
    periods = {dict(figure.arguments).get("period", _FOUR_QUARTERS) for figure in figures}
    if periods == {_FOUR_QUARTERS}:
        return days.unit not in ("quarter", "year") and days.end - days.start < _A_YEAR
    return len(periods) == 1 and days.end.year - days.start.year > 1


_FOUR_QUARTERS = "twelve_months"
_OF_STATEMENTS = frozenset({"get_ttm_analysis", "get_statement_figure"})
_A_YEAR = timedelta(days=360)


def _periods_said(reading: QuestionReading, days: NamedDays) -> Sequence[str]:
    """Return the fiscal periods of a question as words that are read as it said them."""
    asked = reading.figure
    if asked.years:
        return [f"in Q{asked.quarter} {year}" if asked.quarter else f"in {year}" for year in asked.years]
    if asked.any_quarter or says_quarter(reading.said):
        return ["in the last quarter"]
    last_year = says_year(reading.said) or (days.unit == "year" and days.count <= 1)
    return ["in the last fiscal year"] if last_year else []


def _says_figure(reading: QuestionReading) -> bool:
    """Tell whether a question on a window names its figure: the highest close, the average price, a line item."""
    keys = {each.key for each in reading.measures}
    return bool(keys & {"highest_close", "lowest_close", "average_close", "total_return"} or reading.figure.expression)


def _change(start: date, end: date) -> AskedFigure:
    arguments = (("start_date", start.isoformat()), ("end_date", end.isoformat()))
    return AskedFigure("price change", "get_price_change", ("price_change", "total_return"), arguments)


def days_reported(frame: QuestionFrame, today: date) -> tuple[date, date] | None:
    """Return the days on which a question asks who reported, or the week in which who reports; None for another one."""
    if frame.asked.has("reporting") and frame.span == "this week":
        monday = today - timedelta(days=today.weekday())
        return monday, monday + timedelta(days=6)
    days = frame.reported_on
    first, last = (None, None) if days is None else (days.start, days.end) if days.window else (*days.days[:1] * 2,)
    return (first, last) if first is not None and last is not None else None
