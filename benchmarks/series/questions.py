"""The questions, and how an answer is judged against the independent reading."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any, Literal

from benchmarks.series.independent import ITEMS, Period, Reading, function_of
from tradingagents.dataflows.vendors.sec_edgar.facts import read_facts
from tradingagents.dataflows.vendors.sec_edgar.statements import reported_facts
from tradingagents.retrieval.series import Series, Span, series
from tradingagents.retrieval.series.functions import SeriesFunction, over_series
from tradingagents.retrieval.series.history import FactHistory
from tradingagents.retrieval.series.reported import facts_of_reported

COMPANIES = {"AAPL": 320193, "NVDA": 1045810, "GOOGL": 1652044, "MRVL": 1835632, "SNOW": 1640147}
FUNCTIONS: tuple[SeriesFunction, ...] = ("growth", "cagr", "average", "sum", "highest", "lowest")
FIRST_DAY = {"AAPL": 2011, "NVDA": 2011, "GOOGL": 2016, "MRVL": 2022, "SNOW": 2021}
FREE = 5
"""Days after a filing without a question: when one without an instant was known is a rule of its own."""

Verdict = Literal["right", "right to withhold", "gap", "wrong", "mixed version", "other year", "not withheld"]


@dataclass(frozen=True)
class SpanQuestion:
    """A question: an item over a span as of a day, and what is to be computed."""

    company: str
    item: str
    span: Span
    version: Literal["first", "latest"]
    as_of: date | None
    function: SeriesFunction | None


@dataclass
class Judged:
    """What an answer is, against the independent reading."""

    verdict: Verdict
    why: list[str] = field(default_factory=list)
    seconds: float = 0.0


def facts_of(symbol: str, page: dict[str, Any]) -> FactHistory:
    """Return a page of company facts as the library reads it; filings count from the open after their day."""
    facts = read_facts(page)
    if facts is None:
        raise ValueError(f"the page of {symbol} cannot be read")
    return FactHistory(symbol, facts_of_reported(reported_facts(symbol, page["cik"], facts, {})))


def questions(count: int, seed: int, pages: Mapping[str, dict[str, Any]]) -> list[SpanQuestion]:
    """Return questions over all companies, items, kinds of spans, versions, days and functions."""
    draw = random.Random(seed)  # noqa: S311
    filed = {symbol: filing_days(page) for symbol, page in pages.items()}
    found: list[SpanQuestion] = []
    while len(found) < count:
        company = draw.choice(list(COMPANIES))
        first = FIRST_DAY[company]
        as_of = None
        if draw.random() < 0.5:
            as_of = date(first, 6, 1) + timedelta(days=draw.randrange((date(2026, 1, 1) - date(first, 6, 1)).days))
            if any(0 <= (as_of - day).days <= FREE for day in filed[company]):
                continue
        last = as_of.year if as_of else 2025
        span = _span(draw, first - 2, last)
        function = draw.choice((None, *FUNCTIONS))
        if function in ("growth", "cagr") and len(span.periods) == 1:
            continue
        found.append(SpanQuestion(company, draw.choice(ITEMS), span, draw.choice(("first", "latest")), as_of, function))
    return found


def _span(draw: random.Random, first: int, last: int) -> Span:
    years = list(range(first, last + 1))
    kind = draw.randrange(8)
    if kind == 0:
        return Span.years(*draw.sample(years, min(len(years), draw.randint(1, 4))))
    if kind == 1:
        return Span.last_years(draw.randint(2, 6))
    if kind == 2:
        return Span.since(draw.choice(years))
    if kind == 3:
        start = draw.choice(years)
        return Span.between(start, min(start + draw.randint(1, 5), last))
    if kind == 4:
        return Span.last_quarters(draw.randint(2, 12))
    if kind == 5:
        return Span.quarters(*{(draw.choice(years), draw.randint(1, 4)) for _ in range(draw.randint(1, 4))})
    if kind == 6:
        year = draw.choice(years)
        return Span.quarters(*((year, quarter) for quarter in (1, 2, 3, 4)))
    year = draw.choice(years)
    return Span.between((year, draw.randint(1, 4)), (year + 1, draw.randint(1, 4)))


def filing_days(page: dict[str, Any]) -> set[date]:
    """Return the days on which a company filed what the page holds."""
    rows = page["facts"]["us-gaap"]["NetIncomeLoss"]["units"]["USD"]
    return {date.fromisoformat(row["filed"]) for row in rows}


@cache
def _reading(symbol: str, as_of: date | None) -> Reading:
    return Reading(symbol, _PAGES[symbol], as_of)


_PAGES: dict[str, dict[str, Any]] = {}


def judged(question: SpanQuestion, source: FactHistory, page: dict[str, Any]) -> Judged:
    """Answer a question and judge the answer."""
    _PAGES[question.company] = page
    reading = _reading(question.company, question.as_of)
    day = question.as_of
    instant = None if day is None else datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    began = time.perf_counter()
    found = series(source, question.company, question.item, question.span, instant, question.version)
    figure = None if question.function is None else over_series(found, question.function)
    seconds = time.perf_counter() - began
    periods = _periods(question.span, reading)
    expected = reading.figures(question.item, periods, question.version)
    answer = _compare(found, expected, reading, periods)
    if answer.verdict in ("right", "right to withhold") and figure is not None and question.function is not None:
        wanted = function_of(question.function, expected, periods, question.item)
        if figure.value is None:
            answer = Judged("right to withhold") if wanted is None else Judged("gap", [str(wanted), figure.withheld])
        elif wanted is None:
            answer = Judged("not withheld", [f"{figure.value}"])
        elif isinstance(wanted, tuple):
            of = figure.periods[0]
            same = (of.year, of.quarter or 0) == wanted
            answer = Judged("right") if same else Judged("wrong", [f"{of} for {wanted}"])
        else:
            same = math.isclose(figure.value, wanted, rel_tol=1e-9, abs_tol=1e-9)
            answer = Judged("right") if same else Judged("wrong", [f"{figure.value} for {wanted}"])
    answer.seconds = seconds
    return answer


def _periods(span: Span, reading: Reading) -> list[Period]:
    """Return the periods of a span, worked out apart from the library."""
    if span.periods:
        return [(year, quarter or 0) for year, quarter in span.periods]
    newest = reading.newest(span.quarterly)
    if newest is None:
        return []
    if not span.quarterly:
        first = span.first.year if span.first else newest[0] - span.last + 1
        return [(year, 0) for year in range(first, newest[0] + 1)]
    count = newest[0] * 4 + newest[1] - 1
    return [(number // 4, number % 4 + 1) for number in range(count - span.last + 1, count + 1)]


def _compare(found: Series, expected: dict[Period, float], reading: Reading, periods: list[Period]) -> Judged:
    """Judge the rows of a series: the worst of them decides."""
    given = {(row.period.fiscal.year, row.period.fiscal.quarter or 0): row for row in found if row.period.fiscal}
    named = {(row.period.year, row.period.quarter or 0): row.reason for row in found.missing}
    for period in periods:
        if period not in given and period not in named:
            return Judged("wrong", [f"{period} is neither given nor named"])
    gaps = []
    for period, row in given.items():
        if row.company != reading.symbol or period not in periods:
            return Judged("wrong", [f"{row}"])
        if period not in expected:
            return Judged("not withheld", [f"{period}: {row.value} from {row.place.label}, {row.tag}"])
        if not math.isclose(row.value, expected[period], rel_tol=1e-9, abs_tol=1e-9):
            why = [f"{period}: {row.value} from {row.place.label}, {row.tag}, for {expected[period]}"]
            if row.value in reading.versions(found.item, period):
                return Judged("mixed version", why)
            others = (reading.versions(found.item, other) for other in _neighbours(period))
            return Judged("other year" if any(row.value in other for other in others) else "wrong", why)
    gaps = [f"{period}: {named[period]}, for {expected[period]}" for period in expected if period in named]
    if gaps:
        return Judged("gap", gaps)
    return Judged("right" if given else "right to withhold")


def _neighbours(period: Period) -> list[Period]:
    year, quarter = period
    return [(year + step, quarter) for step in (-2, -1, 1, 2)]
