"""Deep reports on the simulated market: rules, a scripted model, what is refused, what each agent is shown."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from tests.reports.spreadsheet import Spreadsheet
from tests.support.golden_files import assert_golden
from tests.support.graph_factory import role_of
from tests.support.research import research_services
from tests.support.thesis import HYPOTHESES, draft, hypothesis, labels, reported, thesis_model, thesis_services
from tradingagents.errors import ModelFailure, UsageError
from tradingagents.features.deep_report.evidence import EvidenceStore, adjust
from tradingagents.features.deep_report.graph.context import ReadItems
from tradingagents.features.deep_report.kind import DeepReportRequest
from tradingagents.features.deep_report.run import DeepReport
from tradingagents.features.deep_report.schemas.replies import HypothesisSet, hypothesis_problems
from tradingagents.valuation import ValuationInputs, value_company

BANK = "LEDQ"
OF_EVERY_RUN = frozenset({"usage", "timing", "data_sheet", "degraded", "versions", "articles_read", "grounding",
                          "reports", "paths", "labels", "cost", "warnings"})  # fmt: skip
"""Keys of a card that every kind of run has; what depends on settings and machine."""


@pytest.fixture(scope="module")
def by_rules(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, DeepReport]:
    """A report without a language model, made once."""
    import asyncio

    home = tmp_path_factory.mktemp("rules")
    services = research_services(home)
    try:
        return home, asyncio.run(reported(services))
    finally:
        services.close()


def test_a_report_by_rules_states_tests_values_and_says_that_it_is_thin(by_rules: tuple[Path, DeepReport]):
    _, made = by_rules
    record = made.record
    assert (record["status"], record["stopped"], record["written_by"]) == ("done", "nothing_new", "rules")
    assert len(record["hypotheses"]) == 5
    assert record["scores"]["items"] >= 15
    grounding = record["grounding"]
    assert grounding["figures"] == grounding["matched"] > 20
    assert record["scores"]["coverage"] >= 0.8
    assert not record["scores"]["passed"]  # rules have no insight, and the report says so
    assert record["sections"][0]["name"] == "Executive summary"
    assert record["valuation"] is not None


def test_the_value_equals_the_kernel_called_by_hand(by_rules: tuple[Path, DeepReport]):
    value = by_rules[1].record["valuation"]
    assert value is not None
    base, inputs = (ValuationInputs.from_dict(value[name]) for name in ("base_inputs", "inputs"))
    assert value_company(base).value_per_share == value["base_value"]
    assert value_company(inputs).value_per_share == value["value_per_share"]
    again = adjust(base, ReadItems().items(by_rules[1].record["evidence"]))
    assert [(step.item, step.value_effect) for step in again.steps] == [
        (step["item"], step["value_effect"]) for step in value["steps"]
    ]
    likely = [scenario["probability"] for scenario in value["scenarios"]]
    assert sum(likely) == pytest.approx(1, abs=1e-12)
    expected = sum(scenario["probability"] * scenario["value_per_share"] for scenario in value["scenarios"])
    assert value["expected_value"] == pytest.approx(expected)


def test_every_item_is_quoted_word_for_word_and_was_known(by_rules: tuple[Path, DeepReport]):
    home, made = by_rules
    cutoff = datetime.fromisoformat(made.record["cutoff"])
    items = ReadItems().items(made.record["evidence"])
    assert all(item.source.known_at <= cutoff for item in items)
    bundle = EvidenceStore(home, "VELQ").bundle(made.record["bundle"])
    assert {item.id for item in bundle.items} == {item.id for item in items}
    known = {key for section in made.record["sections"] for part in section["paragraphs"] for key in part["evidence"]}
    assert known <= {item.id for item in items}


def test_the_files_beside_the_run(by_rules: tuple[Path, DeepReport]):
    _, made = by_rules
    folder = Path(made.record["paths"]["folder"]) / "reports"
    assert {path.name for path in folder.iterdir()} >= {
        *("iteration_01.json", "iteration_02.json", "evidence_bundle.json"),
        *("validated_hypotheses.json", "synthesis_final.json", "complete_report.md", "report.html"),
    }
    kept = json.loads((folder / "evidence_bundle.json").read_text())
    assert kept["sha256"] == made.record["bundle"]
    page = (folder / "report.html").read_text()
    assert "[?]" not in page
    assert "below the standard" in page
    assert "Expected value" in page


@pytest.mark.nightly
def test_it_is_exported_as_pdf_and_workbook(by_rules: tuple[Path, DeepReport], tmp_path: Path):
    report = by_rules[1]

    assert report.export(tmp_path / "report.pdf").read_bytes().startswith(b"%PDF-")
    figures = {name for sheet, name in Spreadsheet(report.export(tmp_path / "report.xlsx").read_bytes()).cells
               if sheet == "Figures" and name.startswith("D")}  # fmt: skip
    assert len(figures) > 5


async def test_the_same_report_twice_is_the_same_but_for_its_id(by_rules: tuple[Path, DeepReport], tmp_path: Path):
    services = research_services(tmp_path)
    again = (await reported(services)).record
    first = by_rules[1].record
    for name in ("hypotheses", "evidence", "bundle", "syntheses", "sections", "valuation", "scores", "rating"):
        assert again[name] == first[name], name
    services.close()


async def test_a_bank_is_told_why_it_has_no_valuation(tmp_path: Path):
    services = thesis_services(tmp_path)
    record = (await reported(services, ticker=BANK, min_iterations=1, max_iterations=1, persist="none")).record
    services.close()
    assert record["valuation"] is None
    assert "excess_returns" in record["no_valuation"]
    assert record["rating"] == ""


async def test_with_a_model_syntheses_come_at_checkpoints_and_each_agent_sees_its_own_only(tmp_path: Path):
    model = thesis_model()
    services = research_services(tmp_path, model)
    record = (await reported(services, min_iterations=1, max_iterations=3)).record
    services.close()
    roles = Counter(role_of(call.messages) for call in model.calls)
    assert roles["Hypothesis Generator"] == 1
    assert roles["Dialectical Engine"] <= 3  # two at the checkpoint, one at the end
    assert record["hypotheses"][2]["impact"] == "MED"
    assert record["scores"]["items"] == 5
    for call in model.calls:
        text, role = call.messages[-1].text, role_of(call.messages)
        shown = {number for number in range(1, 6) if f"Hypothesis number {number}" in text}
        if role in ("Source Filter", "Deep Researcher"):
            assert len(shown) == 1
            assert "Good company, full price." not in text  # no synthesis
        if role == "Hypothesis Generator":
            assert not shown
    assert all(
        "E-000000000000" not in part["evidence"] for section in record["sections"] for part in section["paragraphs"]
    )


async def test_evidence_that_does_not_stand_in_its_source_is_asked_again_once_and_then_refused(tmp_path: Path):
    def inventing(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        known = [label for label, text in labels(messages).items() if "52.18%" in text][:1]
        faulty = [draft(label, quote="operating_margin | 62.18%", figure=62.18) for label in known]
        return {"items": [*faulty, *(draft(label, claim="The operating margin is 62.18%.") for label in known)]}

    model = thesis_model({"Deep Researcher": inventing})
    services = research_services(tmp_path, model)
    record = (await reported(services, min_iterations=1, max_iterations=1, persist="none")).record
    services.close()
    assert record["evidence"] == []
    assert record["status"] == "no_answer"
    refused = " ".join(record["iterations"][0]["dropped"])
    assert "does not stand in the source" in refused
    assert "the claim has figures that its quotation lacks: 62.18" in refused
    asked = Counter(role_of(call.messages) for call in model.calls)
    assert asked["Deep Researcher"] == 2 * len(HYPOTHESES["hypotheses"])


async def test_a_hypothesis_whose_research_fails_is_uncertain_and_the_others_go_on(tmp_path: Path):
    def failing(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        if "Hypothesis number 2" in messages[-1].text:
            return ModelFailure("the server is down")
        return {"scores": [{"label": label, "relevance": 9} for label in labels(messages)]}

    services = thesis_services(tmp_path, {"Source Filter": failing}, llm_max_retries=0)
    record = (await reported(services, min_iterations=1, max_iterations=1, persist="none")).record
    services.close()
    assert [stated["status"] for stated in record["hypotheses"]].count("uncertain") == 1
    assert record["scores"]["items"] == 4
    assert any("not researched in iteration 1" in warning for warning in record["warnings"])


async def test_five_hypotheses_are_asked_for_again_where_a_model_states_fewer(tmp_path: Path):
    few = {"hypotheses": [hypothesis(1)]}
    model = thesis_model({"Hypothesis Generator": [few, HYPOTHESES]})
    services = research_services(tmp_path, model)
    record = (await reported(services, min_iterations=1, max_iterations=1, persist="none")).record
    services.close()
    assert len(record["hypotheses"]) == 5


async def test_probabilities_that_do_not_add_up_are_asked_for_again(tmp_path: Path):
    from tests.support.thesis import SYNTHESIS

    wrong = {**SYNTHESIS, "probabilities": {"bull": 0.6, "base": 0.6, "bear": 0.2}}
    model = thesis_model({"Dialectical Engine": [wrong, SYNTHESIS]})
    services = research_services(tmp_path, model)
    record = (await reported(services, min_iterations=1, max_iterations=1, persist="none")).record
    services.close()
    assert dict(record.syntheses[-1].probabilities) == {"bull": 0.3, "base": 0.5, "bear": 0.2}


async def test_a_budget_of_calls_ends_the_research_and_writes_what_there_is(tmp_path: Path):
    services = thesis_services(tmp_path, max_llm_calls=30)
    events: list[Any] = []
    record = (await reported(services, watch=events.append, persist="none")).record
    services.close()
    assert record["stopped"] == "budget_level"
    assert record["sections"]
    assert record["usage"]["llm_calls"] <= 30
    levels = [event.data["level"] for event in events if event.type == "reflection"]
    assert levels == sorted(levels)


def test_limits_that_contradict_each_other_are_refused():
    with pytest.raises(UsageError, match="max_iterations"):
        DeepReportRequest(ticker="VELQ", min_iterations=5, max_iterations=3)
    with pytest.raises(UsageError):
        DeepReportRequest(ticker="VELQ", max_iterations=16)


async def test_a_thesis_that_says_not_what_would_prove_it_wrong_is_asked_for_again(tmp_path: Path):
    first, *others = HYPOTHESES["hypotheses"]
    vague = {"hypotheses": [{**first, "thesis": "The company is great and will stay great."}, *others]}
    long = {"hypotheses": [{**first, "title": " ".join(["word"] * 16)}, *others]}
    model = thesis_model({"Hypothesis Generator": [vague, HYPOTHESES]})
    services = research_services(tmp_path, model)
    record = (await reported(services, min_iterations=1, max_iterations=1, persist="none")).record
    services.close()
    assert record["hypotheses"][0]["thesis"] == first["thesis"]
    asked = [call.messages[-1].text for call in model.calls if role_of(call.messages[:2]) == "Hypothesis Generator"]
    assert "prove it wrong" in asked[-1]
    assert hypothesis_problems(HypothesisSet.model_validate(long), frozenset(), least=5)


def shape_of(value: object) -> object:
    """Return the names and types of a JSON value; of a list those of all its elements together."""
    if isinstance(value, dict):
        return {name: shape_of(part) for name, part in sorted(value.items())}
    if isinstance(value, list):
        shapes = [shape_of(part) for part in value]
        if shapes and all(isinstance(part, dict) for part in shapes):
            names = sorted({name for part in shapes for name in part})  # type: ignore[union-attr]
            merged = {name: [part[name] for part in shapes if name in part] for name in names}  # type: ignore[index,operator]
            return [{name: found[0] if len(found) == 1 else _widest(found) for name, found in merged.items()}]
        return [_widest(shapes)] if shapes else []
    return {bool: "bool", int: "number", float: "number", str: "text"}.get(type(value), "null")


def _widest(shapes: list[object]) -> object:
    known = [shape for shape in shapes if shape not in ("null", [])]
    return known[0] if known else shapes[0]


def test_the_shape_of_a_report_in_json(by_rules: tuple[Path, DeepReport]):
    record = json.loads(json.dumps(by_rules[1].record.as_json()))
    shape = {name: part for name, part in shape_of(record).items() if name not in OF_EVERY_RUN}  # type: ignore[attr-defined]
    for path in ("base_inputs", "inputs"):
        assert "sales_growth" in shape["valuation"][path]
    assert_golden("reports/deep_report_shape.json", json.dumps(shape, indent=1, ensure_ascii=False) + "\n")
