"""Exchanges by the suffix of their symbols (Yahoo's, ours), and how other systems write them.

Sources: Yahoo's "Exchanges and data providers" page, Bloomberg's exchange codes, the prefixes of TradingView and Google
Finance.

The calendar library has no XNSE, XSHE and XKOS; their sessions are those of XBOM, XSHG and XKRX. Athens (`.AT`) and Tel
Aviv (`.TA`) are missing since it cannot build their calendars.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Venue:
    """One exchange, and what other systems call it."""

    mic: str
    """Calendar of `exchange_calendars`."""
    place: str
    index: str | None = None
    """Broad index or fund as Yahoo writes it; None where Yahoo has none under a name we know."""
    prefixes: str = ""
    """Prefixes of web pages (`LON:VOD`), separated by spaces."""
    bloomberg: str = ""
    """Exchange and country codes (`VOD LN Equity`)."""
    suffixes: str = ""
    """Suffixes of Chinese vendors, Reuters and Stooq."""


US = ""
"""Symbols of US exchanges have no suffix."""
EXCHANGES: Mapping[str, Venue] = {
    US: Venue(
        "XNYS",
        "United States",
        "SPY",
        "NASDAQ NYSE AMEX NYSEARCA NYSEAMERICAN ARCA BATS CBOE US OTC OTCMKTS",
        "US UN UW UQ UA UR UP UV",
        "US N O OQ NYSE NASDAQ",
    ),
    "L": Venue("XLON", "London", "^FTSE", "LON LSE", "LN", "LN LON"),
    "DE": Venue("XETR", "Xetra", "^GDAXI", "ETR XETR XETRA", "GY GR", "XETRA"),
    "F": Venue("XFRA", "Frankfurt", "^GDAXI", "FRA FWB", "GF"),
    "PA": Venue("XPAR", "Paris", "^FCHI", "EPA", "FP"),
    "AS": Venue("XAMS", "Amsterdam", "^AEX", "AMS", "NA"),
    "BR": Venue("XBRU", "Brussels", "^BFX", "EBR", "BB"),
    "LS": Venue("XLIS", "Lisbon", "PSI20.LS", "ELI", "PL"),
    "IR": Venue("XDUB", "Dublin", "^ISEQ", "", "ID"),
    "MI": Venue("XMIL", "Milan", "FTSEMIB.MI", "BIT MIL", "IM"),
    "MC": Venue("XMAD", "Madrid", "^IBEX", "BME", "SM SQ"),
    "SW": Venue("XSWX", "Zurich", "^SSMI", "SWX SIX VTX", "SW SE VX"),
    "ST": Venue("XSTO", "Stockholm", "^OMX", "STO", "SS"),
    "CO": Venue("XCSE", "Copenhagen", "^OMXC25", "CPH", "DC"),
    "HE": Venue("XHEL", "Helsinki", "^OMXH25", "HEL", "FH"),
    "OL": Venue("XOSL", "Oslo", "OSEBX.OL", "OSL", "NO"),
    "IC": Venue("XICE", "Reykjavik", None, "", "RF"),
    "VI": Venue("XWBO", "Vienna", "^ATX", "VIE", "AV"),
    "WA": Venue("XWAR", "Warsaw", "WIG20.WA", "GPW WSE", "PW"),
    "PR": Venue("XPRA", "Prague", None, "", "CP"),
    "BD": Venue("XBUD", "Budapest", None, "", "HB"),
    "IS": Venue("XIST", "Istanbul", "XU100.IS", "IST BIST", "TI"),
    "SR": Venue("XSAU", "Riyadh", "^TASI.SR", "TADAWUL", "AB"),
    "JO": Venue("XJSE", "Johannesburg", "^J203.JO", "JSE", "SJ"),
    "T": Venue("XTKS", "Tokyo", "^N225", "TYO", "JP JT", "TYO JP"),
    "HK": Venue("XHKG", "Hong Kong", "^HSI", "HKG HKEX SEHK", "HK"),
    "SS": Venue("XSHG", "Shanghai", "000001.SS", "SHA SSE SHSE", "CG", "SH XSHG"),
    "SZ": Venue("XSHG", "Shenzhen", "399001.SZ", "SHE SZSE", "CS", "XSHE"),
    "KS": Venue("XKRX", "Seoul", "^KS11", "KRX", "KS KP"),
    "KQ": Venue("XKRX", "Seoul, KOSDAQ", "^KQ11", "KOSDAQ", "KQ"),
    "TW": Venue("XTAI", "Taipei", "^TWII", "TPE TWSE", "TT"),
    "TWO": Venue("XTAI", "Taipei, TPEx", "^TWII", "TPEX"),
    "SI": Venue("XSES", "Singapore", "^STI", "SGX", "SP"),
    "NS": Venue("XBOM", "Mumbai, NSE", "^NSEI", "NSE", "IN IS"),
    "BO": Venue("XBOM", "Mumbai, BSE", "^BSESN", "BSE BOM", "IB"),
    "JK": Venue("XIDX", "Jakarta", "^JKSE", "IDX", "IJ"),
    "BK": Venue("XBKK", "Bangkok", "^SET.BK", "BKK SET", "TB"),
    "KL": Venue("XKLS", "Kuala Lumpur", "^KLSE", "KLSE MYX", "MK"),
    "AX": Venue("XASX", "Sydney", "^AXJO", "ASX", "AU AT"),
    "NZ": Venue("XNZE", "Wellington", "^NZ50", "NZE NZX", "NZ"),
    "TO": Venue("XTSE", "Toronto", "^GSPTSE", "TSX", "CN CT"),
    "V": Venue("XTSE", "Toronto, TSX Venture", "^GSPTSE", "TSXV CVE", "CV"),
    "SA": Venue("BVMF", "São Paulo", "^BVSP", "BVMF BMFBOVESPA", "BZ BS"),
    "MX": Venue("XMEX", "Mexico City", "^MXX", "BMV", "MM"),
    "BA": Venue("XBUE", "Buenos Aires", "^MERV", "BCBA", "AR"),
    "SN": Venue("XSGO", "Santiago", None, "", "CI"),
    "NYB": Venue("XNYS", "ICE Futures US"),
}
"""By our suffix, which is Yahoo's."""


