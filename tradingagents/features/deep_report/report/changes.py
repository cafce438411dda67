"""What changed from one deep report on a company to a later one, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tradingagents.errors import UsageError
from tradingagents.features.deep_report.report.citations import citations_of
from tradingagents.features.deep_report.schemas.report_changes import (
    ComparedReport,
    DataChange,
    DatedEvent,
    DriverChange,
    EvidenceChange,
    EvidenceDifference,
    HypothesisChange,
    InputChange,
    ReportChanges,
    ScenarioChange,
    ValueChange,
)
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord, HypothesisRecord, ThesisValuation
from tradingagents.reports import formatting as words
from tradingagents.schemas.evidence import claim_key
from tradingagents.valuation import InadmissibleInput, ValuationInputs, value_company

INPUT_GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("revenue", ("revenue_t0",)),
    ("growth", ("sales_growth", "stable_growth")),
    ("margin and tax", ("oper_margin", "stable_margin", "tax_rate", "stable_tax")),
    ("capital for growth", ("sales_to_capital", "stable_roic", "stable_sales_to_capital")),
    ("cost of capital", ("wacc", "stable_wacc")),
    ("debt and cash", ("debt", "net_debt", "cash", "non_operating_assets", "minority_interest")),
    ("shares", ("shares_out", "options", "option_value")),
)
"""Inputs of the kernel in the order in which a change of the value is shared out among them."""
_SCENARIOS = ("bull", "base", "bear")
_LARGEST = 3
"""Groups of inputs that the sentences name."""
_LEAST = 0.005
"""Money a share that counts as a change."""
_LEAST_CONFIDENCE = 0.005


def report_changes(report: DeepReportRecord, other: DeepReportRecord) -> ReportChanges:
    """Compare two reports of one company; that with the earlier day comes first, of one day that with the lower id.

    Raises:
        UsageError: They are on different companies, or the same run.
    """
    if report.ticker != other.ticker:
        raise UsageError(f"The reports are on {report.ticker} and on {other.ticker}; name two on one company.")
    if report.run_id == other.run_id:
        raise UsageError(f"{report.run_id} is named twice; name two reports.")
    before, after = sorted((report, other), key=lambda record: (record.as_of, record.run_id))
    first, second = _summary(before), _summary(after)
    value = _value_change(before.valuation, after.valuation)
    evidence, unchanged = _evidence(before, after)
    found = ReportChanges(
        ticker=after.ticker,
        name=after.name,
        before=first,
        after=second,
        why=[],
        value=value,
        data=_data_changes(before.valuation, after.valuation) if value is not None else [],
        drivers=_drivers(before, after),
        inputs=_inputs(before.valuation, after.valuation),
        scenarios=_scenarios(before.valuation, after.valuation),
        hypotheses=_hypotheses(before.hypotheses, after.hypotheses),
        evidence=evidence,
        unchanged_evidence=unchanged,
        events=_events(before, after),
    )
    return found.model_copy(update={"why": list(_why(found))})


def _summary(record: DeepReportRecord) -> ComparedReport:
    value = record.valuation
    return ComparedReport(
        run_id=record.run_id,
        as_of=record.as_of,
        rating=record.rating,
        currency=value.currency if value else "",
        price=value.price if value else None,
        base_value=value.base_value if value else None,
        value_per_share=value.value_per_share if value else None,
        expected_value=value.expected_value if value else None,
        upside=value.upside if value else None,
        confidence=record.confidence,
        quality=record.scores.overall,
    )


def _value_change(before: ThesisValuation | None, after: ThesisValuation | None) -> ValueChange | None:
    """Return the parts of the change of the expected value; None where the two cannot be subtracted."""
    if before is None or after is None or before.currency != after.currency:
        return None

    def parts(value: ThesisValuation) -> tuple[float, float, float]:
        moved = value.value_per_share - value.base_value
        return value.base_value, moved, value.expected_value - value.value_per_share

    data, evidence, scenarios = (late - early for early, late in zip(parts(before), parts(after), strict=True))
    return ValueChange(data=data, evidence=evidence, scenarios=scenarios, total=data + evidence + scenarios)


def _data_changes(before: ThesisValuation | None, after: ThesisValuation | None) -> list[DataChange]:
    """Return what each group of inputs changes in the value from data, replaced one after the other in their order.

    The parts add up to the change of the base case; another order would share it out differently. Nothing where inputs
    of both days together cannot be valued.
    """
    if before is None or after is None:
        return []
    given, wanted = dict(before.base_inputs), after.base_inputs
    named = {name for _, names in INPUT_GROUPS for name in names}
    rest = tuple(name for name in dict.fromkeys((*given, *wanted)) if name not in named)
    found, last = [], before.base_value
    try:
        for title, names in (*INPUT_GROUPS, ("other inputs", rest)):
            for name in names:
                given.pop(name, None)
                if name in wanted:
                    given[name] = wanted[name]
            value = value_company(ValuationInputs.from_dict(given)).value_per_share
            found.append(DataChange(name=title, change=value - last))
            last = value
    except InadmissibleInput:
        return []
    return [part for part in found if abs(part.change) >= _LEAST]


def _drivers(before: DeepReportRecord, after: DeepReportRecord) -> list[DriverChange]:
    def sums(record: DeepReportRecord) -> dict[str, float]:
        found: dict[str, float] = {}
        for step in record.valuation.steps if record.valuation else ():
            found[step.driver] = found.get(step.driver, 0.0) + step.weighted
        return found

    first, second = sums(before), sums(after)
    return [
        DriverChange(driver=driver, before=first.get(driver, 0.0), after=second.get(driver, 0.0))
        for driver in dict.fromkeys((*first, *second))
    ]


def _inputs(before: ThesisValuation | None, after: ThesisValuation | None) -> list[InputChange]:
    def listed(value: ThesisValuation | None) -> dict[str, Mapping[str, Any]]:
        return {assumption["name"]: assumption for assumption in value.assumptions} if value else {}

    first, second = listed(before), listed(after)
    if not first or not second:
        return []
    return [
        InputChange(
            name=name,
            before=str(first[name]["shown"]) if name in first else "",
            after=str(second[name]["shown"]) if name in second else "",
            source=str(second.get(name, first.get(name, {})).get("source", "")),
        )
        for name in dict.fromkeys((*second, *first))
        if first.get(name, {}).get("value") != second.get(name, {}).get("value")
    ]


def _scenarios(before: ThesisValuation | None, after: ThesisValuation | None) -> list[ScenarioChange]:
    first, second = (
        {scenario.name: scenario for scenario in value.scenarios} if value else {} for value in (before, after)
    )
    names = [name for name in _SCENARIOS if name in first or name in second]
    return [
        ScenarioChange(
            name=name,
            probability_before=first[name].probability if name in first else None,
            probability_after=second[name].probability if name in second else None,
            value_before=first[name].value_per_share if name in first else None,
            value_after=second[name].value_per_share if name in second else None,
        )
        for name in names
    ]


def _hypotheses(before: Iterable[HypothesisRecord], after: Iterable[HypothesisRecord]) -> list[HypothesisChange]:
    first, second = ({hypothesis.id: hypothesis for hypothesis in found} for found in (before, after))
    changed = []
    for key in dict.fromkeys((*second, *first)):
        early, late = first.get(key), second.get(key)
        named = late or early
        if named is None or (early and late and _same_standing(early, late)):
            continue
        changed.append(
            HypothesisChange(
                title=named.title,
                status_before=early.status if early else "",
                status_after=late.status if late else "",
                confidence_before=early.confidence if early else None,
                confidence_after=late.confidence if late else None,
            )
        )
    return changed


def _same_standing(early: HypothesisRecord, late: HypothesisRecord) -> bool:
    return early.status == late.status and abs(early.confidence - late.confidence) < _LEAST_CONFIDENCE


def _evidence(before: DeepReportRecord, after: DeepReportRecord) -> tuple[list[EvidenceDifference], int]:
    """Return what is new, gone or changed, and how many items are the same.

    Two items are of one subject where they test the same hypothesis and quote the same row of the same source, or make
    the same claim from the same source: a filing of a later year is another source. Where a hypothesis has another name
    in the later report, its evidence is recognised without it.
    """
    first, second = (
        {_subject(item): item for item in citations_of(record).items.values()} for record in (before, after)
    )
    renamed = {key[1:]: key for key in first if key not in second}
    for key in [key for key in second if key not in first and key[1:] in renamed]:
        first[key] = first.pop(renamed.pop(key[1:]))
    found, same = [], 0
    for key in dict.fromkeys((*second, *first)):
        early, late = first.get(key), second.get(key)
        if early and late:
            if claim_key(early["claim"]) == claim_key(late["claim"]) and early["direction"] == late["direction"]:
                same += 1
                continue
            found.append(_difference("changed", late, early))
        elif late:
            found.append(_difference("new", late, None))
        elif early:
            found.append(_difference("gone", early, None))
    order: Sequence[EvidenceChange] = ("changed", "new", "gone")
    return sorted(found, key=lambda item: (order.index(item.change), int(item.label[1:] or 0))), same


def _subject(item: Mapping[str, Any]) -> tuple[str, ...]:
    source = item["source"]
    row, bar, _ = str(item["quote"]).partition(" | ")
    about = row if bar else claim_key(item["claim"])
    return str(item["hypothesis"]), str(source["kind"]), str(source["address"]), about


def _difference(change: EvidenceChange, item: Mapping[str, Any], early: Mapping[str, Any] | None) -> EvidenceDifference:
    return EvidenceDifference(
        change=change,
        label=str(item["label"]),
        claim=str(item["claim"]),
        before=str(early["claim"]) if early else "",
        source=str(item["source"]["title"]),
        known_at=str(item["source"]["known_at"])[:10],
        direction=str(item["direction"]),
        direction_before=str(early["direction"]) if early else "",
        driver=str(item.get("driver") or ""),
    )


def _events(before: DeepReportRecord, after: DeepReportRecord) -> list[DatedEvent]:
    """Return results, filings, dividends and splits after the earlier day, up to the later one."""
    if after.exhibits is None:
        return []
    return [
        DatedEvent(day=event.day, text=event.text)
        for event in after.exhibits.events
        if before.as_of < event.day <= after.as_of
    ]


def _why(found: ReportChanges) -> Iterable[str]:
    """Yield the change of rating and value in sentences, each with its figures."""
    before, after, value = found.before, found.after, found.value
    ratings = [report.rating or "not rated" for report in (before, after)]
    yield (
        f"The rating stays {ratings[0]}."
        if ratings[0] == ratings[1]
        else f"The rating goes from {ratings[0]} to {ratings[1]}."
    )
    if before.price is not None and after.price is not None:
        yield _moved("The price", before.price, after.price, before.as_of, after.as_of)
    if value is None or before.expected_value is None or after.expected_value is None:
        yield "One of the reports has no valuation, so the change of value is not explained."
        return
    yield _moved("The expected value", before.expected_value, after.expected_value, before.as_of, after.as_of)
    parts = [
        ("new prices, statements and rates", value.data),
        ("the evidence", value.evidence),
        ("scenarios and their probabilities", value.scenarios),
    ]
    shares = [f"{amount:+,.2f} by {name}" for name, amount in parts if abs(amount) >= _LEAST]
    if shares:
        yield f"Of the change of {value.total:+,.2f} a share: {', '.join(shares)}."
    largest = sorted(found.data, key=lambda group: -abs(group.change))[:_LARGEST]
    if largest:
        yield "The data move it most by " + ", ".join(f"{group.name} ({group.change:+,.2f})" for group in largest) + "."
    if before.upside is not None and after.upside is not None:
        gaps = [words.change(100 * upside) for upside in (before.upside, after.upside)]
        yield f"Expected value against the price: {gaps[0]} before, {gaps[1]} now."


def _moved(what: str, before: float, after: float, first: str, second: str) -> str:
    change = f" ({words.change(100 * (after / before - 1))})" if before > 0 else ""
    if abs(after - before) < _LEAST:
        return f"{what} is {words.price(after)} on both days."
    return f"{what} goes from {words.price(before)} on {first} to {words.price(after)} on {second}{change}."
