"""`data record`, `data import` and `data check` as commands: streams, exit codes, JSON."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.conftest import Command, environment
from tests.support.snapshot_folder import write_snapshot
from tests.support.warm import WarmProcess
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.errors import VendorDown

RECORD = ("data", "record", "VELQ", "--from", "2025-03-13", "--to", "2025-03-14", "--data-vendor", "simulated")
BARS = "symbol,date,open,high,low,close\nACMQ,2025-03-13,1,1.2,0.9,1.1\nACMQ,2025-03-14,1.1,1.3,1,1.2\n"


@pytest.fixture(autouse=True)
def here(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(home))


def test_what_is_recorded_can_be_analysed_and_is_sound(command: Command, tmp_path: Path):
    folder = str(tmp_path / "f")
    recorded = command(*RECORD, "--out", folder)
    assert (recorded.code, recorded.errors) == (0, [])
    assert recorded.out.startswith("Recorded VELQ for 2025-03-13 to 2025-03-14: ")
    assert f"tradingagents analyze VELQ 2025-03-14 --data-dir {folder}" in recorded.out
    assert "recording: 50 of " in recorded.err
    checked = command("data", "check", folder, "--json")
    assert (checked.code, json.loads(checked.out)["sound"]) == (0, True)
    ours = command("analyze", "VELQ", "2025-03-14", "--offline", "--data-dir", folder, "--json")
    theirs = command("analyze", "VELQ", "2025-03-14", "--offline", "--json")
    assert json.loads(ours.out)["decision"] == json.loads(theirs.out)["decision"]


def test_as_json_it_says_what_was_not_to_be_had(command: Command, tmp_path: Path):
    outcome = command(*RECORD, "--out", str(tmp_path / "f"), "--json", "--quiet")
    told = json.loads(outcome.out)
    assert (told["status"], told["from"], told["to"], told["tickers"]) == ("done", "2025-03-13", "2025-03-14", ["VELQ"])
    assert told["asked_now"] == sum(told["outcomes"].values())
    assert {one["outcome"] for one in told["missing"]} == {"nothing"}
    assert outcome.err == ""
    assert json.loads(command(*RECORD, "--out", str(tmp_path / "f"), "--json").out)["asked_now"] == 0


def test_what_failed_is_named_and_ends_with_4(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    prices = SimulatedVendor.get_stock_data

    def failing(self: SimulatedVendor, symbol: str, *window: object) -> object:
        if symbol == "XLE":
            raise VendorDown("The market of energy is shut; try again later.")
        return prices(self, symbol, *window)  # type: ignore[arg-type]

    monkeypatch.setattr(SimulatedVendor, "get_stock_data", failing)
    outcome = command(*RECORD, "--out", str(tmp_path / "f"))
    assert outcome.code == 4
    assert outcome.errors[0].startswith("error: get_stock_data XLE: ")
    assert "the same command asks them again" in outcome.errors[-1]
    monkeypatch.undo()
    assert command(*RECORD, "--out", str(tmp_path / "f")).code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("VELQ", "--from", "2025-03-15", "--to", "2025-03-14"), 2, "swap them"),
        (("VELQ", "--from", "13.03.2025"), 2, "is not a date"),
        (("VELQX", "--to", "2025-03-14"), 4, "VELQX cannot be recorded"),
        (("a/b", "--to", "2025-03-14"), 2, "is not a ticker symbol"),
        (("VELQ", "--to", "2999-01-04"), 2, "in the future"),
    ],
)
def test_a_question_that_cannot_be_leaves_nothing(
    command: Command, tmp_path: Path, arguments: tuple[str, ...], code: int, words: str
):
    outcome = command("data", "record", *arguments, "--data-vendor", "simulated", "--out", str(tmp_path / "f"))
    assert (outcome.code, len(outcome.errors)) == (code, 1)
    assert words in outcome.errors[0]
    assert not (tmp_path / "f").exists()


def test_other_tickers_into_the_same_folder_are_refused(command: Command, tmp_path: Path):
    command(*RECORD, "--out", str(tmp_path / "f"))
    other = ["PLYZ" if word == "VELQ" else word for word in RECORD]
    outcome = command(*other, "--out", str(tmp_path / "f"))
    assert outcome.code == 2
    assert "with tickers VELQ and not PLYZ" in outcome.errors[0]


SLOW = """
import sys, time
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from cli.main import main
prices = SimulatedVendor.get_stock_data
def slow(self, *question):
    time.sleep(0.2)
    return prices(self, *question)
