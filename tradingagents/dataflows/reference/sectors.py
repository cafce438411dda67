"""The eleven GICS sectors, and which symbols and how many companies stand for the market.

A sector has a key, vendors' names, an SPDR fund, and large companies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tradingagents.dataflows.models import SectorMember

SECTOR_ETF = {
    "technology": "XLK",
    "healthcare": "XLV",
    "financials": "XLF",
    "energy": "XLE",
    "consumer-discretionary": "XLY",
    "consumer-staples": "XLP",
    "industrials": "XLI",
    "materials": "XLB",
    "real-estate": "XLRE",
    "utilities": "XLU",
    "communication-services": "XLC",
}
SECTORS = tuple(SECTOR_ETF)

DISPLAY = {
    "technology": "Information Technology",
    "healthcare": "Health Care",
    "financials": "Financials",
    "energy": "Energy",
    "consumer-discretionary": "Consumer Discretionary",
    "consumer-staples": "Consumer Staples",
    "industrials": "Industrials",
    "materials": "Materials",
    "real-estate": "Real Estate",
    "utilities": "Utilities",
    "communication-services": "Communication Services",
}

_ALIASES = {
    "financial services": "financials",
    "consumer cyclical": "consumer-discretionary",
    "consumer defensive": "consumer-staples",
    "basic materials": "materials",
    "health care": "healthcare",
    "information technology": "technology",
}

PEERS = {
    "technology": ("AAPL", "MSFT", "NVDA", "AVGO", "ORCL", "CRM", "ADBE", "QCOM", "IBM", "AMD"),
    "healthcare": ("LLY", "UNH", "JNJ", "ABBV", "MRK", "TMO", "AMGN", "DHR", "PFE", "ABT"),
    "financials": ("JPM", "V", "MA", "BAC", "GS", "AXP", "WFC", "MS", "TRV", "C"),
    "energy": ("XOM", "CVX", "COP", "EOG", "SLB", "MPC", "PSX", "VLO", "OXY", "WMB"),
    "consumer-discretionary": ("AMZN", "TSLA", "HD", "MCD", "LOW", "BKNG", "TJX", "NKE", "SBUX", "GM"),
    "consumer-staples": ("WMT", "COST", "PG", "KO", "PEP", "PM", "MDLZ", "MO", "CL", "TGT"),
    "industrials": ("CAT", "GE", "HON", "BA", "UNP", "RTX", "DE", "LMT", "UPS", "MMM"),
    "materials": ("LIN", "SHW", "APD", "ECL", "FCX", "NEM", "NUE", "DOW", "PPG", "VMC"),
    "real-estate": ("PLD", "AMT", "EQIX", "WELL", "SPG", "PSA", "O", "CCI", "DLR", "VICI"),
    "utilities": ("NEE", "SO", "DUK", "CEG", "AEP", "SRE", "D", "EXC", "XEL", "PEG"),
    "communication-services": ("GOOGL", "META", "NFLX", "TMUS", "DIS", "VZ", "T", "CMCSA", "EA", "CHTR"),
}
"""Large US companies of each sector, the default peers; a vendor with its own universe uses its own."""


def sector_key(name: str | None) -> str | None:
    """Return the key for a vendor's sector name; None for an empty or unknown one."""
    if not name:
        return None
    lowered = name.strip().lower()
    key = _ALIASES.get(lowered, lowered).replace(" ", "-").replace("_", "-")
    return key if key in SECTOR_ETF else None


INDICES: Mapping[str, str] = {
    "^GSPC": "S&P 500",
    "^DJI": "Dow Jones Industrial Average",
    "^IXIC": "Nasdaq Composite",
    "^VIX": "CBOE Volatility Index",
    "^RUT": "Russell 2000",
}
"""The documented indices, in display order."""
FUNDS: Mapping[str, str] = {
    "SPY": "SPY, a fund that tracks the S&P 500",
    "DIA": "DIA, a fund that tracks the Dow Jones Industrial Average",
    "ONEQ": "ONEQ, a fund that tracks the Nasdaq Composite",
    "IWM": "IWM, a fund that tracks the Russell 2000",
}
"""Funds shown if the source has no index. Their changes match the indices'; their levels are prices in USD."""
DEFENSIVES = ("XLU", "XLP", "XLV")
CYCLICALS = ("XLY", "XLK", "XLI")
MACRO_SYMBOLS = ("^VIX", "^GSPC", "HYG", "LQD", "TLT", "SHY", *DEFENSIVES, *CYCLICALS)
"""Symbols used by the six signals."""
PEERS_VALUED = 4
"""Number of peers whose multiples are computed: each needs up to six statements and a price history."""
LEADERS = 10
"""Largest companies of an industry that are read."""


def heaviest(members: Sequence[SectorMember]) -> tuple[SectorMember, ...]:
    """Return the ten members with the largest weight, in descending order; () if the source gives no weights."""
    weighed = [(member.weight, member) for member in members if member.weight is not None]
    weighed.sort(key=lambda pair: (-pair[0], pair[1].symbol))
    return tuple(member for _, member in weighed[:LEADERS])
