"""A deep report that is killed goes on: no finished step is done again, and the evidence is whole.

Replies of a scripted model are not stored, so those of the step that was killed are asked for again; replies of a
model server are stored as they arrive (tests/graph).
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import signal
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from tests.support.research import research_services
from tests.support.thesis import REPLIES, reported, thesis_model
from tests.support.warm import fork
from tradingagents.events import Event
from tradingagents.features.deep_report.kind import DEEP_REPORT
from tradingagents.features.deep_report.run import DeepReport
from tradingagents.runtime.executor import resume
from tradingagents.runtime.manifest import read_manifest

pytestmark = pytest.mark.process
RESEARCHERS = {"Source Filter", "Deep Researcher"}
MOMENTS = [
    pytest.param({"type": "plan"}, {"Hypothesis Generator"}, marks=pytest.mark.nightly),
    pytest.param({"type": "iteration_complete", "iteration": 1}, RESEARCHERS),
    pytest.param({"type": "reflection", "iteration": 1}, {"Thesis Evaluator"}, marks=pytest.mark.nightly),
    pytest.param({"type": "iteration_complete", "iteration": 2}, RESEARCHERS, marks=pytest.mark.nightly),
    pytest.param({"type": "debate_turn"}, {"Dialectical Engine"}, marks=pytest.mark.nightly),
    pytest.param({"type": "analysis", "step": "merge"}, set(), marks=pytest.mark.nightly),
]
"""Events at which the run is killed, and the agents of the step that they belong to."""


def logging_model(log: Path) -> Any:
    """A model that logs each prompt that it answers."""

    def logged(role: str, reply: Any) -> Any:
        def answer(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Any:
            asked = hashlib.sha256("\n".join(message.text for message in messages).encode()).hexdigest()
            with log.open("a") as file:
                file.write(f"{role} {asked}\n")
            return reply(messages, tools) if callable(reply) else reply

        return answer

    return thesis_model({role: logged(role, reply) for role, reply in REPLIES.items()})


def killed_at(home: str, log: str, moment: dict[str, Any]) -> None:
    """Run until an event, then die without warning."""

    def watch(event: Event) -> None:
        told = {"type": event.type, "step": event.step, **event.data}
        if all(told.get(name) == value for name, value in moment.items()):
            os.kill(os.getpid(), signal.SIGKILL)

    services = research_services(Path(home), logging_model(Path(log)))
    asyncio.run(reported(services, watch=watch, min_iterations=1, max_iterations=2))


@pytest.mark.parametrize(("moment", "step"), MOMENTS)
def test_no_finished_step_is_done_again(tmp_path: Path, moment: dict[str, Any], step: set[str]):
    log = tmp_path / "log"
    process = fork(killed_at, str(tmp_path), str(log), moment)
    process.join(120)
    assert process.exitcode == -signal.SIGKILL
    (folder,) = (tmp_path / "runs").iterdir()

    made = asyncio.run(_resumed(tmp_path, log, folder.name))
    asked = Counter(log.read_text().splitlines())
    assert made.record["status"] == "done"
    assert {line.rpartition(" ")[0] for line, count in asked.items() if count > 1} <= step
    assert max(asked.values()) <= 2
    assert {line.rpartition(" ")[0] for line in asked} == set(REPLIES)
    items = (tmp_path / "evidence" / "VELQ" / "items.jsonl").read_text().splitlines()
    assert len(items) == len({json.loads(line)["id"] for line in items}) == len(made.record["evidence"])


async def _resumed(home: Path, log: Path, run_id: str) -> DeepReport:
    services = research_services(home, logging_model(log))
    try:
        return await resume(DEEP_REPORT, read_manifest(home, run_id), services).result()
    finally:
        services.close()
