"""The page of the command line: the help of every command, as it prints it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from cli.chat.commands import COMMANDS
from cli.main import app
from pages.markdown import code, page, table

WIDTH = 100
"""Columns the help is wrapped at, whatever terminal the generator runs in."""
INTRODUCTION = """
Progress and errors go to stderr, the result to stdout: as text for people, or with `--json` as the JSON that the
[run folder](run-folder.md) keeps, one object a line for each ticker of `analyze` and one object for the other
commands. Settings without a flag are set by [variables](configuration.md).
"""
CHAT = """
## Commands of a conversation

Lines that begin with a slash within `tradingagents chat`; see [the guide](../guides/chat.md).
"""


def cli_page() -> str:
    """Return the page."""
    root = get_command(app)
    context = root.make_context("tradingagents", [], resilient_parsing=True, terminal_width=WIDTH)
    commands = _commands(root, context, "##")
    return page("Command line", INTRODUCTION, _block(context.get_help()), *commands, CHAT, _chat_table())


def _chat_table() -> str:
    return table(("command", "what it does"), [(code([one.usage]), one.help) for one in COMMANDS])


def _commands(group: Any, context: Any, mark: str) -> Iterator[str]:
    """Yield heading and help of every command of a group, those of the groups in it below them."""
    for name, command in getattr(group, "commands", {}).items():
        own = command.make_context(name, [], parent=context, resilient_parsing=True, terminal_width=WIDTH)
        yield f"{mark} {own.command_path}"
        yield _block(own.get_help())
        yield from _commands(command, own, f"{mark}#")


def _block(text: str) -> str:
    return f"```text\n{text.strip()}\n```"
