"""Inputs of the models of the equity: of a bank, holding or utility, a payer of dividends, a real-estate trust."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from tradingagents.errors import NoData
from tradingagents.schemas.valuation_models import FittedModel
from tradingagents.valuation.company.answer_parts import CompanyKind
from tradingagents.valuation.company.assumptions import AssumptionBook, BuiltInputs, given_rows, needed
from tradingagents.valuation.company.capital_cost import (
    ADVANTAGE_KEPT,
    equity_costs,
    stable_growth_of,
)
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.market_rates import MarketRates
from tradingagents.valuation.equity_models import DividendInputs, EquityInputs, ExcessReturnInputs, FundsInputs
from tradingagents.valuation.inputs import InadmissibleInput
from tradingagents.valuation.limited_liability import NO_VALUE
from tradingagents.valuation.paths import YEARS, fading_path

DIVIDEND_GROWTH_BOUNDS = (0.0, 0.10)


ALLOWED_RETURNS = (0.07, 0.12)
"""A regulated utility's own return on equity is taken within these: US commissions allowed 9 to 11 % from 2005 on."""
FEES = 2.0
"""A lender whose return on equity is so many times its cost earns mostly fees, which need little equity: interest does
not earn so much for long. Judgement."""
MOST_OF_FEES = 0.05
"""Advantage in the return on equity that such a lender keeps for ever, at the most. Judgement."""


def excess_return_inputs(
    kind: CompanyKind, facts: CompanyFacts, rates: MarketRates, book: AssumptionBook
) -> BuiltInputs:
    """Build the inputs of a bank, insurer, holding or utility: book equity and what it earns above its cost."""
    equity, earned = common_equity(facts, book)
    shares = book.take("shares_out", needed(facts.shares, "shares_out", facts, book))
    risk_free, cost, stable_cost = equity_costs(facts, rates, book)
    own = needed(earned, "return_on_equity", facts, book)
    roe = book.take_first("return_on_equity", _allowed(own) if kind == "utility" else own)
    growth = stable_growth_of(book, risk_free, facts.currency)
    stable_roe = _stable_return(kind, book, roe, cost, stable_cost)
    payout = book.take_first(
        "payout",
        min(max(1 - growth / roe, 0.0), 1.0) if roe > 0 else 0.0,
        "default: what is left when the equity grows with stable_growth",
    )
    inputs = ExcessReturnInputs(
        book_equity=equity,
        shares_out=shares,
        return_on_equity=fading_path(roe, stable_roe),
        cost_of_equity=fading_path(cost, stable_cost),
        payout=(payout,) * YEARS,
        stable_growth=growth,
        stable_return_on_equity=stable_roe,
        stable_cost_of_equity=stable_cost,
    )
    return finished("excess_returns", inputs, book)


def _allowed(own: Sourced) -> Sourced:
    """Return what a commission is taken to allow: the utility's own return, within bounds."""
    low, high = ALLOWED_RETURNS
    bounded = min(max(own.value, low), high)
    limit = "" if bounded == own.value else f"; {own.value:.1%}, taken within {low:.0%} to {high:.0%}"
    return replace(own, value=bounded, source=f"{own.source}, for the return that its commissions allow{limit}")


def _stable_return(kind: CompanyKind, book: AssumptionBook, roe: float, cost: float, stable_cost: float) -> float:
    """Return the return on equity after the forecast: its cost; of a lender that earns fees, half of the advantage."""
    name = "stable_return_on_equity"
    if kind != "bank" or roe < FEES * cost:
        return book.take(name, stable_cost, "default: stable_cost_of_equity, no excess for ever")
    kept = min((roe - stable_cost) * ADVANTAGE_KEPT, MOST_OF_FEES)
    why = (
        f"default: stable_cost_of_equity and half of the advantage over it, at most {MOST_OF_FEES:.0%}: a lender "
        f"that earns {roe / cost:.1f} times its cost earns mostly fees, which need little equity"
    )
    return book.take(name, stable_cost + kept, why)


