"""Growth, margins, tax and turnover of the operations: what is normal for the company, or reached after losses.

A company that has never earned may fail, the likelier the shorter its cash lasts: `RUNWAY_GRADES` gives the runway a
bond grade (judgement of 2026-11-28), and the grade the part of bonds that defaulted within ten years (E. Altman and
V. Kishore, 2000, as A. Damodaran, "Damodaran on Valuation", prints it). On failure half of the invested capital is
assumed to be left: what the operations could be worth does not outlive them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median, quantiles

from tradingagents.errors import NoData
from tradingagents.valuation.company.assumptions import MARGINAL_TAX, AssumptionBook
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.kind import liquid, yearly_burn
from tradingagents.valuation.company.normal_year import CYCLE_YEARS, FULL_PRICE_CYCLE, USUAL_TAX
from tradingagents.valuation.dcf import value_company
from tradingagents.valuation.inputs import ValuationInputs
from tradingagents.valuation.limited_liability import GIVE_MARGIN, NO_VALUE, floored
from tradingagents.valuation.paths import HIGH_YEARS, converging_path

GROWTH_BOUNDS = (-0.05, 0.25)
"""Growth of the past is taken within these, for growth beyond them does not last five years."""
GROWTH_WEIGHT = 3
"""Years of the economy's growth that stand beside a company's own: its own of n years weighs n / (n + 3)."""
TURNOVER_BOUNDS = (0.3, 5.0)
"""Sales to capital of the past is taken within these."""
USUAL_TURNOVER = 1.5
"""Where the company's own is not known."""
HIDING = 0.25
"""Part of the capital from which on assets without a name of their own may be goodwill."""
LEAST_MARGINS = 3
"""Years from which on the median margin of a cyclical company stands for its normal one."""
EARLIER_YEARS = 4
"""Years before the last twelve months below all of which a margin is no usual one yet."""


def usual_tax(facts: CompanyFacts) -> Sourced:
    """Return the tax rate of the last twelve months without one-offs where it is a usual one, else a convention."""
    low, high = USUAL_TAX
    if facts.tax_rate is not None and low <= facts.tax_rate.value <= high:
        return facts.tax_rate
    return Sourced(MARGINAL_TAX, f"default: {MARGINAL_TAX:.0%}, no usual tax rate follows from the statements", True)


def growth_of(facts: CompanyFacts, book: AssumptionBook, economy: float) -> float:
    """Return the growth of revenue for the first five years: that of the past within bounds.

    Args:
        economy: Growth of the economy, for what the company's own past does not show.
    """
    name, years = "growth_years_1_to_5", facts.norms.growth_years
    if facts.growth is None:
        if facts.growth_gap and not {name, "sales_growth"} & book.given.keys():
            gap = f"{facts.symbol} cannot be valued: {facts.growth_gap}, so that its growth is not known"
            raise NoData(f"{gap}. Give growth=…, or choose another vendor.")
        return book.take(name, economy, "default: the growth of the economy, revenue of earlier years is not known")
    if facts.norms.cycle == "price" and years < FULL_PRICE_CYCLE:
        why = f"its revenue follows a price, and {years} years are no full cycle of it"
        return book.take(name, economy, f"default: the growth of the economy; cyclical: {why}")
    low, high = GROWTH_BOUNDS
    bounded = min(max(facts.growth.value, low), high)
    limit = "" if bounded == facts.growth.value else f", taken within {low:.0%} to {high:.0%}"
    part = years / (years + GROWTH_WEIGHT)
    own = f"{facts.growth.source}, {facts.growth.value:.1%}{limit}"
    source = f"{own}; it weighs {part:.0%}, the growth of the economy of {economy:.1%} the rest"
    return book.take(name, Sourced(part * bounded + (1 - part) * economy, source))


def margins_of(facts: CompanyFacts, book: AssumptionBook) -> tuple[float, float]:
    """Return the operating margin of the last twelve months without one-offs, and the one to reach in year 5."""
    income, revenue = facts.operating_income, facts.revenue
    if income is None or revenue is None or revenue.value <= 0:
        if "oper_margin" not in book.given:
            raise NoData(f"The operating margin of {facts.symbol} is not known; give margin=….")
        return 0.0, 0.0
    last = Sourced(income.value / revenue.value, income.source.replace("operating_income", "operating_income/revenue"))
    now = facts.norms.margin or last
    margin = book.take("margin_t0", now)
    years = facts.median_margin
    if (
        now.value <= 0
        and (years is None or years.value <= 0)
        and not {"target_margin", "oper_margin"} & book.given.keys()
    ):
        raise NoData(_no_usual_margin(facts, now.value, years))
    target = _normal_margin(facts, now.value)
    if target is None:
        return margin, book.take("target_margin", margin, "default: the margin of the last twelve months goes on")
    return margin, book.take("target_margin", target)


