"""The length of each flow's period, and quarters worked out from year-to-date rows.

`check_flow_periods` takes one company's income or cash-flow statements of one label, quarterly or annual. Under the
quarterly label it leaves at most one period for each end:

1. A row without a first day gets one where its values say that it is year to date (`flow_pattern`), where its fiscal
   period is a whole year, or where the rows around it lie half a year apart. Where the values leave it open, the row is
   withheld.
2. A row longer than a quarter becomes the quarter at its end: the row less the periods before it in the same fiscal
   year. All of them must have been known by the cut-off.
3. A row of which that cannot be done keeps its true period, so that sums of twelve months may still use it
   (`analytics.company.reported_periods`); no figure of a quarter does (`fiscal_periods.is_as_labelled`).

Under the annual label a row that is no year keeps its period likewise, or is withheld where its length is not known.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import groupby, pairwise
from statistics import median

from tradingagents.dataflows.gateway.checks.flow_pattern import (
    DAY,
    STEADY,
    YEAR_DAYS,
    Pattern,
    difference,
    numbered,
    pattern_of,
    single_year_to_date,
)
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.data_faults import FaultKind
from tradingagents.dataflows.reference.fiscal_periods import HALF_YEAR_GAP, LENGTHS, days_of, length_of, length_of_days

SAME_START = 10
"""Days by which the first days of one fiscal year may differ between its rows: sources round to months."""
SAME_END = 10
"""Days by which the ends of one period may differ between sources' rows."""
REST_OF_QUARTER = (80, 125)
"""Days of a quarter that is left of a longer period, as in SEC filings."""
YEAR_GAP = (350, 380)
REPORTED = timedelta(days=400)
"""A company with a quarter in so many days before a longer row reports quarters."""
RESTATED = 0.001
"""Smallest relative change of an item that counts as a restatement."""
QUARTER_OF_A_YEAR = (0.15, 0.4)
"""Bounds of a quarter's items in those of the years around it."""
HALVES_IN_A_ROW = 3
"""Distances of half a year in a row that tell a half-yearly reporter; fewer may be quarters that are missing."""
AROUND, LARGEST_LENGTH = 3, 6.0
"""Rows on either side of one, and by how many times it may differ from their median by its length: a year is four
quarters, and a season comes on top."""
SHOWN = 3
_KINDS = {"income": "income", "cashflow": "cash-flow", "balance": "balance"}
_NO_QUARTER = "it is in no figure of a quarter"
_NO_YEAR = "it is in no figure of a year"


def check_flow_periods(
    rows: tuple[Statement, ...], instant: datetime
) -> tuple[tuple[Statement, ...], tuple[Fault, ...]]:
    """Return the flows with their true periods, year-to-date rows turned into quarters, and the faults.

    Args:
        rows: Every version of every period of one company, kind and label, in any order. Balance sheets are returned
            as they are: they are of an instant.
        instant: The cut-off; rows known later are returned as they are and used for nothing.

    Returns:
        `rows` itself where every row is what its label says.
    """
    known = [row for row in rows if row.known_at <= instant]
    if not known or known[0].kind == "balance":
        return rows, ()
    found = _Checked()
    (_check_years if known[0].frequency == "annual" else _check_quarters)(known, found)
    if not found.instead:
        return rows, ()
    kept = (found.instead.get(id(row), row) for row in rows)
    return tuple(row for row in kept if row is not None), tuple(found.faults)


@dataclass(slots=True)
class _Checked:
    """What stands in the place of rows, by their identity (None: nothing does), and what is wrong with them."""

    instead: dict[int, Statement | None] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def withhold(self, row: Statement, original: Statement, fault: Fault) -> None:
        """Put a row in place that has no items, only the reason."""
        self.faults.append(fault)
        self.instead[id(original)] = replace(
            row, items={}, withheld={**row.withheld, **dict.fromkeys(row.items, fault.reason)}
        )


@dataclass(slots=True)
class _FlowRow:
    """A row under the quarterly label with its period."""

    original: Statement
    row: Statement
    """The row with its first day, where that is known."""
    start: date
    """The first day, estimated for a plain quarter without one."""

    @property
    def end(self) -> date:
        return self.row.period_end

    @property
    def is_quarter(self) -> bool:
        return length_of(self.row) == "quarter"


# Quarterly label


def _check_quarters(known: Sequence[Statement], found: _Checked) -> None:
    flows = _with_first_days(known, found)
    if any(not flow.is_quarter for flow in flows):
        _resolve(flows, found)
    _one_row_an_end(flows, found)


