"""What the data say of a company: each figure by metric and period, in its present and in earlier versions."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.trailing import total_debt, trailing
from tradingagents.dataflows.models import EarningsEvent, Prices, Profile, Statement
from tradingagents.dataflows.reference.fiscal_periods import is_as_labelled
from tradingagents.dataflows.reference.line_items import BALANCE, PER_SHARE, SHARES
from tradingagents.features.report_check.periods import NamedPeriod

FiscalPeriod = tuple[int, str]
"""Fiscal year, and Q1 … Q4, FY, or TTM for the four quarters to the newest."""
SAME_DAY = timedelta(days=12)
"""Fiscal ends that are named by the end of the month lie so near to it."""
LATEST_RESULTS = 75
"""Days after the end of a quarter within which its results are published."""
HALF_A_QUARTER = timedelta(days=46)
SHARES_OF_REVENUE: Mapping[str, str] = {
    "gross_margin": "gross_profit",
    "operating_margin": "operating_income",
    "net_margin": "net_income",
    "ebitda_margin": "ebitda",
    "free_cash_flow_margin": "free_cash_flow",
}
PERCENTAGES = frozenset({*SHARES_OF_REVENUE, "roe", "roa", "dividend_yield", "fcf_yield", "tax_rate"})
MULTIPLES = frozenset({"pe", "ps", "pb", "peg", "ev_ebitda", "debt_to_equity", "current_ratio", "beta"})
OUTFLOWS = frozenset({"capital_expenditure", "dividends_paid", "share_repurchases"})
COSTS = frozenset(
    (
        *("cost_of_revenue", "research_and_development", "selling_general_administrative", "operating_expenses"),
        *("interest_expense", "income_tax", "depreciation_and_amortization"),
    )
)
"""Printed as deductions in some tables."""
_NO_SUM = PER_SHARE | SHARES
_QUARTERS = ("Q1", "Q2", "Q3", "Q4")
_NAMES = {"income": "income statement", "balance": "balance sheet", "cashflow": "cash-flow statement"}


class CheckedCell(BaseModel):
    """A figure of the data."""

    model_config = ConfigDict(frozen=True)

    symbol: str
    metric: str
    period: str
    """In words, such as `Q3 of fiscal 2025 (to 2025-06-28)`, or a day."""
    value: float
    """Unscaled; a percentage is 12.5 for 12.5 %."""
    source: str
    """Statement or question, and the vendor."""
    known_at: str
    """Instant of filing, UTC; empty for a price or a ratio of the day."""


@dataclass(frozen=True, slots=True)
class _PeriodBooks:
    """The items of one fiscal period, and the sheets that they stand on."""

    key: FiscalPeriod
    end: date
    items: Mapping[str, float]
    sheets: Mapping[str, Statement]
    """By item."""


@dataclass(frozen=True)
class CheckableCompany:
    """The data on one company as known on a day."""

    symbol: str
    name: str
    versions: tuple[Statement, ...]
    """Of all kinds and both frequencies, every version."""
    as_of: date
    """The day."""
    profile: Profile | None = None
    prices: Prices | None = None
    ratios: Mapping[str, float] = field(default_factory=dict)
    """Ratios and prices of the day by the name of the figure, such as `pe_ttm`."""
    results: tuple[EarningsEvent, ...] = ()
    """Published results with the estimates of EPS before them."""
    source: str = ""
    """Vendor of prices and ratios."""

    @cached_property
    def books(self) -> dict[FiscalPeriod, _PeriodBooks]:
        """Fiscal periods with the versions of their statements filed last."""
        return _books(_last(self.versions))

    @cached_property
    def earlier(self) -> list[dict[FiscalPeriod, _PeriodBooks]]:
        """The same as they were filed before a restatement: once for each earlier round of versions."""
        by_period: dict[tuple[str, str, date], list[Statement]] = {}
        for statement in sorted(self.versions, key=lambda each: each.known_at):
            by_period.setdefault((statement.kind, statement.frequency, statement.period_end), []).append(statement)
        most = max((len(found) for found in by_period.values()), default=1)
        rounds = [[found[max(-1 - back, -len(found))] for found in by_period.values()] for back in range(1, most)]
        return [_books(found) for found in rounds]

    @cached_property
    def newest(self) -> tuple[FiscalPeriod, ...]:
        """Fiscal periods, the newest first."""
        return tuple(sorted(self.books, key=lambda key: (self.books[key].end, key[1] == "FY"), reverse=True))

    def latest(self, *, year: bool) -> FiscalPeriod | None:
        """Return the newest quarter or year."""
        return next((key for key in self.newest if (key[1] == "FY") == year), None)

    def resolve(self, named: NamedPeriod) -> list[FiscalPeriod]:
        """Return the fiscal periods that a named one may be; none where the data do not reach there."""
        if named.latest:
            key = self.latest(year=named.span == "year")
            return [key] if key else []
        if named.span == "twelve_months":
            return [(0, "TTM")]
        if named.last_day is not None:
            ends = [key for key in self.newest if abs(self.books[key].end - named.last_day) <= SAME_DAY]
            wanted = {"quarter": ends and [key for key in ends if key[1] != "FY"]}.get(named.span)
            if named.span == "year":
                wanted = [key for key in ends if key[1] == "FY"]
            return list(ends if wanted is None else wanted)
        if named.year is None or named.span == "part":
            return self._newest_quarter(named.quarter) if named.year is None and named.quarter else []
        if named.calendar:
            return self._of_calendar(named.year, named.quarter)
        key = (named.year, f"Q{named.quarter}" if named.quarter else "FY")
        return [key] if key in self.books else []

    def _newest_quarter(self, number: int) -> list[FiscalPeriod]:
        return [key for key in self.newest if key[1] == f"Q{number}"][:1]

    def _of_calendar(self, year: int, quarter: int | None) -> list[FiscalPeriod]:
        """Return the fiscal period whose end lies nearest to that of a calendar one, at most half a quarter off."""
        end = date(year, 3 * quarter, 30) if quarter else date(year, 12, 31)
        same = [key for key in self.newest if (key[1] == "FY") == (quarter is None)]
        near = min(same, key=lambda key: abs(self.books[key].end - end), default=None)
        return [near] if near and abs(self.books[near].end - end) <= HALF_A_QUARTER else []

    def share(self, metric: str, key: FiscalPeriod, *, past: int | None = None) -> CheckedCell | None:
        """Return a figure of a fiscal period in percent of revenue; None where the statements lack a part."""
        part, whole = (self.cell(name, key, past=past) for name in (metric, "revenue"))
        if part is None or whole is None or whole.value <= 0:
            return None
        value = 100 * abs(part.value) / whole.value
        return part.model_copy(update={"metric": f"{metric}_of_revenue", "value": value})

    def cell(self, metric: str, key: FiscalPeriod, *, past: int | None = None) -> CheckedCell | None:
        """Return a figure of a fiscal period; None where the statements lack a part.

        `past` is the number of an earlier round of versions; None for the present one.
        """
        books = self.books if past is None else self.earlier[past]
        if key[1] == "TTM":
            return self._of_twelve_months(metric) if past is None else None
        if key not in books:
            return None
        one = books[key]
        if metric == "eps_estimate":
            return self._estimate(one) if past is None else None
        value = _value(metric, one)
        if value is None:
            return None
        return self._cell(metric, one, value)

    def _estimate(self, one: _PeriodBooks) -> CheckedCell | None:
        """Return the estimate of EPS before the results of a quarter; None where none is known."""
        for event in self.results:
            after = (event.day - one.end).days
            of_period = abs(event.period_end - one.end) <= SAME_DAY if event.period_end else 0 < after <= LATEST_RESULTS
            if of_period and event.eps_estimate is not None and one.key[1] != "FY":
                where = f"{one.key[1]} of fiscal {one.key[0]} (results of {event.day})"
                source = f"earnings calendar, {self.source}"
                return CheckedCell(
                    symbol=self.symbol,
                    metric="eps_estimate",
                    period=where,
                    value=event.eps_estimate,
                    source=source,
                    known_at=event.known_at.isoformat(),
                )
        return None

    def change(
        self, metric: str, key: FiscalPeriod, *, quarterly: bool = False, points: bool = False, past: int | None = None
    ) -> CheckedCell | None:
        """Return the change of a figure from the period a year before, or from the quarter before, in percent.

        With `points` the difference, for percentages.
        """
        books = self.books if past is None else self.earlier[past]
        before = self._before(key, quarterly=quarterly)
        if before is None or key not in books or before not in books:
            return None
        now, then = _value(metric, books[key]), _value(metric, books[before])
        if now is None or then is None or (not points and then <= 0):
            return None
        value = now - then if points else 100 * (now / then - 1)
        cell = self._cell(metric, books[key], value)
        since = "quarter before" if quarterly else "year before"
        period = f"{cell.period} against the {since}"
        return cell.model_copy(update={"metric": f"{metric}_change", "period": period, "value": value})

    def of_day(self, metric: str, day: date | None) -> CheckedCell | None:
        """Return a close, or a ratio of the day of the check; None where there is none."""
        if metric == "price" and self.prices is not None and len(self.prices):
            days = self.prices.days.tolist()
            if day is None:
                return self._session(days[-1], float(self.prices.close[-1]))
            if day in days:
                return self._session(day, float(self.prices.close[days.index(day)]))
            return None
        name = next((name for name in (metric, f"{metric}_ttm") if name in self.ratios), None)
        if name is None or (day is not None and self.prices is not None and day != self.prices.days[-1].item()):
            return None
        at = self.prices.days[-1].item() if self.prices is not None else None
        return self._of_the_day(name, at, self.ratios[name], "fundamentals")

    def closes(self, day: date | None, most: int) -> Iterator[CheckedCell]:
        """Yield the closes of so many sessions before and behind a day, or before the last."""
        if self.prices is not None and len(self.prices):
            days = self.prices.days.tolist()
            at = bisect_left(days, day) if day is not None else len(days) - 1
            for number in range(max(0, at - most), min(len(days), at + most + 1)):
                yield self._session(days[number], float(self.prices.close[number]))

    def nearest_close(self, value: float, day: date | None) -> CheckedCell | None:
        """Return the last close up to a day; without a day the newest of those nearest to a value."""
        if self.prices is None or not len(self.prices):
            return None
        days = self.prices.days.tolist()
        if day is not None:
            at = bisect_right(days, day) - 1
        else:
            at = len(days) - 1 - int(abs(self.prices.close[::-1] - value).argmin())
        return self._session(days[at], float(self.prices.close[at])) if at >= 0 else None

    def _session(self, day: date, close: float) -> CheckedCell:
        return self._of_the_day("price", day, close, "close")

    def _of_the_day(self, metric: str, day: date | None, value: float, what: str) -> CheckedCell:
        return CheckedCell(
            symbol=self.symbol,
            metric=metric,
            period=str(day or ""),
            value=value,
            source=f"{what}, {self.source}",
            known_at="",
        )

    def _before(self, key: FiscalPeriod, *, quarterly: bool) -> FiscalPeriod | None:
        year, part = key
        if not quarterly:
            return year - 1, part
        if part not in _QUARTERS:
            return None
        number = _QUARTERS.index(part)
        return (year, _QUARTERS[number - 1]) if number else (year - 1, "Q4")

    def _cell(self, metric: str, one: _PeriodBooks, value: float) -> CheckedCell:
        item = SHARES_OF_REVENUE.get(metric, metric)
        sheet = one.sheets.get(item) or next(iter(one.sheets.values()))
        year, part = one.key
        name = f"fiscal year {year}" if part == "FY" else f"{part} of fiscal {year}"
        return CheckedCell(
            symbol=self.symbol,
            metric=metric,
            period=f"{name} (to {one.end})",
            value=value,
            source=f"{_NAMES[sheet.kind]} filed {sheet.known_at:%Y-%m-%d}, {sheet.source}",
            known_at=sheet.known_at.isoformat(),
        )

    @cached_property
    def _trailing(self) -> _PeriodBooks | None:
        last = _last(self.versions)
        parts: dict[str, list[Statement]] = {"income": [], "balance": [], "cashflow": []}
        for statement in last:
            parts[statement.kind].append(statement)
        books = trailing(parts["income"], parts["balance"], parts["cashflow"], self.profile, as_of=self.as_of)
        if not books.periods:
            return None
        items = {name: value for name, value in books.flows.items() if value is not None}
        items |= books.balance.items if books.balance else {}
        sheets = dict.fromkeys(items, books.periods[0].income)
        return _PeriodBooks((0, "TTM"), books.periods[0].end, items, sheets)

    def _of_twelve_months(self, metric: str) -> CheckedCell | None:
        if self._trailing is None:
            return None
        value = self.ratios.get("eps_ttm") if metric in PER_SHARE else _value(metric, self._trailing)
        if value is None:
            return None
        where = f"twelve months to {self._trailing.end}"
        sheet = next(iter(self._trailing.sheets.values()))
        return CheckedCell(
            symbol=self.symbol,
            metric=metric,
            period=where,
            value=value,
            source=f"statements, {sheet.source}",
            known_at=sheet.known_at.isoformat(),
        )


def _last(versions: Iterable[Statement]) -> list[Statement]:
    latest = {
        (statement.kind, statement.frequency, statement.period_end): statement
        for statement in sorted(versions, key=lambda each: each.known_at)
    }
    return list(latest.values())


def _books(statements: Sequence[Statement]) -> dict[FiscalPeriod, _PeriodBooks]:
    """Return the items of every fiscal period; a year without its own statements is the sum of its quarters."""
    found: dict[FiscalPeriod, tuple[date, dict[str, float], dict[str, Statement]]] = {}
    for statement in sorted(
        filter(is_as_labelled, statements), key=lambda each: (each.kind != "income", each.known_at)
    ):
        key = (statement.fiscal_year, statement.fiscal_period)
        end, items, sheets = found.setdefault(key, (statement.period_end, {}, {}))
        if abs(end - statement.period_end) > SAME_DAY:
            continue
        for name, value in statement.items.items():
            items.setdefault(name, value)
            sheets.setdefault(name, statement)
    for year in sorted({key[0] for key in found}):
        _complete_year(found, year)
    return {key: _PeriodBooks(key, *rest) for key, rest in found.items()}


def _complete_year(found: dict[FiscalPeriod, tuple[date, dict[str, float], dict[str, Statement]]], year: int) -> None:
    """Add a year as the sum of its quarters, its balance sheet, or a fourth quarter as the rest of a year."""
    quarters = [found[year, part] for part in _QUARTERS if (year, part) in found]
    flows = {name for _, items, _ in quarters for name in items} - _NO_SUM - {*BALANCE}
    whole = found.get((year, "FY"))
    if whole is None and len(quarters) == len(_QUARTERS):
        end, last, sheets = quarters[-1]
        items = {
            name: sum(quarter[1][name] for quarter in quarters)
            for name in flows
            if all(name in quarter[1] for quarter in quarters)
        }
        items |= {name: last[name] for name in last if name in BALANCE}
        if (earned := items.get("net_income")) is not None and (count := _mean_shares(quarters)):
            items["eps_diluted"] = earned / count
        found[year, "FY"] = (end, items, {name: sheets.get(name, next(iter(sheets.values()))) for name in items})
    elif whole is not None and len(quarters) == len(_QUARTERS) and (year, "Q4") in found:
        for name, value in found[year, "Q4"][1].items():
            if name in BALANCE:
                whole[1].setdefault(name, value)
                whole[2].setdefault(name, found[year, "Q4"][2][name])
    elif whole is not None and len(quarters) == len(_QUARTERS) - 1 and (year, "Q4") not in found:
        end, year_items, sheets = whole
        items = {
            name: year_items[name] - sum(quarter[1][name] for quarter in quarters)
            for name in flows
            if name in year_items and all(name in quarter[1] for quarter in quarters)
        }
        items |= {name: year_items[name] for name in year_items if name in BALANCE}
        if items:
            found[year, "Q4"] = (end, items, {name: sheets[name] for name in items})


def _mean_shares(quarters: Sequence[tuple[date, Mapping[str, float], Mapping[str, Statement]]]) -> float | None:
    counts = [quarter[1]["shares_diluted"] for quarter in quarters if quarter[1].get("shares_diluted", 0) > 0]
    return sum(counts) / len(counts) if len(counts) == len(quarters) else None


def _value(metric: str, one: _PeriodBooks) -> float | None:
    items = one.items
    if metric in items:
        return items[metric]
    if metric in SHARES_OF_REVENUE:
        part, whole = _part(SHARES_OF_REVENUE[metric], items), items.get("revenue")
        return 100 * part / whole if part is not None and whole else None
    if metric == "debt_to_equity":
        return _quotient(_debt(one), items.get("equity"))
    if metric == "total_debt":
        return _debt(one)
    if metric == "current_ratio":
        return _quotient(items.get("current_assets"), items.get("current_liabilities"))
    if metric in ("roe", "roa"):
        base = _quotient(items.get("net_income"), items.get("equity" if metric == "roe" else "total_assets"))
        return None if base is None else 100 * base
    if metric == "tax_rate":
        rate = _quotient(items.get("income_tax"), items.get("pretax_income"))
        return None if rate is None else 100 * rate
    return _part(metric, items)


def _debt(one: _PeriodBooks) -> float | None:
    sheet = next((sheet for sheet in one.sheets.values() if sheet.kind == "balance"), None)
    return total_debt(sheet)[0] if sheet is not None else None


def _part(metric: str, items: Mapping[str, float]) -> float | None:
    """Return an item, or what its parts give."""
    parts = {
        "gross_profit": ("revenue", "cost_of_revenue", -1),
        "ebitda": ("operating_income", "depreciation_and_amortization", 1),
        "free_cash_flow": ("operating_cash_flow", "capital_expenditure", 1),
    }
    if metric in items:
        return items[metric]
    if metric in parts:
        left, right, sign = parts[metric]
        if left in items and right in items:
            return items[left] + sign * items[right]
    return None


def _quotient(part: float | None, whole: float | None) -> float | None:
    return None if part is None or whole is None or whole <= 0 else part / whole
