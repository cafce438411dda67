"""Ratios that follow from two figures of one company, for workbooks that compute them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio by the short names of its inputs."""

    name: str
    above: str
    below: str
    unit: str
    """`%` for a share in percent, `x` for a multiple."""
    less_one: bool = False
    """Whether it is a change: above / below - 1."""

    def of(self, above: float, below: float) -> float:
        """Return the ratio of two numbers, in its unit."""
        value = above / below - (1.0 if self.less_one else 0.0)
        return value * 100 if self.unit == "%" else value


_ALL = (
    Ratio("gross_margin", "ttm_gross_profit", "ttm_revenue", "%"),
    Ratio("gross_margin", "gross_profit", "revenue", "%"),
    Ratio("operating_margin", "ttm_operating_income", "ttm_revenue", "%"),
    Ratio("operating_margin", "operating_income", "revenue", "%"),
    Ratio("net_margin", "ttm_net_income", "ttm_revenue", "%"),
    Ratio("net_margin", "net_income", "revenue", "%"),
    Ratio("roa", "net_income", "total_assets", "%"),
    Ratio("roe", "net_income", "shareholders_equity", "%"),
    Ratio("roe", "net_income", "equity", "%"),
    Ratio("current_ratio", "current_assets", "current_liabilities", "x"),
    Ratio("debt_to_equity", "total_debt", "shareholders_equity", "x"),
    Ratio("debt_to_equity", "total_debt", "equity", "x"),
    Ratio("pe_ttm", "price", "eps_ttm", "x"),
    Ratio("earnings_yield", "eps_ttm", "price", "%"),
    Ratio("ps_ttm", "market_cap", "ttm_revenue", "x"),
    Ratio("fcf_yield", "ttm_free_cash_flow", "market_cap", "%"),
    Ratio("eps_surprise", "eps_reported", "eps_estimate", "%", less_one=True),
    Ratio("upside", "value_per_share", "price", "%", less_one=True),
)


def _by_name() -> dict[str, tuple[Ratio, ...]]:
    return {name: tuple(one for one in _ALL if one.name == name) for name in dict.fromkeys(one.name for one in _ALL)}


RATIOS: Mapping[str, tuple[Ratio, ...]] = _by_name()
"""By name; each with the ways to compute it."""
