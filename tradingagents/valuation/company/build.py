"""Valuation inputs from a company's facts: every assumption named, with its source, and open to being overridden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any, Literal

from tradingagents.errors import NoData
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.kind import FittedModel
from tradingagents.valuation.company.rates import MarketRates
from tradingagents.valuation.cost_of_capital import CapitalStructure, CostOfCapital, cost_of_capital, unlever_beta
from tradingagents.valuation.equity_models import DividendInputs, ExcessReturnInputs
from tradingagents.valuation.inputs import NAMES, InadmissibleInput, ValuationInputs
from tradingagents.valuation.limited_liability import GIVE_MARGIN, NO_VALUE
from tradingagents.valuation.overrides import ALIASES, apply_overrides
from tradingagents.valuation.paths import HIGH_YEARS, YEARS, converging_path, fading_path

MARGINAL_TAX = 0.25
GROWTH_BOUNDS = (-0.05, 0.25)
"""Growth of the past is taken within these, for growth beyond them does not last five years."""
DIVIDEND_GROWTH_BOUNDS = (0.0, 0.10)
TURNOVER_BOUNDS = (0.3, 5.0)
"""Sales to capital of the past is taken within these."""
USUAL_TAX = (0.05, 0.40)
STABLE_BETA = 1.0
"""Of a mature company."""
ADVANTAGE_KEPT, MOST_ADVANTAGE = 0.5, 0.05
"""Part of today's return on capital above its cost that lasts for ever, and the most of it."""
SPREADS = ((8.0, 0.010), (3.0, 0.015), (1.5, 0.030))
"""Credit spread by interest coverage: the first whose coverage is reached."""
LOWEST_SPREAD_GRADE = 0.050
UNKNOWN_SPREAD = 0.015

_PARTS = {
    "sales_growth": ("growth_years_1_to_5",),
    "oper_margin": ("margin_t0", "target_margin"),
    "tax_rate": ("effective_tax", "marginal_tax"),
    "sales_to_capital": ("turnover",),
}
"""What a path is built from: not used where the path is given."""
SUMMED: Mapping[str, tuple[str, ...]] = {
    "debt": ("finance_leases", "pension_deficit"),
    "cash": ("short_term_investments",),
    "minority_interest": ("preferred_equity",),
}
"""Inputs of the kernel that hold more than the assumption of the same name, with what else they hold."""
Kind = Literal["data", "default", "given"]
AnyInputs = ValuationInputs | ExcessReturnInputs | DividendInputs


@dataclass(frozen=True, slots=True)
class ValuationAssumption:
    """One number that a valuation stands on."""

    name: str
    value: float
    kind: Kind
    """`data`: from the data sheet; `default`: a named convention; `given`: by the caller."""
    source: str


@dataclass(frozen=True, slots=True)
class BuiltInputs:
    """Inputs for a model with what they are based on."""

    model: FittedModel
    inputs: AnyInputs
    assumptions: tuple[ValuationAssumption, ...]
    capital: CostOfCapital | None = None
    """Of a firm's valuation."""


