"""The plain rows that expected answers are computed from.

Nothing here goes through the library's capabilities or analytics.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Literal, Protocol
from zoneinfo import ZoneInfo

import pandas as pd

NEW_YORK = ZoneInfo("America/New_York")
_POLYGON: Mapping[str, str] = {
    "revenues": "revenue",
    "cost_of_revenue": "cost_of_revenue",
    "gross_profit": "gross_profit",
    "operating_income_loss": "operating_income",
    "net_income_loss_attributable_to_parent": "net_income",
    "diluted_average_shares": "shares_diluted",
    "diluted_earnings_per_share": "eps_diluted",
    "net_cash_flow_from_operating_activities": "operating_cash_flow",
    "assets": "total_assets",
    "current_assets": "current_assets",
    "current_liabilities": "current_liabilities",
    "equity_attributable_to_parent": "equity",
}


@dataclass(frozen=True, slots=True)
class RawStatement:
    """One statement as its source has it, in plain names."""

    kind: str
    frequency: Literal["annual", "quarterly"]
    year: int
    period: str
    end: date
    filed: datetime
    items: Mapping[str, float]


class RawMarket(Protocol):
    """Rows of a market."""

    real: bool

    def companies(self) -> Mapping[str, str]:
        """Return names by symbol."""

    def prices(self, symbol: str) -> pd.DataFrame:
        """Return `day`, `close` adjusted for every split that is known at all, `adjusted` for dividends too."""

    def splits(self, symbol: str) -> list[tuple[date, float]]:
        """Return the days and ratios of splits."""

    def statements(self, symbol: str) -> list[RawStatement]:
        """Return all statements, also those filed later."""

    def insiders(self, symbol: str) -> pd.DataFrame | None:
        """Return `kind`, `day`, `filed`, `value`; None where the market has none or no filing dates."""


def cutoff(day: date) -> datetime:
    """Return the close of the New York session of a day."""
    return datetime(day.year, day.month, day.day, 16, tzinfo=NEW_YORK).astimezone(UTC)


class SimulatedRaw:
    """Rows of the simulated market."""

    real = False
    WITHOUT_STATEMENTS, YOUNG = "CPLZ", "PLYZ"

    def __init__(self, seed: int = 7) -> None:
        """Open the market of a seed."""
        from tradingagents.dataflows.vendors.simulated import SimulatedVendor
        from tradingagents.dataflows.vendors.simulated.companies import COMPANIES

        self._vendor = SimulatedVendor(seed)
        self._names = {one.symbol: one.name for one in COMPANIES.values()}

    def companies(self) -> Mapping[str, str]:
        """Return names by symbol, without the two with intended gaps."""
        return {
            symbol: name for symbol, name in self._names.items() if symbol not in (self.WITHOUT_STATEMENTS, self.YOUNG)
        }

    @cache  # noqa: B019 - lives as long as the benchmark
    def prices(self, symbol: str) -> pd.DataFrame:
        """Return the bars from 2020 on."""
        bars = self._vendor.get_stock_data(symbol, date(2020, 1, 2), date(2025, 12, 31))
        return pd.DataFrame({"day": pd.to_datetime(bars.days), "close": bars.close, "adjusted": bars.adj_close})

    def splits(self, symbol: str) -> list[tuple[date, float]]:
        """Return the splits."""
        bars = self._vendor.get_stock_data(symbol, date(2020, 1, 2), date(2025, 12, 31))
        return [(one.day, one.ratio) for one in bars.splits]

    @cache  # noqa: B019
    def statements(self, symbol: str) -> list[RawStatement]:
        """Return all statements."""
        return [
            RawStatement(kind, freq, one.fiscal_year, one.fiscal_period, one.period_end, one.known_at, one.items)
            for kind in ("income", "balance", "cashflow")
            for freq in ("annual", "quarterly")
            for one in self._vendor.get_statements(symbol, kind, freq)
        ]

    def insiders(self, symbol: str) -> pd.DataFrame | None:
        """Return all transactions."""
        rows = self._vendor.get_insider_transactions(symbol)
        return pd.DataFrame(
            [{"kind": one.kind, "day": one.transaction_date, "filed": one.known_at, "value": one.value} for one in rows]
        )


class RecordedRaw:
    """Rows of a folder of recorded data, read with pandas and json."""

    real = True

    def __init__(self, folder: Path) -> None:
        """Read the folder."""
        self._bars = pd.read_parquet(folder / "prices.parquet")
        self._actions = pd.read_csv(folder / "actions.csv")
        self._profiles: dict[str, Any] = json.loads((folder / "profiles.json").read_text(encoding="utf-8"))
        with gzip.open(folder / "statements.jsonl.gz", "rt", encoding="utf-8") as lines:
            self._rows = [json.loads(line) for line in lines]

    def companies(self) -> Mapping[str, str]:
        """Return the companies whose statements name their day of filing and whose prices are as traded."""
        raw = set(self._bars.loc[self._bars["basis"] == "raw+adj", "symbol"])
        dated = {one["symbol"] for one in self._rows if one["filed_at"]}
        return {symbol: self._profiles[symbol]["name"] for symbol in sorted(raw & dated)}

    @cache  # noqa: B019
    def prices(self, symbol: str) -> pd.DataFrame:
        """Return the bars."""
        bars = self._bars[self._bars["symbol"] == symbol].sort_values("date")
        return pd.DataFrame(
            {"day": pd.to_datetime(bars["date"]), "close": bars["close"], "adjusted": bars["adj_close"]}
        ).reset_index(drop=True)

    def splits(self, symbol: str) -> list[tuple[date, float]]:
        """Return the splits."""
        rows = self._actions[(self._actions["symbol"] == symbol) & (self._actions["action"] == "split")]
        return [(date.fromisoformat(day), float(ratio)) for day, ratio in zip(rows["date"], rows["value"], strict=True)]

    @cache  # noqa: B019
    def statements(self, symbol: str) -> list[RawStatement]:
        """Return the statements with a day of filing."""
        found = []
        for one in self._rows:
            if one["symbol"] != symbol or one["source"] != "polygon":
                continue
            items = {
                _POLYGON[name]: float(value)
                for name, value in one["items"].items()
                if name in _POLYGON and value is not None
            }
            end = date.fromisoformat(one["period_end"])
            if one["filed_at"]:
                filed = datetime.fromisoformat(one["filed_at"].replace("Z", "+00:00"))
            else:  # fourth quarters that the source derives: known 90 days after their end, without a share count
                filed = datetime.combine(
                    end + timedelta(days=90 if one["fiscal_period"] in ("Q4", "FY") else 45), time(12), UTC
                )
                items.pop("shares_diluted", None)
            row = (one["statement"], one["period"], int(one["fiscal_year"]), one["fiscal_period"], end)
            found.append(RawStatement(*row, filed if filed.tzinfo else filed.replace(tzinfo=UTC), items))
        return found

    def insiders(self, symbol: str) -> pd.DataFrame | None:  # noqa: ARG002
        """Return None: the recorded trades have no day of filing."""
        return None
