"""Symbols: one spelling each, safe for use in file names and queries."""

from __future__ import annotations

import re

from tradingagents.errors import BadSymbol
from tradingagents.redaction import Redactor, begins_like_key, shown_value

_SYMBOL = re.compile(r"[A-Z0-9^][A-Z0-9.^=\-]{0,31}")
_SHARE_CLASS = re.compile(r"([A-Z]{1,5})\.([AB])")
_ALIASES = {
    "XAUUSD": "GC=F",
    "XAGUSD": "SI=F",
    "SILVER": "SI=F",
    "USOIL": "CL=F",
    "SPX500": "^GSPC",
    "SPX": "^GSPC",
    "NAS100": "^NDX",
    "US30": "^DJI",
    "VIX": "^VIX",
}
NAMESAKES = {"GOLD": "gold futures are GC=F", "WTI": "crude oil futures are CL=F"}
"""Symbols of listed companies that people use for something else: the company wins, and the hint names the other."""
_CURRENCIES = frozenset(
    (
        *("USD", "EUR", "GBP", "JPY", "CHF", "CAD", "AUD", "NZD", "SEK", "NOK", "DKK"),
        *("CNY", "HKD", "SGD", "INR", "MXN", "ZAR", "TRY", "PLN", "BRL", "KRW"),
    )
)
_CRYPTO = frozenset({"BTC", "ETH", "SOL", "XRP", "ADA", "DOGE", "LTC", "BNB", "DOT", "AVAX", "LINK"})


def normalise(symbol: str) -> str:
    """Return the normalized spelling of a symbol: `brk.b` BRK-B, `EURUSD` EURUSD=X, `US30` ^DJI.

    An alias never takes the symbol of a listed company: `GOLD` and `WTI` are companies (see `NAMESAKES`).

    Raises:
        BadSymbol: It is empty, too long, or contains characters that no exchange uses.
    """
    text = symbol.strip().upper().removesuffix("+") if isinstance(symbol, str) else ""
    if (
        begins_like_key(text)
        or not _SYMBOL.fullmatch(text)
        or ".." in text
        or not any(letter.isalnum() for letter in text)
    ):
        shown = shown_value(symbol, Redactor({}), 50)
        raise BadSymbol(
            f"{shown} is not a ticker symbol; write it like AAPL, BRK-B, 7203.T, ^GSPC, BTC-USD or EURUSD=X."
        )
    if text in _ALIASES:
        return _ALIASES[text]
    if share := _SHARE_CLASS.fullmatch(text):
        return f"{share[1]}-{share[2]}"
    head, tail = text[:-3], text[-3:]
    if head in _CURRENCIES and tail in _CURRENCIES and head != tail:
        return f"{text}=X"
    if head in _CRYPTO and tail in ("USD", "EUR"):
        return f"{head}-{tail}"
    return text


def namesake_hint(symbol: str) -> str | None:
    """Return a hint on the other meaning of a company's symbol; None for any other symbol."""
    other = NAMESAKES.get(symbol)
    return None if other is None else f"{symbol} is the company that is listed under this symbol; {other}."
