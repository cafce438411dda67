"""Currencies that exchanges quote in hundredths: London in pence, Johannesburg in cents, Tel Aviv in agorot."""

from __future__ import annotations

from collections.abc import Mapping

HUNDREDTHS: Mapping[str, str] = {"GBp": "GBP", "GBX": "GBP", "ZAc": "ZAR", "ZAC": "ZAR", "ILA": "ILS"}
"""The currency of each unit, by the names that vendors give the unit. `GBP` itself is pounds."""


def major_unit(code: str) -> tuple[str, float]:
    """Return the currency and the value of one quoted unit in it: `GBp` (pence) is 0.01 GBP, `USD` is 1 USD."""
    return (HUNDREDTHS[code], 0.01) if code in HUNDREDTHS else (code, 1.0)
