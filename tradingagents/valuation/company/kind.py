"""Which kind of company it is, which model fits that kind and why, and which is refused.

The words of sector and industry say the trade (`analytics.company.business`); the statements say the rest: whether a
company of a mixed industry lends, whether a utility earns what a commission allows, whether there are sales, a profit,
and equity. `choose_model` is the one choice; docs/concepts/valuation.md has the table with its sources.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import get_args

from tradingagents.analytics.company.business import Business, business_of
from tradingagents.dataflows.instrument import assert_company
from tradingagents.dataflows.models import Profile
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.errors import NoData, UsageError
from tradingagents.schemas.valuation_models import FittedModel, ModelName
from tradingagents.valuation.company.answer_parts import CompanyKind
from tradingagents.valuation.company.facts import CompanyFacts

LENDER_EQUITY, LENDER_YEARS = 0.15, 3.0
"""A lender's equity is less than this part of its assets, and its assets are more than so many years of revenue.
Judgement: custody banks and lenders have 7 to 14 % and 4 to 27 years, managers of others' money and card networks not
both."""
MOST_ALLOWED = 0.15
"""A utility that earns more on its equity sells power at market prices: commissions allow 9 to 11 %. Judgement."""
NO_SALES = 0.1
"""Of the operating loss: revenue below it is no business yet. Judgement."""
GROWS = 0.10
"""Growth of revenue a year from which on a company that never earned is on its way to a profit. Judgement."""
_EXCESS: tuple[FittedModel, ...] = ("excess_returns", "dividend_discount")
_FIRM: tuple[FittedModel, ...] = ("fcff", "dividend_discount")
FITTING: Mapping[CompanyKind, tuple[FittedModel, ...]] = {
    "firm": _FIRM,
    "bank": _EXCESS,
    "insurer": _EXCESS,
    "mortgage_reit": _EXCESS,
    "holding": _EXCESS,
    "reit": ("funds_from_operations", "dividend_discount"),
    "utility": ("excess_returns", "dividend_discount", "fcff"),
    "negative_equity": _FIRM,
    "losses": _FIRM,
    "no_profit_yet": _FIRM,
    "no_sales": (),
    "shell": (),
}
"""Models that fit a kind; `auto` takes the first."""
_WHAT: Mapping[CompanyKind, str] = {
    "firm": "no bank or insurer",
    "bank": "a bank or insurer: debt is what it works with, and the firm has no free cash flow",
    "insurer": "a bank or insurer: debt is what it works with, and the firm has no free cash flow",
    "mortgage_reit": "a mortgage trust, a lender: debt is what it works with, and the firm has no free cash flow",
    "holding": "a holding of financial companies: its cash flow is not one of operations",
    "reit": "a real-estate trust: it depreciates buildings that keep their value, and grows by buying more of them",
    "utility": "a regulated utility",
    "negative_equity": "no bank or insurer, and its book equity is negative: a return on equity means nothing",
    "losses": "no bank or insurer",
    "no_profit_yet": "no bank or insurer, and has no profit yet",
    "no_sales": "without sales",
    "shell": "a shell company without operations",
}
_WHY: Mapping[CompanyKind, str] = {
    "mortgage_reit": "Method: excess returns on book equity, for a mortgage trust lends.",
    "holding": (
        "Method: excess returns on book equity, a multiple of book value, for the parts of a holding are not in its "
        "statements. Value the parts one by one where they are known."
    ),
    "reit": (
        "Method: adjusted funds from operations, for buildings keep their value while they are depreciated; next to it "
        "the properties at a capitalisation rate."
    ),
    "utility": (
        "Method: excess returns on book equity, for a commission lets a regulated utility earn a return on what it has "
        "invested."
    ),
    "negative_equity": (
        "Book equity is negative, from buybacks or losses: return on equity, price to book and excess returns do not "
        "apply. Free cash flow pays debt first, and holds."
    ),
    "no_profit_yet": (
        "No profit in any of the last years known, while revenue grows: free cash flow on the way to a margin, "
        "weighted with the probability of failure."
    ),
}
"""Said in a note; nothing of kinds whose model needs no word."""
_ON_AN_ESTIMATE = (
    "The company has no sales to speak of: revenue and margin are the estimate given, and the value is no more certain."
)


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model for a company, with its kind."""

    kind: CompanyKind
    model: FittedModel
    why: tuple[str, ...] = ()
    """One sentence where the kind needs a word, else none."""


def kind_of(profile: Profile, facts: CompanyFacts | None = None) -> CompanyKind | None:
    """Return the kind of a company; None where words do not say it and its statements are not known.

    Args:
        profile: Who it is.
        facts: What its statements say; None before they are asked for.
    """
    business = business_of(profile.sector, profile.industry)
    if business == "by_sheet":
        return None if facts is None else "bank" if _lends(facts) else _of_a_firm(facts)
    if business == "utility" and facts is not None and (_return_on_equity(facts) or 0.0) > MOST_ALLOWED:
        business = "firm"
    if business != "firm":
        return _named(business)
    return "firm" if facts is None else _of_a_firm(facts)


