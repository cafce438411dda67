"""Valuation inputs from a company's facts: every assumption named, with its source, and open to being overridden."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from tradingagents.valuation.company.assumptions import MARGINAL_TAX, AssumptionBook, BuiltInputs, given_rows, needed
from tradingagents.valuation.company.capital import (
    capital_of,
    market_rates,
    stable_cost,
    stable_growth_of,
    stable_return,
)
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.equity_inputs import bank_inputs, dividend_inputs
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.kind import FittedModel
from tradingagents.valuation.company.operations import growth_of, margins_of, own_turnover, turnover_of
from tradingagents.valuation.company.rates import MarketRates
from tradingagents.valuation.company.sums import SUMMED
from tradingagents.valuation.inputs import NAMES, ValuationInputs
from tradingagents.valuation.overrides import ALIASES, apply_overrides
from tradingagents.valuation.paths import HIGH_YEARS, YEARS, converging_path, fading_path

_PARTS = {
    "sales_growth": ("growth_years_1_to_5",),
    "oper_margin": ("margin_t0", "target_margin"),
    "tax_rate": ("effective_tax", "marginal_tax"),
    "sales_to_capital": ("turnover",),
}
"""What a path is built from: not used where the path is given."""


def build_for_model(
    model: FittedModel, facts: CompanyFacts, rates: MarketRates, given: Mapping[str, Any], *, as_of: date
) -> BuiltInputs:
    """Build the inputs of a model.

    Args:
        model: See `kind.choose_model`.
        facts: What is known of the company.
        rates: Risk-free rate, equity premium and betas of the day.
        given: Numbers that replace those built: names of inputs, and `risk_free`, `equity_premium`, `beta`,
            `debt_spread`, `marginal_tax`.

    Raises:
        NoData: A figure that the model needs is not known, or years of losses are all that is known of the margin;
            names the input to give instead.
        InadmissibleInput: A given number has no such name, or cannot be.
    """
    book = AssumptionBook({ALIASES.get(name, name): one for name, one in given.items()})
    if model == "fcff":
        return _firm(facts, rates, book, as_of)
    return (bank_inputs if model == "excess_returns" else dividend_inputs)(facts, rates, book)


def _firm(facts: CompanyFacts, rates: MarketRates, book: AssumptionBook, as_of: date) -> BuiltInputs:
    revenue = book.take("revenue_t0", needed(facts.revenue, "revenue_t0", facts, book))
    shares = book.take("shares_out", needed(facts.shares, "shares_out", facts, book))
    risk_free, premium = market_rates(rates, book)
    capital, debt, tax = capital_of(facts, rates, book, shares, (risk_free, premium))
    marginal = book.take("marginal_tax", MARGINAL_TAX, "default: federal and state taxes of the United States")
    stable_wacc = stable_cost(book, rates, capital, (risk_free, premium), marginal)
    stable_growth = stable_growth_of(book, risk_free, facts.currency)
    growth = growth_of(facts, book, stable_growth)
    margin, target = margins_of(facts, book)
    turnover = turnover_of(facts, book)
    stable_roic = stable_return(book, facts, stable_wacc, target * (1 - marginal) * turnover, marginal)
    bridge = _bridge(facts, book, debt)
    built = ValuationInputs(
        company=facts.profile.name,
        ticker=facts.symbol,
        currency=facts.currency,
        as_of=as_of,
        revenue_t0=revenue,
        shares_out=shares,
        sales_growth=fading_path(growth, stable_growth),
        oper_margin=converging_path(margin, target, HIGH_YEARS),
        tax_rate=fading_path(tax, marginal),
        sales_to_capital=(turnover,) * YEARS,
        wacc=fading_path(capital.wacc, stable_wacc),
        stable_growth=stable_growth,
        stable_margin=target,
        stable_tax=marginal,
        stable_wacc=stable_wacc,
        stable_roic=stable_roic,
        debt=bridge["debt"],
        cash=bridge["cash"],
        minority_interest=bridge["minority_interest"],
        non_operating_assets=bridge["non_operating_assets"],
        option_value=book.take("option_value", 0.0, "default: 0, the diluted share count holds the options"),
        book_capital=revenue / turnover if own_turnover(facts) is not None and turnover > 0 else None,
        risk_free=risk_free,
    )
    rest = {name: one for name, one in book.given.items() if name not in book.used}
    replaced = {part for name in rest for part in _PARTS.get(name, ())}
    rows = (*(row for row in book.rows if row.name not in replaced), *given_rows(rest))
    summed = book.used & SUMMED.keys()
    changes = {name: one for name, one in book.given.items() if name not in summed}
    changes = {name: one for name, one in changes.items() if name in NAMES or name not in book.used}
    return BuiltInputs("fcff", apply_overrides(built, changes), rows, capital)


def _bridge(facts: CompanyFacts, book: AssumptionBook, debt: float) -> dict[str, float]:
    """Return what is added to and taken from the operations: the kernel's four sums, each part a named assumption.

    The kernel's `minority_interest` holds the preferred stock too, its `debt` leases and pensions that the debt of the
    cost of capital leaves out, its `cash` the short-term securities.
    """
    claims = facts.claims
    cash = book.take("cash", facts.cash or Sourced(0.0, "default: 0, the source gives no cash", assumed=True))
    cash += book.take_known("short_term_investments", claims.short_term_investments)
    debt += book.take_known("finance_leases", claims.finance_leases)
    debt += book.take_known("pension_deficit", claims.pension_deficit)
    others = book.take("minority_interest", claims.minority_interest)
    others += book.take("preferred_equity", claims.preferred_equity)
    held = book.take("non_operating_assets", claims.investments)
    return {"debt": debt, "cash": cash, "minority_interest": others, "non_operating_assets": held}
