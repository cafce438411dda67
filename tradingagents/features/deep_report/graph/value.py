"""The valuation of a report: base case, evidence carried into it, scenarios, sensitivity, and what the price needs."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.features.deep_report.evidence import CAPS, AdjustedValue, adjust, past_ranges, scenario_inputs
from tradingagents.features.deep_report.schemas.thesis import (
    WHOLE,
    PastRangeRecord,
    ScenarioRecord,
    SynthesisRecord,
    ThesisValuation,
)
from tradingagents.schemas.evidence import EvidenceItem
from tradingagents.valuation import (
    DRIVERS,
    InadmissibleInput,
    Scenario,
    ScenarioValues,
    ValuationInputs,
    solve_driver,
    tornado,
    value_company,
    value_scenarios,
    why_no_value,
)
from tradingagents.valuation.canonical import plain
from tradingagents.valuation.company.doubts import why_not_compared
from tradingagents.valuation.company.results import CompanyValuation, shown_assumption
from tradingagents.valuation.dcf import KERNEL_VERSION

EVEN: dict[str, float] = {"bull": 0.25, "base": 0.5, "bear": 0.25}
"""Probabilities where no synthesis was made."""
BUY_ABOVE, SELL_BELOW = 0.15, -0.15
"""Expected value over price, less 1."""


def value_of(
    company: CompanyValuation,
    items: Sequence[EvidenceItem],
    syntheses: Sequence[SynthesisRecord],
) -> ThesisValuation | str:
    """Return the valuation, or why there is none as a text.

    The bull case takes the items that raise the value and the high case of the company's valuation, the bear case the
    others and its low case, the base case all items. No number but those of the data and of the evidence goes in.

    Args:
        company: The base case.
        items: Evidence.
        syntheses: Their last probabilities weigh the cases.
    """
    base = company.kernel_inputs
    if not isinstance(base, ValuationInputs):
        return (
            f"{company.name} is valued by {company.model}, whose inputs are not moved by evidence on growth, margin "
            f"and capital; `tradingagents value {company.symbol}` values it."
        )
    try:
        adjusted = adjust(base, items)
        past = past_ranges(company.cases)
        worth = value_scenarios(_scenarios(adjusted, items, past, probabilities(syntheses)))
    except InadmissibleInput as error:
        return f"The inputs cannot be valued: {error}"
    if (why := why_no_value(adjusted.adjusted, value_company(adjusted.adjusted))) is not None:
        return f"With the evidence: {why}"
    return _record(company, adjusted, past, worth)


def probabilities(syntheses: Sequence[SynthesisRecord]) -> dict[str, float]:
    """Return those of the final synthesis, else the mean of the last of each hypothesis; they add up to 1."""
    last = {made.hypothesis: dict(made.probabilities) for made in syntheses}
    if WHOLE in last:
        return last[WHOLE]
    if not last:
        return EVEN
    bull, bear = (round(sum(likely[name] for likely in last.values()) / len(last), 4) for name in ("bull", "bear"))
    return {"bull": bull, "base": round(1 - bull - bear, 4), "bear": bear}


def rating_of(valuation: ThesisValuation | None) -> str:
    """Return BUY, HOLD or SELL by expected value against price; empty without a valuation, or where it is in doubt."""
    if valuation is None or valuation.doubts:
        return ""
    if valuation.upside >= BUY_ABOVE:
        return "BUY"
    return "SELL" if valuation.upside <= SELL_BELOW else "HOLD"


def _scenarios(
    adjusted: AdjustedValue, items: Sequence[EvidenceItem], past: Sequence[PastRangeRecord], likely: dict[str, float]
) -> list[Scenario]:
    effects = {step.item: step.value_effect for step in adjusted.steps}
    bull, bear = (scenario_inputs(adjusted.base, items, effects, past, case) for case in ("bull", "bear"))
    cases = {"bull": bull, "base": adjusted.adjusted, "bear": bear}
    return [Scenario(name, likely[name], inputs) for name, inputs in cases.items()]


def _record(
    company: CompanyValuation, adjusted: AdjustedValue, past: list[PastRangeRecord], worth: ScenarioValues
) -> ThesisValuation:
    inputs, price = adjusted.adjusted, company.price
    chosen = [driver for driver in DRIVERS if driver != "stable_roic" or inputs.stable_roic is not None]
    return ThesisValuation(
        currency=company.currency or "",
        price=price,
        price_day=company.price_day.isoformat(),
        base_inputs=adjusted.base.to_dict(),
        inputs=inputs.to_dict(),
        base_value=adjusted.base_value,
        value_per_share=adjusted.value,
        expected_value=worth.expected_value,
        upside=worth.expected_value / price - 1,
        steps=list(adjusted.steps),
        interaction=adjusted.interaction,
        limited_drivers=[driver for driver in CAPS if driver in adjusted.limited_drivers],
        scenarios=_scenario_records(worth),
        past=past,
        sensitivity=plain(list(tornado(inputs).bars)),
        price_needs=plain([solve_driver(inputs, driver, price) for driver in chosen]),
        assumptions=[
            {"name": given.name, "value": plain(given.value), "shown": shown_assumption(given), "source": given.source}
            for given in company.assumptions
        ],
        kernel_version=KERNEL_VERSION,
        doubts=_doubts(company, worth),
        notes=[*company.notes],
        opening=list(company.opening),
    )


def _scenario_records(worth: ScenarioValues) -> list[ScenarioRecord]:
    return [
        ScenarioRecord(name=case.name, probability=case.probability, value_per_share=case.value_per_share)
        for case in worth.scenarios
    ]


def _doubts(company: CompanyValuation, worth: ScenarioValues) -> list[str]:
    """Return why a value carries no rating: what no source gives, and values that no share can have."""
    doubts = [*why_not_compared(company.assumptions)]
    if min(case.value_per_share for case in worth.scenarios) <= 0:
        doubts.append(
            "the value is not above 0 in every scenario, which no share's is: the inputs do not fit the company"
        )
    return doubts
