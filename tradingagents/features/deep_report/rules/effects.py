"""How far a figure moves a driver of the value: plain rules, each with its reason. Judgement, not calibrated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tradingagents.features.deep_report.rules.brief import CompanyProfile

LASTING = 1 / 3
"""Part of the gap between the latest growth and that of the past which lasts for three years."""
CARRIED = 2.0
"""Years of operating income that debt may amount to before it makes capital dearer."""
SMALLEST = 0.0005
"""A smaller change of a driver is none."""

REASONS: Mapping[tuple[str, bool], str] = {
    ("growth", True): "a third of the gap to the growth of the years before is taken to last for three years",
    ("growth", False): "a third of the gap to the growth of the years before is taken to last for three years",
    ("margin", True): "results above the estimates raise the margin of the next two years",
    ("margin", False): "results below the estimates lower the margin of the next two years",
    ("capital_intensity", True): "less than net income is left as cash, so that growth needs more capital",
    ("capital_intensity", False): "more than net income is left as cash, so that growth needs less capital",
    ("cost_of_capital", True): "debt makes capital dearer",
}
"""Why a figure moves a driver, by the driver and whether it rises."""


def latest_growth(value: float, profile: CompanyProfile) -> Mapping[str, Any] | None:
    """Return a third of the gap between the newest growth and that of the past, in the first three years."""
    if profile.growth_before is None:
        return None
    change = round((value - profile.growth_before) / 100 * LASTING, 4)
    return {"driver": "growth", "change": change, "first_year": 1, "last_year": 3} if abs(change) >= SMALLEST else None


def surprise(value: float, _profile: CompanyProfile) -> Mapping[str, Any] | None:
    """Return a tenth of the surprise in points on the margin of the first two years."""
    change = round(value / 1000, 4)
    return {"driver": "margin", "change": change, "first_year": 1, "last_year": 2} if abs(change) >= SMALLEST else None


def conversion(value: float, profile: CompanyProfile) -> Mapping[str, Any] | None:
    """Return a tenth of the gap between free cash flow and net income of twelve months."""
    return _conversion(value, profile.value("ttm_net_income"))


def filed_conversion(value: float, profile: CompanyProfile) -> Mapping[str, Any] | None:
    """Return the same of the fiscal year as filed, where the free cash flow of twelve months is not known."""
    spent = profile.flows.get("capital_expenditure")
    if spent is None or profile.value("ttm_free_cash_flow") is not None or "operating_cash_flow" not in profile.flows:
        return None
    del value  # as printed, in the filing's own unit
    income = profile.flows.get("net_income", (None, None))[0]
    return _conversion(profile.flows["operating_cash_flow"][0] - spent[0], income)


def _conversion(free: float, income: float | None) -> Mapping[str, Any] | None:
    if income is None or income <= 0:
        return None
    change = round((1 - free / income) / 10, 4)
    return {"driver": "capital_intensity", "change": change} if abs(change) >= SMALLEST else None


def net_debt(_value: float, profile: CompanyProfile) -> Mapping[str, Any] | None:
    """Return 0.1 points for each year of operating income by which debt less liquid means exceeds two, at most 0.5."""
    income = profile.value("ttm_operating_income")
    if profile.debt is None or profile.cash is None or income is None or income <= 0:
        return None
    return _dearer((profile.debt - profile.cash) / income - CARRIED)


def debt_to_equity(value: float, profile: CompanyProfile) -> Mapping[str, Any] | None:
    """Return 0.1 points for each tenth of equity by which debt exceeds it, where liquid means are not known."""
    if profile.debt is not None and profile.cash is not None:
        return None
    return _dearer(10 * (value - 1.0))


def _dearer(excess: float) -> Mapping[str, Any] | None:
    change = round(min(max(0.0, excess) / 1000, 0.005), 4)
    return {"driver": "cost_of_capital", "change": change} if change >= SMALLEST else None
