"""A company's financial statements from one source, with common ratios, checked against other sources."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from itertools import chain
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from tradingagents.analytics.company.business import without_doubtful_gross_profit
from tradingagents.analytics.company.cross_check import SAME_PERIOD, Check, compare
from tradingagents.analytics.company.reported_periods import is_current, stale_reason
from tradingagents.analytics.company.statements import (
    NAMES,
    QUARTERS,
    as_labelled,
    filing_notes,
    items_table,
    last_year,
    reasons_of,
    share_reasons,
)
from tradingagents.analytics.company.trailing import total, total_debt
from tradingagents.analytics.price.returns import percent, ratio
from tradingagents.dataflows.models import Books, Frequency, KnownBy, Profile, Statement, StatementKind
from tradingagents.dataflows.reference.line_items import ITEMS
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData

StatementType = Literal["income", "balance", "cashflow", "all"]
KINDS: Mapping[StatementType, tuple[StatementKind, ...]] = {
    "income": ("income",),
    "balance": ("balance",),
    "cashflow": ("cashflow",),
    "all": ("income", "balance", "cashflow"),
}
FIELDS: Mapping[str, tuple[StatementKind, str]] = {
    "revenue": ("income", "revenue"),
    "gross_profit": ("income", "gross_profit"),
    "operating_income": ("income", "operating_income"),
    "net_income": ("income", "net_income"),
    "total_assets": ("balance", "total_assets"),
    "total_liabilities": ("balance", "total_liabilities"),
    "shareholders_equity": ("balance", "equity"),
    "cash_and_equivalents": ("balance", "cash"),
    "operating_cash_flow": ("cashflow", "operating_cash_flow"),
    "investing_cash_flow": ("cashflow", "investing_cash_flow"),
    "financing_cash_flow": ("cashflow", "financing_cash_flow"),
    "free_cash_flow": ("cashflow", "free_cash_flow"),
}
"""Fields of the result, each with its statement and line item."""
RATIOS: Mapping[str, tuple[str, tuple[StatementKind, ...]]] = {
    "roa": ("%", ("income", "balance")),
    "roe": ("%", ("income", "balance")),
    "current_ratio": ("x", ("balance",)),
    "debt_to_equity": ("x", ("balance",)),
}
"""Ratios with their units and the statements they need."""


class StatementPeriod(BaseModel):
    """One statement of one period."""

    model_config = ConfigDict(frozen=True)

    end: date
    fiscal_year: int
    fiscal_period: str
    """Q1 … Q4, or FY."""
    known_at: datetime
    """UTC; `known_by` says how it was found."""
    known_by: KnownBy
    """`accepted`: filed or published then; `fetched`: no date yet, the source serves it; `assumed`: the deadline."""
    items: Mapping[str, float]
    """In `currency`, unscaled; per share and share counts as named. Items the source lacks are missing."""
    withheld: frozenset[str] = Field(default=frozenset(), exclude=True)
    """Items that the data gate withholds; the notes of the answer say why."""


class Financials(Result):
    """Statements of one company, all from `source`. Money in `currency`, of the newest period; None: not known."""

    statement_type: StatementType
    """The requested statements; figures of others are None."""
    period: Frequency
    period_end: date
    """Last day of the newest period."""
    statements: Mapping[StatementKind, tuple[StatementPeriod, ...]]
    """By kind, the newest period first."""
    checks: tuple[Check, ...]
    """Comparisons with the other sources."""
    revenue: float | None
    gross_profit: float | None
    operating_income: float | None
    net_income: float | None
    total_assets: float | None
    total_liabilities: float | None
    shareholders_equity: float | None
    cash_and_equivalents: float | None
    operating_cash_flow: float | None
    investing_cash_flow: float | None
    financing_cash_flow: float | None
    free_cash_flow: float | None
    """Operating cash flow minus capital expenditure."""
    roa: float | None
    """Percent: net income over total assets at the end of the period; for quarters, net income of the last four."""
    roe: float | None
    """Percent: net income over shareholders' equity at the end of the period; None when equity is not positive."""
    current_ratio: float | None
    """Current assets over current liabilities at the end of the period, a multiple."""
    debt_to_equity: float | None
    """Total debt over shareholders' equity at the end of the period, a multiple; None when equity is not positive."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Financials: {self.symbol}, {self.period}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the figures of the statements asked for, of the newest period."""
        asked = KINDS[self.statement_type]
        over = f"{'fiscal year' if self.period == 'annual' else 'quarter'} to {self.period_end}"
        money = self.currency or ""
        return (
            *(Figure(name, getattr(self, name), money, over) for name in FIELDS if FIELDS[name][0] in asked),
            *(
                Figure(name, getattr(self, name), unit, over)
                for name, (unit, needs) in RATIOS.items()
                if set(needs) <= set(asked)
            ),
        )

    def body(self) -> str:
        """Return each statement as a table of items by periods."""
        return "\n\n".join(f"### {NAMES[kind]}\n\n{_table(kind, periods)}" for kind, periods in self.statements.items())


