"""`tradingagents why`."""

from __future__ import annotations

import json

from tests.cli.conftest import Command

ASKED = ("why", "VELQ", "2025-02-28", "2025-03-14", "--offline")


def test_the_terminal_names_the_readings_that_turned_the_decision(command: Command):
    outcome = command(*ASKED)
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0] == "VELQ: SELL on 2025-02-28, BUY on 2025-03-14; net score -0.061, then +0.193"
    assert lines[1].startswith("With these 5 readings as on 2025-02-28, the rules decide HOLD on 2025-03-14.")
    assert "Readings that turned the decision" in outcome.out
    assert "10-day exponential average" in outcome.out


def test_json_has_every_change(command: Command):
    found = json.loads(command(*ASKED, "--json").out)
    assert (found["before"], found["after"], found["turned"], found["differs"]) == ("SELL", "BUY", "HOLD", True)
    assert found["days"] == ["2025-02-28", "2025-03-14"]
    assert len(found["changes"]) > len(found["deciding"]) == 5
    assert all(one in found["changes"] for one in found["deciding"])


def test_wrong_days_are_refused(command: Command):
    assert command("why", "VELQ", "2025-03-14", "2025-02-28", "--offline").code == 2
    outcome = command("why", "VELQ", "soon", "2025-02-28", "--offline")
    assert outcome.code == 2
    assert "'soon' is not a date" in outcome.err
