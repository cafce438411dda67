"""A kind of run that is added in one folder appears everywhere, with no other edit."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import tradingagents.features
from cli.groups import LazyGroup
from cli.main import app
from docs.pages.mcp import mcp_file
from tests.cli.conftest import Command, command  # noqa: F401 - a fixture
from tests.support import rise_kind
from tradingagents.graph.estimates.estimate import estimate_run
from tradingagents.runtime import registry as runs
from tradingagents.service.tasks import registry as tasks
from tradingagents.settings import load_settings

SUMMARY = "Measure how far the price of a company rose."
CACHED = (runs.built_in_kinds, tasks.built_in_kinds, tasks._installed)


@pytest.fixture
def rise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The kind, whose folder is one of the features."""
    folder = tmp_path / "features" / "rise"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text('"""How far a price rose."""\n')
    shutil.copy(rise_kind.__file__, folder / "kind.py")
    monkeypatch.setattr(tradingagents.features, "__path__", [*tradingagents.features.__path__, str(folder.parent)])
    _forget()
    yield runs.kind_of("rise")
    monkeypatch.undo()
    _forget()
    for name in [name for name in sys.modules if name.startswith("tradingagents.features.rise")]:
        del sys.modules[name]


def _forget() -> None:
    for found in CACHED:
        found.cache_clear()


def test_it_is_a_command_that_starts_asks_and_exports(rise: Any, command: Command, tmp_path: Path) -> None:  # noqa: F811
    home = ["--home", str(tmp_path / "home")]
    assert f"rise  {SUMMARY}" in " ".join(command("--help").out.split()).replace("rise ", "rise  ")
    shown = command("rise", "--help")
    assert "--sessions <int range>" in shown.out
    assert "Sessions over which the rise is measured." in shown.out
    assert "Maximum that the rise may spend on models, in USD." in shown.out

    report = tmp_path / "rise.html"
    done = command("rise", "velq", "2025-03-14", "--sessions", "3", "--export", str(report), "--offline", *home)
    assert done.code == 0, done.err
    assert "in 3 sessions." in done.out
    assert "in 3 sessions." in report.read_text("utf-8")
    (run,) = (path.name for path in (tmp_path / "home" / "runs").iterdir())
    card = json.loads(command("rise", "VELQ", "2025-03-14", "--json", "--offline", *home).out)
    assert (card["kind"], card["status"]) == ("rise", "done")
    assert "VELQ" in command("rise", "--ask", run, "How far did it rise?", *home).out
    assert run in command("runs", "list", "--kind", "rise", *home).out
    assert command("runs", "show", run, *home).code == 0
    written = tmp_path / "rise.md"
    assert command("runs", "export", run, "--to", str(written), *home).code == 0
    assert "# Rise" in written.read_text("utf-8")
    refused = command("rise", "--offline", *home)
    assert (refused.code, refused.errors) == (2, ["error: Name TICKER, or --resume RUN."])


async def test_it_is_a_task_a_tool_and_on_the_pages_and_can_be_estimated(rise: Any, tmp_path: Path) -> None:
    info = tasks.task_kinds().by_name("rise").info()
    assert (info.kind, info.summary) == ("rise", SUMMARY)
    assert "sessions" in info.request["properties"]
    assert "start_rise" in {tool["name"] for tool in json.loads(mcp_file())["tools"]}
    settings = load_settings(
        {"llm_provider": "offline", "data_vendor": "simulated", "home": tmp_path / "home"}, environ={}
    )
    estimate = await estimate_run(settings, rise, rise.request(ticker="VELQ", day="2025-03-14"))
    assert estimate["total"]["llm_calls"] == 0


@pytest.fixture
def installed_rise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The kind, brought by an installed package."""
    site = tmp_path / "site"
    info = site / "tradingagents_rise-1.0.dist-info"
    info.mkdir(parents=True)
    shutil.copy(rise_kind.__file__, site / "tradingagents_rise.py")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tradingagents-rise\nVersion: 1.0\n")
    points = "[tradingagents.kinds]\nrise = tradingagents_rise:RISE\nbroken = tradingagents_rise:NOTHING\n"
    (info / "entry_points.txt").write_text(points)
    monkeypatch.syspath_prepend(str(site))
    _forget()
    yield
    monkeypatch.undo()
    _forget()
    sys.modules.pop("tradingagents_rise", None)


@pytest.mark.usefixtures("installed_rise")
def test_a_kind_of_an_installed_package_is_a_command_and_a_task(command: Command, tmp_path: Path) -> None:  # noqa: F811
    home = ["--home", str(tmp_path / "home")]
    assert SUMMARY in " ".join(command("--help").out.split())
    assert "Sessions over which the rise is measured." in command("rise", "--help").out
    done = command("rise", "velq", "2025-03-14", "--sessions", "3", "--offline", *home)
    assert (done.code, "in 3 sessions." in done.out) == (0, True), done.err
    assert tasks.task_kinds().by_name("rise").info().summary == SUMMARY


def test_the_table_of_commands_knows_every_kind_of_this_package() -> None:
    from cli.commands import further_commands

    assert further_commands() == {}
    root: Any = get_command(app)
    assert isinstance(root, LazyGroup)
    assert "rise" not in root.list_commands(None)