class _Newest(NamedTuple):
    """The newest period of each kind, and the day on which it ended."""

    end: date
    of: Mapping[StatementKind, Statement]

    def item(self, kind: StatementKind, name: str) -> float | None:
        return self.of[kind].items.get(name) if kind in self.of else None


def financials(
    books: Books,
    *,
    as_of: date,
    statement_type: StatementType,
    period: Frequency,
    years: int,
    fetched_at: datetime,
    profile: Profile | None = None,
) -> Financials:
    """Return a company's statements with common ratios of their newest period.

    Args:
        books: Statements of one source filed by the day, and those of other sources to check against.
        period: Annual or quarterly.
        years: Number of years of each statement; four times as many quarters.
        fetched_at: When the vendors delivered them.
        profile: The company; gross profit is withheld for a bank or insurer.

    Raises:
        NoData: The source has none of the requested statements.
    """
    count = years if period == "annual" else QUARTERS * years
    kinds = KINDS[statement_type]
    asked = [statement for statement in books.statements if statement.frequency == period and statement.kind in kinds]
    given, withheld = without_doubtful_gross_profit(asked, profile)
    by_kind = {kind: found for kind in kinds if (found := _of_kind(given, kind))}
    if not by_kind:
        raise _no_statement(books.vendor, period, given, as_of)
    shown = {kind: found[:count] for kind, found in by_kind.items()}
    rows = [statement for found in shown.values() for statement in found]
    end = max(row.period_end for row in rows)
    newest = _Newest(end, {kind: found[0] for kind, found in shown.items() if end - found[0].period_end <= SAME_PERIOD})
    ratios, doubts = _ratios(newest, by_kind, period, as_of)
    checks = tuple(compare(rows, name, other) for name, other in books.others.items())
    return Financials(
        symbol=rows[0].symbol,
        as_of=as_of,
        source=books.vendor,
        currency=rows[0].currency,
        known_at=max(row.known_at for row in (*rows, *chain(*books.others.values()))),
        fetched_at=fetched_at,
        start=min(row.period_end for row in rows),
        end=end,
        rows=len(rows),
        notes=(
            *(f"{name} was asked first and gave nothing: {reason}" for name, reason in books.passed.items()),
            *_check_notes(books, checks, rows[0].currency),
            *_gap_notes(books.vendor, newest, shown, kinds),
            *((withheld,) if withheld else ()),
            *share_reasons(rows),
            *doubts,
            *filing_notes(rows),
        ),
        statement_type=statement_type,
        period=period,
        period_end=end,
        statements={kind: tuple(map(_period, found)) for kind, found in shown.items()},
        checks=checks,
        **{name: newest.item(kind, item) for name, (kind, item) in FIELDS.items()},
        **ratios,
    )


def _no_statement(vendor: str, period: Frequency, given: Sequence[Statement], as_of: date) -> NoData:
    if given:
        return NoData(f"No {period} statement of {vendor} can be used. {reasons_of(given)}")
    return NoData(f"{vendor} has no {period} statement filed by {as_of}; try the other frequency.")


