"""The pages of the command line: a table of commands and options, and the whole help of every command."""

from __future__ import annotations

from collections import Counter, defaultdict
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
[run folder](../reference/run-folder.md) stores, one object a line for each ticker of `analyze` and one object for the
other commands. Settings without a flag are set by [variables](../reference/configuration.md).
"""
EXIT_CODES = """
## Exit codes

| code | meaning |
| --- | --- |
| 0 | done: a decision for every ticker |
| 2, 3 | the command is wrong; the set-up is wrong (a key, a folder, a variable) |
| 4 | data are unavailable: no prices of this ticker for this day |
| 5 | no decision, or no usable answer of the model |
| 6 | the budget is used up |
| 7 | a decision awaits approval |
| 130 | interrupted |

An error is one line on stderr that ends with what to do.
"""
TABLE_WORDS = """
`tradingagents COMMAND --help` explains each option. `make docs` writes the help of all commands to `docs/build/cli.md`.
"""
COMMON_WORDS = """
## Common options

More than eight commands take each of these, in these words or similar ones.
"""
CHAT = """
## Commands of a conversation

Lines that begin with a slash within `tradingagents chat`; see [the guide](../guides/chat.md).
"""


def cli_table_page() -> str:
    """Return the compact page: what each command does, and the names of its options."""
    commands = dict(_runnable(get_command(app), ""))
    meanings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for command in commands.values():
        for option, meaning in _options(command).items():
            meanings[option][meaning] += 1
    common = {option: said.most_common(1)[0][0] for option, said in meanings.items() if said.total() > 8}
    rows = (
        [f"`{name}`", _summary(command), code(option for option in _options(command) if option not in common)]
        for name, command in commands.items()
    )
    return page(
        "Command line",
        INTRODUCTION,
        TABLE_WORDS,
        "## Commands",
        table(("command", "what it does", "options of its own"), rows),
        COMMON_WORDS,
        table(("option", "meaning"), ([f"`{option}`", meaning] for option, meaning in common.items())),
        EXIT_CODES,
        CHAT,
        _chat_table(),
    )


def cli_page() -> str:
    """Return the complete page: the help of every command, as it prints it."""
    root = get_command(app)
    context = root.make_context("tradingagents", [], resilient_parsing=True, terminal_width=WIDTH)
    commands = _commands(root, context, "##")
    return page("Command line", INTRODUCTION, _block(context.get_help()), *commands, CHAT, _chat_table())


def _runnable(group: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield every command that is no group, by what is typed after `tradingagents`."""
    for name, command in getattr(group, "commands", {}).items():
        typed = f"{path} {name}".strip()
        if getattr(command, "commands", None):
            yield from _runnable(command, typed)
        else:
            yield typed, command


def _summary(command: Any) -> str:
    return " ".join((command.help or "").partition("\n\n")[0].split())


def _options(command: Any) -> dict[str, str]:
    """Return the long names of a command's options, with what each means."""
    options = (one for one in command.params if one.param_type_name == "option" and not one.hidden)
    return {max(one.opts, key=len): one.help or "" for one in options}


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
