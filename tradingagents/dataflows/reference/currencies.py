"""Currencies that exchanges quote in hundredths (London in pence, Johannesburg in cents, Tel Aviv in agorot), and the
code of a currency that is not stated.
"""

from __future__ import annotations

from collections.abc import Mapping

HUNDREDTHS: Mapping[str, str] = {"GBp": "GBP", "GBX": "GBP", "ZAc": "ZAR", "ZAC": "ZAR", "ILA": "ILS"}
"""The currency of each unit, by the names that vendors give the unit. `GBP` itself is pounds."""


NOT_STATED = "XXX"
"""ISO 4217's code for no currency: some indices, and what a source gives without saying its currency."""


def is_stated(code: str) -> bool:
    """Return whether a currency is stated."""
    return bool(code) and code != NOT_STATED


def major_unit(code: str) -> tuple[str, float]:
    """Return the currency and the value of one quoted unit in it: `GBp` (pence) is 0.01 GBP, `USD` is 1 USD."""
    return (HUNDREDTHS[code], 0.01) if code in HUNDREDTHS else (code, 1.0)
