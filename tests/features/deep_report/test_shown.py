"""What each agent of a report is and is not shown (S4-13, S4-14), and that nothing from after the day reaches one."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from tests.contracts.test_look_ahead import PoisonedSimulation
from tests.features.deep_report.test_whole_filings import store_filings
from tests.support.graph_factory import role_of
from tests.support.research import research_services
from tests.support.thesis import SYNTHESIS, draft, labels, reported, thesis_model
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.services import open_services
from tradingagents.settings import load_settings

REJECTED = "Hypothesis number 5"
QUOTES = ("operating_margin | 52.18%", "net_margin | ", "gross_margin | ")


def finds(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
    """Find the operating margin: in favour of all hypotheses but the last."""
    against = REJECTED in messages[-1].text
    found = [label for label, text in labels(messages).items() if QUOTES[0] in text][:1]
    return {"items": [draft(label, direction="contradicts" if against else "supports") for label in found]}


def weighs(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
    """Write a synthesis that names its hypothesis, so that it is recognised where it does not belong."""
    number = re.findall(r"Hypothesis number (\d)", messages[-1].text)
    return {**SYNTHESIS, "synthesis": f"The synthesis of {'-'.join(sorted(set(number)))}."}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[DeepReportRecord, Mapping[str, list[str]]]:
    """A report of four rounds, and the prompts of each agent."""
    import asyncio

    model = thesis_model({"Deep Researcher": finds, "Dialectical Engine": weighs})
    services = research_services(tmp_path_factory.mktemp("shown"), model)
    try:
        record = asyncio.run(reported(services, min_iterations=1, max_iterations=3, persist="none")).record
    finally:
        services.close()
    prompts: dict[str, list[str]] = defaultdict(list)
    for call in model.calls:
        prompts[role_of(call.messages)].append(call.messages[-1].text)
    return record, prompts


def hypotheses_in(prompt: str) -> set[str]:
    return set(re.findall(r"Hypothesis number (\d)", prompt))


def evidence_in(prompt: str) -> set[str]:
    return set(re.findall(r"E-[0-9a-f]{12}", prompt))


def test_the_generator_sees_no_research(made: Any):
    for prompt in made[1]["Hypothesis Generator"]:
        assert not hypotheses_in(prompt)
        assert not evidence_in(prompt)
        assert "# Sources" not in prompt


def test_research_sees_its_own_hypothesis_with_its_evidence_and_no_debate(made: Any):
    record, prompts = made
    own = {item["id"]: item["hypothesis"] for item in record["evidence"]}
    titles = {stated["id"]: stated["title"] for stated in record["hypotheses"]}
    asked = [*prompts["Source Filter"], *prompts["Deep Researcher"]]
    assert asked
    for prompt in asked:
        assert len(hypotheses_in(prompt)) == 1
        assert all(titles[own[key]] in prompt for key in evidence_in(prompt))
        assert "The synthesis of" not in prompt
        assert "Bull:" not in prompt


def test_a_synthesis_sees_its_own_hypothesis_evidence_and_prior_synthesis(made: Any):
    record, prompts = made
    own = {item["id"]: item["hypothesis"] for item in record["evidence"]}
    titles = {stated["id"]: stated["title"] for stated in record["hypotheses"]}
    *checkpoint, final = prompts["Dialectical Engine"]
    for prompt in checkpoint:
        assert len(hypotheses_in(prompt)) == 1
        assert evidence_in(prompt)
        assert all(titles[own[key]] in prompt for key in evidence_in(prompt))
    assert len(hypotheses_in(final)) == 5  # the final one weighs the whole


def test_the_evaluator_sees_the_round_and_the_criteria_and_no_history(made: Any):
    for number, prompt in enumerate(made[1]["Thesis Evaluator"], start=1):
        shown = set(re.findall(r"## Iteration (\d+)", prompt))
        assert shown <= {str(number)}
        assert "specificity" in prompt
        assert "# Sources" not in prompt


def test_the_refiner_sees_titles_and_gaps_and_no_quotations(made: Any):
    for prompt in made[1]["Refiner"]:
        assert "# Earlier hypotheses" in prompt
        assert "Look at capital." in prompt
        assert QUOTES[0] not in prompt


def test_the_narrative_sees_no_rejected_hypothesis_but_all_evidence(made: Any):
    record, prompts = made
    status = {stated["title"]: stated["status"] for stated in record["hypotheses"]}
    assert status[REJECTED] == "rejected"
    (prompt,) = prompts["Narrative Builder"]
    blocks = re.findall(r"<hypothesis .*?</hypothesis>", prompt, re.DOTALL)
    assert not any(REJECTED in block for block in blocks)
    assert len(blocks) == len([standing for standing in status.values() if standing != "rejected"])
    assert evidence_in(prompt) == {item["id"] for item in record["evidence"]}


async def _report(home: Path, *, poisoned: bool) -> tuple[DeepReportRecord, ScriptedChatModel]:
    """Write a report by a model that finds every source relevant, on a market that may be poisoned after the day."""

    def all_of_it(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        return {"scores": [{"label": label, "relevance": 9} for label in labels(messages)]}

    def quotes(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        items = []
        for label, text in labels(messages).items():
            line = text.splitlines()[-1].strip()
            if len(line.split()) >= 3:
                items.append(draft(label, claim="It says so", quote=line[:300], figure=None, effect=None))
        return {"items": items[:20]}

    settings = load_settings({"data_vendor": "simulated", "llm_provider": "offline", "home": home}, environ={})
    model = thesis_model({"Source Filter": all_of_it, "Deep Researcher": quotes})
    vendor = PoisonedSimulation() if poisoned else SimulatedVendor()
    vendors = Vendors(settings, {vendor.name: vendor})
    services = open_services(settings, {}, models=TierModels.same(model), vendors=vendors)
    if poisoned:
        store_filings(home)
    try:
        made = await reported(services, min_iterations=1, max_iterations=1, persist="none")
    finally:
        services.close()
    return made.record, model


async def test_poison_after_the_day_reaches_no_agent_and_changes_no_value(tmp_path: Path):
    clean, _ = await _report(tmp_path / "clean", poisoned=False)
    spoiled, model = await _report(tmp_path / "poisoned", poisoned=True)
    assert len(spoiled["evidence"]) > 20
    assert not any("POISON" in message.text for call in model.calls for message in call.messages)
    assert "POISON" not in str(spoiled)
    cutoff = datetime.fromisoformat(spoiled["cutoff"])
    assert all(datetime.fromisoformat(item["source"]["known_at"]) <= cutoff for item in spoiled["evidence"])
    assert spoiled["valuation"] == clean["valuation"]

    def told(record: DeepReportRecord) -> set[tuple[str, str]]:
        kinds = ("filing", "call")  # the poisoned home stores a filing, the clean one reads it from the vendor
        shown = [(item["source"], item["quote"]) for item in record["evidence"]]
        return {(source["address"], quote) for source, quote in shown if source["kind"] not in kinds}

    assert told(spoiled) == told(clean)
