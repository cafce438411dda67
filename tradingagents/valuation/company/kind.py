"""Which model fits a company: free cash flow, excess returns of a bank or insurer, or dividends."""

from __future__ import annotations

from typing import Literal

from tradingagents.analytics.company.cost_of_revenue import is_bank_or_insurer
from tradingagents.dataflows.instrument import assert_company
from tradingagents.dataflows.models import Profile
from tradingagents.errors import UsageError

ModelName = Literal["auto", "fcff", "excess_returns", "dividend_discount"]
"""`auto` chooses excess returns for a bank or insurer, and free cash flow for any other company."""
FittedModel = Literal["fcff", "excess_returns", "dividend_discount"]
TITLES: dict[FittedModel, str] = {
    "fcff": "free cash flow to the firm",
    "excess_returns": "excess returns on equity",
    "dividend_discount": "discounted dividends",
}


def choose_model(asked: ModelName, profile: Profile, *, steady_dividends: bool) -> FittedModel:
    """Return the model for a company.

    Args:
        asked: The model that a caller wants.
        steady_dividends: Whether it paid dividends in both of the last two years without a cut.

    Raises:
        UsageError: The model does not fit; names the one that does, and why.
    """
    assert_company(profile, "value a stock instead")
    bank = is_bank_or_insurer(profile.sector, (profile.industry or "").lower())
    if asked == "auto":
        return "excess_returns" if bank else "fcff"
    if asked == "fcff" and bank:
        raise UsageError(
            f"{profile.symbol} is a bank or insurer: debt is what it works with, and the firm has no free cash flow. "
            f"Use model=excess_returns."
        )
    if asked == "excess_returns" and not bank:
        raise UsageError(f"{profile.symbol} is no bank or insurer; use model=fcff, which values its free cash flow.")
    if asked == "dividend_discount" and not steady_dividends:
        fits = "excess_returns" if bank else "fcff"
        raise UsageError(
            f"{profile.symbol} has not paid steady dividends in the last two years, as far as the source lists them; "
            f"use model={fits}."
        )
    return asked
