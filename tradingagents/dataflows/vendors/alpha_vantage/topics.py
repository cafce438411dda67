"""Which of Alpha Vantage's topics an article on a topic of ours is filed under."""

from __future__ import annotations

from tradingagents.dataflows.reference.topics import folded, read_topic

MARKET = ("financial_markets", "economy_macro")
"""What the market's news are filed under."""

_WORDS: dict[str, tuple[str, ...]] = {
    "economy_monetary": (
        "central bank",
        "monetary",
        "fed",
        "federal reserve",
        "interest rate",
        "rate cut",
        "inflation",
    ),
    "economy_fiscal": ("fiscal", "tariff", "trade", "tax", "sanction", "budget", "export control"),
    "energy_transportation": ("energy", "oil", "gas", "opec", "commodity", "transport", "airline", "shipping"),
    "technology": ("technology", "semiconductor", "chip", "software", "ai", "artificial intelligence"),
    "life_sciences": ("health", "drug", "vaccine", "life science"),
    "real_estate": ("housing", "mortgage", "property"),
    "retail_wholesale": ("retail", "consumer", "wholesale"),
    "manufacturing": ("manufacturing", "factory", "industrial"),
    "finance": ("bank", "insurance", "credit"),
    "mergers_and_acquisitions": ("merger", "acquisition", "takeover"),
    "earnings": ("earnings", "results", "guidance"),
    "ipo": ("ipo", "initial public offering"),
    "blockchain": ("crypto", "cryptocurrency", "bitcoin", "blockchain"),
    "economy_macro": ("economy", "economic", "growth", "employment", "job", "recession", "geopolitics", "geopolitical"),
}
"""Alpha Vantage's topics, and the words of ours that call for them; the first that fits is asked for."""
_SECTORS = {
    "technology": "technology",
    "healthcare": "life_sciences",
    "financials": "finance",
    "energy": "energy_transportation",
    "consumer-discretionary": "retail_wholesale",
    "consumer-staples": "retail_wholesale",
    "industrials": "manufacturing",
    "materials": "manufacturing",
    "real-estate": "real_estate",
}
"""Sector keys, for topics that name a sector. Utilities and communication services are filed under none of its own."""
NAMES = tuple(_WORDS)


def filed_under(topic: str) -> str | None:
    """Return the one of Alpha Vantage's topics that fits; None where none does."""
    sector = next((_SECTORS[key] for key in sorted(read_topic(topic).sectors) if key in _SECTORS), None)
    text = folded(topic)
    named = (name for name, words in _WORDS.items() if any(folded(word) in text for word in words))
    return sector or next(named, None)
