"""Servers that are killed, stopped and started again, and servers of more than one process."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.service.conftest import DAY, TICKER
from tests.support.postgres import postgres
from tests.support.server_process import TOKEN, serving
from tradingagents.schemas.workspace import SessionDefaults, TaskEvent
from tradingagents.service.client import client as client_module

LONG = {"ticker": TICKER, "debate_rounds": 4, "risk_rounds": 4}
"""An analysis of some two hundred events."""
SHORT = {"ticker": TICKER, "debate_rounds": 1, "risk_rounds": 1}


@pytest.fixture(autouse=True)
def _patient_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine starts a server within half a minute."""
    monkeypatch.setattr(client_module, "RECONNECT_SECONDS", (0.0,) + (0.2,) * 600)


def statuses(events: list[TaskEvent]) -> list[str]:
    return [event.data["status"] for event in events if event.type == "task"]


async def test_a_task_and_its_stream_survive_kill_and_stop(tmp_path: Path, calendar_folder: Path) -> None:
    with serving(tmp_path / "server", calendar_folder) as server:
        async with server.async_client() as client:
            task = await client.start_task("analyze", LONG, as_of=DAY)
            seen: list[TaskEvent] = []
            async for event in client.task_events(task.task_id):
                seen.append(event)
                if event.seq == 20:
                    server.kill()
                    server.start()
                if event.seq == 60:
                    assert server.stop() == 0
                    server.start()
            assert [event.seq for event in seen] == list(range(len(seen)))
            assert statuses(seen)[-1] == "done"
            assert [event async for event in client.task_events(task.task_id)] == seen
            done = await client.task(task.task_id)
            assert done.status == "done"
            assert done.result is not None
            assert len(set(done.run_ids)) == 1, "the run was resumed and not begun again"


async def test_two_workers_share_tasks_and_replace_each_other(tmp_path: Path, calendar_folder: Path) -> None:
    with serving(tmp_path / "server", calendar_folder, "--workers", "2") as server:
        tasks = []
        for ticker in (TICKER, "OMBZ"):
            async with server.async_client() as client:  # a connection of its own, which may reach either worker
                tasks.append(await client.start_task("analyze", {**SHORT, "ticker": ticker}, as_of=DAY))
        talks = []
        for number in range(4):
            async with server.async_client() as client:
                talks.append((await client.create_session(title=f"Talk {number}")).session_id)
        first = children(server.pid)
        assert len(first) >= 2
        for task in tasks:
            async with server.async_client() as client:
                seen = []
                async for event in client.task_events(task.task_id):
                    seen.append(event)
                    if event.seq == 10 and task is tasks[0]:
                        os.kill(first[-1], signal.SIGKILL)
                assert [event.seq for event in seen] == list(range(len(seen)))
                assert statuses(seen)[-1] == "done"
        async with server.async_client() as client:
            assert {(await client.task(task.task_id)).status for task in tasks} == {"done"}
            assert {one.session_id for one in await client.sessions()} == set(talks)
        assert server.stop() == 0
        assert not any(Path(f"/proc/{pid}").exists() for pid in first)


async def test_a_conversation_survives_a_kill_in_the_middle_of_a_turn(tmp_path: Path, calendar_folder: Path) -> None:
    with serving(tmp_path / "server", calendar_folder) as server:
        async with server.async_client() as client:
            defaults = SessionDefaults.model_validate({"as_of": DAY})
            session = (await client.create_session(title="Kill", defaults=defaults)).session_id
            turn = await client.send_message(session, f"Should I look at {TICKER}?")
            seen: list[TaskEvent] = []
            kills = 0
            async for event in client.task_events(turn.task_id):
                seen.append(event)
                if event.type == "tool_end" and not kills:
                    kills += 1
                    server.kill()
                    server.start()
            assert kills == 1
            assert [event.seq for event in seen] == list(range(len(seen)))
            assert statuses(seen)[-1] == "done"
            entries = await client.transcript(session)
    assert [entry.type for entry in entries].count("user") == 1
    assert entries[-1].type == "assistant"
    assert TICKER in entries[-1].text
    answered = [entry.call_id for entry in entries if entry.type == "tool_result"]
    assert len(answered) == len(set(answered)), "no call was answered twice"


@pytest.mark.nightly
async def test_workers_share_conversations_in_postgres(tmp_path: Path, calendar_folder: Path) -> None:
    with postgres() as url:
        variables = {"TRADINGAGENTS_DATABASE_URL": url}
        with serving(tmp_path / "server", calendar_folder, "--workers", "2", **variables) as server:
            made = []
            for number in range(6):
                async with server.async_client() as client:  # a connection of its own, which may reach either worker
                    made.append((await client.create_session(title=f"Talk {number}")).session_id)
            async with server.async_client() as client:
                turn = await client.send_message(made[0], f"What is {TICKER} trading at?")
            async with server.async_client() as client:
                assert statuses([event async for event in client.task_events(turn.task_id)])[-1] == "done"
                assert (await client.transcript(made[0]))[-1].type == "assistant"
                assert {one.session_id for one in await client.sessions()} == set(made)
            assert not (server.home / "sessions" / "sessions.sqlite").exists()


def test_a_server_without_a_usable_place_or_token_does_not_start(
    tmp_path: Path, calendar_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from cli.main import run

    home = ["--offline", "--home", str(tmp_path / "home")]
    assert run(["serve", *home, "--host", "0.0.0.0"]) == 2  # noqa: S104 - it is refused
    assert "TRADINGAGENTS_SERVER_TOKEN" in capsys.readouterr().err
    assert run(["serve", *home, "--workers", "0"]) == 2
    assert run(["serve", *home, "--host", "192.0.2.1", "--port", "0"]) == 2
    monkeypatch.setenv("TRADINGAGENTS_SERVER_TOKEN", "short")
    assert run(["serve", *home]) == 3
    monkeypatch.setenv("TRADINGAGENTS_SERVER_TOKEN", TOKEN)
    monkeypatch.setenv("TRADINGAGENTS_SERVER_RATE", "often")
    assert run(["serve", *home]) == 3
    monkeypatch.delenv("TRADINGAGENTS_SERVER_RATE")
    capsys.readouterr()
    with ServerSocket() as taken:
        assert run(["serve", *home, "--port", str(taken.port)]) == 3
    said = capsys.readouterr().err
    assert str(taken.port) in said
    assert "choose another port" in said
    assert TOKEN not in said


class ServerSocket:
    """A port that is in use."""

    def __enter__(self) -> ServerSocket:
        import socket

        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()


def children(pid: int) -> list[int]:
    """Return the worker processes of a server: the programs that it started and that run this library."""
    found = [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [one for one in found if b"resource_tracker" not in Path(f"/proc/{one}/cmdline").read_bytes()]
