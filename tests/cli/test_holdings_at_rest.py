"""Where what a person states of holdings stands afterwards: the home, the log and a dossier are searched for it."""

from __future__ import annotations

import re
import stat
from pathlib import Path

import pytest

from tests.cli.conftest import Command

DAY = "2025-03-14"
OWNED = re.compile(rb"7[.,]?313(?!\d)")
"""A quantity that nothing else has, in each spelling."""


def found_in(home: Path) -> set[str]:
    """Return the files that show it: a session's or a task's by their kind, a run's by their place in its folder."""
    return {
        path.suffix if path.parent.name == "sessions" else "/".join(path.relative_to(home).parts[2:])
        for path in home.rglob("*")
        if path.is_file() and OWNED.search(path.read_bytes())
    }


def loose(home: Path) -> list[Path]:
    """Return what others than its owner may read."""
    return [path for path in home.rglob("*") if stat.S_IMODE(path.stat().st_mode) & 0o077]


@pytest.mark.parametrize(
    "said",
    [
        "I own 7313 VELQ at 80: add, hold or trim?",
        "Ich besitze 7.313 VELQ zu 80 und 50 MODZ: wie riskant?",
        "I own about 7,313 or so VELQ at 80, sell?",
    ],
)
def test_a_conversation_alone_holds_what_is_stated_in_it(said: str, command: Command, home: Path, tmp_path: Path):
    log = tmp_path / "log"
    done = command("chat", said, DAY, "--offline", TRADINGAGENTS_LOG_FILE=str(log), TRADINGAGENTS_LOG_LEVEL="debug")
    assert done.code == 0, done.err
    assert not OWNED.search(log.read_bytes())
    assert not OWNED.search(done.err.encode())
    assert found_in(home) == {".jsonl", "task.json"}  # the transcript, and the message of the task that answers it
    assert loose(home) == []


def test_a_run_alone_holds_what_is_stated_to_it_and_is_sealed_with_consent_only(
    command: Command, home: Path, tmp_path: Path
):
    log, sealed = tmp_path / "log", tmp_path / "run.dossier"
    said = "How risky is my portfolio of 73.13% VELQ and 20% MODZ?"
    done = command("research", said, DAY, "--offline", TRADINGAGENTS_LOG_FILE=str(log), TRADINGAGENTS_LOG_LEVEL="debug")
    assert done.code == 0, done.err
    assert not re.search(rb"73[.]13", log.read_bytes())
    (run,) = home.glob("runs/*")
    assert '"holdings":"***"' in (run / "events.jsonl").read_text()
    refused = command("runs", "seal", run.name, "--out", str(sealed))
    assert (refused.code, sealed.exists()) == (2, False)
    assert "--with-book" in refused.err
    assert "73.13" not in refused.err
    assert command("runs", "seal", run.name, "--with-book", "--out", str(sealed)).code == 0
    assert loose(home) == []


def test_a_run_that_looked_into_the_stored_book_is_sealed_with_consent_only(
    command: Command, home: Path, tmp_path: Path
):
    file = tmp_path / "book.csv"
    file.write_text("Symbol,Qty,Currency\nVELQ,7313,USD\n")
    log = tmp_path / "log"
    debug = {"TRADINGAGENTS_LOG_FILE": str(log), "TRADINGAGENTS_LOG_LEVEL": "debug"}
    assert command("book", "import", str(file), "--day", "2025-03-10", **debug).code == 0
    done = command("research", "What is my portfolio worth?", DAY, "--offline", **debug)
    assert "706,289.54" in done.out
    assert not re.search(rb"7[.,]?313(?!\d)|706[.,]?289", log.read_bytes())
    (run,) = home.glob("runs/*")
    assert command("runs", "seal", run.name, "--out", str(tmp_path / "run.dossier")).code == 2
