"""A second reading of EDGAR's page of company facts: plain loops over its JSON, with nothing of the library.

It has its own table of tags, its own fiscal years, splits and subtraction, and says None where a figure is not to be
given. The tags are those that the five companies put on the rows of their statements.
"""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from typing import Any

_ENDINGS = ("", "ContinuingOperations")
"""Apple tags its cash flows as those of continuing operations in some years, and has no others."""
FLOWS: dict[str, tuple[str, ...]] = {
    "revenue": ("Revenues", "RevenueFromContractWithCustomerExcludingAssessedTax", "SalesRevenueNet"),
    "cost_of_revenue": ("CostOfRevenue", "CostOfGoodsAndServicesSold"),
    "research_and_development": ("ResearchAndDevelopmentExpense",),
    "operating_income": ("OperatingIncomeLoss",),
    "income_tax": ("IncomeTaxExpenseBenefit",),
    "net_income": ("NetIncomeLoss",),
    "eps_basic": ("EarningsPerShareBasic",),
    "eps_diluted": ("EarningsPerShareDiluted",),
    "operating_cash_flow": tuple(f"NetCashProvidedByUsedInOperatingActivities{end}" for end in _ENDINGS),
    "investing_cash_flow": tuple(f"NetCashProvidedByUsedInInvestingActivities{end}" for end in _ENDINGS),
    "financing_cash_flow": tuple(f"NetCashProvidedByUsedInFinancingActivities{end}" for end in _ENDINGS),
    "capital_expenditure": ("PaymentsToAcquirePropertyPlantAndEquipment", "PaymentsToAcquireProductiveAssets"),
    "share_repurchases": ("PaymentsForRepurchaseOfCommonStock",),
    "stock_compensation": ("ShareBasedCompensation",),
}
SHEETS: dict[str, tuple[str, ...]] = {
    "cash": ("CashAndCashEquivalentsAtCarryingValue",),
    "receivables": ("AccountsReceivableNetCurrent",),
    "current_assets": ("AssetsCurrent",),
    "fixed_assets": (
        "PropertyPlantAndEquipmentNet",
        "PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAfterAccumulatedDepreciationAndAmortization",
    ),
    "total_assets": ("Assets",),
    "accounts_payable": ("AccountsPayableCurrent",),
    "current_liabilities": ("LiabilitiesCurrent",),
    "equity": ("StockholdersEquity",),
    "retained_earnings": ("RetainedEarningsAccumulatedDeficit",),
}
ITEMS = (*FLOWS, *SHEETS)
PER_SHARE = ("eps_basic", "eps_diluted")
SPLITS = {
    "AAPL": (date(2014, 6, 9), date(2020, 8, 31)),
    "NVDA": (date(2021, 7, 20), date(2024, 6, 10)),
    "GOOGL": (date(2022, 7, 18),),
    "MRVL": (),
    "SNOW": (),
}
"""Days of the splits since the companies tag their figures."""
WHOLE = {"income": ("NetIncomeLoss",), "cash": FLOWS["operating_cash_flow"], "sheet": ("Assets",)}
"""A tag that a filing with the whole statement of a period has for it."""
_CASH = ("operating_cash_flow", "investing_cash_flow", "financing_cash_flow", "capital_expenditure")
_CASH_MORE = ("share_repurchases", "stock_compensation")

Period = tuple[int, int]
"""Fiscal year, and quarter or 0."""


