"""Groups of commands that are imported when they are used, and plain help with options in panels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.main import get_command

from tradingagents.errors import UsageError
from tradingagents.files.regular_files import names_a_file


@dataclass(frozen=True)
class CommandEntry:
    """A command as its group lists it."""

    target: str
    """Where it is, as `module:name` in `cli.commands`: a command's function, or a `typer.Typer`."""
    summary: str
    """First paragraph of its help, for the list of commands; a test compares both."""
    epilog: str | None = None
    """Last line of a function's help: its exit codes."""
    kinds: tuple[str, ...] = ()
    """Modules of the kinds that it starts, besides the target's."""

    def load(self, name: str) -> Any:
        """Import the command and return it for Typer to run."""
        found = self.found()
        if not isinstance(found, typer.Typer):
            alone = typer.Typer(add_completion=False, rich_markup_mode=None)
            alone.command(name, cls=GroupedCommand, epilog=self.epilog)(found)
            found = alone
        return get_command(found)

    def found(self) -> Any:
        """Import what the target names."""
        module, _, attribute = self.target.partition(":")
        return getattr(import_module(f"{__package__}.commands.{module}"), attribute)


@dataclass(frozen=True)
class KindEntry(CommandEntry):
    """The command of a kind of run, which is made of its declaration.

    The target is the kind's module and its name, or `:` and the name for one of an installed package.
    """

    def found(self) -> Any:
        """Import the kind and make its command."""
        from tradingagents.runtime.registry import kind_of, kinds_in

        from .run_command import command_of

        module, _, name = self.target.partition(":")
        return command_of(next(kind for kind in kinds_in(module) if kind.name == name) if module else kind_of(name))


def command_group(
    help_text: str, entries: Mapping[str, CommandEntry] | None = None, *, default: str | None = None
) -> typer.Typer:
    """Return a group of commands; without a subcommand it prints its help and ends with 2.

    Args:
        entries: Commands to import when they are used, by name. Others are registered with `@group.command`.
        default: The command that is meant where the first argument is an option and not a command.
    """
    group = typer.Typer(
        cls=group_class(entries or {}, default),
        help=help_text,
        add_completion=False,
        rich_markup_mode=None,
        no_args_is_help=False,
    )

    @group.callback(invoke_without_command=True, help=help_text)
    def bare(context: typer.Context) -> None:
        """Print the help if no command is given."""
        if context.invoked_subcommand is None:
            typer.echo(context.get_help(), err=True)
            raise typer.Exit(UsageError.exit_code)

    return group


def group_class(
    entries: Mapping[str, CommandEntry],
    default: str | None = None,
    further: Callable[[], Mapping[str, CommandEntry]] = dict,
) -> type[TyperGroup]:
    """Return the class of a group that has these commands, for `typer.Typer(cls=...)`.

    Args:
        entries: The commands, by name.
        default: The command that is meant where the first argument is an option and not a command.
        further: Finds commands that are not in the table, when all are listed or one is not in it.
    """

    class EntriesGroup(LazyGroup):
        """The group of these entries."""

        table = entries
        meant = default
        find_further = staticmethod(further)

    return EntriesGroup