def common_equity(facts: CompanyFacts, book: AssumptionBook) -> tuple[float, Sourced | None]:
    """Return the book equity of the common shares, and what it earned, both after what belongs to preferred stock.

    The return is the median of the years, each on the equity at its end. Where fewer than two are known, income of the
    last twelve months is held against the equity to which the model applies the return: its first year then earns what
    the last did. On the equity of a year earlier it would earn that and a year's growth of equity more.

    Where the source has no item for preferred stock, income before preferred dividends is held against all equity.
    """
    claims = facts.claims
    preferred = book.take("preferred_equity", claims.preferred_equity)
    whole = needed(facts.equity, "book_equity", facts, book)
    less = " less preferred_equity" if preferred else ""
    equity = book.take("book_equity", replace(whole, value=whole.value - preferred, source=whole.source + less))
    is_common = claims.knows_preferred or "preferred_equity" in book.given
    usual = facts.norms.return_on_equity
    if usual is not None and not {"preferred_equity", "book_equity"} & book.given.keys():
        return equity, usual
    income = facts.income_to_common if is_common and facts.income_to_common is not None else facts.net_income
    if income is None or equity <= 0:
        return equity, None
    return equity, Sourced(income.value / equity, f"{income.source}, over book_equity")


def dividend_inputs(facts: CompanyFacts, rates: MarketRates, book: AssumptionBook) -> BuiltInputs:
    """Build the inputs of a steady payer of dividends."""
    if not facts.dividend or not facts.dividend_before:
        raise NoData(f"The dividends of {facts.symbol} over two years are not known; value it with another model.")
    low, high = DIVIDEND_GROWTH_BOUNDS
    risk_free, cost, stable_cost = equity_costs(facts, rates, book)
    grown = facts.dividend / facts.dividend_before - 1
    growth = book.take_first(
        "dividend_growth",
        Sourced(min(max(grown, low), high), f"get_stock_data: dividends, last year over the one before ({grown:.1%})"),
    )
    stable = stable_growth_of(book, risk_free, facts.currency)
    paid = book.take("dividend_t0", Sourced(facts.dividend, "get_stock_data: dividends of the last 365 days"))
    inputs = DividendInputs(
        dividend_t0=paid,
        dividend_growth=fading_path(growth, stable),
        cost_of_equity=fading_path(cost, stable_cost),
        stable_growth=stable,
        stable_cost_of_equity=stable_cost,
    )
    return finished("dividend_discount", inputs, book)


def finished(model: FittedModel, inputs: EquityInputs, book: AssumptionBook) -> BuiltInputs:
    """Apply what is given as a whole path, and refuse names that the model does not have."""
    known = {field.name for field in fields(inputs)}
    changes: dict[str, Any] = {}
    for name, value in book.given.items():
        if name in book.used:
            continue
        if name not in known:
            used = sorted({row.name for row in book.rows} | known)
            raise InadmissibleInput(name, f"the model {model} has no such input; known are {', '.join(used)}.")
        changes[name] = _as_path(value) if isinstance(getattr(inputs, name), tuple) else value
    return BuiltInputs(model, replace(inputs, **changes), (*book.rows, *given_rows(changes)))


