"""A company that has never earned and grows: the margin it may reach, losses carried forward, probability of failure.

The probability follows from how long its cash lasts: `RUNWAY_GRADES` gives the runway a bond grade (judgement of
2026-11-28), and the grade the part of bonds that defaulted within ten years (E. Altman and V. Kishore, 2000, as
A. Damodaran, "Damodaran on Valuation", prints it). On failure half of the invested capital is assumed to be left: what
the operations could be worth does not outlive them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from statistics import quantiles

from tradingagents.errors import NoData
from tradingagents.valuation.company.assumptions import AssumptionBook
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.kind import liquid, yearly_burn
from tradingagents.valuation.dcf import value_company
from tradingagents.valuation.inputs import ValuationInputs
from tradingagents.valuation.limited_liability import GIVE_MARGIN, NO_VALUE, floored
from tradingagents.valuation.paths import HIGH_YEARS, converging_path

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
