"""Sums over the last twelve months of a company's statements.

Four quarters, or two half-years of a company that reports so, are summed only if they are consecutive; income and cash
flow of a period are matched by its last day and its length. Otherwise other periods that tile twelve months are
(`period_tiling`), and a note says which; else the last fiscal year is used, and a note says so. A sum with a missing
item is None; zero is a value. Periods that ended too long ago (`period_age`) give no sums, growth or ratios of the day,
and a note says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal, NamedTuple

from tradingagents.analytics.company.business import gross_profit_doubt
from tradingagents.analytics.company.reported_periods import (
    DAY,
    DayRange,
    Tiling,
    doubted_cash_flows,
    is_current,
    reporting_interval,
    stale_reason,
    tiling_to,
)
from tradingagents.analytics.company.statements import (
    HALVES,
    NEXT_QUARTER,
    QUARTERS,
    as_labelled,
    consecutive,
    filing_notes,
    half_years,
    newest_first,
)
from tradingagents.dataflows.gateway.checks.flow_pattern import difference
from tradingagents.dataflows.gateway.checks.neighbouring_statements import all_with_missing
from tradingagents.dataflows.models import Profile, Statement, StatementKind
from tradingagents.dataflows.reference.fiscal_periods import (
    HALF_YEAR_GAP,
    Length,
    days_of,
    has_sure_length,
    is_missing,
    is_withheld,
    length_of,
)

Basis = Literal["ttm", "annual", "none"]
FLOWS = (
    "revenue",
    "gross_profit",
    "operating_income",
    "ebitda",
    "net_income",
    "operating_cash_flow",
    "free_cash_flow",
)
CASH_FLOWS = ("operating_cash_flow", "free_cash_flow")
YEAR_APART = (350, 380)
"""Days between a period's end and that of the same period a year before, including 52- and 53-week years."""
SAME_LENGTH = 10
"""Days by which periods of one length may differ: a 53rd week, and first days that a source rounds to months."""
LATER = timedelta(days=45)
"""A period that ends so much after the newest quarter says more of the day than four quarters do."""
ESTIMATED_DAYS: Mapping[Length, int] = {"quarter": 91, "half-year": 182, "nine months": 273, "year": 364}
"""Days of a period whose first day is not given."""


@dataclass(frozen=True, slots=True)
class Period:
    """Income and cash flows of one quarter or year."""

    end: date
    income: Statement
    flows: Mapping[str, float | None]
    """`FLOWS`, in the statement's currency."""


@dataclass(frozen=True, slots=True)
class Trailing:
    """The last twelve months, or the fiscal year used instead."""

    basis: Basis
    """`ttm`: four quarters, two half-years, or other periods that tile twelve months; `annual`: the last fiscal year;
    `none`: none is available."""
    periods: tuple[Period, ...]
    """The periods summed, newest first. One may be the rest of a fiscal year, worked out as its `gate_notes` say."""
    before: tuple[Period, ...]
    """The same number of periods of the year before, for growth; empty if not available."""
    flows: Mapping[str, float | None]
    """`FLOWS` over the periods."""
    quarters: tuple[Period, ...]
    """Every known quarter, newest first, not necessarily consecutive; half-years of a company that reports so."""
    years: tuple[Period, ...]
    """Every known fiscal year, newest first."""
    balance: Statement | None
    """The newest balance sheet, quarterly or annual; None where it is too old to be called current."""
    notes: tuple[str, ...]
    withheld: tuple[str, ...] = ()
    """Which figures are withheld for the age of the statements, one sentence each; `notes` holds them too."""
    current_quarters: tuple[Period, ...] = ()
    """`quarters` where the newest may be called current, else ()."""
    current_years: tuple[Period, ...] = ()
    """`years`, likewise."""


