"""Whether two lines that are set against each other are parts of one whole, or each of another one.

`Sales to wholesale customers` of a company and `Sales through direct to consumer` of one of its brands are of two.
"""

from __future__ import annotations

import math
from dataclasses import replace

from tradingagents.retrieval.lines.row_cells import line_of_table
from tradingagents.retrieval.lines.rows.asked_line import AskedLine, kind_of
from tradingagents.retrieval.lines.rows.line_figures import LineFigures
from tradingagents.retrieval.series.span import FiscalPeriod

_RESTATED = 0.05
"""Two figures of one line that differ by no more are stated twice."""


def differ_in_whole(figures: LineFigures, line: AskedLine, other: AskedLine, period: FiscalPeriod) -> bool:
    """Return whether the table of one of two lines has another figure of the other line."""
    measure = line.measure
    if measure is None or not measure.item or measure != other.measure:
        return False
    found = [(each, figures.cell_of(each, period)) for each in (line, other)]
    for (of, one), (_, two) in (found, found[::-1]):
        if one is None or two is None or one[0].document is not two[0].document or one[0].table is two[0].table:
            continue
        phrase = " ".join(of.phrases)
        wanted = replace(one[1], phrase=phrase, item=measure.item, kind=kind_of(measure.output), nearest=False)
        document, table = two[0].document, two[0].table
        again = line_of_table(document, table, wanted, period) or line_of_table(
            document, table, replace(wanted, nearest=True), period
        )
        if again is not None and not math.isclose(again.value, one[0].value, rel_tol=_RESTATED):
            return True
    return False