class LazyGroup(TyperGroup):
    """A group that imports a command when it is used; its help lists the summaries of the table."""

    table: Mapping[str, CommandEntry] = {}
    find_further: Callable[[], Mapping[str, CommandEntry]] = staticmethod(dict)
    meant: str | None = None
    """The command of arguments that begin with an option."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = _LoadedCommands(self.table, self.commands, self.find_further)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; those that begin with an option other than `--help` are of the default command."""
        option = bool(args) and args[0].startswith("-") and args[0] not in ctx.help_option_names
        return super().parse_args(ctx, [self.meant, *args] if self.meant is not None and option else args)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - Typer's signature
        """Return the names, those of the table first, without importing a command."""
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002 - Typer's signature
        """Return a command, or None if there is none of that name."""
        if cmd_name not in self.commands:
            return None
        return self.commands[cmd_name]  # an error of its import must not look like an unknown command

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands with the summaries of the table."""
        names = self.list_commands(ctx)
        limit = formatter.width - 6 - max(map(len, names), default=0)
        shown = ((name, self._listed(name)) for name in names)
        rows = [(name, command.get_short_help_str(limit)) for name, command in shown if not command.hidden]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)

    def _listed(self, name: str) -> Any:
        entry = cast(_LoadedCommands, self.commands).entries.get(name)
        return self.commands[name] if entry is None else TyperCommand(name, help=entry.summary)


class _LoadedCommands(MutableMapping[str, Any]):
    """The commands of a group by name; one of the table is imported when it is read."""

    def __init__(
        self,
        table: Mapping[str, CommandEntry],
        registered: Mapping[str, Any],
        find_further: Callable[[], Mapping[str, CommandEntry]],
    ) -> None:
        self._commands: dict[str, Any] = {**table, **registered}
        self._table, self._find_further = table, find_further

    @cached_property
    def entries(self) -> Mapping[str, CommandEntry]:
        """The commands that are imported when they are used, those of no table last."""
        further = {name: entry for name, entry in self._find_further().items() if name not in self._commands}
        self._commands |= further
        return {**self._table, **further}

    def __getitem__(self, name: str) -> Any:
        found = self._commands[name]
        if isinstance(found, CommandEntry):
            found = self._commands[name] = found.load(name)
        return found

    def __setitem__(self, name: str, command: Any) -> None:
        self._commands[name] = command

    def __delitem__(self, name: str) -> None:
        del self._commands[name]

    def __iter__(self) -> Iterator[str]:
        return iter((*self.entries, *(name for name in self._commands if name not in self.entries)))

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __contains__(self, name: object) -> bool:
        return name in self._commands or name in self.entries


def exit_codes(*, five: str = "no decision or model failure", several: bool = True, approval: bool = True) -> str:
    """Return the meaning of a command's exit codes, for the end of its help.

    Args:
        five: Meaning of code 5.
        several: Whether it analyzes multiple tickers, each with its own code.
        approval: Whether it can end with a decision that awaits approval.
    """
    known = {
        0: "done",
        2: "usage",
        3: "configuration",
        4: "data unavailable",
        5: five,
        6: "budget reached",
        7: "awaits approval",
    }
    if not approval:
        del known[7]
    codes = " · ".join(f"{code} {meaning}" for code, meaning in {**known, 130: "interrupted"}.items())
    which = "; of multiple tickers, the first that did not end in a decision" if several else ""
    return f"Exit codes: {codes}{which}."


_ORDER = ("Arguments", "Run", "Candidates", "Changes", "Models", "Data", "Graph", "Limits and places", "Output", "Help")
"""Panels in order of importance; panels of a single command come before the models."""
_ALONE = _ORDER.index("Models")


MEANT: Mapping[str, str] = {"--book": "stored"}
"""Options whose value may be left out, with what is meant then."""
_FILES = (".csv", ".tsv", ".txt", ".json", ".xlsx")


def with_meant_values(args: Sequence[str]) -> list[str]:
    """Return arguments in which an option of `MEANT` that no file follows has the value that is meant."""
    found: list[str] = []
    for place, word in enumerate(args):
        named = args[place + 1] if place + 1 < len(args) else ""
        file = not named.startswith("-") and (named.lower().endswith(_FILES) or names_a_file(Path(named)))
        found.append(f"{word}={MEANT[word]}" if word in MEANT and not file else word)
    return found


class GroupedCommand(TyperCommand):
    """A command whose help groups its options by panel."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments, of which some options may stand without a value."""
        return super().parse_args(ctx, with_meant_values(args))

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return the usage line, with the arguments as they should be written."""
        arguments = (param for param in self.get_params(ctx) if isinstance(param, TyperArgument))
        return [self.options_metavar or "", *(argument.metavar or argument.name or "" for argument in arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write one section per panel, in the order that all commands share."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            if isinstance(param, TyperArgument):
                panels.setdefault("Arguments", []).append((param.metavar or "", param.help or ""))
            elif record := param.get_help_record(ctx):
                panels.setdefault(getattr(param, "rich_help_panel", None) or "Help", []).append(record)
        for name, rows in sorted(panels.items(), key=lambda panel: _place(panel[0])):
            with formatter.section(name):
                formatter.write_dl(rows)


def _place(panel: str) -> float:
    return _ORDER.index(panel) if panel in _ORDER else _ALONE - 0.5
