"""Economic series of a snapshot: recorded series by FRED id, and when each value was known.

macro.parquet contains the revision of the day of recording and no publication dates. As in the economic calendar, a
value counts as published on the latest usual day, and is known from that session's close.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Literal

from tradingagents.dataflows.models import MacroObservation, MacroSeries
from tradingagents.dataflows.reference.calendar import NEVER, sessions
from tradingagents.dataflows.reference.macro_series import Period
from tradingagents.dataflows.vendors.snapshot.folder import MadeWhenAsked, reading
from tradingagents.dataflows.vendors.snapshot.macro import read_series, release_day

_PERIODS: Mapping[Literal["daily", "weekly", "monthly", "quarterly"], Period] = {
    "daily": "decision",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
}


@dataclass(frozen=True, slots=True)
class Recorded:
    """A FRED series as recorded in a snapshot."""

    names: tuple[str, ...]
    """Series names; if more than one has a day, the first counts."""
    title: str
    unit: str
    frequency: Literal["daily", "weekly", "monthly", "quarterly"]
    lag: int
    """Days after the period's last day by which it is published."""
    federal: bool = False
    """Whether a federal government shutdown delays it."""

    @property
    def period(self) -> Period:
        """The period of a row."""
        return _PERIODS[self.frequency]


_INFLATION, _MONEY = "us_inflation_releases.", "inflation_monetary."
_INDEX = "index"


def _rate(title: str, *names: str, lag: int = 1) -> Recorded:
    """Return a daily rate or spread, published on the next day."""
    return Recorded(names, title, "%", "daily", lag)


def _prices(title: str, name: str, lag: int) -> Recorded:
    return Recorded((f"{_INFLATION}{name}",), title, _INDEX, "monthly", lag, federal=True)


SERIES: Mapping[str, Recorded] = {
    # Lags of series that the economic calendar has too are taken from `macro.FIGURES`, where the reasons are given.
    "CPIAUCSL": _prices("Consumer prices", "cpi_headline", 15),
    "CPILFESL": _prices("Consumer prices without food and energy", "cpi_core", 15),
    "PPIFIS": _prices("Producer prices", "ppi_headline", 19),
    "PCEPI": _prices("Prices of personal consumption", "pce", 32),
    "PCEPILFE": _prices("Prices of personal consumption without food and energy", "core_pce", 32),
    "UNRATE": Recorded(
        ("UNRATE", "jobs_monthly.unemployment_rate_pct"), "Unemployment rate", "%", "monthly", 10, federal=True
    ),
    "PAYEMS": Recorded(
        ("jobs_monthly.nonfarm_payrolls_k",), "Nonfarm payrolls", "thousand", "monthly", 10, federal=True
    ),
    "ICSA": Recorded(
        ("claims_weekly.initial_claims_weekly",), "Initial jobless claims", "claims", "weekly", 5, federal=True
    ),
    "RSAFS": Recorded(
        ("retail.retail_food_services",), "Retail sales", "Millions of Dollars", "monthly", 18, federal=True
    ),
    "A191RL1Q225SBEA": Recorded(
        ("us_growth_releases.real_gdp_qoq_saar",), "Real GDP growth", "% q/q annualised", "quarterly", 31, federal=True
    ),
    "DFEDTARU": _rate("Fed funds target, upper bound", f"{_MONEY}fed_funds_target", lag=0),
    "DFF": _rate("Effective federal funds rate", "rates.fed_funds_eff"),
    "DGS3MO": _rate("Treasury yield, 3 months", "rates.ust_3m"),
    "DGS2": _rate("Treasury yield, 2 years", "DGS2", "rates.ust_2y"),
    "DGS10": _rate("Treasury yield, 10 years", "DGS10", "rates.ust_10y"),
    "DFII10": _rate("Real Treasury yield, 10 years", "DFII10"),
    "T10Y2Y": _rate("Treasury yields, 10 years less 2 years", "rates.curve_10y_2y"),
    "T10Y3M": _rate("Treasury yields, 10 years less 3 months", "rates.curve_10y_3m"),
    "T10YIE": _rate("Breakeven inflation, 10 years", f"{_MONEY}breakeven_10y"),
    "T5YIE": _rate("Breakeven inflation, 5 years", f"{_MONEY}breakeven_5y"),
    "BAMLH0A0HYM2": _rate("High-yield spread", "BAMLH0A0HYM2", "hy_oas_mirror.hy_oas"),
    "BAMLC0A0CM": _rate("Investment-grade spread", "BAMLC0A0CM"),
    "VIXCLS": Recorded(("VIXCLS", "credit_spread.vix"), "Volatility index VIX", _INDEX, "daily", 1),
    # The Energy Information Administration publishes spot prices with up to a week's delay.
    "DCOILWTICO": Recorded(("oil_gold_cpi.wti_usd_bbl",), "Crude oil, WTI", "USD per barrel", "daily", 7),
    # The fourth Tuesday of the month after, so the 28th at the latest.
    "M2SL": Recorded(("M2SL",), "Money stock M2", "Billions of Dollars", "monthly", 28),
    # Wednesday's level, published on Thursday afternoon, or on Friday after a holiday.
    "WALCL": Recorded(("WALCL",), "Federal Reserve's total assets", "Millions of Dollars", "weekly", 2),
}
"""By FRED id."""


def load_series(path: Path, exchange: str, read_at: datetime = NEVER) -> Mapping[str, MacroSeries]:
    """Read the series in macro.parquet by FRED id; {} if the file doesn't exist or has none.

    A series is built on first use. A series published entirely outside the calendar is empty.

    Args:
        exchange: A value counts as known at the close of the first session on or after its assumed day.
        read_at: When the values were recorded; `NEVER` if unknown.

    Raises:
        VendorDown: The file is corrupt or lacks a column.
    """
    if not path.is_file():
        return {}
    with reading(path):
        recorded = read_series(path, [name for recording in SERIES.values() for name in recording.names])
    present = [series for series, recording in SERIES.items() if any(recorded.get(name) for name in recording.names)]
    return MadeWhenAsked(present, lambda series: _series(series, SERIES[series], recorded, exchange, read_at))


def _series(
    series: str, about: Recorded, recorded: Mapping[str, Mapping[date, float]], exchange: str, read_at: datetime
) -> MacroSeries:
    """Return a series; no value is published before that of the preceding period."""
    merged = {day: value for name in reversed(about.names) for day, value in recorded.get(name, {}).items()}
    days, calendar = sorted(merged), sessions(exchange)
    out = accumulate((release_day(about, day) for day in days), max)
    observations = tuple(
        MacroObservation(day, merged[day], calendar.close_of(calendar.after(released - timedelta(days=1))))
        for day, released in zip(days, out, strict=True)
        if released <= calendar.days[-1]
    )
    return MacroSeries(series, about.title, observations, about.unit, about.frequency, vintages=False, read_at=read_at)