class _Book:
    """Collects assumptions; what the caller gives replaces what is built."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = dict(given)
        self.used: set[str] = set()
        self.rows: list[ValuationAssumption] = []

    def take(self, name: str, value: float | Sourced, source: str = "", kind: Kind = "default") -> float:
        """Note an assumption and return it, or what the caller gives instead."""
        if isinstance(value, Sourced):
            source, kind = value.source, "default" if value.assumed else "data"
            value = value.value
        if name in self.given:
            own = self.given[name]
            if isinstance(own, bool) or not isinstance(own, int | float):
                raise InadmissibleInput(name, f"must be a number, not {own!r}.")
            self.used.add(name)
            value, source, kind = float(own), "given", "given"
        self.rows.append(ValuationAssumption(name, value, kind, source))
        return value

    def take_known(self, name: str, value: Sourced) -> float:
        """Note an assumption only where it is not 0, or is given."""
        return self.take(name, value) if value.value or name in self.given else 0.0


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
    builders = {"fcff": _firm, "excess_returns": _bank, "dividend_discount": _dividends}
    return builders[model](facts, rates, _Book({ALIASES.get(name, name): one for name, one in given.items()}), as_of)


def _needed(found: Sourced | None, name: str, facts: CompanyFacts, book: _Book) -> Sourced:
    if found is not None:
        return found
    if name in book.given:
        return Sourced(0.0, "given")
    why = f" {facts.withheld[0]}" if facts.withheld and name == "shares_out" else ""
    raise NoData(f"{name} of {facts.symbol} is not known from the statements filed by the day.{why} Give {name}=….")


def _rates(rates: MarketRates, book: _Book) -> tuple[float, float]:
    return book.take("risk_free", rates.risk_free), book.take("equity_premium", rates.equity_premium)


def _firm(facts: CompanyFacts, rates: MarketRates, book: _Book, as_of: date) -> BuiltInputs:
    revenue = book.take("revenue_t0", _needed(facts.revenue, "revenue_t0", facts, book))
    shares = book.take("shares_out", _needed(facts.shares, "shares_out", facts, book))
    risk_free, premium = _rates(rates, book)
    capital, debt, tax = _capital(facts, rates, book, shares, (risk_free, premium))
    marginal = book.take("marginal_tax", MARGINAL_TAX, "default: federal and state taxes of the United States")
    stable_wacc = _stable_wacc(book, risk_free + STABLE_BETA * premium)
    growth = _growth(facts, book)
    stable_growth = book.take("stable_growth", risk_free, "default: the risk-free rate, as the economy's growth")
    margin, target = _margins(facts, book)
    turnover = _turnover(facts, book)
    stable_roic = _stable_roic(book, stable_wacc, target * (1 - marginal) * turnover)
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
        book_capital=facts.years[0].invested_capital if facts.years and _positive(facts) else None,
        risk_free=risk_free,
    )
    rest = {name: one for name, one in book.given.items() if name not in book.used}
    replaced = {part for name in rest for part in _PARTS.get(name, ())}
    rows = (*(row for row in book.rows if row.name not in replaced), *_given(rest))
    summed = book.used & SUMMED.keys()
    changes = {name: one for name, one in book.given.items() if name not in summed}
    changes = {name: one for name, one in changes.items() if name in NAMES or name not in book.used}
    return BuiltInputs("fcff", apply_overrides(built, changes), rows, capital)


def _bridge(facts: CompanyFacts, book: _Book, debt: float) -> dict[str, float]:
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


def _stable_roic(book: _Book, cost: float, today: float) -> float:
    """Return the return on new capital after the forecast: half of today's advantage over its cost remains, within 5 %.

    A company that earns less than its capital costs is assumed to stop losing on it.
    """
    kept = min(max((today - cost) * ADVANTAGE_KEPT, 0.0), MOST_ADVANTAGE)
    why = f"default: stable_wacc and half of the advantage of today's {today:.1%} over it, at most {MOST_ADVANTAGE:.0%}"
    return book.take("stable_roic", cost + kept, why)


def _stable_wacc(book: _Book, mature: float) -> float:
    """Return the cost of capital after the forecast; a single number given as `wacc` holds for ever."""
    own = book.given.get("wacc")
    if isinstance(own, int | float) and not isinstance(own, bool) and "stable_wacc" not in book.given:
        return book.take("stable_wacc", float(own), "given as wacc", "given")
    return book.take(
        "stable_wacc",
        mature,
        "default: risk_free + equity_premium, the cost of capital of a mature company with a beta of 1 and no debt",
    )


def _given(rest: Mapping[str, Any]) -> tuple[ValuationAssumption, ...]:
    """Return what the caller gives for the whole of an input; of a path its first year."""
    rows = []
    for name, value in rest.items():
        first = value[0] if isinstance(value, list | tuple) and value else value
        if isinstance(first, int | float) and not isinstance(first, bool):
            rows.append(ValuationAssumption(name, float(first), "given", "given"))
    return tuple(rows)


def _positive(facts: CompanyFacts) -> bool:
    capital = facts.years[0].invested_capital
    return capital is not None and capital > 0


def _capital(
    facts: CompanyFacts, rates: MarketRates, book: _Book, shares: float, market: tuple[float, float]
) -> tuple[CostOfCapital, float, float]:
    """Return the cost of capital, the debt and the tax rate."""
    debt = book.take("debt", _needed(facts.debt, "debt", facts, book))
    tax = book.take("effective_tax", _tax(facts))
    if shares <= 0:
        raise InadmissibleInput("shares_out", "must be greater than 0.")
    equity = facts.price * shares
    own = book.take("beta", 0.0) if "beta" in book.given else None
    if own is not None:
        beta = Sourced(unlever_beta(own, tax, debt / equity), "given as beta", assumed=True)
    else:
        beta = rates.beta_for(facts, debt / equity, tax)
    interest = facts.interest or 0.0
    spread = book.take("debt_spread", _spread(facts, debt))
    capital = cost_of_capital(
        CapitalStructure(
            risk_free=market[0],
            equity_premium=market[1],
            unlevered_beta=book.take("unlevered_beta", beta),
            tax_rate=tax,
            equity=equity,
            debt=debt,
            interest=interest or debt * (market[0] + spread),
            debt_spread=spread,
        )
    )
    if own is not None:
        weight = capital.equity_weight
        capital = replace(
            capital,
            levered_beta=own,
            cost_of_equity=market[0] + own * market[1],
            wacc=weight * (market[0] + own * market[1]) + (1 - weight) * capital.cost_of_debt * (1 - tax),
        )
    return capital, debt, tax


def _tax(facts: CompanyFacts) -> Sourced:
    low, high = USUAL_TAX
    if facts.tax_rate is not None and low <= facts.tax_rate.value <= high:
        return facts.tax_rate
    return Sourced(MARGINAL_TAX, f"default: {MARGINAL_TAX:.0%}, no usual tax rate follows from the statements", True)


def _spread(facts: CompanyFacts, debt: float) -> Sourced:
    if not debt or not facts.interest or facts.operating_income is None:
        return Sourced(UNKNOWN_SPREAD, "default: 1.5 points, interest or operating income is not known", True)
    coverage = facts.operating_income.value / facts.interest
    spread = next((one for least, one in SPREADS if coverage >= least), LOWEST_SPREAD_GRADE)
    return Sourced(spread, f"default: by interest coverage, {coverage:.1f} times", True)


def _growth(facts: CompanyFacts, book: _Book) -> float:
    low, high = GROWTH_BOUNDS
    if facts.growth is None:
        if facts.growth_gap and not {"growth_years_1_to_5", "sales_growth"} & book.given.keys():
            gap = f"{facts.symbol} cannot be valued: {facts.growth_gap}, so that its growth is not known"
            raise NoData(f"{gap}. Give growth=…, or choose another vendor.")
        return book.take("growth_years_1_to_5", 0.04, "default: 4 %, revenue of earlier years is not known")
    bounded = min(max(facts.growth.value, low), high)
    limit = "" if bounded == facts.growth.value else f"; {facts.growth.value:.1%}, taken within {low:.0%} to {high:.0%}"
    return book.take("growth_years_1_to_5", Sourced(bounded, facts.growth.source + limit))


def _margins(facts: CompanyFacts, book: _Book) -> tuple[float, float]:
    """Return the operating margin of the last twelve months, and the one to reach in year 5."""
    income, revenue = facts.operating_income, facts.revenue
    if income is None or revenue is None or revenue.value <= 0:
        if "oper_margin" not in book.given:
            raise NoData(f"The operating margin of {facts.symbol} is not known; give margin=….")
        return 0.0, 0.0
    now = income.value / revenue.value
    margin = book.take("margin_t0", Sourced(now, income.source.replace("operating_income", "operating_income/revenue")))
    median = facts.median_margin
    if now <= 0 and (median is None or median.value <= 0) and not {"target_margin", "oper_margin"} & book.given.keys():
        raise NoData(_no_usual_margin(facts.symbol, now, median))
    if now > 0 or median is None:
        return margin, book.take("target_margin", margin, "default: the margin of the last twelve months goes on")
    return margin, book.take("target_margin", median)


def _no_usual_margin(symbol: str, now: float, median: Sourced | None) -> str:
    """Say that years of losses are no norm: half of the years or more lie at or below zero where their median does."""
    past = (
        "no earlier year is known" if median is None else f"{median.value:.1%} is the {median.source.split(', ')[-1]}"
    )
    return (
        f"{NO_VALUE}: {symbol} lost {-now:.1%} of its revenue on operations in the last twelve months, and {past}; "
        f"years of losses are no usual margin. {GIVE_MARGIN}."
    )


def _turnover(facts: CompanyFacts, book: _Book) -> float:
    low, high = TURNOVER_BOUNDS
    capital = facts.years[0].invested_capital if facts.years else None
    if capital is None or capital <= 0 or facts.revenue is None:
        return book.take("turnover", 1.5, "default: 1.5, invested capital is not known or not positive")
    ratio = facts.years[0].revenue / capital
    bounded = min(max(ratio, low), high)
    limit = "" if bounded == ratio else f"; {ratio:.2f}, taken within {low:g} to {high:g}"
    where = f"get_balance_sheet: revenue over equity + debt - cash and securities, {facts.years[0].end}"
    return book.take("turnover", Sourced(bounded, where + limit))


def _equity_costs(facts: CompanyFacts, rates: MarketRates, book: _Book) -> tuple[float, float, float]:
    """Return risk-free rate, cost of equity, and that of a mature company."""
    risk_free, premium = _rates(rates, book)
    beta = book.take("beta", rates.levered_beta(facts))
    stable = book.take(
        "stable_cost_of_equity", risk_free + STABLE_BETA * premium, "default: risk_free + equity_premium, a beta of 1"
    )
    return risk_free, risk_free + beta * premium, stable


def _bank(facts: CompanyFacts, rates: MarketRates, book: _Book, as_of: date) -> BuiltInputs:  # noqa: ARG001
    equity, earned = _common(facts, book)
    shares = book.take("shares_out", _needed(facts.shares, "shares_out", facts, book))
    risk_free, cost, stable_cost = _equity_costs(facts, rates, book)
    roe = book.take("return_on_equity", _needed(earned, "return_on_equity", facts, book))
    growth = book.take("stable_growth", risk_free, "default: the risk-free rate, as the economy's growth")
    stable_roe = book.take("stable_return_on_equity", stable_cost, "default: stable_cost_of_equity, no excess for ever")
    payout = book.take(
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
    return _finished("excess_returns", inputs, book)


def _common(facts: CompanyFacts, book: _Book) -> tuple[float, Sourced | None]:
    """Return the book equity of the common shares, and what it earned, both after what belongs to preferred stock.

    Income of the last twelve months is held against the equity to which the model applies the return: its first year
    then earns what the last did. On the equity of a year earlier it would earn that and a year's growth of equity more.

    Where the source has no item for preferred stock, income before preferred dividends is held against all equity.
    """
    claims = facts.claims
    preferred = book.take("preferred_equity", claims.preferred_equity)
    whole = _needed(facts.equity, "book_equity", facts, book)
    less = " less preferred_equity" if preferred else ""
    equity = book.take("book_equity", replace(whole, value=whole.value - preferred, source=whole.source + less))
    is_common = claims.knows_preferred or "preferred_equity" in book.given
    income = facts.income_to_common if is_common and facts.income_to_common is not None else facts.net_income
    if income is None or equity <= 0:
        return equity, None
    return equity, Sourced(income.value / equity, f"{income.source}, over book_equity")


def _dividends(facts: CompanyFacts, rates: MarketRates, book: _Book, as_of: date) -> BuiltInputs:  # noqa: ARG001
    if not facts.dividend or not facts.dividend_before:
        raise NoData(f"The dividends of {facts.symbol} over two years are not known; value it with another model.")
    low, high = DIVIDEND_GROWTH_BOUNDS
    risk_free, cost, stable_cost = _equity_costs(facts, rates, book)
    grown = facts.dividend / facts.dividend_before - 1
    growth = book.take(
        "dividend_growth",
        Sourced(min(max(grown, low), high), f"get_stock_data: dividends, last year over the one before ({grown:.1%})"),
    )
    stable = book.take("stable_growth", risk_free, "default: the risk-free rate, as the economy's growth")
    paid = book.take("dividend_t0", Sourced(facts.dividend, "get_stock_data: dividends of the last 365 days"))
    inputs = DividendInputs(
        dividend_t0=paid,
        dividend_growth=fading_path(growth, stable),
        cost_of_equity=fading_path(cost, stable_cost),
        stable_growth=stable,
        stable_cost_of_equity=stable_cost,
    )
    return _finished("dividend_discount", inputs, book)


def _finished(model: FittedModel, inputs: ExcessReturnInputs | DividendInputs, book: _Book) -> BuiltInputs:
    """Apply what is given as a whole path, and refuse names that the model does not have."""
    known = {one.name for one in fields(inputs)}
    changes: dict[str, Any] = {}
    for name, value in book.given.items():
        if name in book.used:
            continue
        if name not in known:
            used = sorted({row.name for row in book.rows} | known)
            raise InadmissibleInput(name, f"the model {model} has no such input; known are {', '.join(used)}.")
        changes[name] = tuple(value) if isinstance(value, list) else value
    return BuiltInputs(model, replace(inputs, **changes), (*book.rows, *_given(changes)))
