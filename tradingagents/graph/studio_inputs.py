"""What LangGraph Studio asks for before a run, from which it makes its forms.

In a module of their own: the server loads `studio.py` by its path, where annotations cannot be resolved. The class of
`typing_extensions` has a JSON schema on Python 3.11 too.
"""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict


class TradingInput(TypedDict):
    """Before a trading run."""

    company_of_interest: str
    """Ticker, such as AAPL."""
    trade_date: NotRequired[str | None]
    """Day as YYYY-MM-DD; none: today."""


class ScanInput(TypedDict):
    """Before a scan."""

    scan_date: NotRequired[str | None]
    """Day as YYYY-MM-DD; none: today."""