def _normal_margin(facts: CompanyFacts, now: float) -> Sourced | None:
    """Return the margin of a normal year; None where that of the last twelve months is one."""
    years, margins = facts.median_margin, facts.norms.margins
    if years is None or now <= 0:
        return years
    if facts.norms.cycle is not None and years.value > 0 and len(margins) >= LEAST_MARGINS:
        few = "" if len(margins) >= CYCLE_YEARS else ", which are no cycle: none is known"
        return Sourced(years.value, f"{years.source}{few}; cyclical: the last year is no norm")
    earlier = margins[1 : 1 + EARLIER_YEARS]
    if facts.norms.cycle is None and len(earlier) == EARLIER_YEARS and now < min(earlier):
        why = f"halfway from {now:.1%}, below each of the {EARLIER_YEARS} years before, to {years.value:.1%}"
        return Sourced((now + years.value) / 2, f"{years.source}; {why}")
    return None


def _no_usual_margin(facts: CompanyFacts, now: float, years: Sourced | None) -> str:
    """Say that years of losses are no norm: half of the years or more lie at or below zero where their median does."""
    past = "no earlier year is known" if years is None else f"{years.value:.1%} is the {years.source.split(', ')[-1]}"
    good = [margin for margin in facts.norms.margins if margin > 0]
    had = (
        f" In its {len(good)} profitable years of {len(facts.norms.margins)} it had {median(good):.1%}." if good else ""
    )
    stand = f" {facts.norms.stand}" if facts.norms.stand else ""
    return (
        f"{NO_VALUE}: {facts.symbol} lost {-now:.1%} of its revenue on operations in the last twelve months, and "
        f"{past}; years of losses are no usual margin. {GIVE_MARGIN}.{had}{stand}"
    )


def turnover_of(facts: CompanyFacts, book: AssumptionBook) -> float:
    """Return revenue over the capital of the operations that growth without acquisitions costs, within bounds."""
    return book.take("turnover", own_turnover(facts) or _default_turnover(facts))


def own_turnover(facts: CompanyFacts) -> Sourced | None:
    """Return the median of revenue over capital of the years, without goodwill where it is known; None where it is not.

    Where the source does not separate goodwill, and assets that may hold it are much of the capital, a low turnover
    says what acquisitions cost, and not what growth does.
    """
    low, high = TURNOVER_BOUNDS
    if facts.years and facts.years[0].organic_capital is not None:
        ratios, basis = (
            _ratios(facts, [year.organic_capital for year in facts.years]),
            "equity + debt - cash, securities, goodwill and acquired intangibles",
        )
    else:
        ratios = _ratios(facts, [year.invested_capital for year in facts.years])
        basis = "equity + debt - cash and securities"
        if ratios and median(ratios) < USUAL_TURNOVER and facts.norms.hidden_assets > HIDING:
            return None
    if not ratios or (facts.years[0].invested_capital or 0.0) <= 0:
        return None
    ratio = median(ratios)
    bounded = min(max(ratio, low), high)
    limit = "" if bounded == ratio else f"; {ratio:.2f}, taken within {low:g} to {high:g}"
    span = f"median of {len(ratios)} years to {facts.years[0].end}" if len(ratios) > 1 else f"{facts.years[0].end}"
    return Sourced(bounded, f"get_balance_sheet: revenue over {basis}, {span}{limit}")


def _ratios(facts: CompanyFacts, capital: Sequence[float | None]) -> list[float]:
    """Return revenue over capital of each year in which that is known and positive."""
    pairs = zip(facts.years, capital, strict=True)
    return [year.revenue / size for year, size in pairs if size is not None and size > 0]


def _default_turnover(facts: CompanyFacts) -> Sourced:
    capital = (facts.years[0].invested_capital if facts.years else None) or 0.0
    if capital <= 0:
        why = "invested capital is not known or not positive"
    elif facts.years[0].organic_capital is None:
        own = facts.years[0].revenue / capital
        free = "which growth without acquisitions does not cost; growth in the past that they brought did"
        why = f"its sheet gives {own:.2f}, goodwill included, {free}"
    else:
        why = "the invested capital without goodwill and acquired intangibles is not positive"
    return Sourced(USUAL_TURNOVER, f"default: {USUAL_TURNOVER:g}, {why}", assumed=True)


LEAST_PEERS = 5
"""Profitable companies of the industry that a margin to reach needs."""
RUNWAY_GRADES: tuple[tuple[float, str, float], ...] = (
    (5.0, "BB", 0.1220),
    (3.0, "B+", 0.1928),
    (2.0, "B", 0.2636),
    (1.0, "B-", 0.3250),
    (0.0, "CCC", 0.4661),
)
"""Years that cash lasts, from which on a grade is taken; the grade; its defaults within ten years."""
LEFT_ON_FAILURE = 0.5
"""Part of the invested capital at book, sold in a hurry. Judgement."""
LOWER_MARGIN = 0.5
"""Of the margin to reach, in the scenario of a poorer business."""


