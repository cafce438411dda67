"""Paper accounts over HTTP: run as a task, shown, verified; beside the command line; killed in the middle."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from cli.main import run
from tests.support.server_process import ServerProcess, serving
from tests.support.task_kinds import until
from tradingagents.errors import NotFound, UsageError
from tradingagents.features.backtest.paper.account import PaperAccount, PaperAccountBusy
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.service.client import Client
from tradingagents.service.client import client as client_module

PLAN = PaperPlan(tickers=("VELQ", "OMBZ"))
FIRST, LAST = "2024-10-01", "2024-10-08"
LATER = "2025-10-01"  # 502 decisions: a run of it is still running when it is cancelled
FILES = ("account.json", "ledger.jsonl", "book.json")
WITH_MISSED = {"decide_missed": True}


@pytest.fixture(autouse=True)
def _patient_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "RECONNECT_SECONDS", (0.0,) + (0.2,) * 600)


@pytest.fixture(scope="module")
def by_command(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of an account that the command line ran on the first and, missed sessions decided on, the last day."""
    home = tmp_path_factory.mktemp("by-command")
    PaperAccount.create(home, PLAN)
    for more in (("--date", FIRST), ("--date", LAST, "--decide-missed")):
        assert run(["paper", "run", "--offline", "--home", str(home), "--quiet", *more]) == 0
    return contents(home)


def contents(home: Path) -> dict[str, bytes]:
    return {name: (home / "paper" / "main" / name).read_bytes() for name in FILES}


def decided(home: Path) -> int:
    return len(list(home.glob("decisions/*/*.json")))


def asked(client: Client, as_of: str, **arguments: Any) -> dict[str, Any]:
    return client.invoke("paper_accounts", arguments, as_of=as_of).model_dump(mode="json")["result"]


def test_an_account_is_run_shown_and_verified_as_on_the_command_line(
    server: ServerProcess,
    client: Client,
    by_command: dict[str, bytes],
    capsys: pytest.CaptureFixture[str],
) -> None:
    home = server.home
    with pytest.raises(NotFound, match="There is no paper account main"):
        client.start_task("paper_run", {}, as_of=FIRST)
    PaperAccount.create(home, PLAN)
    for day, more in ((FIRST, {}), (LAST, WITH_MISSED)):
        done = client.wait(client.start_task("paper_run", more, as_of=day).task_id)
        assert done.status == "done", done.error
    assert contents(home) == by_command

    assert done.result is not None
    assert (done.result["run"]["until"], done.result["run"]["decided"]) == (LAST, 10)
    shown = asked(client, LAST, account="main", page=True)
    capsys.readouterr()
    assert run(["paper", "status", "--home", str(home), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert {**shown["status"], "warnings": []} == {**printed, "warnings": []}
    assert shown["status"]["warnings"] == []
    assert shown["page"].count("<svg") == 2
    assert f"{printed['equity']:,.2f} USD" in shown["page"]
    (listed,) = asked(client, LAST)["accounts"]
    assert (listed["account"], listed["equity"], listed["sessions"]) == ("main", printed["equity"], 6)

    early = asked(client, FIRST, account="main")["status"]
    assert (early["last_session"], early["sessions"], early["equity"]) == (FIRST, 1, 100_000.0)
    assert [one["sessions"] for one in asked(client, FIRST)["accounts"]] == [1]
    assert asked(client, "2024-09-30")["accounts"] == []

    assert asked(client, LAST, account="main", verify=True)["verified"]["decisions"] == 12
    stored = next(home.glob("decisions/*/*.json"))
    whole = stored.read_bytes()
    stored.write_bytes(whole.replace(b'"confidence": 0.', b'"confidence": 0.9', 1))
    response = httpx.post(
        f"{server.address}/v1/capabilities/paper_accounts",
        json={"arguments": {"account": "main", "verify": True}, "as_of": LAST},
        headers={"Authorization": "Bearer token-of-a-server-in-tests"},
        trust_env=False,
    )
    stored.write_bytes(whole)
    assert response.status_code >= 400
    assert "is not the decision" in response.json()["error"]["message"]
    assert str(home) not in response.text


@pytest.mark.parametrize("name", ["../main", "..", "A B", "main/", "-x", "x" * 41, "main\x00"])
def test_a_name_is_checked_before_a_path_is_made_of_it(client: Client, name: str) -> None:
    with pytest.raises(UsageError):
        client.invoke("paper_accounts", {"account": name}, as_of=LAST)
    with pytest.raises(UsageError):
        client.start_task("paper_run", {"account": name}, as_of=LAST)


def test_a_run_over_http_and_one_of_the_command_line_exclude_each_other(
    tmp_path: Path, calendar_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path / "server", calendar_folder) as server, server.client() as client:
        home = server.home
        account = PaperAccount.create(home, PLAN)
        options = ["paper", "run", "--offline", "--home", str(home)]
        assert run([*options, "--date", FIRST]) == 0
        with account.held(), pytest.raises(PaperAccountBusy, match="wait until it has ended"):
            client.start_task("paper_run", WITH_MISSED, as_of=LATER)
        task = client.start_task("paper_run", WITH_MISSED, as_of=LATER)
        while decided(home) < 4:
            assert client.task(task.task_id).status in ("queued", "running")
        with pytest.raises(PaperAccountBusy):
            client.start_task("paper_run", WITH_MISSED, as_of=LATER)
        capsys.readouterr()
        assert run([*options, "--date", LATER]) == 3
        assert "Another process is running the paper account main; wait" in capsys.readouterr().err
        client.cancel_task(task.task_id)
        assert client.wait(task.task_id).status == "cancelled"
        reached = str(account.read_ledger().last_day)
        assert FIRST < reached < LATER
        assert run([*options, "--date", reached]) == 0
        assert f"{reached} is recorded already" in capsys.readouterr().err
        alone = tmp_path / "alone"
        PaperAccount.create(alone, PLAN)
        for more in (("--date", FIRST), ("--date", reached, "--decide-missed")):
            assert run(["paper", "run", "--offline", "--home", str(alone), "--quiet", *more]) == 0
        assert contents(home) == contents(alone)


async def test_a_server_that_is_killed_in_a_run_leaves_the_bytes_of_one_that_was_not(
    tmp_path: Path, calendar_folder: Path, by_command: dict[str, bytes]
) -> None:
    with serving(tmp_path / "server", calendar_folder) as server:
        PaperAccount.create(server.home, PLAN)
        async with server.async_client() as client:
            first = await client.start_task("paper_run", {}, as_of=FIRST)
            async for _ in client.task_events(first.task_id):
                pass
            task = await client.start_task("paper_run", WITH_MISSED, as_of=LAST)
            for count in (3, 7):
                await until(lambda count=count: decided(server.home) >= count)  # type: ignore[misc]
                server.kill()
                server.start()
            async for _ in client.task_events(task.task_id):
                pass
            ended = await client.task(task.task_id)
        assert ended.status == "done", ended.error
        assert contents(server.home) == by_command
        assert decided(server.home) == 12, "nothing was decided twice"