def trailing(
    income: Sequence[Statement],
    balance: Sequence[Statement],
    cashflow: Sequence[Statement],
    profile: Profile | None = None,
    *,
    as_of: date,
) -> Trailing:
    """Find the last twelve months in statements of both frequencies, in any order.

    Args:
        balance: Balance sheets.
        cashflow: Cash-flow statements.
        profile: The company; gross profit is withheld for a bank or insurer.
        as_of: The day of which the figures shall tell.
    """
    given = {id(statement) for statement in (*income, *balance, *cashflow)}  # == would compare each with each
    income, balance, cashflow = all_with_missing(income, balance, cashflow)
    added = [statement for statement in (*income, *balance, *cashflow) if id(statement) not in given]
    absent = {why for statement in added for why in statement.withheld.values()}
    doubted, contradiction = doubted_cash_flows(income, cashflow)
    cashflow = [statement for statement in cashflow if statement not in doubted] if doubted else cashflow
    quarters, years = _periods(_interims(income), cashflow), _periods(_years(income), cashflow)
    newest = max((*quarters[:1], *years[:1]), key=lambda period: period.end, default=None)
    doubt = gross_profit_doubt(profile, newest.flows) if newest is not None else None
    if doubt is not None:
        quarters, years = _without_gross_profit(quarters), _without_gross_profit(years)
    current_quarters, current_years = _current(quarters, as_of), _current(years, as_of)
    other = _other_months(_pieces(income, cashflow), current_quarters, current_years, as_of)
    basis, used, before = other.found if other else _twelve_months(current_quarters, current_years)
    if other and doubt is not None:
        used, before = _without_gross_profit(used), _without_gross_profit(before)
    sheet, stale_sheet = _newest_sheet(balance, as_of)
    flows = {name: total([period.flows[name] for period in used]) if used else None for name in FLOWS}
    cash_note = _add_cash_flows(flows, used, cashflow) if basis == "ttm" else None
    withheld = (*_stale_periods(newest, used, current_quarters, as_of), *stale_sheet)
    return Trailing(
        basis=basis,
        periods=used,
        before=before,
        flows=flows,
        quarters=quarters,
        years=years,
        balance=sheet,
        notes=(
            *(withheld or ((other.note,) if other else _basis_notes(basis, quarters, current_quarters, used))),
            *sorted(absent),
            *((contradiction,) if contradiction else ()),
            *((cash_note,) if cash_note else ()),
            *((doubt,) if doubt else ()),
            *_gap_notes(flows, used, withheld=doubt is not None),
            *(() if stale_sheet else _balance_notes(used, sheet)),
            *filing_notes([period.income for period in used] + ([sheet] if sheet else [])),
        ),
        withheld=withheld,
        current_quarters=current_quarters,
        current_years=current_years,
    )


def _current(periods: tuple[Period, ...], as_of: date) -> tuple[Period, ...]:
    """Return the periods if the newest may be called current, else ()."""
    incomes = [period.income for period in periods]
    return periods if incomes and is_current(incomes[0], incomes, as_of) else ()


def _twelve_months(
    quarters: tuple[Period, ...], years: tuple[Period, ...]
) -> tuple[Basis, tuple[Period, ...], tuple[Period, ...]]:
    """Return the basis, the periods of the last twelve months, and those of the twelve months before."""
    incomes = [period.income for period in quarters]
    halves = reporting_interval(incomes) == "half-year"
    run, count = (len(half_years(incomes)), HALVES) if halves else (_run(quarters), QUARTERS)
    if run >= count:
        return "ttm", quarters[:count], quarters[count : 2 * count] if run >= 2 * count else ()
    if years:
        return "annual", years[:1], tuple(year for year in (year_before(years[0], years),) if year is not None)
    return "none", (), ()


def _run(quarters: Sequence[Period]) -> int:
    """Return how many of the newest quarters follow each other without a gap."""
    return len(consecutive([period.income for period in quarters]))


class _Piece(NamedTuple):
    """A period of any length that may be part of twelve months."""

    span: DayRange
    income: Statement
    """Or the cash-flow statement, where cash flows are tiled alone."""
    cashflow: Statement | None


class _OtherMonths(NamedTuple):
    """Twelve months of other periods than four quarters or two half-years."""

    found: tuple[Basis, tuple[Period, ...], tuple[Period, ...]]
    note: str


