"""A kind of run that is added in one folder appears everywhere, with no other edit."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import tradingagents.features
from cli.groups import LazyGroup
from cli.main import app
from docs.pages.mcp import mcp_file
from tests.cli.conftest import Command, command  # noqa: F401 - a fixture
from tests.docs.blocks import ROOT, python_blocks
from tests.support import rise_kind
from tradingagents.graph.estimates.estimate import estimate_run
from tradingagents.runtime import registry as runs
from tradingagents.service.tasks import registry as tasks
from tradingagents.settings import load_settings

SUMMARY = "Measure how far the price of a company rose."
CACHED = (runs.built_in_kinds, tasks.built_in_kinds, tasks._installed)


@pytest.fixture
def rise(tmp_path: Path) -> Iterator[Any]:
    """The kind, whose folder is one of the features."""
    with _feature("rise", Path(rise_kind.__file__).read_text("utf-8"), tmp_path):
        yield runs.kind_of("rise")


@contextmanager
def _feature(name: str, declaration: str, place: Path) -> Iterator[None]:
    """Have a folder among the features whose `kind.py` is this."""
    folder = place / "features" / name
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text('"""A feature."""\n')
    (folder / "kind.py").write_text(declaration)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tradingagents.features, "__path__", [*tradingagents.features.__path__, str(folder.parent)])
        _forget()
        yield
    _forget()
    for module in [module for module in sys.modules if module.startswith(f"tradingagents.features.{name}")]:
        del sys.modules[module]


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


def test_a_kind_of_task_in_a_feature_is_a_task_and_a_tool(tmp_path: Path) -> None:
    (block,) = python_blocks(ROOT / "docs" / "guides" / "adding-a-task-kind.md")
    with _feature("ranking", block.text, tmp_path):
        info = tasks.task_kinds().by_name("ranking").info()
        assert (info.summary, set(info.request["properties"])) == (
            "Rank tickers by their return over the last sessions.",
            {"tickers", "sessions"},
        )
        assert "start_ranking" in {tool["name"] for tool in json.loads(mcp_file())["tools"]}
    assert "ranking" not in tasks.task_kinds()


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