class Reading:
    """The page of one company."""

    def __init__(self, symbol: str, page: dict[str, Any], as_of: date | None) -> None:
        """Take the rows of statements that were filed before a day."""
        self.symbol = symbol
        self.rows: dict[str, list[dict[str, Any]]] = {}
        every = [*FLOWS.values(), *SHEETS.values(), *WHOLE.values()]
        for tag in {tag for tags in every for tag in tags}:
            units = page["facts"]["us-gaap"].get(tag, {"units": {}})["units"]
            wanted = "USD/shares" if tag.startswith("EarningsPerShare") else "USD"
            self.rows[tag] = []
            for row in units.get(wanted, []):
                late = as_of is not None and row["filed"] >= as_of.isoformat()
                if late or not row["form"].startswith(("10-K", "10-Q", "8-K")):
                    continue
                days = {"first": date.fromisoformat(row["start"]) if "start" in row else None}
                days |= {"last": date.fromisoformat(row["end"]), "on": date.fromisoformat(row["filed"])}
                self.rows[tag].append({**row, **days})
            self.rows[tag].sort(key=lambda row: (row["filed"], row["accn"]))
        years = [row for row in self.rows["NetIncomeLoss"] if 350 <= _days(row) <= 380 and row["form"][:4] == "10-K"]
        self.year_ends = sorted({row["last"] for row in years})

    def period_of(self, day: date) -> Period | None:
        """Return the fiscal quarter that ends about a day."""
        for end in [*self.year_ends, self.year_ends[-1] + timedelta(days=364)]:
            for before, quarter in ((0, 4), (91, 3), (182, 2), (273, 1)):
                if abs((end - timedelta(days=before) - day).days) <= 14:
                    return end.year, quarter
        return None

    def newest(self, quarterly: bool) -> Period | None:
        """Return the newest fiscal year or quarter reported."""
        if not self.year_ends:
            return None
        if not quarterly:
            return self.year_ends[-1].year, 0
        return self.period_of(max(row["last"] for row in self.rows["NetIncomeLoss"] if _days(row) >= 80))

    def stated(self, item: str, days: tuple[date | None, date]) -> list[tuple[dict[str, Any], float]]:
        """Return each filing's row and value of an item for a period, the first filed first."""
        kind = "sheet" if item in SHEETS else "cash" if item in (*_CASH, *_CASH_MORE) else "income"
        whole = {row["accn"] for tag in WHOLE[kind] for row in self.rows[tag] if (row["first"], row["last"]) == days}
        found: dict[str, tuple[dict[str, Any], float]] = {}
        for tag in (FLOWS | SHEETS)[item]:
            for row in self.rows[tag]:
                if (row["first"], row["last"]) == days and row["accn"] in whole and row["accn"] not in found:
                    found[row["accn"]] = (row, float(row["val"]))
        return sorted(found.values(), key=lambda one: (one[0]["filed"], one[0]["accn"]))

    def all_days(self, item: str) -> set[tuple[date | None, date]]:
        """Return the periods for which an item is tagged."""
        return {(row["first"], row["last"]) for tag in (FLOWS | SHEETS)[item] for row in self.rows[tag]}

    def value(self, item: str, period: Period, version: str) -> tuple[float, date] | None:
        """Return an item for a period with the day of its filing; None where it is not to be given."""
        year, quarter = period
        exact = []
        for days in self.all_days(item):
            if self.period_of(days[1]) != (year, quarter or 4):
                continue
            length = None if days[0] is None else (days[1] - days[0]).days + 1
            if item in SHEETS or length in (range(350, 381) if quarter == 0 else range(80, 120)):
                exact += self.stated(item, days)
        exact.sort(key=lambda one: (one[0]["filed"], one[0]["accn"]))
        if exact:
            row, value = exact[0] if version == "first" else exact[-1]
            return value, row["on"]
        if quarter == 0 or item in SHEETS or item in PER_SHARE:
            return None
        return self._difference(item, period, version)

    def _difference(self, item: str, period: Period, version: str) -> tuple[float, date] | None:
        for days in self.all_days(item):
            if days[0] is None or self.period_of(days[1]) != period or (days[1] - days[0]).days < 125:
                continue
            for part in self.all_days(item):
                if part[0] != days[0] or not 80 <= (days[1] - part[1]).days <= 125:
                    continue
                wholes, parts = self.stated(item, days), self.stated(item, part)
                if version == "first":
                    parts = [one for one in parts if wholes and one[0]["filed"] <= wholes[0][0]["filed"]]
                if not wholes or not parts:
                    continue
                whole, rest = (wholes[0] if version == "first" else wholes[-1]), parts[-1]
                if version == "latest" and _changes(wholes) != _changes(parts):
                    return None  # one of the two was restated, and the other was not
                return whole[1] - rest[1], max(whole[0]["on"], rest[0]["on"])
        return None

    def figures(self, item: str, periods: list[Period], version: str) -> dict[Period, float]:
        """Return an item for those of some periods for which it is to be given: in the shares of the newest one."""
        found = {period: one for period in periods if (one := self.value(item, period, version)) is not None}
        if item in PER_SHARE and found:
            newest = found[max(found)][1]
            found = {
                period: one for period, one in found.items()
                if not any(min(one[1], newest) < split <= max(one[1], newest) for split in SPLITS[self.symbol])
            }  # fmt: skip
        return {period: one[0] for period, one in found.items()}

    def versions(self, item: str, period: Period) -> set[float]:
        """Return every value that was ever stated for a period."""
        wanted = (period[0], period[1] or 4)
        return {
            value for days in self.all_days(item) if self.period_of(days[1]) == wanted
            for _, value in self.stated(item, days)
        }  # fmt: skip


def function_of(name: str, figures: dict[Period, float], periods: list[Period], item: str) -> float | Period | None:
    """Return a function over the figures; a period for highest and lowest; None where it is not to be given."""
    ordered = sorted(figures)
    values = [figures[period] for period in ordered]
    missing = [period for period in periods if period not in figures]
    if not values:
        return None
    if name in ("growth", "cagr"):
        if len(values) < 2 or any(not ordered[0] < period < ordered[-1] for period in missing):
            return None
        if name == "growth":
            return None if values[0] == 0 else 100 * (values[-1] - values[0]) / abs(values[0])
        years = ordered[-1][0] - ordered[0][0] + (ordered[-1][1] - ordered[0][1]) / 4
        if values[0] <= 0 or values[-1] <= 0:
            return None
        return 100 * ((values[-1] / values[0]) ** (1 / years) - 1)
    if missing:
        return None
    if name == "average":
        return sum(values) / len(values)
    if name == "sum":
        return None if item in SHEETS or item in PER_SHARE else sum(values)
    best = max(values) if name == "highest" else min(values)
    return max(period for period in ordered if figures[period] == best)


def _days(row: dict[str, Any]) -> int:
    return 0 if row["first"] is None else (row["last"] - row["first"]).days + 1


def _changes(stated: list[tuple[dict[str, Any], float]]) -> int:
    values = [value for _, value in stated]
    return sum(abs(after - before) > 1e-3 * max(abs(before), abs(after)) for before, after in pairwise(values))