def _of_kind(statements: Sequence[Statement], kind: StatementKind) -> list[Statement]:
    """Return the statements of a kind that are what their label says, newest first."""
    return list(as_labelled(statement for statement in statements if statement.kind == kind))


def _stale(
    newest: _Newest, by_kind: Mapping[StatementKind, Sequence[Statement]], period: Frequency, as_of: date
) -> str | None:
    """Return why ratios of the newest period are withheld; None where it may be called current."""
    kind = next(iter(newest.of))
    if is_current(newest.of[kind], by_kind[kind], as_of):
        return None
    return stale_reason("year" if period == "annual" else "quarter", newest.end, as_of, "ratios")


def _ratios(
    newest: _Newest, by_kind: Mapping[StatementKind, Sequence[Statement]], period: Frequency, as_of: date
) -> tuple[dict[str, float | None], tuple[str, ...]]:
    """Return the ratios and notes on their limits. Balances are those at the end of the newest period."""
    stale = _stale(newest, by_kind, period, as_of)
    if stale is not None:
        return dict.fromkeys(RATIOS), (stale,)
    income = by_kind.get("income", [])
    earned = newest.item("income", "net_income") if period == "annual" else _last_four(newest, income)
    debt, doubt = total_debt(newest.of["balance"]) if "balance" in newest.of else (None, None)
    equity = newest.item("balance", "equity")
    sound = equity if equity is not None and equity > 0 else None
    doubts = [doubt] if doubt else []
    if equity is not None and sound is None:
        doubts.append("Equity is not positive: return on equity and debt to equity say nothing.")
    if period == "quarterly" and {"income", "balance"} <= newest.of.keys() and earned is None:
        doubts.append("Returns on assets and equity are n/a: they need four quarters in a row.")
    return {
        "roa": percent(ratio(earned, newest.item("balance", "total_assets"))),
        "roe": percent(ratio(earned, sound)),
        "current_ratio": ratio(newest.item("balance", "current_assets"), newest.item("balance", "current_liabilities")),
        "debt_to_equity": ratio(debt, sound),
    }, tuple(doubts)


def _last_four(newest: _Newest, income: Sequence[Statement]) -> float | None:
    """Return the net income of the newest four quarters or two half-years; None when one is missing."""
    run = last_year(income) if "income" in newest.of else ()
    return total([statement.items.get("net_income") for statement in run]) if run else None


def _check_notes(books: Books, checks: Sequence[Check], currency: str) -> tuple[str, ...]:
    notes = [note for check in checks for note in check.notes(books.vendor, currency)]
    notes += [f"Not checked against {name}: {reason}" for name, reason in books.silent.items()]
    return tuple(notes) or ("Not checked against another source: none was asked.",)


def _gap_notes(
    vendor: str,
    newest: _Newest,
    shown: Mapping[StatementKind, Sequence[Statement]],
    kinds: Sequence[StatementKind],
) -> tuple[str, ...]:
    """Return notes on statements that are missing or end before the newest period."""
    missing = [f"{vendor} gives no {NAMES[kind].lower()}." for kind in kinds if kind not in shown]
    behind = [
        f"The newest {NAMES[kind].lower()} is of {found[0].period_end}, not {newest.end}: its figures are n/a."
        for kind, found in shown.items()
        if kind not in newest.of
    ]
    return (*missing, *behind)


def _period(statement: Statement) -> StatementPeriod:
    return StatementPeriod(
        end=statement.period_end,
        fiscal_year=statement.fiscal_year,
        fiscal_period=statement.fiscal_period,
        known_at=statement.known_at,
        known_by=statement.known_by,
        items=dict(statement.items),
        withheld=frozenset(statement.withheld),
    )


def _table(kind: StatementKind, periods: Sequence[StatementPeriod]) -> str:
    given = [name for name in ITEMS[kind] if any(name in span.items or name in span.withheld for span in periods)]
    values = {name: [span.items.get(name) for span in periods] for name in given}
    withheld = {name: [name in span.withheld for span in periods] for name in given}
    return items_table([span.end for span in periods], values, withheld)
