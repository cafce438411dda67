"""Valuation inputs from a company's facts: every assumption named, with its source, and open to being overridden."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from tradingagents.schemas.valuation_models import FittedModel
from tradingagents.valuation.company.answer_parts import SUMMED, CompanyKind
from tradingagents.valuation.company.assumptions import AssumptionBook, BuiltInputs, given_rows, needed
from tradingagents.valuation.company.capital_cost import (
    capital_of,
    market_rates,
    stable_cost,
    stable_growth_of,
    stable_return,
    stable_tax_of,
)
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.equity_inputs import dividend_inputs, excess_return_inputs, reit_inputs
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.market_rates import MarketRates
from tradingagents.valuation.company.operations import (
    earlier_losses,
    failure_of,
    growth_of,
    margins_of,
    own_turnover,
    path_margins,
    turnover_of,
)
from tradingagents.valuation.cost_of_capital import CostOfCapital
from tradingagents.valuation.inputs import NAMES, Discounting, ValuationInputs
from tradingagents.valuation.paths import ALIASES, HIGH_YEARS, YEARS, apply_overrides, converging_path, fading_path

_PARTS = {
    "sales_growth": ("growth_years_1_to_5",),
    "oper_margin": ("margin_t0", "target_margin"),
    "tax_rate": ("effective_tax", "marginal_tax"),
    "sales_to_capital": ("turnover",),
}
"""What a path is built from: not used where the path is given."""
_MAY_FAIL: frozenset[CompanyKind] = frozenset({"no_profit_yet", "no_sales"})


def build_for_model(
    model: FittedModel,
    facts: CompanyFacts,
    rates: MarketRates,
    given: Mapping[str, Any],
    *,
    as_of: date,
    kind: CompanyKind = "firm",
    peer_margins: Mapping[str, float] | None = None,
) -> BuiltInputs:
    """Build the inputs of a model.

    Args:
        model: See `kind.choose_model`.
        facts: What is known of the company.
        rates: Risk-free rate, equity premium and betas of the day.
        given: Numbers that replace those built: names of inputs, and `risk_free`, `equity_premium`, `beta`,
            `debt_spread`, `marginal_tax`.
        kind: Of the company (`kind.kind_of`).
        peer_margins: Operating margins of companies of the industry that earn, for one that never did.

    Raises:
        NoData: A figure that the model needs is not known, or years of losses are all that is known of the margin;
            names the input to give instead.
        InadmissibleInput: A given number has no such name, or cannot be.
    """
    book = AssumptionBook({ALIASES.get(name, name): one for name, one in given.items()})
    if model == "fcff":
        margins = _margins_of_kind(kind, facts, peer_margins or {})
        return _firm(kind, facts, rates, book, as_of, margins)
    if model == "excess_returns":
        return excess_return_inputs(kind, facts, rates, book)
    return (reit_inputs if model == "funds_from_operations" else dividend_inputs)(facts, rates, book)


def _margins_of_kind(
    kind: CompanyKind, facts: CompanyFacts, peers: Mapping[str, float]
) -> Callable[[AssumptionBook], tuple[float, float]]:
    """Return what finds the operating margin of the last twelve months and the one to reach."""
    if kind == "no_profit_yet":
        return lambda book: path_margins(facts, book, peers)
    if kind == "no_sales":
        return lambda _: (0.0, 0.0)  # the margin is given, and today's says nothing of it
    return lambda book: margins_of(facts, book)


def _firm(
    kind: CompanyKind,
    facts: CompanyFacts,
    rates: MarketRates,
    book: AssumptionBook,
    as_of: date,
    margins: Callable[[AssumptionBook], tuple[float, float]],
) -> BuiltInputs:
    revenue = book.take("revenue_t0", needed(facts.revenue, "revenue_t0", facts, book))
    shares = book.take("shares_out", needed(facts.shares, "shares_out", facts, book))
    risk_free, premium = market_rates(rates, book)
    capital, debt, tax = capital_of(facts, rates, book, shares, (risk_free, premium))
    marginal = stable_tax_of(book, facts, tax)
    stable_wacc = stable_cost(book, rates, capital, (risk_free, premium), marginal)
    stable_growth = stable_growth_of(book, risk_free, facts.currency)
    growth = growth_of(facts, book, stable_growth)
    (margin, target), turnover = margins(book), turnover_of(facts, book)
    stable_roic = stable_return(book, facts, stable_wacc, target * (1 - marginal) * turnover, marginal)
    bridge, (fails, left) = _bridge(facts, book, debt), failure_of(facts, book) if kind in _MAY_FAIL else (0.0, 0.0)
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
        discounting=_discounting(book),
        debt=bridge["debt"],
        cash=bridge["cash"],
        minority_interest=bridge["minority_interest"],
        non_operating_assets=bridge["non_operating_assets"],
        option_value=book.take("option_value", 0.0, "default: 0, the diluted share count holds the options"),
        book_capital=_book_capital(facts, revenue, turnover, fails=left > 0),
        risk_free=risk_free,
        nol_t0=earlier_losses(facts, book) if kind == "no_profit_yet" else 0.0,
        failure_probability=fails,
        distress_proceeds=left,
        distress_basis="book" if left else "value",
    )
    return _changed(built, book, capital)


def _book_capital(facts: CompanyFacts, revenue: float, turnover: float, *, fails: bool) -> float | None:
    """Return the capital at the start: what the balance sheet shows where a failure leaves a part of it.

    Else what the turnover implies, as the forecast does; None where the turnover is a convention.
    """
    if fails:
        return facts.years[0].invested_capital if facts.years else None
    return revenue / turnover if own_turnover(facts) is not None and turnover > 0 else None


def _discounting(book: AssumptionBook) -> Discounting:
    """Return when the cash of a year arrives: in its middle, for it comes over the year. `_changed` sets what is given.

    The assumption holds the part of the year that is discounted.
    """
    if "discounting" not in book.given:
        why = "default: midyear, cash arrives over the year and is discounted from its middle; discounting=end: its end"
        book.take("discounting", 0.5, why)
    return "midyear"


def _changed(built: ValuationInputs, book: AssumptionBook, capital: CostOfCapital) -> BuiltInputs:
    """Apply what is given for inputs of the kernel as a whole, and leave out the parts that it replaces."""
    rest = {name: one for name, one in book.given.items() if name not in book.used}
    replaced = {part for name in rest for part in _PARTS.get(name, ())}
    rows = (*(row for row in book.rows if row.name not in replaced), *given_rows(rest))
    summed = book.used & SUMMED.keys()
    changes = {name: one for name, one in book.given.items() if name not in summed}
    changes = {name: change for name, change in changes.items() if name in NAMES or name not in book.used}
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
