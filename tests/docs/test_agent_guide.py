"""The guide to adding an agent: its example works as it stands, and what it says of our files is true of them."""

from __future__ import annotations

import re
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest

from tests.docs.blocks import ROOT, blocks
from tests.support.scan_graph_factory import scan_script
from tradingagents.capabilities.scanner import get_earnings_calendar

GUIDE = ROOT / "docs" / "guides" / "adding-an-agent.md"
PLACES = re.findall(r"^ +\| `([\w/]+\.py)` \| (.+) \|$", GUIDE.read_text("utf-8"), re.MULTILINE)


def test_the_example_makes_an_agent_with_its_prescribed_calls():
    names: dict[str, Any] = {}
    exec(blocks(GUIDE)[0].text, names)  # noqa: S102 - the guide's own example
    agent = names["create_calendar_analyst"](scan_script())
    assert agent.name == "Calendar Analyst"
    context = SimpleNamespace(data=SimpleNamespace(as_of=date(2025, 3, 14)))
    first, _ = names["primed"](context, {})
    assert first == (get_earnings_calendar, {"from_date": "2025-03-14", "to_date": "2025-04-13"})


@pytest.mark.parametrize(("file", "what"), PLACES)
def test_what_it_says_of_a_file_stands_there(file: str, what: str):
    path = next(path for path in (ROOT / "tradingagents" / file, ROOT / file) if path.is_file())
    text = path.read_text("utf-8")
    for name in set(re.findall(r"`(\w+)`", what)) - {"calendar_report", "CalendarReport"}:
        assert re.search(rf"\b{name}\b", text), f"{file} has no {name}"


def test_every_file_it_names_exists():
    named = set(
        re.findall(r"`((?:agents|graph|recording|reports|llm_clients|cli)/[\w/]+\.py)`", GUIDE.read_text("utf-8"))
    )
    assert len(named) > 10
    assert [
        name for name in named if not any((folder / name).is_file() for folder in (ROOT / "tradingagents", ROOT))
    ] == []