def _pieces(income: Iterable[Statement], cashflow: Iterable[Statement], kind: StatementKind = "income") -> list[_Piece]:
    """Return every period of a kind that has a length, newest first; of one period the version known last."""
    flows: dict[tuple[date, Length], dict[str, Statement]] = {}
    for filed in sorted((*income, *cashflow), key=lambda statement: statement.known_at):
        length = length_of(filed)
        if length is not None:
            flows.setdefault((filed.period_end, length), {})[filed.kind] = filed
    pieces = []
    for (end, length), found in sorted(flows.items(), reverse=True):
        if kind in found and not is_withheld(found[kind]):
            start = found[kind].period_start or end - (ESTIMATED_DAYS[length] - 1) * DAY
            pieces.append(_Piece(DayRange(start, end), found[kind], found.get("cashflow")))
    return [piece for piece in pieces if piece.income.currency == pieces[0].income.currency]


def _other_months(
    pieces: Sequence[_Piece], quarters: tuple[Period, ...], years: tuple[Period, ...], as_of: date
) -> _OtherMonths | None:
    """Return twelve months of other periods; None where quarters, half-years or the fiscal year tell as much.

    Only a period under the quarterly label that ended after the newest fiscal year, and well after four quarters or two
    half-years, is an end of such twelve months.
    """
    latest = years[0].end if years else date.min
    if _twelve_months(quarters, ())[0] == "ttm":
        latest = max(latest, quarters[0].end + LATER)
    incomes = [piece.income for piece in pieces]
    spans = [piece.span for piece in pieces]
    for piece in pieces:
        end = piece.span.end
        if end <= latest or piece.income.frequency != "quarterly" or not is_current(piece.income, incomes, as_of):
            continue
        tiling = tiling_to(spans, end)
        if tiling is not None and (tiling.year is not None or len(tiling.added) > 1):
            before = tiling_to(spans, (_first_day(pieces, tiling) - DAY))
            earlier = _of_tiling(pieces, before) if before is not None else ()
            return _OtherMonths(("ttm", _of_tiling(pieces, tiling), earlier), _tiling_note(pieces, tiling))
    return None


def _first_day(pieces: Sequence[_Piece], tiling: Tiling) -> date:
    if tiling.less:
        return pieces[tiling.less[0]].span.end + DAY
    return pieces[tiling.added[-1]].span.start


def _of_tiling(pieces: Sequence[_Piece], tiling: Tiling) -> tuple[Period, ...]:
    """Return the periods of a tiling, newest first; a year less a part of it is one period, its rest."""
    added = tuple(_period(pieces[number].income, pieces[number].cashflow) for number in tiling.added)
    if tiling.year is None:
        return added
    year, less = pieces[tiling.year], [pieces[number] for number in tiling.less]
    first, note = _first_day(pieces, tiling), _tiling_note(pieces, tiling)
    income = difference(year.income, [period.income for period in less], first, year.span.end, reason=note, note=note)
    cash = [period.cashflow for period in less if period.cashflow is not None]
    cashflow = (
        difference(year.cashflow, cash, first, year.span.end, reason=note, note=note)
        if year.cashflow is not None and len(cash) == len(less)
        else None
    )
    return (*added, _period(income, cashflow))


def _add_cash_flows(
    flows: dict[str, float | None], used: Sequence[Period], cashflow: Sequence[Statement]
) -> str | None:
    """Add cash flows of twelve months from periods of their own, where those of the income lack them; say so."""
    missing = [name for name in CASH_FLOWS if flows[name] is None]
    if not missing:
        return None
    pieces = _pieces((), cashflow, "cashflow")
    tiling = tiling_to([piece.span for piece in pieces], used[0].end)
    if tiling is None or pieces[0].income.currency != used[0].income.currency:
        return None
    periods = _of_tiling(pieces, tiling)
    found = {name: total([period.flows[name] for period in periods]) for name in missing}
    flows |= found
    return f"Cash flows: {_tiling_note(pieces, tiling)}" if any(one is not None for one in found.values()) else None


