"""Tasks from their start to their end: queue, cancellation, failure, resumption, what is refused, what is on disk."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from tests.support.snapshot_folder import LAST, write_snapshot
from tests.support.task_kinds import StepsKind, all_events, manager_of, until
from tradingagents.errors import BadDate, BadSymbol, Interrupted, NotFound, UsageError
from tradingagents.events import Event
from tradingagents.files.atomic import UnreadableFile
from tradingagents.service.tasks.errors import TaskBusy, TaskQueueFull
from tradingagents.service.tasks.journal import read_events

KEY = "sk-proj-0123456789abcdefABCDEF"


def statuses(events: list[Any]) -> list[str]:
    return [event.data["status"] for event in events if event.type == "task"]


async def test_a_task_is_on_disk_when_it_is_started_and_tells_its_life(tmp_path: Path) -> None:
    kind = StepsKind()
    async with manager_of(tmp_path, kind) as manager:
        info = await manager.start("steps", {"steps": 3})
        on_disk = json.loads((tmp_path / "tasks" / info.task_id / "task.json").read_text("utf-8"))
        assert on_disk["status"] == "queued"
        assert on_disk["request"] == {"steps": 3}
        events = await all_events(manager, info.task_id)
        assert [event.seq for event in events] == list(range(6))
        assert statuses(events) == ["queued", "running", "done"]
        assert events[-1].data["result"] == {"steps": 3, "answer": {}}
        ended = await manager.get(info.task_id)
        assert ended.status == "done"
        assert ended.progress.done == ended.progress.total == 3
        assert ended.started_at is not None
        assert ended.finished_at is not None
        assert read_events(tmp_path / "tasks" / info.task_id / "events.jsonl", 0)[0] == events
        assert await all_events(manager, info.task_id, after=3) == events[4:]
        assert await all_events(manager, info.task_id, after=99) == []
    assert list((tmp_path / "tasks" / "open").iterdir()) == []


async def test_fifty_tasks_run_four_at_a_time_in_order(tmp_path: Path) -> None:
    kind = StepsKind()
    async with manager_of(tmp_path, kind, max_concurrent_pipelines=4) as manager:
        infos = [await manager.start("steps", {"steps": 2, "text": str(number)}) for number in range(50)]
        for info in infos:
            await all_events(manager, info.task_id)
        assert kind.order == [str(number) for number in range(50)]
        assert kind.most_running == 4
        listed = await manager.list(limit=100)
        assert [one.task_id for one in listed] == [info.task_id for info in reversed(infos)]
        assert {one.status for one in listed} == {"done"}
        assert len(await manager.list(limit=7)) == 7


async def test_the_queue_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tradingagents.service.tasks.runner.MOST_WAITING", 2)
    kind = StepsKind()
    async with manager_of(tmp_path, kind, max_concurrent_pipelines=1) as manager:
        for _ in range(3):
            await manager.start("steps", {"hold_at": 0})
        with pytest.raises(TaskQueueFull, match="2 tasks are waiting"):
            await manager.start("steps", {})
        kind.gate.set()


async def test_cancel_stops_one_task_alone_and_for_good(tmp_path: Path) -> None:
    kind = StepsKind()
    async with manager_of(tmp_path, kind, max_concurrent_pipelines=2) as manager:
        stopped, other, waiting = [await manager.start("steps", {"hold_at": 1, "text": text}) for text in "abc"]
        await until(lambda: len(kind.running) == 2)
        assert (await manager.cancel(waiting.task_id)).status == "cancelled"
        assert (await manager.cancel(stopped.task_id)).status == "cancelled"
        assert (await manager.cancel(stopped.task_id)).status == "cancelled"
        assert (await manager.get(other.task_id)).status == "running"
        with pytest.raises(UsageError, match="is cancelled; start another one"):
            await manager.resume(stopped.task_id)
        kind.gate.set()
        assert statuses(await all_events(manager, other.task_id))[-1] == "done"
        assert statuses(await all_events(manager, stopped.task_id)) == ["queued", "running", "cancelled"]
        assert "c" not in kind.order
        assert (await manager.cancel(other.task_id)).status == "done"
    async with manager_of(tmp_path, kind) as manager:
        assert await manager.recover() == ()
        assert (await manager.get(stopped.task_id)).status == "cancelled"


async def test_a_failed_task_says_why_and_is_resumed_where_it_stood(tmp_path: Path) -> None:
    kind = StepsKind()
    async with manager_of(tmp_path, kind) as manager:
        info = await manager.start("steps", {"steps": 4, "fail_at": 1})
        events = await all_events(manager, info.task_id)
        failed = await manager.get(info.task_id)
        assert failed.status == "failed"
        assert failed.error is not None
        assert (failed.error.code, failed.error.exit_code) == ("no_data", 4)
        assert "no data for this step" in failed.error.message
        assert events[-1].data["error"] == failed.error.model_dump()
        resumed = await manager.resume(info.task_id, {"go": "on"})
        assert (resumed.status, resumed.error) == ("queued", None)
        more = await all_events(manager, info.task_id, after=events[-1].seq)
        assert [event.seq for event in more] == list(range(events[-1].seq + 1, events[-1].seq + 1 + len(more)))
        assert kind.starts == [(info.task_id, 0), (info.task_id, 2)]
        assert (await manager.get(info.task_id)).status == "done"


async def test_a_bug_fails_the_task_and_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(StepsKind):
        name = "broken"

        async def run(self, request: Any, control: Any) -> Any:
            raise ZeroDivisionError(f"secret {KEY}")

    async with manager_of(tmp_path, StepsKind(), Broken()) as manager:
        broken, whole = await manager.start("broken", {}), await manager.start("steps", {})
        await all_events(manager, broken.task_id)
        await all_events(manager, whole.task_id)
        failed = await manager.get(broken.task_id)
        assert failed.error is not None
        assert (failed.error.code, failed.error.exit_code) == ("task_failed", 1)
        assert KEY not in failed.model_dump_json()
        assert (await manager.get(whole.task_id)).status == "done"
    assert "ended unexpectedly" in caplog.text


async def test_a_task_waits_for_a_person_and_takes_the_answer(tmp_path: Path) -> None:
    kind = StepsKind()
    async with manager_of(tmp_path, kind) as manager:
        info = await manager.start("steps", {"steps": 3, "wait_at": 1})
        events = await all_events(manager, info.task_id)
        assert statuses(events)[-1] == "awaiting_approval"
        assert not list((tmp_path / "tasks" / "open").iterdir())
        await manager.resume(info.task_id, {"verdict": "yes"})
        with pytest.raises(TaskBusy):
            await manager.resume(info.task_id, {"verdict": "yes"})
        await all_events(manager, info.task_id, after=events[-1].seq)
        assert (await manager.get(info.task_id)).result == {"steps": 3, "answer": {"verdict": "yes"}}
        with pytest.raises(UsageError, match="is done"):
            await manager.resume(info.task_id)


@pytest.mark.parametrize(
    ("kind", "request_", "as_of", "told"),
    [
        ("analyse", {"ticker": "VELQ"}, None, "did you mean analyze"),
        ("", {}, None, "known are"),
        ("analyze", {}, None, "ticker: it is required"),
        ("analyze", {"ticker": "VELQ", "home": "/etc"}, None, "home: there is no such field"),
        ("analyze", {"ticker": "VELQ", "backend_url": "http://x"}, None, "backend_url: there is no such field"),
        ("analyze", {"ticker": "VELQ", "debate_rounds": 0, "risk_rounds": "x"}, None, "debate_rounds: .*risk_rounds: "),
        ("analyze", {"ticker": "VELQ", "analysts": ["astrology"]}, None, "analysts"),
        ("analyze", {"ticker": "VELQ", "day": "yesterday"}, None, "not a date; write it as"),
        ("analyze", {"ticker": "VELQ", "day": "2025-03-13"}, "2025-03-14", "give one of them"),
        ("analyze", {"ticker": "VELQ", "provider": "scripted"}, None, "provider: "),
        ("analyze", {"ticker": "VELQ", "budget_usd": float("nan")}, None, "budget_usd: "),
    ],
)
async def test_what_is_wrong_with_a_request_is_said_by_field(
    kind: str, request_: dict[str, Any], as_of: str | None, told: str, tmp_path: Path
) -> None:
    async with manager_of(tmp_path) as manager:
        with pytest.raises(UsageError, match=told):
            await manager.start(kind, request_, as_of)
    assert not (tmp_path / "tasks").exists()


async def test_symbols_and_days_are_checked_before_anything_is_written(tmp_path: Path) -> None:
    async with manager_of(tmp_path) as manager:
        with pytest.raises(BadSymbol):
            await manager.start("analyze", {"ticker": "../../etc"})
        with pytest.raises(BadDate, match="future"):
            await manager.start("analyze", {"ticker": "VELQ"}, "2999-01-01")
        with pytest.raises(UsageError, match="malformed"):
            await manager.start("analyze", {"ticker": "VELQ"}, session_id="../x")
        with pytest.raises(UsageError, match="object"):
            await manager.start("analyze", ["VELQ"])  # type: ignore[arg-type]
    assert not (tmp_path / "tasks").exists()


@pytest.mark.parametrize(
    "task_id", ["", "..", "../runs", "open", "x" * 500, "a/b", "20250101T000000000Z-steps-00000000", "\0", "ü"]
)
async def test_an_id_is_one_safe_component(task_id: str, tmp_path: Path) -> None:
    async with manager_of(tmp_path, StepsKind()) as manager:
        for ask in (manager.get, manager.cancel, manager.resume):
            with pytest.raises(NotFound):
                await ask(task_id)
        with pytest.raises(NotFound):
            await all_events(manager, task_id)


async def test_secrets_reach_neither_task_nor_journal(tmp_path: Path) -> None:
    async with manager_of(tmp_path, StepsKind(), environ={"MY_SERVICE_TOKEN": "hunter2hunter2"}) as manager:
        for text in (KEY, "the word is hunter2hunter2"):
            with pytest.raises(UsageError, match="holds a key"):
                await manager.start("steps", {"text": text})
        info = await manager.start("steps", {"steps": 1, "hold_at": 0})
        work = manager._runner.work_of(info.task_id)
        assert work is not None
        event = work.journal.append("warning", "it said hunter2hunter2", data={"hunter2hunter2": ["hunter2hunter2"]})
        assert event is not None
        assert "hunter2" not in event.model_dump_json()
        await manager.cancel(info.task_id)
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert b"hunter2" not in path.read_bytes(), path


async def test_a_damaged_task_is_reported_and_harms_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    kind = StepsKind()
    async with manager_of(tmp_path, kind) as manager:
        bad, good = [await manager.start("steps", {"hold_at": 0}) for _ in range(2)]
        await until(lambda: len(kind.running) == 2)
    (tmp_path / "tasks" / bad.task_id / "task.json").write_text('{"task_id": 3', "utf-8")
    kind.gate.set()
    with caplog.at_level(logging.WARNING):
        async with manager_of(tmp_path, kind) as manager:
            await manager.recover()
            await all_events(manager, good.task_id)
            assert (await manager.get(good.task_id)).status == "done"
            with pytest.raises(UnreadableFile, match=r"task\.json"):
                await manager.get(bad.task_id)
            shown = {one.task_id: one for one in await manager.list()}[bad.task_id]
            assert shown.status == "failed"
            assert shown.error is not None
            assert shown.error.code == "unreadable_file"
    assert caplog.text.count(f"Task {bad.task_id} cannot be continued") == 1


async def test_a_key_starts_one_task(tmp_path: Path) -> None:
    async with manager_of(tmp_path, StepsKind()) as manager:
        first = await manager.start("steps", {"steps": 1}, key="order 7")
        again = await manager.start("steps", {"steps": 1}, key="order 7")
        assert again.task_id == first.task_id
        with pytest.raises(UsageError, match="another key"):
            await manager.start("steps", {"steps": 2}, key="order 7")
        assert (await manager.start("steps", {"steps": 1}, key="order 8")).task_id != first.task_id


async def test_tasks_are_listed_by_session_and_turns_are_left_out(tmp_path: Path) -> None:
    class Turn(StepsKind):
        name = "turn"
        policy = StepsKind.policy.model_copy(update={"listed": False})
        lane = "turns"

    kind, turn = StepsKind(), Turn()
    async with manager_of(tmp_path, kind, turn, max_concurrent_pipelines=1) as manager:
        held = await manager.start("steps", {"hold_at": 0})
        own = await manager.start("steps", {"steps": 1}, session_id="s-1")
        spoken = await manager.start("turn", {"steps": 1}, session_id="s-1")
        await all_events(manager, spoken.task_id)  # it does not wait behind the run that holds the only place
        assert (await manager.get(spoken.task_id)).status == "done"
        assert (await manager.get(held.task_id)).status == "running"
        assert [one.task_id for one in await manager.list(session_id="s-1")] == [own.task_id]
        assert [one.task_id for one in await manager.list()] == [own.task_id, held.task_id]
        assert len(await manager.list(session_id="s-1", unlisted=True)) == 2
        assert await manager.list(session_id="../..") == ()
        assert "turn" not in {info.kind for info in manager.kinds()}
        kind.gate.set()
        await all_events(manager, own.task_id)


async def test_recovery_reads_no_finished_task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind = StepsKind()
    async with manager_of(tmp_path, kind, max_concurrent_pipelines=8) as manager:
        for _ in range(30):
            await manager.start("steps", {"steps": 1})
        held = await manager.start("steps", {"hold_at": 0})
        await until(lambda: held.task_id in kind.running)
    opened: list[str] = []
    read_text, read_bytes, path_open = Path.read_text, Path.read_bytes, Path.open
    for name, real in (("read_text", read_text), ("read_bytes", read_bytes), ("open", path_open)):

        def spy(self: Path, *given: Any, real: Any = real, **named: Any) -> Any:
            opened.append(str(self))
            return real(self, *given, **named)

        monkeypatch.setattr(Path, name, spy)
    kind.gate.set()
    async with manager_of(tmp_path, kind) as manager:
        assert opened
        assert all(held.task_id in name for name in opened)
        await all_events(manager, held.task_id)


async def test_a_thread_that_works_on_after_its_task_was_stopped_writes_nothing(tmp_path: Path) -> None:
    kind = StepsKind()
    async with manager_of(tmp_path, kind) as manager:
        info = await manager.start("steps", {"hold_at": 0})
        await until(lambda: kind.running)
        work = manager._runner.work_of(info.task_id)
        assert work is not None
        await manager.cancel(info.task_id)
        for late in (lambda: work.change(title="late"), lambda: work.remember(late=True)):
            with pytest.raises(Interrupted):
                late()
        work.on_event(Event("node_end", "late", "run", 0, "2025-01-01T00:00:00+00:00", node="Trader"))
        assert (await manager.get(info.task_id)).status == "cancelled"
    assert "late" not in (tmp_path / "tasks" / info.task_id / "task.json").read_text("utf-8")


async def test_what_cannot_go_on_is_not_resumed_and_names_no_run_that_was_never_made(tmp_path: Path) -> None:
    async with manager_of(tmp_path, StepsKind()) as manager:
        refused = await manager.start("analyze", {"ticker": "AAPL", "offline": True}, "2025-03-14")
        await all_events(manager, refused.task_id)
        ended = await manager.get(refused.task_id)
        assert (ended.status, ended.run_ids, ended.resumable) == ("failed", (), False)
        with pytest.raises(UsageError, match=r"would fail again: No prices of AAPL.* Start another one\."):
            await manager.resume(refused.task_id)
        passing = await manager.start("steps", {"steps": 1, "fail_at": 0})
        await all_events(manager, passing.task_id)
        assert (await manager.get(passing.task_id)).resumable
    assert not list((tmp_path / "runs").glob("*AAPL*"))


async def test_offline_means_rules_and_leaves_the_data_alone(tmp_path: Path) -> None:
    folder = write_snapshot(tmp_path / "data")
    home = tmp_path / "home"
    async with manager_of(home, data_vendor="snapshot", data_dir=folder) as manager:
        info = await manager.start("analyze", {"ticker": "ACMQ", "offline": True, "analysts": ["market"]})
        await all_events(manager, info.task_id)
        ended = await manager.get(info.task_id)
    assert ended.status == "done", ended.error
    assert ended.result is not None
    assert ended.result["trade_date"] == LAST.isoformat()
