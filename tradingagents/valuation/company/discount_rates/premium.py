"""The equity risk premium as it had been published by a day."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from tradingagents.errors import NoData

KNOWN_FROM = (1, 10)
"""Month and day from which the value of a year counts as published."""
LONGEST_AGE = 3
"""Years for which a value is used when later ones are missing from the table."""


@dataclass(frozen=True, slots=True)
class EquityPremium:
    """An equity risk premium and where it comes from."""

    value: float
    year: int
    source: str


def equity_premium(as_of: date) -> EquityPremium:
    """Return the newest premium published by a day.

    Raises:
        NoData: The table begins later, or ends years before.
    """
    table = _table()
    years = [int(year) for year in table["premiums"] if date(int(year), *KNOWN_FROM) <= as_of]
    if not years or as_of.year - max(years) > LONGEST_AGE:
        raise NoData(f"No equity risk premium is known for {as_of}; give one, such as equity_premium=0.05.")
    newest = max(years)
    return EquityPremium(float(table["premiums"][str(newest)]), newest, f"{table['name']}, {newest}")


@cache
def _table() -> dict[str, Any]:
    text = (
        files("tradingagents.valuation.company.discount_rates").joinpath("equity_risk_premium.json").read_text("utf-8")
    )
    found: dict[str, Any] = json.loads(text)
    return found