SimulatedVendor.get_stock_data = slow
main()
"""


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_recording_goes_on(command: Command, tmp_path: Path, stop: signal.Signals):
    folder = tmp_path / "f"
    process = WarmProcess(
        ["-c", SLOW, *RECORD, "--out", str(folder)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(TRADINGAGENTS_HOME=os.environ["TRADINGAGENTS_HOME"]),
    )
    journal = folder / "recording.jsonl"
    until = time.monotonic() + 60
    while not (journal.is_file() and journal.read_bytes().count(b"\n") > 8):
        assert time.monotonic() < until
        time.sleep(0.02)
    process.send_signal(stop)
    _, err = process.communicate(timeout=30)
    if stop == signal.SIGINT:
        assert process.returncode == 130
        assert "the same command continues the recording" in err
    assert not (folder / "snapshot.json").exists()
    done = json.loads(command(*RECORD, "--out", str(folder), "--json").out)
    assert done["status"] == "done"
    assert 0 < done["asked_now"] <= sum(done["outcomes"].values()) - 8


def test_a_file_of_one_s_own_is_imported_and_checked(command: Command, tmp_path: Path):
    (tmp_path / "own.csv").write_text(BARS)
    arguments = ("data", "import", str(tmp_path / "own.csv"), "--out", str(tmp_path / "f"), "--kind", "prices")
    outcome = command(*arguments)
    assert outcome.code == 0
    assert outcome.out.startswith("Imported 2 rows of prices from 2025-03-13 to 2025-03-14 for ACMQ into ")
    again = json.loads(command(*arguments, "--json").out)
    assert (again["rows"], again["replaced"], again["symbols"], again["last"]) == (2, 2, ["ACMQ"], "2025-03-14")
    assert command("data", "check", str(tmp_path / "f")).code == 0


def test_faulty_rows_are_printed_by_line(command: Command, tmp_path: Path):
    (tmp_path / "own.csv").write_text(BARS.replace("1.3,1,", "0.3,1,"))
    outcome = command("data", "import", str(tmp_path / "own.csv"), "--out", str(tmp_path / "f"), "--kind", "prices")
    assert outcome.code == 4
    assert "line 3: the high 0.3 lies below the low 1." in outcome.err.splitlines()
    assert len(outcome.errors) == 1
    assert not (tmp_path / "f").exists()


def test_columns_are_named_in_pairs(command: Command, tmp_path: Path):
    (tmp_path / "own.csv").write_text(BARS.replace("close", "Fixing"))
    arguments = ("data", "import", str(tmp_path / "own.csv"), "--out", str(tmp_path / "f"), "--kind", "prices")
    assert "--map close=COLUMN" in command(*arguments).errors[0]
    assert command(*arguments, "--map", "close=Fixing").code == 0
    refused = command(*arguments, "--map", "close")
    assert refused.code == 2
    assert "write it as close=Last" in refused.errors[0]


def test_an_unsound_folder_ends_with_4_and_quiet_leaves_the_errors(command: Command, tmp_path: Path):
    folder = write_snapshot(tmp_path / "f")
    (folder / "profiles.json").write_text("{")
    outcome = command("data", "check", str(folder), "--quiet")
    assert outcome.code == 4
    lines = outcome.out.splitlines()
    assert lines[0].startswith("error: profiles.json: it cannot be read")
    assert "is not sound: 1 errors" in lines[-1]
    assert all(line.startswith("error:") for line in lines[:-1])


def test_a_folder_that_is_no_snapshot_ends_with_3(command: Command, tmp_path: Path):
    outcome = command("data", "check", str(tmp_path))
    assert outcome.code == 3
    assert "is no snapshot" in outcome.errors[0]
