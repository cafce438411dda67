"""Profiles of a snapshot's symbols, corrected where the recording labels a stock as a fund."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from tradingagents.dataflows.gateway.checks.row_checks import check_row
from tradingagents.dataflows.gateway.faults import summarised
from tradingagents.dataflows.instrument import kind_of
from tradingagents.dataflows.models import InstrumentKind, Profile
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.currencies import quoted_in
from tradingagents.dataflows.reference.sectors import sector_key
from tradingagents.dataflows.reference.symbols import NEW_YORK, listing_of
from tradingagents.dataflows.vendors.snapshot.folder import UNREADABLE, Unreadable, read_json, reading, reason, spelled

KNOWN_FUNDS = frozenset(
    (
        *("AGG", "BIL", "BND", "DBC", "DIA", "EEM", "EFA", "GLD", "HYG", "IEF", "IEFA", "IEMG", "IVV", "IWM", "LQD"),
        *("MDY", "QQQ", "RSP", "SHY", "SPY", "TIP", "TLT", "VEA", "VNQ", "VOO", "VTI", "VTV", "VUG", "VWO"),
    )
)
"""Widely used funds. Recordings label them `etf` without a name, or `stock` without a sector."""


def load_profiles(path: Path, unreadable: Unreadable | None = None) -> Mapping[str, Profile]:
    """Read profiles.json by symbol; {} if it doesn't exist. Of two spellings of a symbol the one with a sector counts.

    Args:
        unreadable: Collects the faults of single profiles; None: the first unreadable one is an error.

    Raises:
        VendorDown: The file is corrupt.
    """
    profiles: dict[str, Profile] = {}
    for recorded, row in read_json(path).items():
        symbol = spelled(recorded)
        try:
            profile, gaps = _sound_profile(symbol, row, recorded)
        except UNREADABLE as error:
            if unreadable is None:
                with reading(path, f" at {recorded}"):
                    raise
            unreadable.lines.append((symbol, f"{path.name} at {symbol} cannot be read ({reason(error)})."))
            continue
        if unreadable is not None:
            unreadable.lines += [(symbol, f"{path.name}: {gap}") for gap in gaps]
        if symbol not in profiles or (profile.sector and not profiles[symbol].sector):
            profiles[symbol] = profile
    return profiles


def _sound_profile(symbol: str, row: Mapping[str, Any], recorded: str) -> tuple[Profile, list[str]]:
    """Return a profile without its invalid fields, and a sentence for each of them."""
    given = _profile(symbol, row, recorded)
    profile, faults = check_row(given)
    return profile or given, summarised([(fault, "") for fault in faults])


def bare_profile(symbol: str) -> Profile:
    """Return the profile of a symbol that has prices but no recorded profile."""
    return _profile(symbol, {}, symbol)


def _profile(symbol: str, row: Mapping[str, Any], recorded: str) -> Profile:
    name = row.get("name") or symbol
    exact = bool(row.get("exact"))
    kind = _stated(symbol, row) if exact else _kind(symbol, row, named=name not in (symbol, recorded))
    return Profile(
        symbol=symbol,
        name=name,
        kind=kind,
        sector=sector_key(row.get("sector")) if exact or kind == "stock" else None,
        industry=row.get("industry"),
        exchange=row.get("exchange") or exchange_of(symbol),
        currency=row.get("currency") or quoted_in(symbol),
        listing=listing_of(symbol, row.get("listing") or _stated_exchange(row)),
    )


def _stated_exchange(row: Mapping[str, Any]) -> str | None:
    """Return the exchange of a row; None for New York's, which is also what recordings write for its calendar."""
    exchange = row.get("exchange")
    return None if exchange == NEW_YORK else exchange


def _kind(symbol: str, row: Mapping[str, Any], *, named: bool) -> InstrumentKind:
    """Return a symbol's kind: recordings label symbols without a profile `etf`, so a nameless fund needs evidence."""
    if symbol in KNOWN_FUNDS or row.get("tracks_sector"):
        return "etf"
    if symbol.startswith("^"):
        return "index"
    if row.get("kind") == "etf" and not named:
        return "stock"
    return _stated(symbol, row)


def _stated(symbol: str, row: Mapping[str, Any]) -> InstrumentKind:
    return next((kind for kind in get_args(InstrumentKind) if kind == row.get("kind")), kind_of(symbol))
