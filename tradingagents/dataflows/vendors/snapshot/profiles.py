"""Who the symbols of a snapshot are, mended where the recording called a plain stock a fund."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

from tradingagents.dataflows.calendar import exchange_of
from tradingagents.dataflows.rows import InstrumentKind, Profile
from tradingagents.dataflows.sectors import sector_key
from tradingagents.dataflows.vendors.snapshot.folder import read_json, reading, spelled

KNOWN_FUNDS = frozenset(
    (
        *("AGG", "BIL", "BND", "DBC", "DIA", "EEM", "EFA", "GLD", "HYG", "IEF", "IEFA", "IEMG", "IVV", "IWM", "LQD"),
        *("MDY", "QQQ", "RSP", "SHY", "SPY", "TIP", "TLT", "VEA", "VNQ", "VOO", "VTI", "VTV", "VUG", "VWO"),
    )
)
"""Widely used funds. Recordings have them as `etf` without a name, or as `stock` without a sector."""


def load_profiles(path: Path) -> Mapping[str, Profile]:
    """Read profiles.json by symbol; {} where it is absent. Of two spellings of a symbol the one with a sector counts.

    Raises:
        VendorDown: The file is corrupt.
    """
    profiles: dict[str, Profile] = {}
    for recorded, row in read_json(path).items():
        symbol = spelled(recorded)
        with reading(path, f" at {recorded}"):
            profile = _profile(symbol, row, recorded)
        if symbol not in profiles or (profile.sector and not profiles[symbol].sector):
            profiles[symbol] = profile
    return profiles


def bare_profile(symbol: str) -> Profile:
    """Return what can be said of a symbol that has prices and no profile."""
    return _profile(symbol, {}, symbol)


def _profile(symbol: str, row: Mapping[str, Any], recorded: str) -> Profile:
    name = row.get("name") or symbol
    exact = bool(row.get("exact"))
    kind = _stated(row) if exact else _kind(symbol, row, named=name not in (symbol, recorded))
    return Profile(
        symbol=symbol,
        name=name,
        kind=kind,
        sector=sector_key(row.get("sector")) if exact or kind == "stock" else None,
        industry=row.get("industry"),
        exchange=row.get("exchange") or exchange_of(symbol),
        currency=row.get("currency") or "USD",
    )


def _kind(symbol: str, row: Mapping[str, Any], *, named: bool) -> InstrumentKind:
    """Tell what a symbol is: recordings call `etf` whatever they lack a profile of, so a nameless fund needs proof."""
    if symbol in KNOWN_FUNDS or row.get("tracks_sector"):
        return "etf"
    if symbol.startswith("^"):
        return "index"
    if row.get("kind") == "etf" and not named:
        return "stock"
    return _stated(row)


def _stated(row: Mapping[str, Any]) -> InstrumentKind:
    return next((kind for kind in get_args(InstrumentKind) if kind == row.get("kind")), "stock")
