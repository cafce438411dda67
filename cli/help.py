"""Help with grouped options, as plain text: rendering it with Rich would take as long as everything else."""

from __future__ import annotations

from typing import Any

from typer.core import TyperArgument, TyperCommand


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


class GroupedCommand(TyperCommand):
    """A command whose help groups its options by panel."""

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
