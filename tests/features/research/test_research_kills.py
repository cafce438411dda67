"""Research killed where it thinks, waits or writes: in a second iteration, at a question to the user, in the answer.

One run is killed at each moment in turn; each start continues to the next. Finished tasks run once ever.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import BaseMessage

from tests.support.research import (
    COMPLETE,
    INCOMPLETE,
    UNDERSTOOD,
    executes,
    plan_of,
    research_services,
    researched,
    scripted,
    task,
)
from tests.support.warm import fork
from tradingagents.errors import AwaitingApproval
from tradingagents.events import Event
from tradingagents.features.research.kind import RESEARCH
from tradingagents.runtime.executor import RunOptions, resume
from tradingagents.runtime.manifest import read_manifest

pytestmark = pytest.mark.process
FIRST = plan_of(task(1, "one"), task(2, "two"), task(3, "three", after=[1, 2], reason=True))
SECOND = plan_of(task(1, "four"), task(2, "five", after=[1], reason=True), summary="Now the price.")
RIGHT, WRONG = "VELQ keeps 52.18% of its revenue as operating income.", "VELQ keeps 77.77% of its revenue."
UNSURE = {**UNDERSTOOD, "confidence": 0.6, "clarification": "Which company?"}
QUICK = {**UNDERSTOOD, "intent": "quick_lookup", "inferred_depth": "quick"}
Moment = Mapping[str, Any]


def model_of(kind: str, log: Path) -> Any:
    """A model that answers by what it is shown, so that any process continues the story, and logs finished tasks."""

    def reader(messages: Sequence[BaseMessage], _tools: Any) -> Any:
        if kind == "waits" and "Clarified by the user" not in messages[-1].text:
            return UNSURE
        return QUICK if kind == "direct" else UNDERSTOOD

    def executor(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Any:
        reply = executes(messages, tools)
        if isinstance(reply, str):
            said = messages[1].text.rpartition("Carry out this task")[2].partition("\n")[0].rpartition(": ")[2]
            with log.open("a") as file:
                file.write(f"{said}\n")
        return reply

    def seen(messages: Sequence[BaseMessage], words: str) -> bool:
        return any(words in one.text for one in messages)

    return scripted(
        {
            "Question Reader": reader,
            "Planner": lambda messages, _: SECOND if seen(messages, "# Earlier iterations") else FIRST,
            "Task Executor": executor,
            "Reflector": lambda messages, _: (
                INCOMPLETE if kind == "loops" and seen(messages, "This was iteration 1") else COMPLETE
            ),
            "Synthesizer": lambda messages, _: RIGHT if seen(messages, "do not stand in what") else WRONG,
        }
    )


async def _started(kind: str, home: Path, answer: Moment | None, watch: Any = None) -> Any:
    """Start the run, or continue it."""
    services = research_services(home, model_of(kind, home / "log"))
    try:
        runs = home / "runs"
        if not runs.is_dir():
            return await researched(services, watch=watch, approve_plan=kind == "waits")
        manifest = read_manifest(home, next(runs.iterdir()).name)
        options = RunOptions(subscribers=(watch,) if watch else ())
        return await resume(RESEARCH, manifest, services, options, answer=answer).result()
    finally:
        services.close()


def killed_at(kind: str, home: str, moment: Moment, answer: Moment | None) -> None:
    """Run until an event, then die without warning."""

    def watch(event: Event) -> None:
        told = {"type": event.type, "node": event.node, "message": event.message, **event.data}
        if all(str(told.get(name)).startswith(str(value)) for name, value in moment.items()):
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(_started(kind, Path(home), answer, watch))


def killed_again_and_again(kind: str, home: Path, moments: Sequence[tuple[Moment, Moment | None]]) -> Counter[str]:
    """Kill a run at each moment; return how often each task was carried out before the last start."""
    for moment, answer in moments:
        process = fork(killed_at, kind, str(home), moment, answer)
        process.join(60)
        assert process.exitcode == -signal.SIGKILL, moment
        reported = Counter(_reported(home))
        assert set(reported.values()) <= {1}, (moment, reported)
    return Counter((home / "log").read_text().splitlines())


def _reported(home: Path) -> list[str]:
    """Return the tasks that the run has told of as finished, once for each time."""
    (folder,) = (home / "runs").iterdir()
    events = map(json.loads, (folder / "events.jsonl").read_text().splitlines())
    told = (event["data"] for event in events if event["type"] == "task" and event["data"]["status"] == "completed")
    return [f"{one['result']['key']} {one['result']['description']}" for one in told]


def test_a_second_iteration_and_the_answer(tmp_path: Path):
    second = {"type": "task", "iteration": 2}
    moments: list[tuple[Moment, None]] = [
        ({"type": "reflection", "iteration": 1}, None),
        ({**second, "task_id": "task_1", "status": "completed"}, None),
        ({"type": "reflection", "iteration": 2}, None),
        ({"type": "usage", "node": "Synthesizer"}, None),
        ({"type": "retry", "node": "Synthesizer"}, None),
        ({"type": "result"}, None),
    ]
    killed_again_and_again("loops", tmp_path, moments)
    record = asyncio.run(_started("loops", tmp_path, None)).record
    assert (record["status"], record["stopped"]) == ("done", "complete")
    assert record["answer"].startswith(RIGHT)
    done = Counter((tmp_path / "log").read_text().splitlines())
    assert done == Counter(("one", "two", "three", "four", "five")), "each task was carried out once"
    assert [one["key"] for one in record["tasks"]] == [*(f"1.task_{n}" for n in (1, 2, 3)), "2.task_1", "2.task_2"]
    assert [one["number"] for one in record["iterations"]] == [1, 2]
    assert len(_reported(tmp_path)) == 5


def test_a_question_to_the_user_and_a_plan_that_waits(tmp_path: Path):
    waiting: Moment = {"type": "approval", "waiting": True}
    killed = [(waiting, None), ({"type": "approval", "message": "clarified"}, {"text": "the company, VELQ"})]
    for moment, answer in killed:
        process = fork(killed_at, "waits", str(tmp_path), moment, answer)
        process.join(60)
        assert process.exitcode == -signal.SIGKILL, moment
        assert not (tmp_path / "log").exists(), "nothing happens before the question is answered"
    process = fork(killed_at, "waits", str(tmp_path), {"type": "plan"}, {"text": "the company, VELQ"})
    process.join(60)
    assert process.exitcode == -signal.SIGKILL
    with pytest.raises(AwaitingApproval, match="3 tasks"):
        asyncio.run(_started("waits", tmp_path, None))
    assert not (tmp_path / "log").exists(), "nothing is carried out before the plan is approved"
    approved = {"verdict": "approve"}
    killed_again_and_again(
        "waits",
        tmp_path,
        [
            ({"type": "approval", "message": "plan approved"}, approved),
            ({"type": "task", "task_id": "task_3", "status": "running"}, None),
        ],
    )
    record = asyncio.run(_started("waits", tmp_path, None)).record
    assert record["status"] == "done"
    assert Counter((tmp_path / "log").read_text().splitlines()) == Counter(("one", "two", "three"))
    assert len(_reported(tmp_path)) == 3


def test_the_one_turn_of_a_question_without_a_plan(tmp_path: Path):
    moments: list[tuple[Moment, None]] = [
        ({"type": "task", "task_id": "direct", "status": "running"}, None),
        ({"type": "tool_end"}, None),
        ({"type": "task", "task_id": "direct", "status": "completed"}, None),
        ({"type": "usage", "node": "Synthesizer"}, None),
    ]
    done = killed_again_and_again("direct", tmp_path, moments)
    record = asyncio.run(_started("direct", tmp_path, None)).record
    assert (record["status"], record["stopped"]) == ("done", "simple")
    assert sum(done.values()) == sum(Counter((tmp_path / "log").read_text().splitlines()).values()) == 1
    assert len(_reported(tmp_path)) == 1
