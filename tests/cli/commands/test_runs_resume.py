"""`runs resume|approve|revise|reject`, `--resume` and `--approve`: going on from the command line."""

from __future__ import annotations

import json
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import OpenAIServer
from tests.cli.conftest import Command, environment
from tests.support.offline_server import OfflineServer
from tests.support.warm import WarmProcess
from tradingagents.agents.builders.subject_question import READER

ASKED = ("VELQ", "2025-03-14", "--data-vendor", "simulated", "--debate-rounds", "1", "--risk-rounds", "1")
CALLS = 17
CHOOSES = {"Market Analyst": 2, READER: 4}
"""Who is asked more than once without being asked again: the analyst asks for indicators of its choice, then writes;
the question which company a report is about is asked of each."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def server() -> Iterator[OfflineServer]:
    with OfflineServer() as running:
        yield running


def model(server: OpenAIServer) -> list[str]:
    return [
        "--llm-provider",
        "openai_compatible",
        "--backend-url",
        server.url,
        "--quick-model",
        "m",
        "--deep-model",
        "m",
    ]


def roles(server: OpenAIServer) -> Counter[str]:
    return Counter(request["role"] for request in server.requests)


def the_run(home: Path) -> str:
    (folder,) = (home / "runs").iterdir()
    return folder.name


def test_a_run_that_reached_its_limit_goes_on_with_a_higher_one(command: Command, home: Path, server: OfflineServer):
    stopped = command("analyze", *ASKED, *model(server), "--max-llm-calls", "7", "--json")
    assert stopped.code == 6
    assert json.loads(stopped.out)["status"] == "budget"
    same = command("runs", "resume", the_run(home)[:17], "--json")  # the beginning of its id, and the old limit
    assert (same.code, server.calls) == (6, 7)
    done = command("runs", "resume", the_run(home), "--max-llm-calls", "50", "--json")
    assert (done.code, json.loads(done.out)["status"], server.calls) == (0, "done", CALLS)
    assert {role: calls for role, calls in roles(server).items() if calls != 1} == CHOOSES
    ended, run = command("runs", "resume", the_run(home)), the_run(home)
    assert (ended.code, ended.errors) == (
        2,
        [f"error: Run {run} has ended (done); `tradingagents runs show {run}` shows its result."],
    )


def test_the_same_command_with_resume_goes_on(command: Command, home: Path, server: OfflineServer):
    command("analyze", *ASKED, *model(server), "--max-llm-calls", "7")
    first = the_run(home)
    done = command("analyze", *ASKED, *model(server), "--resume", "--json")
    assert (done.code, json.loads(done.out)["run_id"], server.calls) == (0, first, CALLS)
    anew = command("analyze", *ASKED, *model(server), "--resume", "--json")  # there is nothing to go on with
    assert (anew.code, json.loads(anew.out)["run_id"] != first, server.calls) == (0, True, 2 * CALLS)


def test_a_scan_goes_on(command: Command, home: Path, server: OfflineServer):
    asked = ("scan", "2025-03-14", "--data-vendor", "simulated", *model(server))
    assert command(*asked, "--max-llm-calls", "4").code == 6
    assert command("runs", "resume", the_run(home)).code == 6
    done = command("runs", "resume", the_run(home), "--max-llm-calls", "9", "--json")
    assert (done.code, json.loads(done.out)["status"], set(roles(server).values())) == (0, "done", {1})
    assert command(*asked, "--max-llm-calls", "4").code == 6
    again = command(*asked, "--resume", "--json")
    assert (again.code, set(roles(server).values())) == (0, {2})


def test_half_the_estimate_ends_the_run_and_a_raised_budget_completes_it(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TRADINGAGENTS_MODEL_PRICES", '{"m": [1, 0.1, 10]}')
    with OpenAIServer(reply_tokens=600) as server:
        asked = ("analyze", *ASKED, *model(server))
        half = json.loads(command(*asked, "--dry-run", "--json").out)["total"]["cost_usd"] / 2
        assert (server.calls, [str(p) for p in home.rglob("*")]) == (0, [])
        stopped = command(*asked, "--budget-usd", f"{half:f}", "--json")
        card = json.loads(stopped.out)
        assert (stopped.code, card["status"], "--budget-usd" in stopped.errors[0]) == (6, "budget", True)
        assert half * 0.7 < card["usage"]["cost_usd"] <= half
        assert len(card["reports"]) >= 4
        assert Path(card["paths"]["report"]).is_file()
        done = command("runs", "resume", card["run_id"], "--budget-usd", "5", "--json")
        assert (done.code, server.calls, set(roles(server).values())) == (0, 12, {1})
        assert json.loads(done.out)["usage"]["cost_usd"] == pytest.approx(2 * half, rel=0.25)


def test_approve_revise_and_reject(command: Command, home: Path, server: OfflineServer):
    waiting = command("analyze", *ASKED, *model(server), "--approve", "--json")
    said = json.loads(waiting.out)
    assert (waiting.code, said["status"], said["decision"], said["kind"]) == (
        7,
        "awaiting_approval",
        None,
        "AwaitingApproval",
    )
    assert waiting.errors[0].endswith(f"`tradingagents runs approve`, `revise` or `reject` {the_run(home)}.")
    asked = server.calls
    assert command("runs", "revise", the_run(home)).code == 2  # what is to be reconsidered?
    revised = command("runs", "revise", the_run(home), "--note", "Mind the earnings.", "--json")
    assert (revised.code, server.calls) == (7, asked + 1)
    done = command("runs", "approve", the_run(home), "--note", "Fine.", "--json")
    card = json.loads(done.out)
    assert (done.code, card["status"], server.calls) == (0, "done", asked + 1)
    assert [(review["verdict"], review["note"]) for review in card["reviews"]] == [
        ("revise", "Mind the earnings."),
        ("approve", "Fine."),
    ]
    assert command("runs", "approve", the_run(home)).code == 2


def test_a_rejected_run_ends_without_a_decision(command: Command, home: Path, server: OfflineServer):
    command("analyze", *ASKED, *model(server), "--approve")
    rejected = command("runs", "reject", the_run(home), "--note", "Not now.", "--json")
    assert (rejected.code, json.loads(rejected.out)["status"]) == (5, "rejected")


def test_what_cannot_go_on_is_said_in_one_line(command: Command, home: Path):
    outcome = command("runs", "resume", "20990101T000000Z")
    assert (outcome.code, len(outcome.err.splitlines())) == (2, 1)
    assert command("runs", "resume", "../..").code == 2


@pytest.mark.parametrize("stop", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.nightly)])
def test_a_stopped_process_ends_its_calls_and_the_next_one_goes_on(command: Command, home: Path, stop: signal.Signals):
    with OfflineServer(delay=1.0) as server:
        process = WarmProcess(
            ["-m", "cli.main", "analyze", *ASKED, *model(server), "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(TRADINGAGENTS_DRAIN_SECONDS="30"),
        )
        assert process.stderr
        while "Bear Researcher starts" not in (line := process.stderr.readline()):
            assert line, "the run ended before the debate"
        process.send_signal(stop)
        out, _ = process.communicate(timeout=60)
        card: dict[str, Any] = json.loads(out)
        assert (process.returncode, card["status"]) == (130, "interrupted")
        assert card["usage"]["llm_calls"] == server.calls == 11
        server.delay = 0.0
        done = command("runs", "resume", card["run_id"], "--json")
        assert done.code == 0, done.err
        assert (json.loads(done.out)["status"], server.calls, set(roles(server).values())) == ("done", CALLS, {1, 2, 4})


def test_a_report_is_resumed_with_the_limits_that_are_given(command: Command, home: Path):
    ended = command("report", "VELQ", "2025-03-14", "--offline", "--max-llm-calls", "2")
    assert ended.code != 0
    (run,) = (home / "runs").iterdir()
    done = command("runs", "resume", run.name, "--max-llm-calls", "900")
    assert done.errors == []
    assert "Quality " in done.out
