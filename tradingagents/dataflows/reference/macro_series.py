"""Economic series: common names such as `fed funds`, `core-cpi` or `10y`, and which figures are revised after release.

All vendors share the ids of the Federal Reserve Bank of St. Louis (https://fred.stlouisfed.org).

A source without vintages gives the latest revision of a value, which nobody had on a past day: payrolls of February
2025 were reported as +151 thousand and read +42 thousand after a year of revisions. Such values are withheld: a release
states that it was published, without its value, and a revised series has no answer. Values that are final on the day of
release are shown.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Generic, Literal, TypeVar

from tradingagents.dataflows.models import EconomicEvent, MacroSeries
from tradingagents.errors import NoData

S = TypeVar("S")
Period = Literal["week", "month", "quarter", "decision"]


@dataclass(frozen=True, slots=True)
class ReleasedFigure(Generic[S]):
    """An economic figure that is computed from series of a source."""

    name: str
    series: S
    unit: str
    period: Period
    """The period of a value. Weeks are dated by their last day, months and quarters by their first, decisions by the
    day from which a new value applies."""

    def period_name(self, day: date) -> str | None:
        """Return the period of a value in words, such as 2025-02 or 2025-Q1; None for a decision."""
        names: Mapping[Period, str] = {
            "week": f"week to {day}",
            "month": f"{day:%Y-%m}",
            "quarter": f"{day.year}-Q{(day.month + 2) // 3}",
        }
        return names.get(self.period)


ALIASES: Mapping[str, tuple[str, ...]] = {
    "CPIAUCSL": ("CPI", "consumer prices", "inflation", "headline CPI"),
    "CPILFESL": ("core CPI", "core inflation"),
    "PCEPI": ("PCE", "PCE prices", "PCE inflation"),
    "PCEPILFE": ("core PCE", "core PCE inflation"),
    "PPIFIS": ("PPI", "producer prices", "PPI inflation"),
    "T10YIE": ("breakeven inflation", "10y breakeven", "inflation expectations"),
    "UNRATE": ("unemployment rate", "unemployment", "jobless rate"),
    "PAYEMS": ("payrolls", "nonfarm payrolls", "NFP", "employment"),
    "ICSA": ("initial jobless claims", "jobless claims", "initial claims"),
    "JTSJOL": ("job openings", "JOLTS"),
    "GDP": ("nominal GDP",),
    "GDPC1": ("real GDP",),
    "A191RL1Q225SBEA": ("GDP growth", "real GDP growth", "economic growth"),
    "INDPRO": ("industrial production",),
    "RSAFS": ("retail sales",),
    "HOUST": ("housing starts",),
    "UMCSENT": ("consumer sentiment", "Michigan sentiment"),
    "FEDFUNDS": ("fed funds rate", "federal funds rate"),
    "DFEDTARU": ("fed funds target", "policy rate", "fed target"),
    "DGS3MO": ("3m", "3 month treasury", "3m yield"),
    "DGS2": ("2y", "2 year treasury", "2y yield", "2y treasury"),
    "DGS10": ("10y", "10 year treasury", "10y yield", "10y treasury", "treasury yield"),
    "DGS30": ("30y", "30 year treasury", "30y yield", "30y treasury"),
    "DFII10": ("real yield", "10y real yield", "TIPS"),
    "T10Y2Y": ("yield curve", "10y2y", "curve"),
    "T10Y3M": ("10y3m",),
    "BAMLH0A0HYM2": ("HY spread", "high yield spread", "junk spread", "credit spread"),
    "BAMLC0A0CM": ("IG spread", "investment grade spread"),
    "VIXCLS": ("VIX", "volatility index"),
    "M2SL": ("M2", "money supply"),
    "WALCL": ("fed balance sheet", "balance sheet"),
    "DTWEXBGS": ("dollar index", "trade weighted dollar"),
    "DCOILWTICO": ("WTI", "oil price", "crude oil"),
    "MORTGAGE30US": ("mortgage rate", "30 year mortgage"),
}
"""Names by series id; case, spaces and hyphens are ignored."""

_ID = re.compile(r"[A-Z0-9_]{2,30}")


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "", name.lower())


_SERIES = {_bare(name): series for series, names in ALIASES.items() for name in (series, *names)}


def series_id(name: str) -> str:
    """Return the id for a name; an id in capitals is returned unchanged.

    Raises:
        NoData: It is neither; suggests similar names.
    """
    text = name.strip()
    known = _SERIES.get(_bare(text))
    if known is not None:
        return known
    if _ID.fullmatch(text):
        return text
    near = difflib.get_close_matches(_bare(text)[:60], _SERIES, n=3, cutoff=0.5)
    hint = f"; close to it are {', '.join(dict.fromkeys(_SERIES[one] for one in near))}" if near else ""
    raise NoData(
        f"{text[:60]!r} names no economic series{hint}. Ask for a series id of FRED such as UNRATE, or a name such as "
        f"CPI, core CPI, unemployment rate, payrolls, GDP growth, fed funds, 10y, 2y, yield curve, HY spread or VIX."
    )


def series_words(series: str) -> str:
    """Return what a series is called in words, by its id; the id where it has no name."""
    return max(ALIASES.get(series, (series,)), key=len)


_MARKET = "a price or rate of a market, final at the end of its day"
FINAL: Mapping[str, str] = {
    "Fed funds target, upper bound": "a decision",
    "DFEDTARU": "a decision",
    "DFF": "the average of a day's trades, corrected in rare cases within the day",
    **dict.fromkeys(("DGS3MO", "DGS2", "DGS5", "DGS10", "DGS30", "DFII10", "T10Y2Y", "T10Y3M"), _MARKET),
    **dict.fromkeys(("T10YIE", "T5YIE", "BAMLH0A0HYM2", "BAMLC0A0CM", "VIXCLS", "DCOILWTICO"), _MARKET),
    "WALCL": "a balance sheet of one day, republished only to correct an error",
}
"""Figures and series that aren't revised, with the reason."""
_SEASONAL = "seasonal factors of five years are estimated anew each year"
REVISED: Mapping[str, str] = {
    "Nonfarm payrolls": "revised in the two months after, and each year to the count of unemployment insurance",
    "PAYEMS": "revised in the two months after, and each year to the count of unemployment insurance",
    "Unemployment rate": _SEASONAL,
    "UNRATE": _SEASONAL,
    "CPI inflation": f"recorded from the adjusted index, of which {_SEASONAL}",
    "CPIAUCSL": _SEASONAL,
    "Core CPI inflation": f"recorded from the adjusted index, of which {_SEASONAL}",
    "CPILFESL": _SEASONAL,
    "PPI inflation": "revised once four months after, and each year with its seasonal factors",
    "PPIFIS": "revised once four months after, and each year with its seasonal factors",
    "Core PCE inflation": "part of the national accounts, revised in the months after and each September",
    "PCEPI": "part of the national accounts, revised in the months after and each September",
    "PCEPILFE": "part of the national accounts, revised in the months after and each September",
    "Retail sales": "an advance estimate, revised in the two months after and each year",
    "RSAFS": "an advance estimate, revised in the two months after and each year",
    "Real GDP growth": "an advance estimate, revised in the two months after and each September",
    "A191RL1Q225SBEA": "an advance estimate, revised in the two months after and each September",
    "ISM manufacturing PMI": "seasonal factors of four years are estimated anew each January",
    "Initial jobless claims": "revised in the week after, and each year with its seasonal factors",
    "ICSA": "revised in the week after, and each year with its seasonal factors",
    "M2SL": "revised for weeks after, and each year with its seasonal factors",
}
"""Figures and series that are revised, with the reason. Those in neither table count as revised unless they are daily:
daily series are prices and rates."""


def is_final(name: str, frequency: str = "") -> bool:
    """Return whether a figure or series is final when published."""
    return name in FINAL or (name not in REVISED and frequency == "daily")


def as_published(event: EconomicEvent, known_by: datetime) -> EconomicEvent:
    """Return a release without values that were revised after an instant."""
    if event.read_at is None or event.read_at <= known_by or is_final(event.name):
        return event
    if event.value is None and event.previous is None:
        return event
    return replace(event, value=None, previous=None, withheld=event.value is not None)


def is_withheld(series: MacroSeries, known_by: datetime) -> bool:
    """Return whether the values of a series may include revisions published after an instant."""
    if series.vintages or is_final(series.series, series.frequency):
        return False
    return series.read_at is None or series.read_at > known_by
