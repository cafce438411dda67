"""`tradingagents mcp`: what it does besides serving."""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.cli.conftest import Command
from tradingagents.capabilities.registry import built_in
from tradingagents.service.mcp.tools import START
from tradingagents.service.tasks.registry import built_in_kinds


def test_the_skill_is_installed_as_it_is_printed_and_names_tools_that_exist(command: Command, tmp_path: Path) -> None:
    outcome = command("mcp", "--install-skill", str(tmp_path))
    written = Path(outcome.out.strip())
    assert written == tmp_path / "tradingagents" / "SKILL.md"
    text = written.read_text()
    assert command("mcp", "--skill").out == text
    about = yaml.safe_load(text.split("---")[1])
    assert about["name"] == "tradingagents"
    assert len(about["description"]) <= 1024
    table = [line for line in text.splitlines() if line.startswith("| ") and "`" in line]
    named = {word for line in table for word in line.split("|")[2].split("`")[1::2]}
    assert named <= set(built_in()) | {f"{START}{kind}" for kind in built_in_kinds()}


def test_another_list_of_tools_is_refused(command: Command) -> None:
    outcome = command("mcp", "--tools", "some")
    assert outcome.code == 2
    assert "choose core or all" in outcome.err
