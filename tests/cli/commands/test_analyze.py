"""`tradingagents analyze` from end to end on the simulated market: exit codes, what stands on which stream."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from benchmarks.openai_server import OpenAIServer
from cli.main import run
from cli.text import with_flags
from tests.cli.conftest import Command
from tradingagents.dataflows.look_up import default_day
from tradingagents.settings import Settings

OFFLINE = ("--offline", "--debate-rounds", "1", "--risk-rounds", "1")
DOCUMENTED = {
    "run_id", "status", "ticker", "trade_date", "instrument", "session", "cutoff", "decision", "reports", "debates",
    "usage", "timing", "data_sheet", "warnings", "paths", "settings", "versions", "prompts",
}  # fmt: skip


def runs_in(home: Path) -> list[Path]:
    return sorted((home / "runs").glob("*")) if (home / "runs").is_dir() else []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["NOSUCH", "2025-03-14"], 4, ["NOSUCH", "--data-vendor"]),
        (["../../x", "2025-03-14"], 2, ["'../../x' is not a ticker"]),
        (["VELQ", "2999-01-01"], 2, ["2999-01-01 is in the future"]),
        (["VELQ", "1800-01-01"], 2, ["before the data begin"]),
        (["VELQ", "2025-02-30"], 2, ["'2025-02-30' is not a date", "YYYY-MM-DD"]),
        (["VELQ", "14.03.2025"], 2, ["'14.03.2025' is not a date"]),
        (["VELQ", "20250314"], 2, ["'20250314' is not a date"]),
        (["2025-03-14", "VELQ"], 2, ["'2025-03-14' looks like a date"]),
        (["2025-03-14"], 2, ["at least one ticker"]),
        (["VELQ", "2025-03-14", "--analysts", "market,nwes"], 2, ["--analysts", "'nwes'", "fundamentals"]),
        (["VELQ", "2025-03-14", "--analysts", ","], 2, ["--analysts", "at least one"]),
        (["VELQ", "2025-03-14", "--debate-rounds", "-1"], 2, ["--debate-rounds cannot be -1"]),
        (["VELQ", "2025-03-14", "--risk-rounds", "-2"], 2, ["--risk-rounds cannot be -2"]),
        (["VELQ", "2025-03-14", "--risk-rounds", "two"], 2, ["--risk-rounds"]),
        (["VELQ", "2025-03-14", "--budget-usd", "0"], 2, ["--budget-usd"]),
        (["VELQ", "2025-03-14", "--data-vendor", "simulatd"], 2, ["did you mean simulated?"]),
        (["VELQ", "2025-03-14", "--no-such-option"], 2, ["--no-such-option", "--help"]),
        (["VELQ", "2025-03-14", "--data-dir", "no-such-folder"], 3, ["no-such-folder", "--data-dir"]),
        (["VELQ", "2025-03-14", "--llm-provider", "openai"], 3, ["OPENAI_API_KEY"]),
        (["VELQ", "2025-03-14", "--llm-provider", "opnai"], 2, ["did you mean openai?"]),
    ],
)
def test_bad_input_is_one_line_with_the_way_out_and_leaves_nothing(
    command: Command, home: Path, arguments: list[str], code: int, words: list[str]
):
    outcome = command("analyze", *arguments, "--offline", "--quiet")
    assert outcome.code == code
    assert outcome.out == ""
    assert outcome.err.count("\n") == 1
    assert outcome.errors
    for word in words:
        assert word in outcome.err
    assert list(home.iterdir()) == []


def test_a_bad_variable_is_the_configuration_s_fault(command: Command, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRADINGAGENTS_MAX_DEBATE_ROUNDS", "many")
    outcome = command("analyze", "VELQ", "2025-03-14", "--offline")
    assert (outcome.code, len(outcome.errors)) == (3, 1)
    assert "TRADINGAGENTS_MAX_DEBATE_ROUNDS" in outcome.err


def test_a_home_that_is_a_file_is_refused(command: Command, tmp_path: Path):
    (tmp_path / "file").write_text("here first", "utf-8")
    outcome = command("analyze", "VELQ", "2025-03-14", *OFFLINE, "--quiet", "--home", str(tmp_path / "file"))
    assert outcome.code == 3
    assert "--home" in outcome.errors[0]
    assert (tmp_path / "file").read_text("utf-8") == "here first"


def test_an_unreachable_server_ends_the_run_and_leaves_its_record(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TRADINGAGENTS_LLM_MAX_RETRIES", "0")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    outcome = command(
        "analyze", "VELQ", "2025-03-14", "--data-vendor", "simulated", "--quiet",
        "--llm-provider", "openai_compatible", "--backend-url", url,
    )  # fmt: skip
    assert outcome.code == 5
    assert outcome.out == ""
    assert len(outcome.errors) == 1
    assert "--backend-url" in outcome.errors[0]
    (folder,) = runs_in(home)
    assert json.loads((folder / "run.json").read_text("utf-8"))["status"] == "failed"


def test_a_refused_key_is_named_by_the_variable_that_holds_it_at_another_address_too(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch
):
    typed = "sk-made-up-key-that-is-refused-0123456789"
    with OpenAIServer(key="another-key") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", typed)
        where = ("--llm-provider", "openai", "--data-vendor", "simulated", "--home", str(home))
        outcome = command("analyze", "VELQ", "2025-03-14", *where)
    host = server.url.removeprefix("http://").removesuffix("/v1")
    assert outcome.code == 5
    assert len(outcome.errors) == 1
    assert f"{host} refuses the API key; check OPENAI_API_KEY." in outcome.errors[0]
    assert "OPENAI_COMPATIBLE_API_KEY" not in outcome.out + outcome.err
    kept = [path.read_text("utf-8", "replace") for path in home.rglob("*") if path.is_file()]
    assert all(typed not in text for text in (outcome.out, outcome.err, *kept))


def test_the_result_for_a_person_names_decision_evidence_use_and_places(command: Command, home: Path):
    outcome = command("analyze", "VELQ", "2025-03-14", *OFFLINE)
    assert outcome.code == 0
    (folder,) = runs_in(home)
    for words in (
        "VELQ · Veltrane Systems · 2025-03-14",
        "BUY  strength 0.64",
        "made up",
        "Key evidence",
        "Reports       ✓ market  ✓ sentiment  ✓ news  ✓ fundamentals",
        "13 model calls",
        f"Page          {folder}/reports/report.html\n",
        f"Report        {folder}/reports/complete_report.md\n",
        f"Card          {folder}/run.json\n",
        "Research software; not investment advice.",
    ):
        assert words in outcome.out
    assert "\x1b" not in outcome.out
    assert "╭" not in outcome.out
    assert "Risk Manager is done" in outcome.err


def test_quiet_says_nothing_but_the_result(command: Command):
    outcome = command("analyze", "VELQ", "2025-03-14", *OFFLINE, "--quiet")
    assert (outcome.code, outcome.err) == (0, "")
    assert "Research software" in outcome.out


def test_json_is_the_record_and_nothing_else(command: Command, home: Path):
    outcome = command("analyze", "velq", "2025-03-14", *OFFLINE, "--json")
    assert outcome.code == 0
    assert outcome.out.count("\n") == 1
    record = json.loads(outcome.out)
    assert set(record) >= DOCUMENTED
    assert (record["ticker"], record["trade_date"], record["status"]) == ("VELQ", "2025-03-14", "done")
    assert record["decision"]["action"] in ("BUY", "SELL", "HOLD")
    assert record["usage"]["llm_calls"] == 13
    (folder,) = runs_in(home)
    assert json.loads((folder / "run.json").read_text("utf-8")) == record


def test_several_tickers_print_one_object_a_line_and_the_first_failure_gives_the_code(command: Command):
    outcome = command("analyze", "OMBZ", "NOSUCH", "VELQ", "ombz", "2025-03-14", *OFFLINE, "--json")
    records = {record["ticker"]: record for record in map(json.loads, outcome.out.splitlines())}
    assert set(records) == {"OMBZ", "NOSUCH", "VELQ"}
    assert outcome.out.count("\n") == 3
    failed = records["NOSUCH"]
    assert {key: failed[key] for key in ("trade_date", "status", "kind", "exit_code")} == {
        "trade_date": "2025-03-14",
        "status": "failed",
        "kind": "NoData",
        "exit_code": 4,
    }
    assert records["VELQ"]["decision"] != records["OMBZ"]["decision"]
    assert outcome.code == 4
    assert outcome.errors == [f"error: NOSUCH: {with_flags(failed['error'])}"]


def test_a_refused_command_line_answers_a_program_in_json_too(command: Command):
    outcome = command("analyze", "VELQ", "2025-02-30", "--offline", "--json")
    failed = json.loads(outcome.out)
    assert (failed["ticker"], failed["trade_date"], failed["kind"], failed["exit_code"]) == (
        "VELQ",
        "2025-02-30",
        "BadDate",
        2,
    )
    assert outcome.code == 2


def test_a_used_up_budget_leaves_what_there_is(command: Command, home: Path):
    arguments = ("analyze", "VELQ", "2025-03-14", *OFFLINE, "--max-llm-calls", "5")
    outcome = command(*arguments, "--json")
    record = json.loads(outcome.out)
    assert outcome.code == record["exit_code"] == 6
    assert (record["status"], record["usage"]["llm_calls"]) == ("budget", 5)
    assert record["reports"]["market_report"]
    shown = command(*arguments)
    assert shown.code == 6
    assert "No decision. The run may make 5 model calls" in " ".join(shown.out.split())
    assert shown.errors


def test_several_results_are_summed_up_in_a_table(command: Command):
    outcome = command("analyze", "OMBZ", "VELQ", "TAQZ", "NODQ", "2025-03-14", *OFFLINE, "--quiet")
    assert outcome.code == 0
    rows = [line.split() for line in outcome.out.splitlines() if "2025-03-14  " in line]
    assert [(row[0], row[1]) for row in rows] == [(ticker, "2025-03-14") for ticker in ("OMBZ", "VELQ", "TAQZ", "NODQ")]
    assert outcome.out.count("report.html") == 4


@pytest.mark.parametrize("written", [[], ["today"]])
def test_without_a_date_it_is_the_last_completed_session(command: Command, written: list[str]):
    outcome = command("analyze", "VELQ", *written, *OFFLINE, "--json", "--analysts", "market")
    record = json.loads(outcome.out)
    assert record["session"] <= record["trade_date"] == default_day(Settings(), "VELQ").isoformat()


def test_offline_ignores_the_providers_and_vendors_of_the_environment(
    command: Command, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TRADINGAGENTS_DEEP_THINK_LLM_PROVIDER", "anthropic")
    monkeypatch.setenv("TRADINGAGENTS_DATA_VENDOR", "yfinance")
    monkeypatch.setenv("TRADINGAGENTS_TOOL_VENDORS", "get_news=yfinance")
    record = json.loads(command("analyze", "VELQ", "2025-03-14", *OFFLINE, "--json").out)
    assert {line["vendor"] for line in record["data_sheet"]} == {"simulated"}
    assert record["usage"]["cost_usd"] == 0


def test_bare_without_a_terminal_shows_the_help_and_asks_nothing(command: Command):
    outcome = command()
    assert (outcome.code, outcome.out) == (2, "")
    assert "Usage: tradingagents [OPTIONS] COMMAND" in outcome.err


def test_a_bug_is_one_line_and_a_traceback_only_for_those_who_ask(command: Command, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr("cli.grid_session.GridSession.start", broken)
    plain = command("analyze", "VELQ", "2025-03-14", "--offline")
    assert (plain.code, plain.err.count("\n")) == (1, 1)
    assert "Unexpected ZeroDivisionError: a bug" in plain.err
    assert "--debug" in plain.err
    assert "Traceback" in command("analyze", "VELQ", "2025-03-14", "--offline", "--debug").err
    failed = json.loads(command("analyze", "VELQ", "2025-03-14", "--offline", "--json").out)
    assert (failed["status"], failed["kind"], failed["exit_code"]) == ("failed", "UnexpectedFailure", 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--help"], "analyze"), (["analyze", "--help"], "Usage: tradingagents analyze [OPTIONS] TICKER... [DATE]")],
)
def test_help_says_how_it_is_used(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str):
    assert run(arguments) == 0
    assert words in capsys.readouterr().out