def _with_first_days(known: Sequence[Statement], found: _Checked) -> list[_FlowRow]:
    """Return the flows with their first days, without those whose length cannot be told."""
    _withhold_contradicted([row for row in known if length_of(row) == "quarter" and row.period_start], found)
    dated = {id(row): row for row in known if row.period_start is not None}
    dateless = [row for row in known if row.period_start is None]
    odd = {id(row) for row in _of_other_size(known)} if dateless else set()  # of another unit, which no length explains
    plain = [row for row in dateless if row.fiscal_period != "FY" and id(row) not in odd]
    dated |= {
        id(row): replace(row, period_start=_back(row.period_end, 4)) for row in dateless if row.fiscal_period == "FY"
    }
    quarters = [
        row for row in known if row.period_start is not None and length_of(row) == "quarter" and id(row) not in odd
    ]
    pattern = pattern_of([*quarters, *plain]) if plain else Pattern("as labelled")
    if pattern.reading == "unclear":
        _withhold_unclear(plain, found)
    elif pattern.reading == "year to date":
        dated |= _of(plain, _year_to_date([*quarters, *plain], pattern))
    elif plain:
        incomes = [row for row in (*quarters, *plain) if row.kind == "income"]
        dated |= _half_years(plain, quarters) | _singles(incomes, plain, found)
    rows = [(row, dated.get(id(row), row)) for row in known if id(row) not in found.instead]
    ordered = sorted(rows, key=lambda pair: (pair[1].period_end, pair[1].known_at))
    return [_FlowRow(original, row, row.period_start or _back(row.period_end, 1)) for original, row in ordered]


def _of_other_size(rows: Sequence[Statement]) -> list[Statement]:
    """Return rows of an income statement whose items are too far from those around them for any length."""
    by_end = {row.period_end: row for row in sorted(rows, key=lambda one: one.known_at) if row.kind == "income"}
    ordered = [by_end[end] for end in sorted(by_end)]
    found = []
    for at, row in enumerate(ordered):
        around = [*ordered[max(0, at - AROUND) : at], *ordered[at + 1 : at + 1 + AROUND]]
        ratios = [
            abs(row.items[name]) / middle
            for name in STEADY
            if row.items.get(name)
            and (
                middle := median(
                    [abs(statement.items[name]) for statement in around if statement.items.get(name)] or [0.0]
                )
            )
        ]
        if ratios and not 1 / LARGEST_LENGTH < median(ratios) < LARGEST_LENGTH:
            found += [one for one in rows if one.period_end == row.period_end]
    return found


def _withhold_contradicted(quarters: Sequence[Statement], found: _Checked) -> None:
    """Withhold rows of an income statement that are quarters by their first day and year to date by their values."""
    if not quarters or quarters[0].kind != "income":
        return
    pattern = pattern_of(quarters)
    by_number = numbered(quarters, pattern.per_year)
    if pattern.reading == "year to date":
        longer = {at for at in by_number if pattern.position(at) in pattern.longer}
    else:
        by_number = numbered(quarters, 4)
        longer = {at for at, (_, reading) in single_year_to_date(quarters).items() if reading == "year to date"}
    ends = {by_number[at].period_end for at in longer}
    for row in (quarter for quarter in quarters if quarter.period_end in ends):
        what = f"the row is a quarter by its first day, {row.period_start}, and year to date by its values"
        found.withhold(row, row, _fault(row, what, _NO_QUARTER, "period-length"))


def _back(end: date, quarters: int) -> date:
    """Return the first day of so many quarters to an end, to a few days."""
    return end + DAY - timedelta(days=round(quarters * YEAR_DAYS / 4))


