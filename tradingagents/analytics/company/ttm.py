"""Trailing twelve months: sums, margins and their trend, growth, returns and leverage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.statements import MOST_PERIODS, sources
from tradingagents.analytics.company.trailing import (
    YEAR_APART,
    Basis,
    Period,
    Trailing,
    quarter_before,
    same_length,
    total_debt,
    trailing,
    year_before,
    year_span,
)
from tradingagents.analytics.price.returns import percent, ratio
from tradingagents.dataflows.models import Profile, Statement
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.errors import NoData
from tradingagents.schemas.derivation import Derivation, SourceCell

Trend = Literal["expanding", "contracting", "stable", "insufficient"]
TREND_QUARTERS = 3
TREND_THRESHOLD = 0.5
"""Percentage points between the newest quarter's margin and that of two quarters before; smaller changes are stable.
Rounding and calendar shifts alone move a quarter's margin by about half a point."""
MARGINS: Mapping[str, str] = {"gross": "gross_profit", "operating": "operating_income", "net": "net_income"}
_MONEY = (
    "ttm_revenue",
    "ttm_gross_profit",
    "ttm_operating_income",
    "ttm_ebitda",
    "ttm_net_income",
    "ttm_operating_cash_flow",
    "ttm_free_cash_flow",
)
_PERCENT = ("gross_margin", "operating_margin", "net_margin", "roe", "revenue_qoq", "revenue_yoy")
_LATEST = ("total_assets", "total_debt", "equity")


class TTMQuarter(BaseModel):
    """One line of the quarterly table; money in the statements' currency."""

    model_config = ConfigDict(frozen=True)

    end: date
    revenue: float | None
    gross_profit: float | None
    operating_income: float | None
    net_income: float | None
    operating_cash_flow: float | None
    free_cash_flow: float | None
    operating_margin: float | None
    """Percent of revenue."""


class TTMAnalysis(Result):
    """The last twelve months of a company's statements filed by the day. Money in `currency`, unscaled."""

    basis: Basis
    """`ttm`: four quarters, or other periods that tile a year; `annual`: the last fiscal year; `none`: there are no
    sums."""
    periods: tuple[date, ...]
    """Ends of the periods summed, newest first."""
    ttm_revenue: float | None
    ttm_gross_profit: float | None
    ttm_operating_income: float | None
    ttm_ebitda: float | None
    """As reported, else operating income plus depreciation and amortization."""
    ttm_net_income: float | None
    ttm_operating_cash_flow: float | None
    ttm_free_cash_flow: float | None
    """As reported, else operating cash flow plus capital expenditure (which is negative)."""
    gross_margin: float | None
    """Percent of revenue, as are `operating_margin` and `net_margin`."""
    operating_margin: float | None
    net_margin: float | None
    roe: float | None
    """Percent: net income over the newest equity; None when equity is not positive."""
    revenue_qoq: float | None
    """Percent: newest quarter against the previous quarter."""
    revenue_yoy: float | None
    """Percent: newest quarter against the same quarter a year before; years if only years are known."""
    debt_to_equity: float | None
    """Total debt over equity, a multiple; None when equity is not positive."""
    total_assets: float | None
    """Of the newest balance sheet, as are `total_debt` and `equity`."""
    total_debt: float | None
    equity: float | None
    margin_trend: Mapping[str, Trend]
    """Direction of the `gross`, `operating` and `net` margin over the last three quarters."""
    quarters: tuple[TTMQuarter, ...]
    """Up to eight, newest first."""
    withheld: tuple[str, ...] = ()
    """Which figures are withheld for the age of the statements, one sentence each; `notes` holds them too."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return which figures are withheld."""
        return tuple(f"{self.symbol}: {reason}" for reason in self.withheld)

    @property
    def title(self) -> str:
        """Heading."""
        label = {"ttm": "trailing twelve months", "annual": "last fiscal year", "none": "no twelve months known"}
        return f"TTM analysis: {self.symbol}, {label[self.basis]}"

    def figures(self) -> tuple[Figure, ...]:
        """Return sums, margins, growth, leverage and the newest balance."""
        money = self.currency or ""
        over = year_span(self.basis, self.periods)
        return (
            *(Figure(name, getattr(self, name), money, over) for name in _MONEY),
            *(Figure(name, getattr(self, name), "%", "" if name == "revenue_qoq" else over) for name in _PERCENT),
            Figure("debt_to_equity", self.debt_to_equity, "x"),
            *(Figure(name, getattr(self, name), money) for name in _LATEST),
        )

    def derivation(self, name: str) -> Derivation | None:
        """Return margins, returns and leverage as quotients of the sums; None for the sums themselves."""
        formulas = {
            **{f"{margin}_margin": f"ttm_{item} / ttm_revenue * 100" for margin, item in MARGINS.items()},
            "roe": "ttm_net_income / equity * 100",
            "debt_to_equity": "total_debt / equity",
        }
        if name not in formulas or getattr(self, name) is None:
            return None
        parts = [part for part in formulas[name].split() if part.isidentifier()]
        where = f"statements of the periods to {self.periods[0]}" if self.periods else "statements"
        return Derivation(
            formula=formulas[name],
            output="number",
            cells=tuple(
                SourceCell(name=part, value=float(getattr(self, part)), unit="", where=where) for part in parts
            ),
        )

    def body(self) -> str:
        """Return the margin trend and the quarters as a table."""
        trend = ", ".join(f"{name} {self.margin_trend[name]}" for name in ("operating", "gross", "net"))
        lines = [f"Margin trend: {trend} (last {TREND_QUARTERS} quarters, threshold {TREND_THRESHOLD} points)"]
        if self.quarters:
            names = [name for name in TTMQuarter.model_fields if name != "end"]
            head = f"| Quarter to | {' | '.join(names)} |"
            lines += ["", head, "|---" * (1 + len(names)) + "|", *(_row(quarter, names) for quarter in self.quarters)]
        return "\n".join(lines)


