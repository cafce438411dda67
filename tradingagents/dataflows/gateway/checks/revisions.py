"""Which economic figures are revised after release, and what may be shown of them for a past day.

A source without vintages gives the latest revision of a value, which nobody had on a past day: payrolls of February
2025 were reported as +151 thousand and read +42 thousand after a year of revisions. Such values are withheld: a release
states that it was published, without its value, and a revised series has no answer. Values that are final on the day of
release are shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from tradingagents.dataflows.models import EconomicEvent, MacroSeries

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
