"""Who a ticker is, and what it is compared with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tradingagents.dataflows.models import InstrumentKind, Profile
from tradingagents.dataflows.reference.symbols import exchange_words, normalise
from tradingagents.errors import UsageError
from tradingagents.files.redaction import Redactor, shown_value

KIND_WORDS: Mapping[InstrumentKind, str] = {
    "stock": "a company",
    "etf": "an exchange-traded fund",
    "index": "an index",
    "crypto": "a cryptocurrency",
    "currency": "a currency pair",
    "future": "a future",
}
"""Each kind of instrument inside a sentence."""

ASSET_TYPES = ("stock", "crypto")
"""What `propagate(asset_type=)` of the public API knows; here the symbol says what it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument(Profile):
    """A profile with what it is compared with, resolved once per run and told to every agent."""

    exchange: str
    """MIC of the calendar of its sessions."""
    benchmark: str | None
    sector_etf: str | None

    @property
    def listed(self) -> str:
        """Where it is listed, in words for a reader."""
        return exchange_words(self.listing, self.exchange)


def assert_company(profile: Profile, instead: str) -> None:
    """Refuse what is no company: it has no statements, filings or insiders.

    Args:
        profile: Who it is.
        instead: What can be done, to end the message.

    Raises:
        UsageError: It is a fund, an index, a coin, a currency pair or a future.
    """
    if profile.kind != "stock":
        raise UsageError(f"{profile.symbol} is {KIND_WORDS[profile.kind]}, not a company; {instead}.")


def kind_of(symbol: str) -> InstrumentKind:
    """Return the kind that a symbol's form tells: `^GSPC` an index, `EURUSD=X` a currency pair; else a stock."""
    if symbol.startswith("^"):
        return "index"
    forms: Mapping[str, InstrumentKind] = {"=X": "currency", "=F": "future", "-USD": "crypto", "-EUR": "crypto"}
    return next((kind for ending, kind in forms.items() if symbol.endswith(ending)), "stock")


def assert_asset_type(symbol: str, asset_type: str) -> None:
    """Check what a caller says that a symbol is; `stock` is the usual value and says nothing.

    Raises:
        UsageError: There is no such type, or the symbol is no cryptocurrency though the caller says so.
        BadSymbol: The symbol is none.
    """
    if asset_type not in ASSET_TYPES:
        shown = shown_value(asset_type, Redactor({}))
        raise UsageError(f"asset_type cannot be {shown}: it is stock or crypto, and the symbol says what is studied.")
    if asset_type == "crypto" and (kind := kind_of(normalise(symbol))) != "crypto":
        raise UsageError(f"{normalise(symbol)} is {KIND_WORDS[kind]}, not a cryptocurrency; write one like BTC-USD.")
