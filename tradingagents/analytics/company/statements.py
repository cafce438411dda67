"""Tables of financial statements, and shared helpers for their order, versions and consecutive quarters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from itertools import repeat

from pydantic import Field

from tradingagents.analytics.company.business import without_doubtful_gross_profit
from tradingagents.dataflows.gateway.share_basis import has_share_figures
from tradingagents.dataflows.models import Frequency, KnownBy, Profile, Statement, StatementKind
from tradingagents.dataflows.reference.fiscal_periods import HALF_YEAR_GAP, is_as_labelled, is_withheld, length_of
from tradingagents.dataflows.reference.line_items import ITEMS, PER_SHARE, SHARES
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

MOST_PERIODS = 8
WITHHELD = "withheld"
"""Stands in tables for an item that the data gate withholds."""
QUARTERS = 4
HALVES = 2
NEXT_QUARTER = (80, 125)
"""Days between the ends of consecutive quarters. Quarters of 12, 16 and 17 weeks exist (Costco, PepsiCo); with a
quarter missing, the distance is at least 168."""
MOST_BETWEEN = 15
"""Days between the end of a quarter and the start of the next, either way: sources round to months."""
REPORTS_QUARTERS = timedelta(days=400)
"""A company with a quarter in so many days before a half-year reports quarters."""
MOST_REASONS = 3
NAMES: Mapping[StatementKind, str] = {
    "income": "Income statement",
    "balance": "Balance sheet",
    "cashflow": "Cash-flow statement",
}


class StatementTable(Result):
    """Statements of one kind and frequency, newest period first."""

    kind: StatementKind
    frequency: Frequency
    periods: tuple[date, ...]
    """Period ends, newest first."""
    items: Mapping[str, tuple[float | None, ...]]
    """Values of each item by period: in `currency`, unscaled; per share and share counts as named. None: not given."""
    withheld: Mapping[str, tuple[bool, ...]] = Field(default_factory=dict, exclude=True)
    """Items that the data gate withholds in some period, with the periods; `notes` say why."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"{NAMES[self.kind]}: {self.symbol}, {self.frequency}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the items of the newest period."""
        return tuple(Figure(name, values[0], self._unit(name)) for name, values in self.items.items())

    def body(self) -> str:
        """Return items by periods as a table."""
        return items_table(self.periods, self.items, self.withheld)

    def _unit(self, name: str) -> str:
        return "shares" if name in SHARES else f"{self.currency}/share" if name in PER_SHARE else self.currency or ""


def statement_table(
    statements: Sequence[Statement],
    *,
    as_of: date,
    kind: StatementKind,
    freq: Frequency,
    fetched_at: datetime | None = None,
    profile: Profile | None = None,
) -> StatementTable:
    """Return a table of up to eight statements.

    Args:
        statements: Statements filed by the day; those of another kind or frequency are ignored.
        freq: Quarterly or annual.
        fetched_at: When the vendor delivered them; None means when the last of them was filed.
        profile: The company; gross profit is withheld for a bank or insurer.

    Raises:
        NoData: There is no statement of the kind and frequency.
    """
    asked = [statement for statement in statements if statement.kind == kind and statement.frequency == freq]
    sound = as_labelled(asked)
    shown = (*withheld_after(asked, sound), *sound)[:MOST_PERIODS] if sound else ()
    if asked and not shown:
        raise NoData(f"No {freq} {NAMES[kind].lower()} can be used. {reasons_of(asked)}")
    if not shown:
        other = "annual" if freq == "quarterly" else "quarterly"
        raise NoData(f"The data have no {freq} {NAMES[kind].lower()} from {as_of} or before; try {other}.")
    shown, withheld = without_doubtful_gross_profit(shown, profile)
    given = [
        name
        for name in ITEMS[kind]
        if any(name in statement.items or name in statement.withheld for statement in shown)
    ]
    known_at = max(statement.known_at for statement in shown)
    absent = [name for name in ITEMS[kind] if name not in given]
    notes = (
        *half_year_notes(shown),
        *_absence_notes(shown, absent),
        *filing_notes(shown),
        *_count_notes(shown),
        *_basis_notes(shown),
    )
    return StatementTable(
        symbol=shown[0].symbol,
        as_of=as_of,
        source=sources(shown),
        currency=shown[0].currency,
        known_at=known_at,
        fetched_at=fetched_at or known_at,
        start=shown[-1].period_end,
        end=shown[0].period_end,
        rows=len(shown),
        notes=(*((withheld,) if withheld else ()), *share_reasons(shown), *notes),
        kind=kind,
        frequency=freq,
        periods=tuple(statement.period_end for statement in shown),
        items={name: tuple(_item(statement, name) for statement in shown) for name in given},
        withheld=withheld_items(shown),
    )


def share_reasons(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Return why share counts and EPS are withheld from statements, each reason once."""
    found = (
        reason for statement in statements for name, reason in statement.withheld.items() if name in PER_SHARE | SHARES
    )
    return tuple(dict.fromkeys(found))


