"""No pattern of the project takes more than about linear time on hostile text of 20 kB."""

from __future__ import annotations

import re
from heapq import nlargest

import pytest

from tests.support.patterns import TooLong, collected, hostile, seconds, ways_of

SMALLEST, SMALL, LARGE = 600, 3_000, 20_000
LOOKED_AT = 8
"""So many of the units that take longest in the smallest text are tried in a small one."""
NOTICED, MOST = 0.05, 0.5
"""Seconds of processor time for 20 kB: below the first a pattern is quick, above the second it is slow."""
STEEPEST = 2.5
"""Growth of the time over that of the text: 1 for a linear pattern, 6.7 for a quadratic one. Machines differ in speed,
so that time alone does not tell them apart."""
TRIES = 4
"""The quickest of so many counts: others use the processor's caches too."""


def test_what_is_super_linear_is_seen() -> None:
    assert slow(re.compile(r"\s+x"), ("finditer",)) is not None
    assert slow(re.compile(r"(?:a|aa)+b"), ("match",)) is not None
    assert slow(re.compile(r"[A-Z][a-z]{0,20}\d"), ("finditer",)) is None


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_every_pattern_is_linear(whole: bool) -> None:
    """With `--all` within every beginning and end; else the repeated text alone, which shows most."""
    patterns = collected()
    assert len(patterns) > 500
    assert "tradingagents.features.report_check.document._PIPE_TABLE" in patterns
    found = {where: slow(pattern, ways_of(where), whole=whole) for where, pattern in patterns.items()}
    assert {where: text for where, text in found.items() if text is not None} == {}


def slow(pattern: re.Pattern[str], ways: tuple[str, ...], *, whole: bool = True) -> tuple[str, str, str] | None:
    """Return the beginning, the repeated unit and the end of the text that a pattern is slow on; None for none."""
    texts = list(dict.fromkeys(hostile(pattern, whole=whole)))
    took_smallest: dict[tuple[str, str, str], float] = {}
    try:  # one limit for all: to set one for each takes longer than most searches
        took_each = seconds(pattern, [_of_size(text, SMALLEST) for text in texts], ways, MOST)
        took_smallest = dict(zip(texts, took_each, strict=True))
    except TooLong:
        for text in texts:
            took_smallest[text] = _quickest(pattern, text, SMALLEST, ways, tries=1)
            if took_smallest[text] >= MOST:
                return text
    slowest = nlargest(LOOKED_AT, took_smallest, took_smallest.__getitem__)
    worst = max(slowest, key=lambda text: _quickest(pattern, text, SMALL, ways, tries=1))
    took = _quickest(pattern, worst, LARGE, ways, tries=TRIES)
    if took < NOTICED:
        return None
    growth = took / _quickest(pattern, worst, SMALL, ways, tries=TRIES)
    return worst if took >= MOST or growth > STEEPEST * LARGE / SMALL else None


def _quickest(
    pattern: re.Pattern[str], text: tuple[str, str, str], size: int, ways: tuple[str, ...], *, tries: int
) -> float:
    """Return the least of some times for a text of a size; `MOST` where none is below it."""
    least = MOST
    for _ in range(tries):
        try:
            least = min(least, *seconds(pattern, [_of_size(text, size)], ways, MOST))
        except TooLong:
            continue
        if least < NOTICED:
            break
    return least


def _of_size(text: tuple[str, str, str], size: int) -> str:
    begin, unit, end = text
    return begin + unit * (size // len(unit)) + end


@pytest.mark.parametrize(
    "unit", ["\n\t ", "1% ", "1 to 2 ", "grow by 5% from ", " \n", "(5% ", "Revenue was $5m up 3% and "]
)
def test_a_report_of_hostile_text_is_read_in_time_that_grows_with_its_length(unit: str) -> None:
    most = 8 * min(checking(unit, 10_000) for _ in range(2)) + 0.2  # four times as much; quadratic is sixteen times
    took = checking(unit, 40_000)
    assert took < most or checking(unit, 40_000) < most, (took, most)


def checking(unit: str, size: int) -> float:
    import time
    from datetime import UTC, date, datetime

    from tradingagents.features.report_check.check import checked_figures
    from tradingagents.features.report_check.document import markdown_of
    from tradingagents.features.report_check.facts import CheckableCompany

    content = f"# VELQ report\n{unit * (size // len(unit))}x".encode()
    as_of = date(2025, 3, 14)
    began = time.thread_time()
    text = markdown_of(content, known_at=datetime(2025, 3, 14, tzinfo=UTC))
    checked_figures(text, [CheckableCompany("VELQ", "Velquist", (), as_of)], as_of)
    return time.thread_time() - began
