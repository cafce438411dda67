"""`tradingagents scan` from end to end on the simulated market: exit codes, what stands on which stream."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tradingagents.dataflows.look_up import default_day
from tradingagents.settings import Settings

DOCUMENTED = {
    "run_id", "status", "scan_date", "session", "cutoff", "summary", "sectors", "top_sectors", "indices", "reports",
    "usage", "timing", "data_sheet", "warnings", "paths", "settings", "versions", "prompts",
}  # fmt: skip


def runs_in(home: Path) -> list[Path]:
    return sorted((home / "runs").glob("*")) if (home / "runs").is_dir() else []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["2025-13-01"], 2, ["'2025-13-01' is not a date", "YYYY-MM-DD"]),
        (["AAPL"], 2, ["'AAPL' is not a date"]),
        (["2999-01-01"], 2, ["2999-01-01 is in the future"]),
        (["1800-01-01"], 2, ["before the data begin"]),
        (["2025-03-14", "2025-03-17"], 2, ["2025-03-17", "--help"]),
        (["2025-03-14", "--picks", "0"], 2, ["--picks cannot be 0"]),
        (["2025-03-14", "--picks", "two"], 2, ["--picks"]),
        (["2025-03-14", "--analysts", "market"], 2, ["--analysts", "--help"]),
        (["2025-03-14", "--data-vendor", "simulatd"], 2, ["did you mean simulated?"]),
        (["2025-03-14", "--data-dir", "no-such-folder"], 3, ["no-such-folder", "--data-dir"]),
        (["2025-03-14", "--llm-provider", "openai"], 3, ["OPENAI_API_KEY"]),
    ],
)
def test_bad_input_is_one_line_with_the_way_out_and_leaves_nothing(
    command: Command, home: Path, arguments: list[str], code: int, words: list[str]
):
    outcome = command("scan", *arguments, "--offline", "--quiet")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (code, "", 1)
    assert outcome.errors
    for word in words:
        assert word in outcome.err
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "kind", "code"),
    [(["2025-13-01"], "BadDate", 2), (["2999-01-01"], "BadDate", 2), (["--picks", "two"], "UsageError", 2)],
)
def test_a_refused_command_line_answers_a_program_in_json_too(
    command: Command, arguments: list[str], kind: str, code: int
):
    outcome = command("scan", *arguments, "--offline", "--json")
    failed = json.loads(outcome.out)
    assert (failed["status"], failed["kind"], failed["exit_code"], outcome.code) == ("failed", kind, code, code)
    assert outcome.errors == [f"error: {failed['error']}"]


def test_a_home_that_is_a_file_is_refused(command: Command, tmp_path: Path):
    (tmp_path / "file").write_text("here first", "utf-8")
    outcome = command("scan", "2025-03-14", "--offline", "--quiet", "--home", str(tmp_path / "file"))
    assert (outcome.code, len(outcome.errors)) == (3, 1)
    assert "--home" in outcome.errors[0]
    assert (tmp_path / "file").read_text("utf-8") == "here first"


def test_an_unreachable_server_ends_the_scan_and_leaves_its_record(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TRADINGAGENTS_LLM_MAX_RETRIES", "0")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    arguments = ("--data-vendor", "simulated", "--llm-provider", "openai_compatible", "--backend-url", url)
    outcome = command("scan", "2025-03-14", *arguments, "--quiet")
    assert (outcome.code, outcome.out, len(outcome.errors)) == (5, "", 1)
    assert "--backend-url" in outcome.errors[0]
    (folder,) = runs_in(home)
    assert json.loads((folder / "run.json").read_text("utf-8"))["status"] == "failed"


def test_the_result_for_a_person_names_picks_sectors_indices_and_places(command: Command, home: Path):
    outcome = command("scan", "2025-03-14", "--offline")
    assert outcome.code == 0
    (folder,) = runs_in(home)
    for words in (
        "Market scan · 2025-03-14",
        "Ticker  Name",
        "Information Technology",
        "selected for the industry deep dive",
        "S&P 500",
        "5 model calls",
        f"Page          {folder}/reports/report.html\n",
        f"Card          {folder}/run.json\n",
        "Research software; not investment advice.",
    ):
        assert words in outcome.out
    assert "\x1b" not in outcome.out
    assert "╭" not in outcome.out
    assert "Macro Synthesis is done" in outcome.err
    assert "stocks to investigate" in outcome.err.splitlines()[-1]


def test_quiet_says_nothing_but_the_result(command: Command):
    outcome = command("scan", "2025-03-14", "--offline", "--quiet")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Research software" in outcome.out


def test_json_is_the_record_and_nothing_else(command: Command, home: Path):
    outcome = command("scan", "2025-03-14", "--offline", "--json", "--picks", "3")
    assert (outcome.code, outcome.out.count("\n")) == (0, 1)
    record = json.loads(outcome.out)
    assert set(record) >= DOCUMENTED
    assert (record["scan_date"], record["session"], record["status"]) == ("2025-03-14", "2025-03-14", "done")
    assert len(record["summary"]["stocks_to_investigate"]) == 3
    (folder,) = runs_in(home)
    assert json.loads((folder / "run.json").read_text("utf-8")) == record


@pytest.mark.parametrize("written", [[], ["today"]])
def test_without_a_date_it_is_the_last_completed_session(command: Command, written: list[str]):
    record = json.loads(command("scan", *written, "--offline", "--json").out)
    assert record["session"] <= record["scan_date"] == default_day(Settings()).isoformat()


def test_a_used_up_budget_leaves_what_there_is(command: Command):
    arguments = ("scan", "2025-03-14", "--offline", "--max-llm-calls", "4")
    outcome = command(*arguments, "--json")
    record = json.loads(outcome.out)
    assert outcome.code == record["exit_code"] == 6
    assert (record["status"], record["kind"], record["usage"]["llm_calls"]) == ("budget", "BudgetReached", 4)
    assert (record["summary"], len(record["sectors"])) == (None, 11)
    shown = command(*arguments, "--quiet")
    assert (shown.code, len(shown.errors)) == (6, 1)
    assert "No summary." in shown.out
    assert "Information Technology" in shown.out
