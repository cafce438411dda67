"""The page of the command line: the help of every command, as it prints it."""

from __future__ import annotations

from typing import Any

from typer.main import get_command

from cli.main import app
from pages.markdown import page

WIDTH = 100
"""Columns the help is wrapped at, whatever terminal the generator runs in."""
INTRODUCTION = """
Progress and errors go to stderr, the result to stdout: as text for people, or with `--json` one object a line, which
is the card described under [run folder](run-folder.md). Settings without a flag are set by
[variables](configuration.md).
"""


def cli_page() -> str:
    """Return the page."""
    root = get_command(app)
    context = root.make_context("tradingagents", [], resilient_parsing=True, terminal_width=WIDTH)
    commands: dict[str, Any] = getattr(root, "commands", {})
    parts = [_block(context.get_help())]
    for name, command in commands.items():
        own = command.make_context(name, [], parent=context, resilient_parsing=True, terminal_width=WIDTH)
        parts += [f"## {context.info_name} {name}", _block(own.get_help())]
    return page("Command line", INTRODUCTION, *parts)


def _block(text: str) -> str:
    return f"```text\n{text.strip()}\n```"
