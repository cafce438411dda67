"""A report that asks waits between its iterations; hints steer the next one, are recorded, and survive a kill."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.graph_factory import role_of
from tests.support.research import research_services
from tests.support.thesis import reported, thesis_model
from tests.support.warm import fork
from tradingagents.errors import AwaitingApproval, UsageError
from tradingagents.events import Event
from tradingagents.features.deep_report.graph.hints import hints_of, steered
from tradingagents.features.deep_report.kind import DEEP_REPORT, DeepReportRequest
from tradingagents.features.deep_report.run import DeepReport
from tradingagents.features.deep_report.schemas.thesis import HypothesisRecord
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.runtime.executor import RunOptions, resume
from tradingagents.runtime.manifest import read_manifest

FIRST, NEXT = "Look at the margin of services.", "What do customers in Asia order?"


async def waiting(home: Path) -> str:
    """Write a report until it waits after its first iteration; return the run's id."""
    services = research_services(home, thesis_model())
    with pytest.raises(AwaitingApproval, match="awaits hints"):
        await reported(services, ask=True, hints=(FIRST,), min_iterations=1, max_iterations=3)
    services.close()
    (folder,) = (home / "runs").iterdir()
    return folder.name


async def answered(
    home: Path,
    run_id: str,
    answer: Mapping[str, Any] | None,
    *,
    watch: Any = None,
    model: ScriptedChatModel | None = None,
) -> DeepReport:
    """Resume with what the reader says."""
    services = research_services(home, model or thesis_model())
    options = RunOptions(subscribers=(watch,) if watch else ())
    try:
        handle = resume(DEEP_REPORT, read_manifest(home, run_id), services, options, answer=answer)
        return await handle.result()
    finally:
        services.close()


async def test_hints_steer_the_next_round_and_stand_in_the_record(tmp_path: Path):
    run_id = await waiting(tmp_path)
    with pytest.raises(AwaitingApproval, match="There is no hypothesis H-0"):  # asked again, nothing is lost
        await answered(tmp_path, run_id, {"hints": ["H-0: Look elsewhere."]})
    with pytest.raises(AwaitingApproval, match="Iteration 2 has ended"):
        await answered(tmp_path, run_id, {"verdict": "revise", "note": f"{NEXT}\n"})
    made = await answered(tmp_path, run_id, {"hints": []})
    assert [(hint.iteration, hint.text) for hint in made.record.hints] == [(1, FIRST), (2, NEXT)]
    assert len(made.record["iterations"]) == 3
    page = (Path(made.record["paths"]["folder"]) / "reports" / "report.html").read_text()
    assert NEXT in page


async def test_agents_are_shown_the_hints_of_their_round(tmp_path: Path):
    run_id = await waiting(tmp_path)
    model = thesis_model()
    with pytest.raises(AwaitingApproval):
        await answered(tmp_path, run_id, {"note": NEXT}, model=model)
    prompts = {role: [call.messages[-1].text for call in model.calls if role_of(call.messages) == role]
               for role in ("Refiner", "Source Filter")}  # fmt: skip
    assert all(NEXT in text and FIRST not in text for texts in prompts.values() for text in texts)
    assert all(prompts.values())


async def test_a_rejection_ends_the_research_and_the_report_is_written(tmp_path: Path):
    made = await answered(tmp_path, await waiting(tmp_path), {"verdict": "reject"})
    assert (made.record["status"], made.record["stopped"]) == ("done", "reader")
    assert len(made.record["iterations"]) == 1
    assert made.record["sections"]


def _killed(home: str, run_id: str) -> None:
    """Give a hint, and die in the round that it steers."""

    def watch(event: Event) -> None:
        if event.type == "iteration_complete":
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(answered(Path(home), run_id, {"note": NEXT}, watch=watch))


@pytest.mark.process
def test_a_hint_survives_a_kill(tmp_path: Path):
    run_id = asyncio.run(waiting(tmp_path))
    process = fork(_killed, str(tmp_path), run_id)
    process.join(120)
    assert process.exitcode == -signal.SIGKILL
    with pytest.raises(AwaitingApproval, match="Iteration 2 has ended"):
        asyncio.run(answered(tmp_path, run_id, None))
    made = asyncio.run(answered(tmp_path, run_id, {"verdict": "reject"}))
    assert [hint.text for hint in made.record.hints] == [FIRST, NEXT]
    assert len(made.record["iterations"]) == 2


def test_a_hint_on_a_hypothesis_opens_it_again():
    stated = HypothesisRecord(
        id="H-1", title="It grows", thesis="It does.", evidence_needed=["x"], impact="HIGH", status="exhausted",
        confidence=0.4, depths=[1.0, 1.0, 1.0], questions=["Why?"], proposed=[], falsifiers=[],
    )  # fmt: skip
    found, wrong = hints_of({"hints": ["H-1: look at orders", "look at cash"]}, {"H-1"}, 4)
    assert (wrong, found is not None) == ("", True)
    (made,) = steered({"H-1": stated}, found or [], 4).values()
    assert (made.status, made.depths) == ("open", [1.0])
    assert made.questions == ["look at orders", "look at cash", "Why?"]
    assert steered({"H-1": stated}, found or [], 5) == {"H-1": stated}  # of another round
    general, _ = hints_of({"note": "look at cash"}, {"H-1"}, 4)
    assert steered({"H-1": stated}, general or [], 4)["H-1"].status == "exhausted"


def test_hints_that_cannot_be_used_are_refused_before_the_run():
    with pytest.raises(UsageError, match="There is no hypothesis"):
        DeepReportRequest(ticker="VELQ", hints=("H-1: look",))
    with pytest.raises(UsageError, match="at most 10"):
        DeepReportRequest(ticker="VELQ", hints=tuple("abcdefghijk"))
