"""How a command gets its options, and what becomes of an error before it begins."""

from __future__ import annotations

import io
import json
from typing import Annotated, Any

import pytest
import typer
from rich.console import Console
from typer.main import get_command

from cli import options
from cli.command import run_safely, with_options
from cli.console import Terminal
from cli.flags import Flags
from cli.main import app
from tradingagents.errors import BadDate


def terminal(*, json: bool = False) -> Terminal:
    return Terminal(Console(file=io.StringIO()), Console(file=io.StringIO(), width=200), json=json)


def said(console: Console) -> str:
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def test_a_command_gets_its_own_arguments_flags_and_a_terminal():
    seen: dict[str, Any] = {}

    @with_options(options.AUTO)
    def scan(day: Annotated[str, typer.Argument()] = "", *, flags: Flags, terminal: Terminal) -> int:
        """Scan."""
        seen.update(day=day, flags=flags, json=terminal.json, quiet=terminal.quiet)
        return 4

    probe = typer.Typer(add_completion=False)
    probe.command()(scan)
    code = get_command(probe).main(
        ["2025-03-14", "--offline", "--picks", "3", "--no-stream", "-q"], standalone_mode=False
    )
    assert code == 4
    assert seen == {
        "day": "2025-03-14",
        "flags": Flags(offline=True, max_auto_tickers=3, stream_tokens=False),
        "json": False,
        "quiet": True,
    }


def option_names(command: str) -> set[str]:
    group: Any = get_command(app)
    for word in command.split():
        group = group.commands[word]
    return {name for param in group.params for name in param.opts}


def test_each_command_takes_the_options_that_mean_something_to_it():
    scan, auto, watch = map(option_names, ("scan", "auto", "watch run"))
    assert {"--picks", "--deep-model", "--max-llm-calls", "--json"} <= scan & auto
    assert not scan & {"--analysts", "--debate-rounds", "--risk-rounds", "--max-concurrent"}
    assert auto - scan == {
        "--analysts", "--debate-rounds", "--risk-rounds", "--debate-mode", "--max-concurrent", "--portfolio",
        "--conviction", "--fetch-valuation", "--book", "--weights", "--max-positions", "--max-sector", "--max-turnover",
        "--min-cash", "--fractions", "--commission", "--min-commission", "--settle",
    }  # fmt: skip
    assert watch - option_names("analyze") == {"--min-move", "--webhook", "day"}
    assert option_names("watch add") == {"--home", "--json", "--quiet", "-q", "--debug", "tickers"}


def test_an_error_before_the_work_begins_is_a_line_and_to_a_program_an_object():
    def refused() -> int:
        raise BadDate("'x' is not a date; write it as YYYY-MM-DD.")

    where = terminal(json=True)
    assert run_safely(where, {"scan_date": "x"}, refused) == 2
    assert said(where.err) == "error: 'x' is not a date; write it as YYYY-MM-DD.\n"
    assert json.loads(said(where.out)) == {
        "scan_date": "x",
        "status": "failed",
        "error": "'x' is not a date; write it as YYYY-MM-DD.",
        "kind": "BadDate",
        "exit_code": 2,
    }


def test_leaving_before_the_work_begins_is_no_error_of_ours():
    def left() -> int:
        raise KeyboardInterrupt

    where = terminal()
    assert run_safely(where, {}, left) == 130
    assert said(where.err) == "error: Interrupted; nothing was in progress.\n"
    assert said(where.out) == ""


def test_leaving_before_the_work_begins_answers_a_program_too():
    def left() -> int:
        raise KeyboardInterrupt

    where = terminal(json=True)
    assert run_safely(where, {"trade_date": "2025-03-14"}, left) == 130
    assert json.loads(said(where.out)) == {
        "trade_date": "2025-03-14",
        "status": "interrupted",
        "error": "Interrupted; nothing was in progress.",
        "kind": "Interrupted",
        "exit_code": 130,
    }


@pytest.mark.parametrize("panel", ["Models", "Data", "Candidates", "Limits and places", "Output"])
def test_the_help_of_a_scan_has_its_options_in_groups(panel: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        get_command(app)(["scan", "--help"])
    assert f"\n{panel}:\n" in capsys.readouterr().out
