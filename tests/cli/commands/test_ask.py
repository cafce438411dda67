"""`tradingagents ask`: the list, the help of a capability, answers as Markdown and JSON, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tradingagents.capabilities.registry import built_in

OFFLINE = ("--offline", "--as-of", "2025-03-14")


@pytest.fixture
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "own"
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(home))
    return home


def test_without_a_capability_all_are_listed(command: Command):
    outcome = command("ask", "--json")
    assert outcome.code == 0
    assert set(json.loads(outcome.out)["capabilities"]) == set(built_in())
    assert "get_fundamentals" in command("ask").out


def test_the_help_of_a_capability_is_its_declaration(command: Command):
    outcome = command("ask", "get_fundamentals", "--help")
    assert outcome.code == 0
    assert "ticker (text; required)" in outcome.out
    assert "Answers with Fundamentals" in outcome.out
    assert "get_stock_data: yfinance" in outcome.out


def test_an_answer_is_the_markdown_of_the_result(command: Command, own_home: Path):
    outcome = command("ask", "get_fundamentals", "ticker=VELQ", *OFFLINE)
    assert outcome.code == 0
    assert outcome.out.startswith("## Fundamentals: Veltrane Systems (VELQ)\n\n(source simulated, as of 2025-03-14")


def test_json_is_one_object_with_figures_result_and_markdown(command: Command, own_home: Path):
    outcome = command("ask", "economic", "indicator=10y", *OFFLINE, "--json")
    assert outcome.code == 0
    answered = json.loads(outcome.out)
    assert (answered["capability"], answered["as_of"]) == ("get_macro_indicators", "2025-03-14")
    assert answered["figures"]
    assert answered["markdown"].startswith("## ")
    assert answered["result"]["source"] == "simulated"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("get_fundamentals", "tickr=VELQ"), "get_fundamentals takes ticker, curr_date."),
        (("get_fundamentals",), "get_fundamentals needs ticker"),
        (("get_fundamentals", "VELQ"), "write NAME=VALUE"),
        (("no_such_thing",), "There is no tool"),
        (("no_such_thing", "--help"), "There is no tool"),
        (("get_fundamentals", "ticker=VELQ", "--as-of", "soon"), "is not a date"),
    ],
)
def test_what_cannot_be_asked_exits_with_2(command: Command, own_home: Path, words: tuple[str, ...], message: str):
    outcome = command("ask", *words, "--offline")
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.out == ""


def test_nothing_is_written_outside_the_home(command: Command, own_home: Path, tmp_path: Path):
    before = {path for path in tmp_path.rglob("*") if own_home not in (path, *path.parents)}
    assert command("ask", "get_macro_regime", *OFFLINE).code == 0
    assert {path for path in tmp_path.rglob("*") if own_home not in (path, *path.parents)} == before


def test_a_chart_is_drawn_into_the_home(command: Command, own_home: Path):
    outcome = command("ask", "open_chart", "symbols=VELQ,SPY", *OFFLINE, "--json")
    assert outcome.code == 0
    files = [Path(path) for path in json.loads(outcome.out)["result"]["files"]]
    assert [path.suffix for path in files] == [".html", ".png"]
    assert all(path.parent == own_home / "charts" and path.is_file() for path in files)


def test_the_stored_watch_list_is_shown(command: Command, own_home: Path):
    assert command("watch", "add", "TWRZ", "VELQ").code == 0
    outcome = command("ask", "watchlist", *OFFLINE)
    assert outcome.code == 0
    assert outcome.out.index("| TWRZ |") < outcome.out.index("| VELQ |")
    assert "Last decision" in outcome.out
