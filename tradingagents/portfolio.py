"""`Position`, `PortfolioContext` and `load_portfolio` by the public API's path: what a person holds.

They are the portfolio of this library (`schemas.portfolio`), in the public project's words.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import model_validator

from tradingagents.dataflows.portfolio_file import portfolio_of_json, read_portfolio
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.schemas.portfolio import Portfolio, Position

__all__ = ["PortfolioContext", "Position", "UnusablePortfolio", "load_portfolio"]


class UnusablePortfolio(UsageError, ValueError):
    """A file or a value is no portfolio; also a `ValueError`, which scripts for the public API catch."""


class PortfolioContext(Portfolio):
    """A portfolio, also made from the public project's fields.

    `PortfolioContext(cash=25000.0, currency="USD", positions=[{"ticker": "NVDA", "quantity": 120}])`: there, `cash` is
    one amount, and `currency` that of cash and prices. No positions are a flat book; no portfolio at all is None.
    """

    @model_validator(mode="before")
    @classmethod
    def _in_either_form(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        held = given.get("positions") or ()
        positions = [position.as_json() if isinstance(position, Position) else position for position in held]
        try:
            return portfolio_of_json({**given, "positions": positions}).as_json()
        except UsageError as error:
            raise UnusablePortfolio(f"This is no portfolio: {error}") from error

    def position_in(self, ticker: str) -> Position | None:
        """Return the position in an instrument, its accounts taken together; None where it is not held."""
        symbol = normalise(ticker)
        if symbol not in self.symbols or not self.quantity(symbol):
            return None
        price, currency = self.average_price(symbol) or (None, None)
        return Position(symbol=symbol, quantity=self.quantity(symbol), average_price=price, currency=currency)

    def fingerprint(self) -> str:
        """Return what tells this portfolio from another; equal ones have the same."""
        return self.digest


def load_portfolio(path: str | Path) -> PortfolioContext:
    """Read a portfolio from a file: JSON of the public project or of this library, or a broker's CSV or XLSX.

    Raises:
        UnusablePortfolio: The file cannot be read; the message names row and column.
    """
    try:
        return PortfolioContext.model_validate(read_portfolio(Path(path)).as_json())
    except UsageError as error:
        raise UnusablePortfolio(str(error)) from error
