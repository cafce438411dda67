"""`tradingagents paper`: an account is made, run, shown, listed and checked; what is wrong is refused with words."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Command


def test_an_account_is_made_run_shown_listed_and_verified(command: Command, tmp_path: Path):
    home = ("--home", str(tmp_path))
    assert "make one with: tradingagents paper init" in command("paper", "list", *home).err
    made = command("paper", "init", "--tickers", "VELQ, OMBZ", "--cash", "50000", "--short", "--every", "3", *home)
    assert (made.code, made.err) == (0, "")
    assert "50,000.00 USD for VELQ, OMBZ" in made.out
    assert "it has not been run yet" in command("paper", "status", *home).out

    ran = command("paper", "run", "--offline", "--date", "2024-10-01", *home)
    assert ran.code == 0, ran.err
    assert "1 session added, up to 2024-10-01; decisions taken: 2." in ran.err
    assert "50,000.00 USD (2024-10-01 to 2024-10-01, 1 session)" in ran.out
    told = json.loads(command("paper", "run", "--offline", "--date", "2024-10-07", "--json", *home).out)
    assert (told["status"], told["run"]["decided"], told["sessions"]) == ("done", 2, 5)
    assert told["run"]["not_decided"] == ["2024-10-04"]
    assert told["plan"]["shorts"]["max_short"] == 0.1
    again = command("paper", "run", "--offline", "--date", "2024-10-05", *home)  # a Saturday
    assert "2024-10-04 is recorded already, the account has reached 2024-10-07; there is nothing to do." in again.err

    shown = command("paper", "status", *home)
    assert "SPY" in shown.out
    assert "Decided on 2024-10-07" in " ".join(shown.out.split())
    assert json.loads(command("paper", "status", "--json", *home).out)["sessions"] == 5
    assert "main" in command("paper", "list", *home).out
    verified = command("paper", "verify", *home)
    assert (verified.code, verified.out.startswith("main: 5 sessions and 4 decisions agree.")) == (0, True)


def test_what_is_wrong_is_refused(command: Command, tmp_path: Path):
    home = ("--home", str(tmp_path))
    assert "there are: none" in command("paper", "status", *home).err
    assert command("paper", "init", "--tickers", " , ", *home).code == 2
    assert command("paper", "init", "--account", "A B", *home).code == 2
    assert command("paper", "init", *home).code == 0
    twice = command("paper", "init", *home)
    assert (twice.code, "choose another name" in twice.err) == (2, True)
    empty = command("paper", "run", "--offline", "--date", "2024-10-01", *home)
    assert (empty.code, "The watch list is empty" in empty.err) == (2, True)
    assert command("paper", "run", "--offline", "--date", "October", *home).code == 2
    folder = tmp_path / "paper" / "main"
    (folder / "book.json").write_text('{"head": "0"}')
    wrong = command("paper", "verify", "--json", *home)
    assert wrong.code == 1
    assert "cut off or replaced" in str(json.loads(wrong.out))