def _tiling_note(pieces: Sequence[_Piece], tiling: Tiling) -> str:
    """Say which periods make the twelve months."""
    words = [_words(pieces[number].income) for number in tiling.added]
    if tiling.year is None:
        return f"Twelve months are {_joined(words)}."
    less = _joined([_words(pieces[number].income) for number in tiling.less])
    return f"Twelve months are {_joined([*words, _words(pieces[tiling.year].income)])}, less {less}."


def _words(income: Statement) -> str:
    length = length_of(income)
    return f"the {'fiscal year' if length == 'year' else length} to {income.period_end}"


def _joined(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _newest_sheet(balance: Sequence[Statement], as_of: date) -> tuple[Statement | None, tuple[str, ...]]:
    """Return the newest balance sheet; where it is too old, None and the reason."""
    sheet = max(
        balance,
        key=lambda statement: (statement.period_end, not is_missing(statement), statement.known_at),
        default=None,
    )
    if sheet is None or is_current(sheet, balance, as_of):
        return sheet, ()
    return None, (stale_reason("balance sheet", sheet.period_end, as_of, "P/B and ratios of the balance"),)


def _stale_periods(
    newest: Period | None, used: tuple[Period, ...], current: tuple[Period, ...], as_of: date
) -> tuple[str, ...]:
    """Return why there are no twelve months where the periods known ended too long ago; else ()."""
    if newest is None or used or current:
        return ()
    what = "year" if length_of(newest.income) == "year" else "quarter"
    return (stale_reason(what, newest.end, as_of, "sums of twelve months, growth and multiples"),)


def year_before(period: Period, periods: Sequence[Period]) -> Period | None:
    """Return the period of the same length that ended a year before; None if there is none."""
    low, high = (timedelta(days=days) for days in YEAR_APART)
    return next((one for one in periods if low <= period.end - one.end <= high and same_length(period, one)), None)


def same_length(period: Period, other: Period) -> bool:
    """Return whether two periods are of one length; a 53rd week is none. Without first days the label has told."""
    starts = (period.income.period_start, other.income.period_start)
    if starts[0] is None or starts[1] is None:
        return length_of(period.income) == length_of(other.income)
    return abs(days_of(starts[0], period.end) - days_of(starts[1], other.end)) <= SAME_LENGTH


def quarter_before(period: Period, periods: Sequence[Period]) -> Period | None:
    """Return the previous quarter; None if it is missing."""
    low, high = (timedelta(days=days) for days in NEXT_QUARTER)
    return next((one for one in periods if low <= period.end - one.end <= high), None)


def year_span(basis: Basis, periods: Sequence[date]) -> str:
    """Return the fiscal year that "12-month" figures cover; empty when they cover four quarters."""
    return f"fiscal year to {periods[0]}" if basis == "annual" and periods else ""


def months_in_words(basis: Basis, ends: Sequence[date]) -> str:
    """Return which periods make twelve months, such as `four quarters`, from their ends, newest first."""
    if basis == "annual":
        return "fiscal year"
    if len(ends) == QUARTERS:
        return "four quarters"
    is_halves = len(ends) == HALVES and HALF_YEAR_GAP[0] <= (ends[0] - ends[1]).days <= HALF_YEAR_GAP[1]
    return "two half-years" if is_halves else "twelve months"


def total(values: Sequence[float | None]) -> float | None:
    """Return the sum; None when any part is missing."""
    found = [value for value in values if value is not None]
    return sum(found) if len(found) == len(values) else None


def total_debt(balance: Statement) -> tuple[float | None, str | None]:
    """Return a company's interest-bearing debt, and a note if it is incomplete."""
    items = balance.items
    if "total_debt" in items:
        return items["total_debt"], None
    if "long_term_debt" not in items:
        return None, None
    if "short_term_debt" in items:
        return items["long_term_debt"] + items["short_term_debt"], None
    if not balance.withheld.keys().isdisjoint(("short_term_debt", "total_debt")):
        return None, None
    return items["long_term_debt"], "Total debt counts long-term debt only: the source gives no short-term debt."


def _interims(income: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return the quarters, or the half-years of a company that reports so, newest first."""
    interims = [
        statement for statement in income if length_of(statement) != "year" and statement.frequency == "quarterly"
    ]
    return as_labelled(interims)


def _years(income: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return the fiscal years, newest first, whatever their label; also a missing one, so that none stands for it."""
    years = newest_first(statement for statement in income if length_of(statement) == "year")
    return tuple(year for year in years if has_sure_length(year))


def _periods(income: Sequence[Statement], cashflow: Sequence[Statement]) -> tuple[Period, ...]:
    """Return periods with the cash flows of the same length to the same day."""
    cash = {
        (statement.period_end, length_of(statement)): statement
        for statement in sorted(cashflow, key=lambda statement: statement.known_at)
    }
    return tuple(_period(statement, cash.get((statement.period_end, length_of(statement)))) for statement in income)


def _period(income: Statement, cashflow: Statement | None) -> Period:
    return Period(income.period_end, income, _flows(income.items, cashflow.items if cashflow else {}))


def _flows(income: Mapping[str, float], cashflow: Mapping[str, float]) -> dict[str, float | None]:
    """Return `FLOWS` of one period; missing ones are derived from their parts where possible."""
    items: dict[str, float] = {**cashflow, **income}
    found: dict[str, float | None] = {name: items.get(name) for name in FLOWS}
    derived = {
        "gross_profit": ("revenue", "cost_of_revenue", -1),
        "ebitda": ("operating_income", "depreciation_and_amortization", 1),
        "free_cash_flow": ("operating_cash_flow", "capital_expenditure", 1),  # money out is negative
    }
    for name, (left, right, sign) in derived.items():
        if found[name] is None and left in items and right in items:
            found[name] = items[left] + sign * items[right]
    return found


def _basis_notes(
    basis: Basis, quarters: tuple[Period, ...], current: tuple[Period, ...], used: tuple[Period, ...]
) -> tuple[str, ...]:
    """Return why the figures are not of four quarters; () where they are."""
    if basis == "ttm":
        halves = f"The company reports half-yearly: twelve months are its two half-years to {used[0].end}."
        return (halves,) if len(used) == HALVES else ()
    if not quarters:
        why = "No quarterly statements are known"
    elif not current:
        why = f"The newest quarter known ended on {quarters[0].end}"
    elif reporting_interval([period.income for period in quarters]) == "half-year":
        why = "The company reports half-yearly, and a half-year is missing"
    elif len(quarters) < QUARTERS:
        why = f"Only {len(quarters)} of four quarters are known"
    else:
        why = f"A quarter is missing before {quarters[_run(quarters) - 1].end}"
    if basis == "annual":
        return (f"{why}: figures are of the fiscal year to {used[0].end}, not of the last twelve months.",)
    return (f"{why}, and no recent fiscal year: there is no sum over twelve months.",)


def _without_gross_profit(periods: tuple[Period, ...]) -> tuple[Period, ...]:
    return tuple(replace(period, flows={**period.flows, "gross_profit": None}) for period in periods)


def _gap_notes(flows: Mapping[str, float | None], used: tuple[Period, ...], *, withheld: bool) -> list[str]:
    missing = [name for name in FLOWS if flows[name] is None and not (withheld and name == "gross_profit")]
    return [f"Not given for every period: {', '.join(_with_gaps(missing, used))}."] if used and missing else []


def _with_gaps(names: Sequence[str], used: tuple[Period, ...]) -> list[str]:
    """Return items, cash flows with the ends of the periods that lack them where others have them."""
    lacking = {name: [period.end.isoformat() for period in used if period.flows[name] is None] for name in names}
    return [
        name if name not in CASH_FLOWS or len(ends) == len(used) or not ends else f"{name} (not to {', '.join(ends)})"
        for name, ends in lacking.items()
    ]


def _balance_notes(used: tuple[Period, ...], sheet: Statement | None) -> list[str]:
    if sheet is None:
        return ["No balance sheet is known."]
    if used and sheet.period_end < used[0].end:
        return [f"The newest balance sheet is of {sheet.period_end}."]
    return []