def choose_model(
    asked: ModelName,
    profile: Profile,
    *,
    facts: CompanyFacts | None = None,
    given: Collection[str] = (),
) -> ModelChoice:
    """Return the model for a company.

    Args:
        asked: The model that a caller wants.
        facts: What its statements say; None before they are asked for: only what its words exclude is refused then.
        given: Names of inputs that the caller gives.

    Raises:
        UsageError: The model does not fit; names the one that does, and why.
        NoData: No model fits, for there is nothing to discount; says what is known instead, and what to give.
    """
    assert_company(profile, "value a stock instead")
    kind = kind_of(profile, facts)
    if kind is None:
        return ModelChoice("firm", "fcff" if asked == "auto" else asked)
    if kind == "no_sales" and facts is not None:
        if not ({"revenue_t0", "revenue"} & set(given) and {"oper_margin", "margin"} & set(given)):
            raise NoData(_without_sales(facts))
        return ModelChoice(kind, "fcff", (_ON_AN_ESTIMATE,))
    if kind == "shell":
        raise UsageError(f"{profile.symbol} is {_WHAT[kind]}: its cash for each share is what it is worth.")
    fitting = FITTING[kind]
    if asked == "auto":
        return _chosen(kind, fitting[0])
    if asked not in fitting:
        use = "; use model=fcff, which values its free cash flow" if fitting is _FIRM else f". Use model={fitting[0]}"
        raise UsageError(f"{profile.symbol} is {_WHAT[kind]}{use}.")
    if asked == "dividend_discount" and facts is not None and not facts.has_steady_dividends:
        raise UsageError(
            f"{profile.symbol} has not paid steady dividends in the last two years, as far as the source lists them; "
            f"use model={fitting[0]}."
        )
    return _chosen(kind, asked)


def _chosen(kind: CompanyKind, model: FittedModel) -> ModelChoice:
    why = _WHY.get(kind) if model == FITTING[kind][0] else None
    return ModelChoice(kind, model, (why,) if why else ())


def _named(business: Business) -> CompanyKind:
    return next(kind for kind in get_args(CompanyKind) if kind == business)


def _of_a_firm(facts: CompanyFacts) -> CompanyKind:
    revenue = facts.revenue.value if facts.revenue is not None else 0.0
    income = facts.operating_income.value if facts.operating_income is not None else None
    if revenue <= 0 or (income is not None and income < 0 and revenue < -income * NO_SALES):
        return "no_sales"
    if income is not None and income <= 0 and (facts.median_margin is None or facts.median_margin.value <= 0):
        return "no_profit_yet" if _never_earned(facts) and _grows(facts) else "losses"
    if facts.equity is not None and facts.equity.value < 0:
        return "negative_equity"
    return "firm"


def _never_earned(facts: CompanyFacts) -> bool:
    """Return whether every year known is one of losses."""
    return all(year.operating_income is not None and year.operating_income <= 0 for year in facts.years)


def _grows(facts: CompanyFacts) -> bool:
    return facts.growth is not None and facts.growth.value >= GROWS


def _lends(facts: CompanyFacts) -> bool:
    """Return whether a balance sheet is that of a lender, by the rule of `LENDER_EQUITY`."""
    assets = facts.method_items.total_assets
    if facts.equity is None or assets is None or facts.revenue is None:
        return False
    return facts.equity.value < LENDER_EQUITY * assets and assets > LENDER_YEARS * facts.revenue.value


def _return_on_equity(facts: CompanyFacts) -> float | None:
    if facts.net_income is None or facts.equity is None or facts.equity.value <= 0:
        return None
    return facts.net_income.value / facts.equity.value


def yearly_burn(facts: CompanyFacts) -> float | None:
    """Return the cash that the operations took in twelve months, 0 where they took none; None where it is not known."""
    flow = facts.free_cash_flow
    if flow is None and facts.net_income is not None:
        flow = facts.net_income.value
    return None if flow is None else max(-flow, 0.0)


def liquid(facts: CompanyFacts) -> float | None:
    """Return cash and short-term securities; None where no cash is known."""
    return None if facts.cash is None else facts.cash.value + facts.claims.short_term_investments.value


def _without_sales(facts: CompanyFacts) -> str:
    """Say that there is nothing to discount, what cash there is and how long it lasts, and what to give."""
    cash, burn, money = liquid(facts), yearly_burn(facts), facts.currency
    known = []
    if cash is not None:
        known.append(f"cash and securities are {Figure('cash', cash, money).text}")
        if burn:
            known.append(
                f"at a burn of {Figure('burn', burn, money).text} a year they last {12 * cash / burn:.0f} months"
            )
        if facts.shares is not None and facts.debt is not None:
            net = (cash - facts.debt.value - facts.claims.preferred_equity.value) / facts.shares.value
            known.append(f"net of debt they are {net:,.2f} {money} a share")
    told = f" For information: {'; '.join(known)}." if known else " Its cash is not known either."
    return (
        f"No value from these figures: {facts.symbol} has no sales to speak of, and no cash flow that a model could "
        f"discount. What fits is cash less burn, and an estimate of each product.{told} To value it on your own "
        f"estimate, give revenue_t0=…, margin=… and growth=… of the business once it sells, with "
        f"failure_probability=…."
    )
