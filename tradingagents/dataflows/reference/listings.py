"""The exchange on which an instrument is listed, from the words of its source; apart from the calendar of its sessions.

All exchanges of the United States keep New York's sessions, so that the calendar (XNYS) says nothing about the listing.
"""

from __future__ import annotations

from collections.abc import Mapping

from tradingagents.dataflows.reference.calendar import exchange_of

NEW_YORK = "XNYS"
_CODES: Mapping[str, str] = {
    "NMS": "XNAS",
    "NGM": "XNAS",
    "NCM": "XNAS",
    "NAS": "XNAS",
    "NYQ": "XNYS",
    "NYS": "XNYS",
    "ASE": "XASE",
    "AMEX": "XASE",
    "PCX": "ARCX",
    "BTS": "BATS",
    "BATS": "BATS",
}
"""Codes of Yahoo and others. MICs of the market segments are read as those of their exchange."""
_WORDS = (
    ("nasdaq", "XNAS"),
    ("nyse arca", "ARCX"),
    ("nyse american", "XASE"),
    ("nyse mkt", "XASE"),
    ("new york stock exchange", "XNYS"),
    ("nyse", "XNYS"),
    ("cboe", "BATS"),
    ("bats", "BATS"),
)
"""Words in the name of an exchange, the more exact first."""
LISTINGS = ("XNAS", "XNYS", "XASE", "ARCX", "BATS")
"""MICs of the exchanges of the United States."""


def listing_of(symbol: str, said: object = None) -> str | None:
    """Return the MIC of the exchange where an instrument is listed; None where neither source nor symbol tells it.

    Args:
        symbol: Its suffix names an exchange outside the United States: `7203.T` is listed in Tokyo.
        said: What the source calls the exchange: a MIC, a code or a name; None where it says nothing.
    """
    abroad = exchange_of(symbol)
    if abroad != NEW_YORK:
        return abroad
    text = said.strip() if isinstance(said, str) else ""
    if text.upper() in LISTINGS:
        return text.upper()
    return _CODES.get(text.upper()) or next((mic for word, mic in _WORDS if word in text.lower()), None)


def exchange_words(listing: str | None, calendar: str) -> str:
    """Return where an instrument is listed, or that it is not known and whose sessions are used."""
    if listing is not None:
        return listing
    where = "New York" if calendar == NEW_YORK else calendar
    return f"listing not known; sessions of {where}" + (f" ({calendar})" if where != calendar else "")
