"""Questions on what a share is worth: the value is worked out in plain loops from listed inputs, not by the kernel.

The library lists the inputs (`build_valuation_inputs`); a reader with a pocket calculator comes to the same value. A
company that the library does not value is a question too: the refusal is the right answer where the plain rows say that
the figures are too old, and otherwise the value is.
"""

from __future__ import annotations

import random
from datetime import date, timedelta

from benchmarks.research.cases import ExpectedValue, ResearchCase
from benchmarks.research.raw_data import RawMarket, cutoff
from tradingagents.capabilities.valuation import build_valuation_inputs
from tradingagents.dataflows.cutoff import utc_now
from tradingagents.errors import TradingAgentsError
from tradingagents.runtime.executor import open_market
from tradingagents.runtime.services import Services
from tradingagents.valuation.inputs import ValuationInputs
from tradingagents.valuation.limited_liability import NO_VALUE

DAYS = (date(2024, 9, 13), date(2024, 12, 13), date(2025, 3, 14), date(2025, 6, 13))
WORDS = (
    "What is the DCF value per share of {}?",
    "What is the fair value of {} by discounted cash flow?",
    "Intrinsic value of {}?",
)


OLDEST = timedelta(days=91 + 60)
"""Since the end of the newest quarter that is known: the next one, and the 60 days that a large company has for its
annual report, the longer of its two terms."""


def valuation_questions(services: Services, market: RawMarket, seed: int, count: int) -> list[ResearchCase]:
    """Return at most so many questions on companies that are valued by free cash flow; a seed gives the same ones.

    Companies between them that the library does not value are asked about besides.

    Args:
        services: Of the library, over the same market.
        market: Its plain rows.
        seed: Of the draw.
        count: Of companies with a value.
    """
    drawn = random.Random(seed)  # noqa: S311 - questions, no secrets
    pairs = [(symbol, day) for symbol in sorted(market.companies()) for day in DAYS]
    found: list[ResearchCase] = []
    for symbol, day in drawn.sample(pairs, len(pairs)):
        if sum(not case.gap for case in found) == count:
            break
        try:
            listed = build_valuation_inputs.ask(open_market(services, symbol, day, utc_now()), ticker=symbol)
        except TradingAgentsError:
            continue
        inputs = listed.kernel_inputs
        if not isinstance(inputs, ValuationInputs) or not _plain(inputs):
            continue
        question, name = drawn.choice(WORDS).format(symbol), f"v{len(found) + 1:03}"
        if any(note.startswith(NO_VALUE) for note in listed.notes) and (old := _too_old(market, symbol, day)):
            found.append(ResearchCase(name, "valuation", question, day, gap=True, derivation=old))
            continue
        value = ExpectedValue(value_by_hand(inputs), "money", tolerance=0.0005)
        derivation = f"free cash flow of {inputs.years} years and after, from {inputs.to_dict()}"
        found.append(ResearchCase(name, "valuation", question, day, (value,), derivation=derivation))
    return found


def _too_old(market: RawMarket, symbol: str, day: date) -> str:
    """Return why a company's figures are too old for a value on a day, by its plain rows; empty where they are not."""
    rows = (row for row in market.statements(symbol) if row.kind == "income" and row.filed <= cutoff(day))
    newest = max((row.end for row in rows), default=None)
    if newest is None or day - newest <= OLDEST:
        return ""
    return f"the newest income statement known on {day} is of the period to {newest}: the next one was due"


def _plain(inputs: ValuationInputs) -> bool:
    """Tell whether a value needs no more than the plain loop: no losses carried forward, options or failure."""
    special = (inputs.nol_t0, inputs.failure_probability, inputs.reinvestment_lag, inputs.option_value)
    return not any(special) and inputs.options is None and inputs.discounting in ("end", "midyear")


def value_by_hand(inputs: ValuationInputs) -> float:
    """Return the value of a share: free cash flows year by year, a perpetuity after them, less what others are owed."""
    half = 0.5 if inputs.discounting == "midyear" else 0.0
    revenue, factor, worth, losses = inputs.revenue_t0, 1.0, 0.0, 0.0
    for at in range(inputs.years):
        before, revenue = revenue, revenue * (1 + inputs.sales_growth[at])
        income = revenue * inputs.oper_margin[at]
        taxed = max(income - losses, 0.0)
        losses = max(losses - income, 0.0)
        cash = income - taxed * inputs.tax_rate[at] - (revenue - before) / inputs.sales_to_capital[at]
        factor /= 1 + inputs.wacc[at]
        worth += cash * factor * (1 + inputs.wacc[at]) ** half
    after = revenue * (1 + inputs.stable_growth)
    earned = after * inputs.stable_margin * (1 - inputs.stable_tax)
    if inputs.stable_roic is not None:
        spent = max(inputs.stable_growth, 0.0) / inputs.stable_roic * earned
    else:
        spent = (after - revenue) / (inputs.stable_sales_to_capital or 1.0)
    perpetuity = (earned - spent) / (inputs.stable_wacc - inputs.stable_growth)
    worth += perpetuity * factor * (1 + inputs.wacc[-1]) ** half
    owed = inputs.debt + (inputs.net_debt or 0.0) + inputs.minority_interest
    return (worth - owed + inputs.cash + inputs.non_operating_assets) / inputs.shares_out
