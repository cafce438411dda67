"""A decision that makes no sense ends a command with code 5, not with a BUY."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.cli.conftest import Command
from tests.support.graph_factory import COMPANY, DAY, VERDICT

NONSENSE: dict[str, Any] = {"entry": 9.7, "stop": 1839.0, "target": 10.0, "position_size": 1.0, "horizon_days": 1}


@pytest.mark.parametrize(("changes", "code"), [({}, 0), (NONSENSE, 5)])
def test_a_model_that_answers_nonsense_ends_with_no_decision(
    command: Command, tmp_path: Path, changes: dict[str, Any], code: int
):
    with OpenAIServer() as server:
        for role in ("Research Manager", "Trader", "Risk Manager"):
            server.always(Answer(tool_calls=(ToolCall("Verdict", {**VERDICT, **changes}),)), role=role)
        outcome = command(
            *("analyze", COMPANY, DAY, "--data-vendor", "simulated", "--json", "--quiet", "--home", str(tmp_path)),
            *("--llm-provider", "openai_compatible", "--backend-url", server.url, "--quick-model", "bench-model"),
            *("--deep-model", "bench-model"),
        )
    assert outcome.code == code
    decision = json.loads(outcome.out)["decision"]
    assert decision["action"] == ("NO_DECISION" if code else "BUY")
    assert ("stop 1839.00 must lie below entry 9.70" in decision["rationale"]) == bool(code)
