"""A second implementation of the valuation, in plain loops over numbers, written from the formulas alone."""

from __future__ import annotations

import math

from tradingagents.valuation import ValuationInputs


def value_in_loops(given: ValuationInputs) -> dict[str, float]:
    """Return the sums of a valuation."""
    years = len(given.sales_growth)
    revenue = [given.revenue_t0]
    for t in range(1, years + 1 + given.reinvestment_lag):
        growth = given.sales_growth[t - 1] if t <= years else given.stable_growth
        revenue.append(revenue[t - 1] * (1 + growth))
    losses, factor, explicit = given.nol_t0, 1.0, 0.0
    for t in range(1, years + 1):
        income = given.oper_margin[t - 1] * revenue[t]
        if income <= 0:
            after_tax = income
            losses = losses - income
        else:
            shield = min(losses, income)
            after_tax = income - given.tax_rate[t - 1] * (income - shield)
            losses = losses - shield
        lag = given.reinvestment_lag
        spent = (revenue[t + lag] - revenue[t + lag - 1]) / given.sales_to_capital[t - 1]
        factor = factor / (1 + given.wacc[t - 1])
        middle = math.sqrt(1 + given.wacc[t - 1]) if given.discounting == "midyear" else 1.0
        explicit = explicit + (after_tax - spent) * factor * middle
    after = revenue[years] * (1 + given.stable_growth)
    after_tax = after * given.stable_margin * (1 - given.stable_tax)
    if given.stable_roic is not None:
        spent = given.stable_growth / given.stable_roic * after_tax if given.stable_growth > 0 else 0.0
    else:
        assert given.stable_sales_to_capital is not None
        spent = (after - revenue[years]) / given.stable_sales_to_capital
    terminal = (after_tax - spent) / (given.stable_wacc - given.stable_growth)
    later = terminal * factor * (math.sqrt(1 + given.wacc[-1]) if given.discounting == "midyear" else 1.0)
    operating = explicit + later
    basis = operating if given.distress_basis == "value" else given.book_capital
    assert basis is not None
    adjusted = operating * (1 - given.failure_probability) + given.failure_probability * given.distress_proceeds * basis
    equity = adjusted - given.debt - (given.net_debt or 0.0) - given.minority_interest
    equity = equity + given.cash + given.non_operating_assets
    options = given.option_value if given.options is None else _options(given, equity)
    return {
        "pv_explicit": explicit,
        "pv_terminal": later,
        "pv_operating": operating,
        "pv_after_failure": adjusted,
        "terminal_value": terminal,
        "equity_value": equity,
        "value_per_share": (equity - options) / given.shares_out,
    }


def _options(given: ValuationInputs, equity: float) -> float:
    """Iterate the value per share to the fixed point of the dilution."""
    options = given.options
    assert options is not None
    share, each = equity / given.shares_out, 0.0
    for _ in range(500):
        diluted = (share * given.shares_out + each * options.count) / (given.shares_out + options.count)
        each = _black_scholes(diluted, options.strike, options.years, options.volatility, options.risk_free)
        share = (equity - each * options.count) / given.shares_out
    return each * options.count


def _black_scholes(share: float, strike: float, years: float, volatility: float, rate: float) -> float:
    if share <= 0:
        return 0.0
    spread = volatility * math.sqrt(years)
    first = (math.log(share / strike) + (rate + volatility**2 / 2) * years) / spread

    def normal(value: float) -> float:
        return (1 + math.erf(value / math.sqrt(2))) / 2

    return share * normal(first) - strike * math.exp(-rate * years) * normal(first - spread)
