"""The workbook of a deep report: the valuation as a model with live formulas, its scenarios, and the evidence.

The base case stands on the sheets Inputs, Forecast and Value; the bull and the bear case have sheets of their own, with
their own inputs. Probabilities are inputs; the expected value follows. A record whose scenarios cannot be computed
again from its evidence gets their values as numbers, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from tradingagents.features.deep_report.evidence.adjustments import CAPS, scenario_inputs
from tradingagents.features.deep_report.report.citations import citations_of
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord, ThesisValuation
from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.features.valuation_report.workbook import valuation_workbook
from tradingagents.files.plain_text import one_line
from tradingagents.reports.document import Document
from tradingagents.reports.inner_links import without_links
from tradingagents.reports.run_workbook import run_workbook
from tradingagents.reports.workbook import Cell, Sheet, Workbook
from tradingagents.schemas.evidence import EvidenceItem
from tradingagents.valuation import InadmissibleInput, ValuationInputs, value_company
from tradingagents.valuation.company.answer_parts import ValuationAssumption
from tradingagents.valuation.limited_liability import floored

_CASES = ("Bull", "Bear")
"""Scenarios with sheets of their own; the base case has those of the model."""
_COPIED = ("Inputs", "Forecast", "Value")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_CENT = 0.005
_EVIDENCE_HEAD = (
    *("Label", "Claim", "Quotation", "Source", "Opens with", "Known by", "Direction", "Confidence"),
    *("Driver", "Change", "Limit of one item", "Used", "Value per share"),
)
_FIRST_ITEM = 3


def deep_report_workbook(record: DeepReportRecord, document: Document) -> Workbook:
    """Return the workbook of a report; one without a valuation holds its figures and its evidence.

    Args:
        record: The run's card.
        document: Its report.
    """
    rest = run_workbook(record, document)
    evidence = _evidence_sheet(record)
    value = record.valuation
    if value is None:
        return replace(rest, sheets=[*rest.sheets, evidence])
    model = valuation_workbook(_report(record, value, ValuationInputs.from_dict(value.inputs)))
    names = dict(model.names)
    cases = _cases(record, value)
    copies = [sheet for name, inputs in cases.items() for sheet in _copy(record, value, name, inputs, names)]
    scenarios = _scenario_sheet(value, cases, names)
    for sheet in rest.sheets:
        if sheet.title == "Sources":
            sheet.title = "Read"  # the model has sources of its own; no formula names this sheet
    summary, *others = rest.sheets
    return Workbook(
        title=document.title,
        as_of=date.fromisoformat(record.as_of),
        sheets=[summary, scenarios, *model.sheets, *copies, evidence, *others],
        names=names,
    )


def _report(record: DeepReportRecord, value: ThesisValuation, inputs: ValuationInputs) -> ValuationReport:
    stated = tuple(
        ValuationAssumption(
            name=str(given["name"]),
            value=float(given["value"]),
            kind="default" if str(given["source"]).startswith("default") else "data",
            source=str(given["source"]),
        )
        for given in value.assumptions
    )
    named = inputs.with_values(company=record.name, ticker=record.ticker)
    day = date.fromisoformat(value.price_day)
    return ValuationReport(inputs=named, price=value.price, price_day=day, assumptions=stated)


def _cases(record: DeepReportRecord, value: ThesisValuation) -> dict[str, ValuationInputs]:
    """Return the inputs of bull and bear case, made again from the evidence; none where they give another value."""
    effects = {step.item: step.value_effect for step in value.steps}
    items = [
        EvidenceItem.model_validate({key: item[key] for key in item if key in EvidenceItem.model_fields})
        for item in record.evidence
        if item["id"] in effects
    ]
    base = ValuationInputs.from_dict(value.base_inputs)
    stated = {scenario.name: scenario.value_per_share for scenario in value.scenarios}
    found: dict[str, ValuationInputs] = {}
    for name in _CASES:
        try:
            inputs = scenario_inputs(base, items, effects, value.past, "bull" if name == "Bull" else "bear")
            worth = floored(value_company(inputs).value_per_share)
        except InadmissibleInput:
            return {}
        if abs(worth - stated.get(name.lower(), float("inf"))) > _CENT:
            return {}
        found[name] = inputs
    return found


def _copy(
    record: DeepReportRecord, value: ThesisValuation, case: str, inputs: ValuationInputs, names: dict[str, str]
) -> list[Sheet]:
    """Return the model of a case under titles and names of its own, and add its names."""
    model = valuation_workbook(_report(record, value, inputs))
    titles = {title: f"{case}{title}" for title in _COPIED}
    suffix = f"_{case.lower()}"

    def renamed(text: str) -> str:
        def word(found: re.Match[str]) -> str:
            name = found[0]
            return titles.get(name, f"{name}{suffix}" if name in model.names else name)

        # Every second part of a formula stands within quotation marks: those are texts.
        parts = text.split('"')
        return '"'.join(part if at % 2 else _WORD.sub(word, part) for at, part in enumerate(parts))

    for name, address in model.names.items():
        if address.partition("!")[0] in titles:
            names[f"{name}{suffix}"] = renamed(address)
    copies = []
    for sheet in model.sheets:
        if sheet.title in titles:
            cells = {
                place: replace(cell, formula=renamed(cell.formula)) if cell.formula else cell
                for place, cell in sheet.cells.items()
            }
            first = sheet.cells.get((0, 0))
            if first is not None:
                cells[0, 0] = replace(first, value=f"{case} case: {first.value}")
            copies.append(Sheet(titles[sheet.title], cells, sheet.widths, sheet.frozen))
    return copies


def _scenario_sheet(value: ThesisValuation, cases: Mapping[str, ValuationInputs], names: dict[str, str]) -> Sheet:
    """Return scenarios with probabilities as inputs, and the expected value from them."""
    sheet = Sheet("Scenarios", widths=(30, 16, 20, 20))
    sheet.text(0, 0, "Scenarios", "title")
    live = "Values come from the sheets of each case." if cases else "Values of bull and bear are those of the report."
    sheet.text(1, 0, f"{value.currency} a share. Probabilities are inputs. {live}", "note")
    for column, title in enumerate(("Scenario", "Probability", "Value per share", "Against the price")):
        sheet.text(2, column, title, "head")
    row = 3
    for scenario in value.scenarios:
        case = scenario.name.capitalize()
        formula = (
            "value_per_share" if case == "Base" else f"MAX(value_per_share_{scenario.name},0)" if case in cases else ""
        )
        sheet.text(row, 0, f"{case} case")
        sheet.put(row, 1, Cell(scenario.probability, look="input", format="percent"))
        worth = sheet.put(row, 2, Cell(scenario.value_per_share, formula=formula, format="money"))
        if value.price > 0:
            upside = scenario.value_per_share / value.price - 1
            sheet.put(row, 3, Cell(upside, formula=f"{worth}/price-1", format="percent"))
        row += 1
    likely, worths = (f"{sheet.address(3, column)}:{_plain(sheet.address(row - 1, column))}" for column in (1, 2))
    sheet.text(row, 0, "Expected value", "total")
    sheet.put(row, 1, Cell(1.0, formula=f"SUM({likely})", look="total", format="percent"))
    expected = sheet.put(
        row, 2, Cell(value.expected_value, formula=f"SUMPRODUCT({likely},{worths})", look="total", format="money")
    )
    names["expected_value"] = expected
    if value.price > 0:
        formula = "expected_value/price-1"
        names["expected_upside"] = sheet.put(
            row, 3, Cell(value.upside, formula=formula, look="total", format="percent")
        )
    sheet.text(row + 2, 0, "Value from data alone, as written")
    sheet.put(row + 2, 2, Cell(value.base_value, format="money"))
    sheet.text(row + 3, 0, "Change by the evidence")
    moved = value.value_per_share - value.base_value
    before = sheet.address(row + 2, 2)
    sheet.put(row + 3, 2, Cell(moved, formula=f"value_per_share-{before}", format="money"))
    return sheet


def _plain(address: str) -> str:
    return address.partition("!")[2]


def _evidence_sheet(record: DeepReportRecord) -> Sheet:
    """Return the evidence; what an item moves its driver by is computed from its change, its limit, its confidence."""
    sheet = Sheet("Evidence", widths=(8, 50, 60, 40, 40, 12, 13, 12, 18, 12, 16, 12, 16), frozen=(_FIRST_ITEM, 2))
    sheet.text(0, 0, "Evidence", "title")
    sheet.text(1, 0, f"Frozen bundle, SHA-256 {record.bundle}" if record.bundle else "Not frozen.", "note")
    for column, title in enumerate(_EVIDENCE_HEAD):
        sheet.text(_FIRST_ITEM - 1, column, title, "head")
    value = record.valuation
    effects = {step.item: step.value_effect for step in value.steps} if value else {}
    citations = citations_of(record)
    for row, (key, label) in enumerate(citations.labels.items(), start=_FIRST_ITEM):
        item = citations.items[key]
        for column, words in enumerate(_texts(label, item)):
            sheet.text(row, column, words, "wrapped" if column in (1, 2) else "label")
        confidence = sheet.put(row, 7, Cell(float(item["confidence"]), format="percent"))
        if effect := item.get("effect"):
            _effect(sheet, row, effect, confidence, float(item["confidence"]))
        if key in effects:
            sheet.put(row, 12, Cell(effects[key], format="money"))
    return sheet


def _texts(label: str, item: Mapping[str, Any]) -> Sequence[str]:
    source = item["source"]
    texts = (label, item["claim"], item["quote"], source["title"], source["address"], source["known_at"][:10])
    return [without_links(one_line(str(text))) for text in (*texts, item["direction"])]


def _effect(sheet: Sheet, row: int, effect: Mapping[str, Any], confidence: str, sure: float) -> None:
    most = CAPS[effect["driver"]].item
    sheet.text(row, 8, str(effect["driver"]).replace("_", " "))
    change = sheet.put(row, 9, Cell(float(effect["change"]), format="percent"))
    limit = sheet.put(row, 10, Cell(most, format="percent"))
    used = max(-most, min(most, float(effect["change"]))) * sure
    sheet.put(row, 11, Cell(used, formula=f"MAX(-{limit},MIN({limit},{change}))*{confidence}", format="percent"))
