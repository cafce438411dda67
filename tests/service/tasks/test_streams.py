"""Readers of a task's events: many, slow, gone, in other processes; and two managers on one home."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from tests.support.killed_task import process_with_task
from tests.support.task_kinds import StepsKind, all_events, manager_of, until
from tradingagents.files.redaction import KnownSecrets
from tradingagents.service.tasks import journal
from tradingagents.service.tasks.folder import TaskFolders
from tradingagents.service.tasks.journal import TaskJournal, last_event, offset_after, read_events


async def test_two_hundred_readers_and_a_slow_one_do_not_slow_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "RECENT", 16)  # whoever is further behind reads the file
    kind, steps = StepsKind(), 200
    async with manager_of(tmp_path, kind) as manager:
        info = await manager.start("steps", {"steps": steps})
        slow = manager.events(info.task_id)
        assert (await anext(slow)).seq == 0  # it reads no further while the task runs
        gone = [manager.events(info.task_id) for _ in range(20)]
        for one in gone:
            await anext(one)
            await one.aclose()
        readers = [asyncio.create_task(all_events(manager, info.task_id)) for _ in range(200)]
        cancelled = asyncio.create_task(all_events(manager, info.task_id))
        await until(lambda: info.task_id in kind.running)
        cancelled.cancel()
        seen = await asyncio.gather(*readers)
        wanted = list(range(steps + 3))
        assert all([event.seq for event in events] == wanted for events in seen)
        assert [event.seq async for event in slow] == wanted[1:]
    work = kind.starts
    assert work == [(info.task_id, 0)]


async def test_work_ends_while_a_reader_has_not_taken_its_second_event(tmp_path: Path) -> None:
    async with manager_of(tmp_path, StepsKind()) as manager:
        info = await manager.start("steps", {"steps": 1000})
        slow = manager.events(info.task_id)
        await anext(slow)
        await until(lambda: manager._runner.work_of(info.task_id) is None)
        assert (await manager.get(info.task_id)).status == "done"
        assert [event.seq async for event in slow] == list(range(1, 1003))


async def test_a_thousand_breaks_lose_and_double_nothing(tmp_path: Path) -> None:
    chance, seen, breaks = random.Random(7), [], 0  # noqa: S311 - no secret
    async with manager_of(tmp_path, StepsKind()) as manager:
        info = await manager.start("steps", {"steps": 2500})
        while len(seen) < 2503:
            stream, most = manager.events(info.task_id, seen[-1] if seen else -1), chance.randrange(5)
            async for event in stream:
                seen.append(event.seq)
                if most == 0:
                    break
                most -= 1
            await stream.aclose()  # type: ignore[attr-defined]
            breaks += 1
    assert seen == list(range(2503))
    assert breaks > 800


async def test_two_managers_run_a_task_once_and_stream_each_others(tmp_path: Path) -> None:
    one, two = StepsKind(), StepsKind()
    async with manager_of(tmp_path, one) as first, manager_of(tmp_path, two) as second:
        here = await first.start("steps", {"steps": 3, "hold_at": 1})
        there = await second.start("steps", {"steps": 3, "hold_at": 1})
        await until(lambda: one.running and two.running)
        assert await first.recover() == ()
        assert await second.recover() == ()
        streams = [
            asyncio.create_task(all_events(manager, info.task_id))
            for manager in (first, second)
            for info in (here, there)
        ]
        await asyncio.sleep(0)
        assert (await second.get(here.task_id)).status == "running"
        one.gate.set()
        two.gate.set()
        found = await asyncio.gather(*streams)
        assert found[0] == found[2]
        assert found[1] == found[3]
    assert one.starts == [(here.task_id, 0)]
    assert two.starts == [(there.task_id, 0)]


async def test_a_task_of_another_process_is_streamed_and_cancelled(tmp_path: Path) -> None:
    process = process_with_task(tmp_path, "steps", {"steps": 5, "hold_at": 2}, {})
    kind = StepsKind()
    async with manager_of(tmp_path, kind) as manager:
        await until(lambda: list((tmp_path / "tasks").glob("*/task.json")))
        (folder,) = TaskFolders(tmp_path).newest_first()
        reading = asyncio.create_task(all_events(manager, folder.task_id))
        await until(lambda: folder.events.exists() and b"step 2" in folder.events.read_bytes())
        assert await manager.recover() == ()
        assert (await manager.cancel(folder.task_id)).status == "cancelled"
        events = await reading
    assert [event.seq for event in events] == list(range(len(events)))
    assert events[-1].data["status"] == "cancelled"
    assert kind.starts == []
    await asyncio.to_thread(process.join, 30)
    assert process.exitcode == 0


def written(path: Path, count: int) -> TaskJournal:
    made = TaskJournal(path.parent, path, "task", KnownSecrets())
    for number in range(count):
        made.append("progress", "x" * (number % 400))
    return made


def test_a_journal_is_searched_and_not_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "events.jsonl"
    written(path, 3000).close()
    for seq in (-1, 0, 1, 1500, 2998, 2999, 5000):
        begin = offset_after(path, seq)
        events, _ = read_events(path, begin, seq)
        assert [event.seq for event in events[:1]] == ([seq + 1] if seq < 2999 else [])
        assert path.stat().st_size - begin > 0
        if seq >= 1500:
            assert begin > path.stat().st_size * 0.3
    last = last_event(path)
    assert last is not None
    assert last.seq == 2999


def test_a_journal_goes_on_after_a_torn_line_and_skips_what_is_no_event(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    written(path, 3).close()
    with path.open("ab") as file:
        file.write(b'not an event\n{"seq": 99\n{"task_id": "task", "seq": 3, "ts"')
    again = TaskJournal(tmp_path, path, "task", KnownSecrets())
    added = again.append("progress", "after the kill")
    again.close()
    assert added is not None
    assert added.seq == 3
    events, _ = read_events(path, 0)
    assert [event.seq for event in events] == [0, 1, 2, 3]
    assert again.append("progress") is None


def test_text_that_is_no_text_is_written_as_it_can_be(tmp_path: Path) -> None:
    made = written(tmp_path / "events.jsonl", 0)
    event: Any = made.append(
        "progress", "half \ud83d of a pair, \u2028 \x1b[31m", data={"when": tmp_path, "line": "a\nb"}
    )
    made.close()
    assert event == read_events(tmp_path / "events.jsonl", 0)[0][0]
    event.model_dump_json().encode()
    assert event.data["line"] == "a\nb"
