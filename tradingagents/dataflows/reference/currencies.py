"""Currencies quoted in hundredths (London in pence, Johannesburg in cents, Tel Aviv in agorot), and none stated."""

from __future__ import annotations

import re
from collections.abc import Mapping

HUNDREDTHS: Mapping[str, str] = {"GBp": "GBP", "GBX": "GBP", "ZAc": "ZAR", "ZAC": "ZAR", "ILA": "ILS"}
"""The currency of each unit, by the names that vendors give the unit. `GBP` itself is pounds."""


NOT_STATED = "XXX"
"""ISO 4217's code for no currency: some indices, and what a source gives without saying its currency."""


_FOREIGN = re.compile(r"\.[A-Z]{1,3}$")
"""The suffix of an exchange outside the United States."""


def is_stated(code: str) -> bool:
    """Return whether a currency is stated."""
    return bool(code) and code != NOT_STATED


def quoted_in(symbol: str) -> str:
    """Return the currency that the listing of a symbol tells, where its source does not; `NOT_STATED` for none.

    Exchanges of the United States quote in US dollars only, and a pair names its currency. Other exchanges quote some
    of their shares in another currency than their own, or in hundredths, so that theirs is not taken.
    """
    if symbol.endswith("=X"):
        return symbol[-5:-2] if len(symbol) >= len("USD=X") else NOT_STATED
    if symbol.endswith("-EUR"):
        return "EUR"
    return "USD" if _FOREIGN.search(symbol) is None else NOT_STATED


def major_unit(code: str) -> tuple[str, float]:
    """Return the currency and the value of one quoted unit in it: `GBp` (pence) is 0.01 GBP, `USD` is 1 USD."""
    return (HUNDREDTHS[code], 0.01) if code in HUNDREDTHS else (code, 1.0)
