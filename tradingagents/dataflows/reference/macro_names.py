"""Common names of economic series, such as `fed funds`, `core-cpi` or `10y`, for the FRED ids that all vendors share.

The ids are those of the Federal Reserve Bank of St. Louis (https://fred.stlouisfed.org).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping

from tradingagents.errors import NoData

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
