"""`tradingagents thesis`: a run's answer is saved, listed and shown."""

from __future__ import annotations

import json

from tests.cli.commands.test_runs import OFFLINE, listed
from tests.cli.conftest import Command


def test_a_decision_is_saved_listed_and_shown(command: Command):
    assert command("thesis", "list").out == ""
    assert command("analyze", "VELQ", "2025-03-14", *OFFLINE).code == 0
    run = listed(command)[0]["run_id"]

    told = json.loads(command("thesis", "save", run, "--breaker", "the margin falls", "--json").out)

    assert (told["ticker"], told["known_on"], told["run_id"]) == ("VELQ", "2025-03-14", run)
    assert told["breakers"] == ["the margin falls"]
    assert told["thesis"]
    assert told["figures"]
    assert command("thesis", "list", "VELQ").out.startswith(told["thesis_id"])
    shown = command("thesis", "show", told["thesis_id"][:14])
    assert "It breaks if:" in shown.out
    assert run in shown.out
    assert command("thesis", "list", "OMBZ").out == ""
    assert command("thesis", "show", "2020").code == 2
    assert command("thesis", "save", "1999").code == 2
