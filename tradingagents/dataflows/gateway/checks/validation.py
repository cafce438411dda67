"""Validation of vendor answers, after the cut at the cut-off and before any computation.

Rows known after the cut-off aren't checked: a fault in them can't change an answer for the past. An economic series has
one value for each day of reference and publication, all in one unit; other answers have modules of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from tradingagents.dataflows.gateway.checks.price_checks import check_prices
from tradingagents.dataflows.gateway.checks.price_days import without_earlier_company
from tradingagents.dataflows.gateway.checks.row_checks import check_row
from tradingagents.dataflows.gateway.checks.statement_checks import check_statements
from tradingagents.dataflows.gateway.checks.trade_checks import distinct_trades
from tradingagents.dataflows.gateway.faults import Fault, quoted
from tradingagents.dataflows.models import (
    Filing,
    InsiderTransaction,
    MacroObservation,
    MacroSeries,
    Prices,
    Profile,
    Ratios,
    Statement,
)
from tradingagents.dataflows.reference.company_names import namesake
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadSymbol

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
    for row in sorted(known, key=lambda observation: observation.known_at):
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


_Rows = tuple[Any, ...]
_CHECKS: Mapping[type, Callable[[_Rows, datetime], tuple[_Rows, tuple[Fault, ...]]]] = {
    Statement: check_statements,
    InsiderTransaction: distinct_trades,
}
"""Rows that are judged by their neighbours, and by what."""
_OF_TODAY = ("Mover", "SectorMember")
"""Rows of current screens: what was known after the cut-off is cut where they are used."""


@dataclass(frozen=True, slots=True)
class Validated:
    """An answer without its invalid rows."""

    answer: Any
    faults: tuple[Fault, ...] = ()
    unusable: str | None = None
    """Why prices are unusable as a whole; None for everything else."""


def another_company(answer: Any, asked: str | None) -> Fault | None:
    """Return the fault where an answer is about another symbol than the one asked for; None where it is not.

    Vendors give the symbol that their source states, where it states one. A class of shares or an exchange that differs
    is another instrument.
    """
    if asked is None or not _is_about_one(answer):
        return None
    rows = answer if isinstance(answer, (tuple, list)) else (answer,)
    stated = (getattr(row, "symbol", None) for row in rows)
    other = next(
        (symbol for symbol in stated if isinstance(symbol, str) and symbol and not _is_same(symbol, asked)), None
    )
    if other is None:
        return None
    what = f"the source answers about {quoted(other)}"
    return Fault(asked, None, what, "the answer is not used", kind="another-company", withholds=True)


def _is_about_one(answer: Any) -> bool:
    if isinstance(answer, (tuple, list)):
        return bool(answer) and isinstance(answer[0], (Statement, InsiderTransaction, Filing))
    return isinstance(answer, (Prices, Profile, Ratios))


def _is_same(stated: str, asked: str) -> bool:
    if stated == asked:
        return True
    try:
        return normalise(stated) == normalise(asked)
    except BadSymbol:
        return False


def validate(answer: Any, *, instant: datetime, last: date) -> Validated:
    """Return a vendor's answer without invalid rows, and their faults.

    Args:
        instant: The cut-off.
        last: The last session that had closed by then.
    """
    if isinstance(answer, Prices):
        own, reused = without_earlier_company(answer, last)
        checked = check_prices(own, last)
        return Validated(checked.prices, (*((reused,) if reused else ()), *checked.faults), checked.unusable)
    if isinstance(answer, MacroSeries):
        kept, faults = _checked(answer.observations, instant)
        named = tuple(replace(fault, subject=answer.series) for fault in faults)
        series, more = check_observations(replace(answer, observations=kept) if faults else answer, instant)
        return Validated(series, (*named, *more))
    if isinstance(answer, (Profile, Ratios)):
        row, found = check_row(answer)
        renamed = _without_other_name(row) if isinstance(row, Profile) else None
        return Validated(row, tuple(found)) if renamed is None else Validated(renamed[0], (*found, renamed[1]))
    if isinstance(answer, (tuple, list)):
        kept, faults = _checked(answer, instant)
        if not is_series(kept):
            return Validated(kept, faults) if faults else Validated(answer)
        rows: tuple[Any, ...] = tuple(kept)
        sound, doubted = _CHECKS[type(rows[0])](rows, instant)
        untouched = not faults and sound is rows
        return Validated(answer if untouched else sound, (*faults, *doubted))
    return Validated(answer)


def _without_other_name(row: Profile) -> tuple[Profile, Fault] | None:
    """Return a profile without what another company of the list is called and does; None where the name is its own.

    The symbol stands for the name, so that prices and statements, which come from elsewhere, are still answered.
    """
    owner = namesake(row.symbol, row.name)
    if owner is None:
        return None
    what = f"its profile calls it {quoted(row.name)}, which is {' or '.join(owner.symbols)}"
    done = "its name, sector and industry are not used, and nothing is set against a sector or peers"
    fault = Fault(row.symbol, None, what, done, row, "another-company", withholds=True)
    return replace(row, name=row.symbol, sector=None, industry=None, withheld=fault.reason), fault


def is_series(answer: Any) -> bool:
    """Return whether rows are judged by their neighbours, so that those known later may change what is said of one."""
    if isinstance(answer, (Prices, MacroSeries)):
        return True
    return isinstance(answer, (tuple, list)) and bool(answer) and type(answer[0]) in _CHECKS


def newest_known(answer: Any, *, instant: datetime, last: date) -> date | None:
    """Return the newest thing in a series that a judgement at a cut-off may look at; None where nothing is known yet.

    Cut-offs with the same one know the same bars or rows of an answer, so `validate` says the same at each.

    Args:
        answer: Prices, an economic series, or rows that are judged by their neighbours.
        instant: The cut-off.
        last: The last session that had closed by then.
    """
    if isinstance(answer, Prices):
        return last
    rows = answer.observations if isinstance(answer, MacroSeries) else answer
    stated = (getattr(row, "known_at", None) for row in rows)
    known = (at for at in stated if isinstance(at, datetime) and at.tzinfo is not None and at <= instant)
    return max(known, default=None)


def _checked(rows: Iterable[Any], instant: datetime) -> tuple[tuple[Any, ...], tuple[Fault, ...]]:
    kept: list[Any] = []
    faults: list[Fault] = []
    for row in rows:
        if isinstance(row, str):
            kept.append(row)
            continue
        if type(row).__name__ not in _OF_TODAY:
            known_at = getattr(row, "known_at", None)
            if not isinstance(known_at, datetime) or known_at.tzinfo is None:
                faults.append(Fault("", None, f"known_at is {quoted(known_at)}", "the row is left out", row))
                continue
            if known_at > instant:
                kept.append(row)
                continue
        sound, found = check_row(row)
        faults += found
        if sound is not None:
            kept.append(sound)
    return tuple(kept), tuple(faults)
