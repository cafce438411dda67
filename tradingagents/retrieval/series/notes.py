"""What a reader has to know of the rows of a series: tags that change, figures that were restated, bases that part."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tradingagents.dataflows.reference.fiscal_periods import RECAST
from tradingagents.retrieval.calculation import show_number
from tradingagents.retrieval.series.fact import SeriesFact, Version

MOST_NOTES = 6


def notes_on(rows: Sequence[SeriesFact], versions: Sequence[Sequence[SeriesFact]], version: Version) -> tuple[str, ...]:
    """Return the notes on a series.

    Args:
        rows: Oldest first.
        versions: Every statement of each row's period, the first known first; () for a derived one.
        version: Which of them the rows are.
    """
    found = [*_tag_changes(rows), *_restated(rows, versions, version)]
    if version == "latest":
        found += _breaks(rows, versions)
    if derived := [row.period.fiscal.label for row in rows if row.period.fiscal and _is_subtracted(row)]:
        found.append(f"No filing states {', '.join(derived)}: worked out by subtraction.")
    return tuple(found[:MOST_NOTES])


def _is_subtracted(row: SeriesFact) -> bool:
    names = [cell.name for cell in row.derivation.cells] if row.derivation else []
    return bool(names) and names[0] in ("year", "nine_months", "half_year")


def _tag_changes(rows: Sequence[SeriesFact]) -> Iterator[str]:
    stated = [row for row in rows if not _is_subtracted(row)]
    for before, after in pairwise(stated):
        if before.tag != after.tag and before.period.fiscal and after.period.fiscal:
            yield (
                f"{before.period.fiscal.label} is {before.tag} and {after.period.fiscal.label} is {after.tag}: the two "
                f"may not hold the same."
            )


def _restated(rows: Sequence[SeriesFact], versions: Sequence[Sequence[SeriesFact]], version: Version) -> Iterator[str]:
    for row, every in zip(rows, versions, strict=True):
        if not every or not row.period.fiscal or not changed(every[0], every[-1]):
            continue
        first, last = every[0], every[-1]
        there = "is shown here" if version == "latest" else "is not shown here"
        yield (
            f"{row.period.fiscal.label} was restated from {show_number(first.value)} ({first.place.name}) to "
            f"{show_number(last.value)} {last.unit} ({last.place.name}), which {there}."
        )


def _breaks(rows: Sequence[SeriesFact], versions: Sequence[Sequence[SeriesFact]]) -> Iterator[str]:
    """Yield where a period was restated after the one before it was last stated: the two are on different bases."""
    for (before, after), every in zip(pairwise(rows), versions[1:], strict=False):
        then = [fact for fact in every if fact.known_at <= before.known_at]
        if then and before.period.fiscal and after.period.fiscal and changed(then[-1], after):
            yield (
                f"{after.period.fiscal.label} was restated after {before.period.fiscal.label} was last stated: when it "
                f"was, {after.period.fiscal.label} stood at {show_number(then[-1].value)}."
            )


def changed(one: SeriesFact, other: SeriesFact) -> bool:
    """Return whether two statements of a figure differ by more than rounding to another unit."""
    return not math.isclose(one.value, other.value, rel_tol=RECAST)
