"""Validity of an economic series: one value for each day of reference and publication, all in one unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import MacroObservation, MacroSeries

UNITS = (100.0, 1000.0, 1_000_000.0)
"""Percent and fractions, thousands, millions."""
UNIT_NEAR = 0.1
"""Tolerance around a change of unit: a month's own move comes on top."""
LONGEST_STRETCH = 6
"""Values in another unit up to the way back, or to the newest one; after a longer stretch the new unit stands."""


def check_observations(series: MacroSeries, instant: datetime) -> tuple[MacroSeries, tuple[Fault, ...]]:
    """Return a series without values that contradict or are in another unit, and their faults.

    Values published after the cut-off are neither judged nor used to judge.

    Returns:
        `series` itself where nothing is left out.
    """
    known = [row for row in series.observations if row.known_at <= instant]
    contradicted, faults = _contradicted(series, known)
    sound = [row for row in known if id(row) not in contradicted]
    in_other_unit, more = _in_other_unit(series, sound)
    left_out = contradicted | in_other_unit
    if not left_out:
        return series, ()
    found = (*faults, *more)
    kept = tuple(row for row in series.observations if id(row) not in left_out)
    notes = tuple(dict.fromkeys(fault.reason for fault in found if fault.withholds))
    return replace(series, observations=kept, gate_notes=(*series.gate_notes, *notes)), found


def _contradicted(series: MacroSeries, known: list[MacroObservation]) -> tuple[set[int], list[Fault]]:
    """Return the rows of a day and publication that has two values, or one value twice but for the first."""
    first: dict[tuple[object, ...], MacroObservation] = {}
    left_out: set[int] = set()
    faults: list[Fault] = []
    for row in known:
        other = first.setdefault((row.day, row.known_at), row)
        if other is row:
            continue
        left_out.add(id(row))
        if other.value == row.value:
            faults.append(
                Fault(series.series, row.day, "a value that is there twice", "it counts once", row, "repeated-row")
            )
            continue
        left_out.add(id(other))
        what = f"two values of one publication, {other.value:g} and {row.value:g}"
        faults.append(Fault(series.series, row.day, what, "both are left out", row, "repeated-row", withholds=True))
    return left_out, faults


def _in_other_unit(series: MacroSeries, known: list[MacroObservation]) -> tuple[set[int], list[Fault]]:
    """Return the rows of days whose latest values are in another unit than their neighbours."""
    latest: dict[date, MacroObservation] = {}
    for row in sorted(known, key=lambda one: one.known_at):
        latest[row.day] = row
    rows = [latest[day] for day in sorted(latest)]
    left_out: set[int] = set()
    faults: list[Fault] = []
    for start, stop, where in _stretches(rows):
        wrong = rows[start:stop]
        until = f" to {wrong[-1].day}" if len(wrong) > 1 else ""
        what = f"{wrong[0].value:g} on {wrong[0].day}{until} is in another unit than the values {where}"
        done = "the value is left out" if len(wrong) == 1 else f"{len(wrong)} values are left out"
        faults.append(Fault(series.series, wrong[0].day, what, done, wrong[0], "series-unit", withholds=True))
        days = {row.day for row in wrong}
        left_out |= {id(row) for row in known if row.day in days}
    return left_out, faults


def _stretches(rows: Sequence[MacroObservation]) -> Iterator[tuple[int, int, str]]:
    """Yield from and up to where rows are in another unit, and where the values in the right one are."""
    jumps = [place for place in range(1, len(rows)) if _unit(rows[place - 1].value, rows[place].value)]
    while jumps:
        start = jumps.pop(0)
        stop = jumps[0] if jumps else len(rows)
        if stop - start > LONGEST_STRETCH:  # the new unit stands, so what came before is in another one
            yield 0, start, "after"
        elif jumps:
            jumps.pop(0)
            yield start, stop, "around"
        else:
            yield start, stop, "before"


def _unit(before: float, after: float) -> float | None:
    """Return the ratio of units by which two neighbours differ; None where they do not."""
    if not before or not after or (before > 0) != (after > 0):
        return None
    size = max(after / before, before / after)
    return next((unit for unit in UNITS if abs(size / unit - 1) <= UNIT_NEAR), None)