def _as_path(value: object) -> object:
    """Return what is given for a path: a list year by year, a single number for every year."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (float(value),) * YEARS
    return tuple(value) if isinstance(value, list) else value


UPKEEP = 0.15
"""Of depreciation: what keeps buildings as they are, where the statements do not tell it from what adds to them.
Judgement of 2026-11-28."""
RENTS = 0.02
"""Growth of the rents of the same buildings: the inflation that central banks aim at."""
CAP_SPREAD = 0.02
"""Capitalisation rate of properties over the ten-year treasury. Judgement of 2026-11-28."""


def reit_inputs(facts: CompanyFacts, rates: MarketRates, book: AssumptionBook) -> BuiltInputs:
    """Build the inputs of a real-estate trust.

    Growth is that of the rents of the same buildings, which needs no capital. Buildings bought with retained funds or
    new shares are taken to be worth what they cost, so that all funds count as if they were paid out.

    Raises:
        NoData: Depreciation or income is not known, or the adjusted funds are not above zero.
    """
    shares = book.take("shares_out", needed(facts.shares, "shares_out", facts, book))
    risk_free, cost, stable_cost = equity_costs(facts, rates, book)
    funds = _funds(facts, book)
    stable_growth = book.take(
        "stable_growth",
        min(RENTS, risk_free),
        f"default: {RENTS:.0%}, the inflation that central banks aim at, or the risk-free rate if that is less",
    )
    growth = book.take_first("funds_growth", stable_growth, "default: stable_growth, rents of the same buildings")
    payout = book.take_first("payout", 1.0, "default: 1, buildings bought with retained funds are worth what they cost")
    income, rate, claims = _properties(facts, book, risk_free)
    inputs = FundsInputs(
        funds_t0=funds,
        shares_out=shares,
        funds_growth=fading_path(growth, stable_growth),
        payout=(payout,) * YEARS,
        cost_of_equity=fading_path(cost, stable_cost),
        stable_growth=stable_growth,
        stable_cost_of_equity=stable_cost,
        operating_income=income,
        cap_rate=rate,
        claims=claims,
    )
    return finished("funds_from_operations", inputs, book)


def _funds(facts: CompanyFacts, book: AssumptionBook) -> float:
    """Return the adjusted funds from operations (AFFO), with each step as an assumption."""
    if "funds_t0" in book.given:
        return _above_zero(book.take("funds_t0", 0.0), facts)
    items = facts.method_items
    income = facts.income_to_common or facts.net_income
    earned = book.take("net_income", needed(income, "net_income", facts, book))
    worn = book.take("depreciation", needed(items.depreciation, "depreciation", facts, book))
    gains = book.take("gains_on_sales", items.gains)
    written_down = book.take("impairments", items.impairment)
    terms = "net_income + depreciation + impairments - gains_on_sales"
    ffo = book.take("funds_from_operations", Sourced(earned + worn + written_down - gains, terms))
    upkeep = book.take("recurring_capital_expenditure", _upkeep(items.capital_expenditure, worn))
    less = Sourced(ffo - upkeep, "funds_from_operations - recurring_capital_expenditure")
    return _above_zero(book.take("funds_t0", less), facts)


def _above_zero(funds: float, facts: CompanyFacts) -> float:
    if funds > 0:
        return funds
    raise NoData(
        f"{NO_VALUE}: the adjusted funds from operations of {facts.symbol} are {funds:,.0f}, and there is nothing to "
        f"discount. Give funds_t0=… of a usual year."
    )


def _upkeep(spent: Sourced | None, worn: float) -> Sourced:
    usual = UPKEEP * worn
    if spent is not None and 0 <= spent.value < usual:
        return Sourced(spent.value, f"{spent.source}, all of it")
    why = "capital_expenditure holds what adds to them too" if spent is not None else "it is not known"
    return Sourced(usual, f"default: {UPKEEP:.0%} of depreciation keeps the buildings as they are, for {why}", True)


def _properties(
    facts: CompanyFacts, book: AssumptionBook, risk_free: float
) -> tuple[float | None, float | None, float]:
    """Return net operating income, capitalisation rate and claims; None twice where the income or debt is not known."""
    own, worn = facts.operating_income, facts.method_items.depreciation
    given = {"operating_income", "debt"} & book.given.keys()
    knows_income = (own is not None and worn is not None) or "operating_income" in given
    if not knows_income or (facts.debt is None and "debt" not in given):
        return None, None, 0.0
    source = "get_income_statement: operating_income + depreciation, after the cost of the head office"
    both = Sourced(own.value + worn.value if own is not None and worn is not None else 0.0, source)
    income = book.take("operating_income", both)
    spread = book.take("cap_spread", CAP_SPREAD, f"default: {CAP_SPREAD:.0%} over the risk-free rate, judgement")
    rate = book.take("cap_rate", risk_free + spread, "default: risk_free + cap_spread")
    claims = facts.claims
    owed = book.take("debt", needed(facts.debt, "debt", facts, book))
    owed += book.take("preferred_equity", claims.preferred_equity)
    owed += book.take("minority_interest", claims.minority_interest)
    owed += book.take_known("finance_leases", claims.finance_leases)
    owed += book.take_known("pension_deficit", claims.pension_deficit)
    cash = book.take("cash", facts.cash or Sourced(0.0, "default: 0, the source gives no cash", assumed=True))
    cash += book.take_known("short_term_investments", claims.short_term_investments)
    cash += book.take("non_operating_assets", claims.investments)
    return income, rate, owed - cash