def path_margins(facts: CompanyFacts, book: AssumptionBook, peers: Mapping[str, float]) -> tuple[float, float]:
    """Return the operating margin of the last twelve months, and the one to reach in year 5.

    Args:
        peers: Operating margins of companies of the industry that earn, by symbol.

    Raises:
        NoData: Too few of them are known, and no margin is given.
    """
    income, revenue = facts.operating_income, facts.revenue
    if income is None or revenue is None:
        raise NoData(f"The operating margin of {facts.symbol} is not known; give margin=….")
    source = income.source.replace("operating_income", "operating_income/revenue")
    margin = book.take("margin_t0", Sourced(income.value / revenue.value, source))
    if "oper_margin" in book.given:
        return margin, margin
    if len(peers) < LEAST_PEERS and "target_margin" not in book.given:
        raise NoData(_no_norm(facts, margin, peers))
    if len(peers) < LEAST_PEERS:
        return margin, book.take("target_margin", margin)
    low, middle, high = quantiles(peers.values(), n=4, method="inclusive")
    names = ", ".join(sorted(peers))
    told = f"get_income_statement: median operating margin of {names}; their middle half earns {low:.1%} to {high:.1%}"
    return margin, book.take("target_margin", Sourced(middle, told))


def _no_norm(facts: CompanyFacts, margin: float, peers: Mapping[str, float]) -> str:
    found = ", ".join(sorted(peers)) or "none"
    return (
        f"{NO_VALUE}: {facts.symbol} lost {-margin:.1%} of its revenue on operations in the last twelve months, and "
        f"earned nothing in any of the last {len(facts.years)} years; years of losses are no usual margin. A margin to "
        f"reach is taken from {LEAST_PEERS} or more companies of its industry that earn, and these are known: {found}. "
        f"{GIVE_MARGIN}."
    )


def earlier_losses(facts: CompanyFacts, book: AssumptionBook) -> float:
    """Return the operating losses of the years known, which later profits may be set against."""
    lost = -sum(year.operating_income or 0.0 for year in facts.years)
    source = f"get_income_statement: operating losses of {len(facts.years)} years, as no source gives those for tax"
    return book.take("nol_t0", Sourced(max(lost, 0.0), source))


def failure_of(facts: CompanyFacts, book: AssumptionBook) -> tuple[float, float]:
    """Return the probability of failure, and the part of the invested capital that is left then."""
    capital = facts.years[0].invested_capital if facts.years else None
    if capital is not None and capital > 0:
        left, why = LEFT_ON_FAILURE, "default: half of the invested capital, sold in a hurry"
    else:
        left, why = 0.0, "default: 0, invested capital is not known or not positive"
    return book.take("failure_probability", _probability(facts)), book.take("distress_proceeds", left, why)


def _probability(facts: CompanyFacts) -> Sourced:
    cash, burn = liquid(facts), yearly_burn(facts)
    if cash is None or burn is None:
        years, told = 0.0, "its cash or its burn is not known, which counts as less than a year"
    elif not burn:
        years, told = math.inf, "its operations take no cash"
    else:
        years = cash / burn
        told = f"cash lasts {12 * years:.0f} months at the burn of the last twelve"
    _, grade, probability = next(row for row in RUNWAY_GRADES if years >= row[0])
    rule = f"taken as grade {grade} (rule of 2026-11-28), whose defaults in ten years Altman and Kishore (2000) count"
    return Sourced(probability, f"default: {told}; {rule}", assumed=True)


def outcomes(inputs: ValuationInputs, currency: str) -> str:
    """Say what a share is worth if the company lives, if it fails, and at half of the margin to reach."""
    lives = _worth(replace(inputs, failure_probability=0.0))
    fails = _worth(replace(inputs, failure_probability=1.0))
    margin = inputs.stable_margin * LOWER_MARGIN
    first = inputs.oper_margin[0]
    path = (first, *converging_path(first, margin, HIGH_YEARS - 1, inputs.years - 1))
    poorer = _worth(replace(inputs, oper_margin=path, stable_margin=margin))
    return (
        f"Outcomes: {lives:,.2f} {currency} a share if it lives and reaches a margin of {inputs.stable_margin:.1%}; "
        f"{fails:,.2f} if it fails, with a probability of {inputs.failure_probability:.1%}; weighted, "
        f"{_worth(inputs):,.2f}. At a margin of {margin:.1%} the weighted value is {poorer:,.2f}."
    )


def _worth(inputs: ValuationInputs) -> float:
    return floored(value_company(inputs).value_per_share)
