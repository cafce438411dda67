"""Commands are imported when they are used, and their groups list them truly."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from cli.groups import CommandEntry, LazyGroup, command_group, with_meant_values
from cli.main import app, run

PROBE = """
import sys
from cli.main import run
run({arguments})
print(*sorted(name for name in sys.modules if name.startswith("cli.commands.")), file=sys.stderr)
"""


def groups() -> Iterator[tuple[str, Any]]:
    root: Any = get_command(app)
    yield "tradingagents", root
    yield from ((name, command) for name, command in root.commands.items() if isinstance(command, LazyGroup))


@pytest.mark.parametrize(("name", "group"), [pytest.param(*pair, id=pair[0]) for pair in groups()])
def test_the_summary_of_each_command_is_the_first_sentence_of_its_help(name: str, group: Any):
    listed = {entry: one.summary for entry, one in group.table.items()}
    assert listed == {entry: group.commands[entry].get_short_help_str(1000) for entry in group.table}, name


@pytest.mark.parametrize(
    ("arguments", "imported"),
    [
        (["--help"], set()),
        (["runs", "--help"], {"runs"}),
        (["runs", "export", "--help"], {"runs", "runs_export"}),
    ],
)
def test_only_the_modules_of_the_command_that_is_used_are_imported(arguments: list[str], imported: set[str]):
    code = PROBE.format(arguments=arguments)
    ended = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=120)
    assert set(ended.stderr.split()) == {f"cli.commands.{name}" for name in imported}


def test_an_unknown_command_is_refused_with_the_nearest_one(capsys: pytest.CaptureFixture[str]):
    assert run(["analize"]) == 2
    assert "No such command 'analize'. Did you mean 'analyze'?" in capsys.readouterr().err
    assert run(["runs", "shw"]) == 2
    assert "Did you mean 'show'?" in capsys.readouterr().err


def test_a_group_lists_what_its_table_names_before_what_is_registered_and_imports_neither():
    group = command_group("Manage things.", {"lost": CommandEntry("no_such_module:lost", "Find what was lost.")})

    @group.command("found")
    def found() -> None:
        """Say what was found."""

    shown = CliRunner().invoke(group, ["--help"]).output
    assert shown.index("lost   Find what was lost.") < shown.index("found  Say what was found.")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        CliRunner().invoke(group, ["lost"], catch_exceptions=False)


def test_a_group_takes_options_for_its_default_command_and_nothing_else(capsys: pytest.CaptureFixture[str]):
    assert run(["backtest"]) == 2
    assert "Commands:" in capsys.readouterr().err
    assert run(["backtest", "--end", "2025-01-02"]) == 2
    assert "Missing option '--tickers'" in capsys.readouterr().err
    assert run(["backtest", "--help"]) == 0
    assert "decide" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (["AAPL", "--book"], ["AAPL", "--book=stored"]),
        (["--book", "AAPL"], ["--book=stored", "AAPL"]),
        (["AAPL", "--book", "2025-03-14"], ["AAPL", "--book=stored", "2025-03-14"]),
        (["--book", "--json"], ["--book=stored", "--json"]),
        (["--book", "positions.csv", "AAPL"], ["--book", "positions.csv", "AAPL"]),
        (["--book", "A.XLSX"], ["--book", "A.XLSX"]),
        (["--book=x"], ["--book=x"]),
    ],
)
def test_an_option_may_stand_without_its_value(given: list[str], read: list[str]):
    assert with_meant_values(given) == read
