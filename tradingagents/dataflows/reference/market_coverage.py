"""Which symbols stand for the market, and how many companies of an industry or among peers are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tradingagents.dataflows.models import SectorMember

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
    weighed.sort(key=lambda one: (-one[0], one[1].symbol))
    return tuple(member for _, member in weighed[:LEADERS])
