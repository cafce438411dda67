"""Valuation without a language model: pure functions on numbers, from inputs to value, sensitivity and expectations."""

from __future__ import annotations

from tradingagents.valuation.canonical import canonical_json
from tradingagents.valuation.cost_of_capital import (
    CapitalStructure,
    CostOfCapital,
    cost_of_capital,
    lever_beta,
    market_value_of_debt,
    unlever_beta,
)
from tradingagents.valuation.dcf import (
    KERNEL_VERSION,
    Projection,
    ProjectionYear,
    Valuation,
    project,
    value_company,
)
from tradingagents.valuation.distribution import DriverDistribution, ValueDistribution, default_distributions, simulate
from tradingagents.valuation.drivers import DRIVERS, Driver, shift_inputs
from tradingagents.valuation.equity_models import (
    DividendInputs,
    EquityValuation,
    ExcessReturnInputs,
    FundsInputs,
    implied_dividend_growth,
    implied_funds_growth,
    implied_return_on_equity,
    net_asset_value,
    value_by_dividends,
    value_by_excess_returns,
    value_by_funds,
    value_equity,
)
from tradingagents.valuation.inputs import EmployeeOptions, InadmissibleInput, ValuationInputs, read_inputs
from tradingagents.valuation.limited_liability import why_no_value, worth_nothing
from tradingagents.valuation.overrides import apply_overrides, read_override
from tradingagents.valuation.paths import converging_path, fading_path, flat_path, stepped_path
from tradingagents.valuation.relative import CompanyFigures, ImpliedRange, company_multiples, implied_ranges
from tradingagents.valuation.reverse import ImpliedDriver, solve_driver
from tradingagents.valuation.scenarios import Scenario, ScenarioValue, ScenarioValues, value_scenarios
from tradingagents.valuation.sensitivity import SensitivityGrid, Tornado, TornadoBar, grid, tornado

__all__ = [
    "DRIVERS",
    "KERNEL_VERSION",
    "CapitalStructure",
    "CompanyFigures",
    "CostOfCapital",
    "DividendInputs",
    "Driver",
    "DriverDistribution",
    "EmployeeOptions",
    "EquityValuation",
    "ExcessReturnInputs",
    "FundsInputs",
    "ImpliedDriver",
    "ImpliedRange",
    "InadmissibleInput",
    "Projection",
    "ProjectionYear",
    "Scenario",
    "ScenarioValue",
    "ScenarioValues",
    "SensitivityGrid",
    "Tornado",
    "TornadoBar",
    "Valuation",
    "ValuationInputs",
    "ValueDistribution",
    "apply_overrides",
    "canonical_json",
    "company_multiples",
    "converging_path",
    "cost_of_capital",
    "default_distributions",
    "fading_path",
    "flat_path",
    "grid",
    "implied_dividend_growth",
    "implied_funds_growth",
    "implied_ranges",
    "implied_return_on_equity",
    "lever_beta",
    "market_value_of_debt",
    "net_asset_value",
    "project",
    "read_inputs",
    "read_override",
    "shift_inputs",
    "simulate",
    "solve_driver",
    "stepped_path",
    "tornado",
    "unlever_beta",
    "value_by_dividends",
    "value_by_excess_returns",
    "value_by_funds",
    "value_company",
    "value_equity",
    "value_scenarios",
    "why_no_value",
    "worth_nothing",
]