def ttm(
    income: Sequence[Statement],
    balance: Sequence[Statement],
    cashflow: Sequence[Statement],
    *,
    as_of: date,
    fetched_at: datetime | None = None,
    profile: Profile | None = None,
) -> TTMAnalysis:
    """Summarise the last twelve months a company has filed.

    Args:
        income: Income statements filed by the day, quarterly and annual, in any order.
        balance: Balance sheets, likewise.
        cashflow: Cash-flow statements, likewise.
        fetched_at: When the vendor delivered them; None means when the last of them was filed.
        profile: The company; None if not known.

    Raises:
        NoData: There is no statement of any kind.
    """
    given = (*income, *balance, *cashflow)
    if not given:
        raise NoData(
            f"The source has no financial statement of {as_of} or before; continue without it, or use another vendor."
        )
    books = trailing(income, balance, cashflow, profile, as_of=as_of)
    known_at = max(statement.known_at for statement in given)
    flows = {f"ttm_{name}": value for name, value in books.flows.items()}
    revenue = books.flows["revenue"]
    margins = {f"{name}_margin": percent(ratio(books.flows[item], revenue)) for name, item in MARGINS.items()}
    leverage, doubts = _balance_items(books)
    return TTMAnalysis(
        symbol=given[0].symbol,
        as_of=as_of,
        source=sources(given),
        currency=given[0].currency,
        known_at=known_at,
        fetched_at=fetched_at or known_at,
        end=books.periods[0].end if books.periods else None,
        rows=len(given),
        notes=(*books.notes, *doubts, *_no_year_before(books)),
        basis=books.basis,
        periods=tuple(period.end for period in books.periods),
        revenue_qoq=_growth(books.current_quarters, quarterly=True),
        revenue_yoy=_growth(books.years if books.basis == "annual" else books.current_quarters, quarterly=False),
        margin_trend={name: margin_trend(books.current_quarters, item) for name, item in MARGINS.items()},
        quarters=tuple(_quarter(period) for period in books.quarters[:MOST_PERIODS]),
        withheld=books.withheld,
        **flows,
        **margins,
        **leverage,
    )


def margin_trend(quarters: Sequence[Period], item: str) -> Trend:
    """Return the direction of a margin over the last three quarters, which must be consecutive."""
    last = quarters[:TREND_QUARTERS]
    if len(last) < TREND_QUARTERS or any(
        quarter_before(last[i], last) is not last[i + 1] for i in range(len(last) - 1)
    ):
        return "insufficient"
    newest, oldest = (percent(ratio(period.flows[item], period.flows["revenue"])) for period in (last[0], last[-1]))
    if newest is None or oldest is None:
        return "insufficient"
    change = round(newest - oldest, 9)
    return "expanding" if change > TREND_THRESHOLD else "contracting" if change < -TREND_THRESHOLD else "stable"


def _balance_items(books: Trailing) -> tuple[dict[str, float | None], list[str]]:
    """Return leverage and the newest balance, with notes on their limits."""
    names = ("total_assets", "total_debt", "equity", "debt_to_equity", "roe")
    if books.balance is None:
        return dict.fromkeys(names), []
    debt, doubt = total_debt(books.balance)
    equity = books.balance.items.get("equity")
    doubts = [doubt] if doubt else []
    if equity is not None and equity <= 0:
        doubts.append("Equity is not positive: return on equity and debt to equity say nothing.")
    sound = equity if equity is not None and equity > 0 else None
    values = (
        books.balance.items.get("total_assets"),
        debt,
        equity,
        ratio(debt, sound),
        percent(ratio(books.flows["net_income"], sound)),
    )
    return dict(zip(names, values, strict=True)), doubts


def _growth(periods: Sequence[Period], *, quarterly: bool) -> float | None:
    """Return revenue growth from the previous quarter or year of the same length, percent; None unless it had some."""
    if not periods:
        return None
    base = (quarter_before if quarterly else year_before)(periods[0], periods)
    if base is not None and not same_length(periods[0], base):
        return None
    now, then = periods[0].flows["revenue"], base.flows["revenue"] if base else None
    return 100 * (now / then - 1) if now is not None and then is not None and then > 0 else None


def _no_year_before(books: Trailing) -> tuple[str, ...]:
    """Return which period is missing for the growth over a year; () where it is there, or none is known so long ago."""
    if books.basis == "annual" or not books.current_quarters:
        return ()
    newest, *others = books.current_quarters
    is_older = [period.end < newest.end - timedelta(days=YEAR_APART[1]) for period in others]
    if not any(is_older) or year_before(newest, others) is not None:
        return ()
    older = others[is_older.index(True)].end
    what = f"the period a year before {newest.end} is missing, the one known before it is of {older}"
    return (f"No year-on-year growth of revenue: {what}.",)


def _quarter(period: Period) -> TTMQuarter:
    shown = {name: period.flows[name] for name in TTMQuarter.model_fields if name in period.flows}
    margin = percent(ratio(period.flows["operating_income"], period.flows["revenue"]))
    return TTMQuarter(end=period.end, operating_margin=margin, **shown)


def _row(quarter: TTMQuarter, names: Sequence[str]) -> str:
    cells = (Figure(name, getattr(quarter, name), "%" if name.endswith("margin") else "").text for name in names)
    return f"| {quarter.end} | {' | '.join(cells)} |"