def withheld_items(statements: Sequence[Statement]) -> dict[str, tuple[bool, ...]]:
    """Return the items that the data gate withholds from some of the statements, each with whether it does, by row."""
    names = dict.fromkeys(name for statement in statements for name in statement.withheld)
    return {name: tuple(name in statement.withheld for statement in statements) for name in names}


def items_table(
    periods: Sequence[date],
    items: Mapping[str, Sequence[float | None]],
    withheld: Mapping[str, Sequence[bool]] | None = None,
) -> str:
    """Return items by periods as a Markdown table."""
    rows = (f"| {name} | {' | '.join(_cells(name, items[name], (withheld or {}).get(name)))} |" for name in items)
    head = f"| Item | {' | '.join(period.isoformat() for period in periods)} |"
    return "\n".join((head, "|---" * (1 + len(periods)) + "|", *rows))


def _cells(name: str, values: Sequence[float | None], withheld: Sequence[bool] | None) -> Iterable[str]:
    for value, gone in zip(values, withheld or repeat(False), strict=False):
        yield WITHHELD if gone and value is None else Figure(name, value).text


def _item(statement: Statement, name: str) -> float | None:
    """Return an item; None if it is missing, or an implausible share count."""
    value = statement.items.get(name)
    return None if value is not None and name in SHARES and value <= 0 else value


def half_year_notes(statements: Sequence[Statement]) -> tuple[str, ...]:
    """Return that periods under the quarterly label are half-years; () where they are not."""
    if not statements or not _is_half_year(statements[0]):
        return ()
    return (f"The company reports half-yearly: its periods to {statements[0].period_end} and before are half-years.",)


def _absence_notes(statements: Sequence[Statement], items: Sequence[str]) -> tuple[str, ...]:
    """Return a note on what the sources do not give: periods, of `MOST_PERIODS`, and items; () where none lack."""
    lacking = [f"periods before {statements[-1].period_end}"] if len(statements) < MOST_PERIODS else []
    lacking += items
    return (f"Not given by {sources(statements)}: {', '.join(lacking)}.",) if lacking else ()