def _by_name(names: Callable[[Venue], str]) -> dict[str, str]:
    return {name: suffix for suffix, exchange in EXCHANGES.items() for name in names(exchange).split()}


PREFIXES = _by_name(lambda exchange: exchange.prefixes)
"""Prefixes by our suffix. `TSE` is Tokyo for one system and Toronto for another, so it is not among them."""
BLOOMBERG = _by_name(lambda exchange: exchange.bloomberg)
"""Codes by our suffix. `CH`, China, is told apart by the number."""
OTHER_SUFFIXES = _by_name(lambda exchange: exchange.suffixes)
"""Suffixes of other systems by ours."""
BLOOMBERG_ALONE = frozenset({"US", "LN", "GY", "GR", "FP", "SW", "JP", "JT", "HK", "CH", "CN"})
"""Codes that are read without the word Equity: others are common words."""


def benchmark_of(symbol: str, exchange: str) -> str | None:
    """Return the broad index or fund a symbol is compared with; None where none is known.

    Args:
        symbol: In our spelling.
        exchange: Its calendar, which decides where the symbol has no suffix.
    """
    known = EXCHANGES.get(symbol.rpartition(".")[2]) if "." in symbol else None
    if known is not None:
        return known.index
    if exchange in ("24/7", "24/5"):
        return "BTC-USD" if exchange == "24/7" else None
    return next((venue.index for venue in EXCHANGES.values() if venue.mic == exchange), EXCHANGES[US].index)
