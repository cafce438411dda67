"""The periods that are shown of a line, which may be more than those named."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.retrieval.lines.line_questions import LineQuestion
from tradingagents.retrieval.lines.rows.asked_line import AskedLine
from tradingagents.retrieval.series.span import FiscalPeriod


def wanted_periods(asked: LineQuestion, line: AskedLine, periods: Sequence[FiscalPeriod]) -> list[FiscalPeriod]:
    """Return the periods that are shown: with the one before, where the growth of a single one is asked.

    Of a figure and its change against the year before, as in `by what % did they decline vs 2018`, a printed rate of
    change is that of the last period.
    """
    if line.growth and asked.and_amount and asked.against and len(periods) == 2:
        return [periods[-1]]
    grows = "growth" in asked.functions and not line.growth
    if grows and len(periods) == 1:
        only = periods[0]
        return [FiscalPeriod(only.year - 1, only.quarter), only]
    if "sequential" in asked.functions and len(periods) == 1:
        return [periods[0].before, periods[0]]
    return list(periods)