def _count_notes(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Return a note on implausible share counts, which sources produce when they derive a quarter by subtraction."""
    odd = [
        statement.period_end.isoformat()
        for statement in statements
        if any(statement.items.get(name, 1) <= 0 for name in SHARES)
    ]
    return (f"The source gives no share count that could be one for {', '.join(odd)}.",) if odd else ()


def _basis_notes(statements: Sequence[Statement]) -> tuple[str, ...]:
    """Return notes on share counts and per-share figures that are not on the basis on which they were filed.

    A balance sheet's count is not shown (`line_items.UNLISTED`), so that nothing is said of it.
    """
    counting = [statement for statement in statements if statement.kind != "balance" and has_share_figures(statement)]
    multiplied = [statement.period_end.isoformat() for statement in counting if statement.share_factor != 1]
    notes = []
    if any(statement.shares_as_of is None for statement in counting):
        notes.append("No list of splits is at hand: share counts and per-share figures are as filed.")
    if multiplied:
        notes.append(
            f"Share counts and per-share figures of {', '.join(multiplied)} are in shares of the day: there was a "
            f"split since they were filed."
        )
    return tuple(notes)


def newest_first(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return the statements by period end, newest first; for each period, the version known last."""
    by_period = {
        statement.period_end: statement for statement in sorted(statements, key=lambda statement: statement.known_at)
    }
    return tuple(by_period[end] for end in sorted(by_period, reverse=True))


def as_labelled(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return statements of one kind and label whose period is what the label says, newest first.

    Quarters are the half-years of a company that reports so. Years, nine months and what the gateway withholds under
    the label of a quarter are left out: their reasons are on the rows (`Statement.gate_notes`, `withheld`).
    """
    latest = {
        (statement.period_end, length_of(statement)): statement
        for statement in sorted(statements, key=lambda statement: statement.known_at)
    }
    found = newest_first(statement for statement in latest.values() if is_as_labelled(statement))
    halves = newest_first(statement for statement in latest.values() if _is_half_year(statement))
    if halves and not any(statement.period_end >= halves[0].period_end - REPORTS_QUARTERS for statement in found):
        return halves
    return found


def _is_half_year(statement: Statement) -> bool:
    is_flow = statement.kind != "balance" and statement.frequency == "quarterly"
    return is_flow and length_of(statement) == "half-year" and not is_withheld(statement)


def last_year(interims: Sequence[Statement], *, skip: int = 0) -> tuple[Statement, ...]:
    """Return the newest four quarters, or two half-years, that follow each other; () where there are none.

    Args:
        interims: Quarters or half-years (`as_labelled`), newest first.
        skip: How many of the newest to leave out; they have to follow without a gap too.
    """
    is_half_yearly = bool(interims) and length_of(interims[0]) == "half-year"
    run, count = (half_years(interims), HALVES) if is_half_yearly else (consecutive(interims), QUARTERS)
    found = run[skip : skip + count]
    return found if len(found) == count else ()


def half_years(periods: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return the newest half-years up to the first gap."""
    shortest, longest = HALF_YEAR_GAP
    run = list(periods[:1])
    for period in periods[1:]:
        if not shortest <= (run[-1].period_end - period.period_end).days <= longest:
            break
        run.append(period)
    return tuple(run)


def reasons_of(statements: Iterable[Statement]) -> str:
    """Return why no statement can be used, each reason once."""
    found = dict.fromkeys(
        note for statement in statements for note in (*statement.withheld.values(), *statement.gate_notes)
    )
    return " ".join(list(found)[:MOST_REASONS])


def withheld_after(given: Iterable[Statement], sound: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return the statements that ended after the newest sound one and are withheld altogether, newest first.

    An older period must not stand in the place of the newest one known.
    """
    newest = newest_first(given)
    return tuple(
        statement
        for statement in newest
        if is_withheld(statement) and (not sound or statement.period_end > sound[0].period_end)
    )


def gap_of(interims: Sequence[Statement]) -> str:
    """Return in words which period is missing from twelve months of quarters or half-years.

    Args:
        interims: Those known (`as_labelled`), newest first, which do not make twelve months.
    """
    if not interims:
        return "none is known"
    is_halves = length_of(interims[0]) == "half-year"
    run = half_years(interims) if is_halves else consecutive(interims)
    what = "half-year" if is_halves else "quarter"
    if len(run) < len(interims):
        before = interims[len(run)].period_end
        return f"the {what} before {run[-1].period_end} is missing, the one known before it is of {before}"
    return f"the oldest {what} known is of {run[-1].period_end}"


def consecutive(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return the newest quarters up to the first gap or overlap."""
    run = list(statements[:1])
    for statement in statements[1:]:
        if not NEXT_QUARTER[0] <= (run[-1].period_end - statement.period_end).days <= NEXT_QUARTER[1]:
            break
        start = run[-1].period_start
        if start is not None and abs((start - statement.period_end).days - 1) > MOST_BETWEEN:
            break
        run.append(statement)
    return tuple(run)


def sources(statements: Iterable[Statement]) -> str:
    """Return the sources of the statements, joined by +."""
    return "+".join(dict.fromkeys(statement.source for statement in statements))


def filing_notes(statements: Iterable[Statement]) -> tuple[str, ...]:
    """Return notes on filing dates that no source gives, if there are any."""
    given = tuple(statements)
    notes = []
    if fetched := _period_ends(given, "fetched"):
        notes.append(f"No filing date yet for {fetched}: known because the source serves it.")
    if assumed := _period_ends(given, "assumed"):
        notes.append(f"Filing date assumed (period end + 45 days, + 90 for years) for {assumed}.")
    return tuple(notes)


def _period_ends(statements: Iterable[Statement], known_by: KnownBy) -> str:
    """Return the period ends of the statements dated in this way, newest first; "" for none."""
    ends = sorted({statement.period_end for statement in statements if statement.known_by == known_by}, reverse=True)
    return ", ".join(end.isoformat() for end in ends[:MOST_PERIODS])
