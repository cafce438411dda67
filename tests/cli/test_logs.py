"""What the command line logs: one line a record, as JSON where the environment says so, and never a key."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.console import open_terminal
from cli.grid_command import GridCommand
from cli.main import run

KEY = "canary 7f3a9e51"


@pytest.fixture(autouse=True)
def _logging_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The command line sets up logging for the whole process."""
    monkeypatch.setenv("VENDOR_API_KEY", KEY)
    root, levels = logging.getLogger(), {}
    handlers, level = list(root.handlers), root.level
    for name, logger in root.manager.loggerDict.items():
        levels[name] = logger.level if isinstance(logger, logging.Logger) else None
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        if before is not None:
            logging.getLogger(name).setLevel(before)
    logging.captureWarnings(capture=False)
    warnings.resetwarnings()


def test_a_log_line_holds_no_key(capsys: pytest.CaptureFixture[str]):
    open_terminal()
    logging.getLogger("tradingagents.test").warning("the key is %s", KEY)
    assert capsys.readouterr().err == "warning: tradingagents.test: the key is ***\n"


def test_log_lines_are_json_where_the_environment_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TRADINGAGENTS_LOG_FORMAT", "json")
    open_terminal()
    logging.getLogger("tradingagents.test").warning("[bold]the key[/bold] is %s" + " and more" * 50, KEY)
    (line,) = capsys.readouterr().err.splitlines()
    told = json.loads(line)
    assert (told["level"], told["logger"]) == ("warning", "tradingagents.test")
    assert told["message"].startswith("[bold]the key[/bold] is *** and more")


def test_a_run_s_log_is_written_to_the_file_that_the_environment_names(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    for name, value in {"FILE": str(tmp_path / "run.jsonl"), "FORMAT": "json", "LEVEL": "debug"}.items():
        monkeypatch.setenv(f"TRADINGAGENTS_LOG_{name}", value)
    assert run(["analyze", "VELQ", "2025-03-14", "--offline", "--json"]) == 0
    told = capsys.readouterr()
    record = json.loads(told.out)
    lines = [json.loads(line) for line in (tmp_path / "run.jsonl").read_text("utf-8").splitlines()]
    assert {line["run_id"] for line in lines} == {record["run_id"]}
    assert lines[0]["message"] == "VELQ 2025-03-14"
    assert not [line for line in told.err.splitlines() if "tradingagents.events" in line]


@pytest.mark.parametrize("arguments", [[], ["--debug"]], ids=["plain", "debug"])
def test_a_bug_s_message_and_traceback_hold_no_key(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, arguments: list[str]
):
    def buggy(*_: object, **__: object) -> int:
        raise RuntimeError(f"with {KEY} and https://me:secret@host/")

    monkeypatch.setattr(GridCommand, "run", buggy)
    assert run(["analyze", "VELQ", "--offline", *arguments]) == 1
    err = capsys.readouterr().err
    assert "with *** and https://***@host/" in err
    assert KEY not in err
    assert ("Traceback" in err) == bool(arguments)