def _year_to_date(rows: Sequence[Statement], pattern: Pattern) -> dict[int, Statement]:
    """Return year-to-date rows with the first day of their fiscal year, by identity."""
    by_number = numbered(rows, pattern.per_year)
    starts: dict[date, date] = {}
    opened: dict[int, date] = {}
    for at in sorted(by_number):
        place = pattern.position(at)
        before, end = by_number.get(at - place), by_number[at].period_end
        opened.setdefault(at - place, before.period_end + DAY if before else _back(end, place * 4 // pattern.per_year))
        if place in pattern.longer:
            starts[end] = opened[at - place]
    return {id(row): replace(row, period_start=starts[row.period_end]) for row in rows if row.period_end in starts}


def _of(rows: Sequence[Statement], dated: Mapping[int, Statement]) -> dict[int, Statement]:
    """Return those of the rows with first days that stand for some rows, by identity."""
    return {id(row): dated[id(row)] for row in rows if id(row) in dated}


def _half_years(rows: Sequence[Statement], quarters: Sequence[Statement]) -> dict[int, Statement]:
    """Return the half-years of a company that reports so, came to report quarters, or did before, by identity.

    Args:
        rows: Rows without first days.
        quarters: Those that are quarters by their first days.
    """
    ends = sorted({row.period_end for row in (*rows, *quarters)})
    is_half = [HALF_YEAR_GAP[0] <= (later - earlier).days <= HALF_YEAR_GAP[1] for earlier, later in pairwise(ends)]
    halves: dict[date, date] = {}
    for is_run, steps in groupby(range(len(is_half)), key=is_half.__getitem__):
        run = tuple(steps)
        if is_run and len(run) >= HALVES_IN_A_ROW:
            halves |= {ends[at + 1]: ends[at] + DAY for at in run}
            if len(run) == len(is_half):  # all rows are: so is the oldest
                halves[ends[0]] = _back(ends[0], 2)
    return {id(row): replace(row, period_start=halves[row.period_end]) for row in rows if row.period_end in halves}


def _singles(rows: Sequence[Statement], plain: Sequence[Statement], found: _Checked) -> dict[int, Statement]:
    """Return single year-to-date rows among quarters, by identity; those that may be one are withheld.

    Args:
        plain: Those of the rows without first days: only these are returned or withheld.
    """
    by_number = numbered(rows, 4) if rows else {}
    longer: dict[int, Statement] = {}
    for at, (count, reading) in single_year_to_date(rows).items() if rows else ():
        end, opening = by_number[at].period_end, by_number.get(at - count)
        start = opening.period_end + DAY if opening else _back(end, count)
        for row in (statement for statement in plain if statement.period_end == end):
            if reading == "unclear":
                found.withhold(row, row, _unclear(row))
            else:
                longer[id(row)] = replace(row, period_start=start)
    return longer


def _resolve(flows: list[_FlowRow], found: _Checked) -> None:
    """Turn rows longer than a quarter into the quarter at their end, or the half-year of a half-yearly reporter."""
    quarterly = any(flow.is_quarter for flow in flows)
    pool: list[_FlowRow] = []
    turned: list[tuple[_FlowRow, Sequence[_FlowRow], Statement]] = []
    left: list[_FlowRow] = []
    for flow in sorted(flows, key=lambda one: (one.end, -one.start.toordinal(), one.row.known_at)):
        parts = (
            ()
            if flow.is_quarter
            else _parts(flow, pool, (REST_OF_QUARTER,) if quarterly else (REST_OF_QUARTER, LENGTHS["half-year"]))
        )
        pool.append(flow)
        if parts:
            rest = _rest(flow, parts)
            turned.append((flow, parts, rest))
            if length_of(rest) == "quarter":
                pool.append(_FlowRow(flow.original, rest, rest.period_start or flow.start))
        elif not flow.is_quarter:
            left.append(flow)
    given = {flow.end for flow in flows if flow.is_quarter}
    _put_turned([entry for entry in turned if entry[0].end not in given], found)
    for flow in (entry for entry, _, _ in turned if entry.end in given):
        found.instead[id(flow.original)] = None  # the quarter itself is given
    worked = given | {flow.end for flow, _, _ in turned}
    _put_left(left, worked, flows, found)


def _parts(flow: _FlowRow, pool: Sequence[_FlowRow], rests: Sequence[tuple[int, int]]) -> tuple[_FlowRow, ...]:
    """Return the periods that fill a longer one from its first day but for the rest at its end; () if there are none.

    The fewest are taken. Of a period with several versions, the one known last when the longer one became known.
    """

    def filled(start: date, depth: int) -> tuple[_FlowRow, ...] | None:
        rest = days_of(start, flow.end)
        if depth and any(low <= rest <= high for low, high in rests):
            return ()
        able = [
            candidate
            for candidate in pool
            if abs((candidate.start - start).days) <= SAME_START
            and candidate.end < flow.end
            and candidate.row.currency == flow.row.currency
            and candidate.row.items
        ]
        for end in sorted({candidate.end for candidate in able}, reverse=True):
            versions = [candidate for candidate in able if candidate.end == end]
            known = [version for version in versions if version.row.known_at <= flow.row.known_at]
            part = (
                max(known, key=lambda one: one.row.known_at)
                if known
                else min(versions, key=lambda version: version.row.known_at)
            )
            after = filled(end + DAY, depth + 1) if depth < 4 else None
            if after is not None:
                return (part, *after)
        return None

    return filled(flow.start, 0) or ()


def _rest(flow: _FlowRow, parts: Sequence[_FlowRow]) -> Statement:
    """Return a longer row less the periods that fill it but for its end."""
    row, start = flow.row, parts[-1].end + DAY
    what = f"the {_KINDS[row.kind]} row to {row.period_end} is year to date"
    done = "the quarter is that row less those before it, and averages such as EPS are withheld"
    reason = Fault(row.symbol, None, what, done, kind="year-to-date").reason
    rest = difference(row, [part.row for part in parts], start, row.period_end, reason=reason, note=reason)
    return replace(rest, fiscal_period="Q4" if row.fiscal_period == "FY" else row.fiscal_period)


def _put_turned(turned: Sequence[tuple[_FlowRow, Sequence[_FlowRow], Statement]], found: _Checked) -> None:
    """Put quarters in the place of the rows they were worked out from, with one note for all of them."""
    if not turned:
        return
    ends = sorted({flow.end for flow, _, _ in turned}, reverse=True)
    first = turned[0][0].row
    averages = "; share counts and EPS of them are withheld" if first.kind == "income" else ""
    note = Fault(
        first.symbol,
        None,
        f"the {_KINDS[first.kind]} rows to {_listed(ends)} are year to date",
        f"each quarter is its row less those before it{averages}",
        kind="year-to-date",
    ).reason
    by_span: dict[tuple[date, date], tuple[Statement, set[int]]] = {}
    for flow, parts, rest in turned:
        row, ids = flow.row, {id(part.row) for part in parts}
        earlier = by_span.get((flow.start, flow.end))
        if earlier is not None and earlier[1] == ids and _is_restated(earlier[0], row):
            what = f"the {_KINDS[row.kind]} row is year to date and was restated, the rows before it were not"
            found.withhold(rest, flow.original, _fault(row, what, "the quarter is withheld", "year-to-date"))
            continue
        by_span[flow.start, flow.end] = (row, ids)
        what = f"the row labelled a quarter is of {_period(flow)}"
        found.faults.append(
            _fault(row, what, "the quarter is the row less those before it", "year-to-date", withholds=False)
        )
        found.instead[id(flow.original)] = replace(
            rest, withheld=dict.fromkeys(rest.withheld, note), gate_notes=(*row.gate_notes, note)
        )


def _put_left(left: Sequence[_FlowRow], worked: set[date], flows: Sequence[_FlowRow], found: _Checked) -> None:
    """Keep longer rows with their true periods, and say so; those at the end of a quarter are needed no more."""
    for flow in left:
        row = flow.row
        if flow.end in worked:
            found.instead[id(flow.original)] = None
            continue
        length = length_of(row)
        reports_quarters = any(
            other.is_quarter and flow.end - REPORTED <= other.end <= flow.end + REPORTED for other in flows
        )
        if length == "half-year" and not reports_quarters:
            if row is not flow.original:
                found.instead[id(flow.original)] = row
            continue
        why = "" if length is None else ", and what came before in that year is not known"
        fault = _fault(row, f"the row labelled a quarter is of {_period(flow)}{why}", _NO_QUARTER, "period-length")
        if length is None:
            found.withhold(row, flow.original, fault)
            continue
        found.faults.append(fault)
        found.instead[id(flow.original)] = replace(row, gate_notes=(*row.gate_notes, fault.reason))


def _one_row_an_end(flows: Sequence[_FlowRow], found: _Checked) -> None:
    """Leave one of the quarters that end within a few days of each other: the one known last."""
    quarters = sorted((flow for flow in flows if flow.is_quarter), key=lambda flow: flow.end)
    for earlier, later in pairwise(quarters):
        if not 0 < (later.end - earlier.end).days <= SAME_END:
            continue
        older, newer = sorted((earlier, later), key=lambda flow: flow.row.known_at)
        what = f"the same quarter is given to {earlier.end} and to {later.end}"
        if older.row.known_at < newer.row.known_at or not _is_restated(older.row, newer.row):
            found.faults.append(_fault(older.row, what, "the one known last counts", "period-length", withholds=False))
            found.instead[id(older.original)] = None
        else:
            found.instead[id(older.original)] = None
            found.withhold(newer.row, newer.original, _fault(newer.row, what, "both are withheld", "period-length"))


# Annual label


def _check_years(known: Sequence[Statement], found: _Checked) -> None:
    plain: list[Statement] = []
    for row in known:
        if row.period_start is None and row.fiscal_period == "FY":
            plain.append(row)
        elif row.period_start is None:
            what = f"the row labelled a year is {row.fiscal_period} of a fiscal year"
            found.withhold(row, row, _fault(row, what, _NO_YEAR, "period-length"))
        elif length_of(row) != "year":
            fault = _fault(row, f"the row labelled a year is of {_words(row)}", _NO_YEAR, "period-length")
            if length_of(row) is None:
                found.withhold(row, row, fault)
            else:
                found.faults.append(fault)
                found.instead[id(row)] = replace(row, gate_notes=(*row.gate_notes, fault.reason))
    odd = _odd_ends([row.period_end for row in plain])
    for row in plain:
        if row.period_end in odd:
            what = f"the row labelled a year ends less than a year after the one before it, to {odd[row.period_end]}"
            found.withhold(row, row, _fault(row, what, _NO_YEAR, "period-length"))
    _withhold_quarters([row for row in plain if row.period_end not in odd], found)


def _odd_ends(ends: Iterable[date]) -> dict[date, date]:
    """Return ends that follow that of another year too soon to be one, with that other end.

    Where no earlier year confirms the other, which of the two is none cannot be told: both are returned.
    """
    odd: dict[date, date] = {}
    kept: list[date] = []
    for end in sorted(set(ends)):
        last = kept[-1] if kept else None
        if last is None or (end - last).days <= SAME_END or (end - last).days >= YEAR_GAP[0]:
            kept.append(end)
            continue
        odd[end] = last
        if len(kept) == 1:
            odd[kept.pop()] = end
    return odd


def _withhold_quarters(years: Sequence[Statement], found: _Checked) -> None:
    """Withhold years of which every steady item is about a quarter of that of the years around it."""
    by_end: dict[date, list[Statement]] = defaultdict(list)
    for row in years:
        by_end[row.period_end].append(row)
    ends = sorted(by_end)
    for at, end in enumerate(ends):
        around = [by_end[other][-1] for other in (*ends[max(0, at - 1) : at], *ends[at + 1 : at + 2])]
        for row in by_end[end]:
            if around and all(_is_quarter_of(row, other) for other in around):
                what = "every item of the row labelled a year is about a quarter of that of the years around it"
                found.withhold(row, row, _fault(row, what, _NO_YEAR, "period-length"))


def _is_quarter_of(row: Statement, year: Statement) -> bool:
    names = [name for name in STEADY if row.items.get(name) and year.items.get(name)]
    low, high = QUARTER_OF_A_YEAR
    return len(names) >= 3 and all(low <= row.items[name] / year.items[name] <= high for name in names)


# Words


def _is_restated(old: Statement, new: Statement) -> bool:
    names = old.items.keys() & new.items.keys()
    return any(not math.isclose(old.items[name], new.items[name], rel_tol=RESTATED) for name in names)


def _withhold_unclear(rows: Sequence[Statement], found: _Checked) -> None:
    """Withhold rows whose length their values leave open, with one reason for all of them."""
    ends = sorted({row.period_end for row in rows}, reverse=True)
    if len(ends) == 1:
        for row in rows:
            found.withhold(row, row, _unclear(row))
        return
    kind = _KINDS[rows[0].kind]
    what = f"whether the {kind} rows to {_listed(ends)} are of quarters or year to date cannot be told from values"
    reason = Fault(rows[0].symbol, None, what, "they are in no figure of a quarter", kind="period-length").reason
    for row in rows:
        found.faults.append(_unclear(row))
        found.instead[id(row)] = replace(row, items={}, withheld={**row.withheld, **dict.fromkeys(row.items, reason)})


def _unclear(row: Statement) -> Fault:
    what = f"whether the {_KINDS[row.kind]} row is of a quarter or year to date cannot be told from its values"
    return _fault(row, what, _NO_QUARTER, "period-length")


def _fault(row: Statement, what: str, done: str, kind: FaultKind, *, withholds: bool = True) -> Fault:
    return Fault(row.symbol, row.period_end, what, done, row, kind, withholds)


def _period(flow: _FlowRow) -> str:
    return _words(replace(flow.row, period_start=flow.start))


def _words(row: Statement) -> str:
    start = row.period_start or row.period_end
    days = days_of(start, row.period_end)
    length = length_of_days(days)
    what = "nine months" if length == "nine months" else f"a {length}" if length else f"{days} days"
    return f"{what} ({start} to {row.period_end})"


def _listed(ends: Sequence[date]) -> str:
    some = ", ".join(end.isoformat() for end in ends[:SHOWN])
    more = len(ends) - SHOWN
    return f"{some} and {more} earlier ones" if more > 0 else some
