"""Figures that belong together are in one unit: those of a line, and those of several parts of a company."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tradingagents.retrieval.lines.line_answer import LineValue


def of_parts_alike(values: Sequence[LineValue]) -> Iterator[LineValue]:
    """Yield figures of several parts in the unit of most of them: a part found in another one becomes a gap."""
    units = Counter(value.unit for value in values if value.value is not None)
    usual = units.most_common(1)[0][0] if units else ""
    for value in values:
        if value.value is None or value.unit == usual:
            yield value
            continue
        gap = f"the row {value.row!r} is in {value.unit}, and those of the others in {usual}"
        yield LineValue(company=value.company, line=value.line, period=value.period, gap=gap)


def of_one_unit(values: Sequence[LineValue]) -> Iterator[LineValue]:
    """Yield figures of a line in one unit; those found in several units are of different lines, and become gaps."""
    units: dict[tuple[str, str], set[str]] = {}
    for value in values:
        if value.value is not None:
            units.setdefault((value.company, value.line), set()).add(value.unit)
    for value in values:
        found = units.get((value.company, value.line), set())
        if value.value is None or len(found) < 2:
            yield value
        else:
            gap = f"rows of its name are found in several units: {', '.join(sorted(found))}"
            yield LineValue(company=value.company, line=value.line, period=value.period, gap=gap)
