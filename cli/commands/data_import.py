"""`tradingagents data import`: imports a table into a snapshot folder."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tradingagents.errors import UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags
from ..text import clean, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tradingagents.dataflows.snapshots.importing import Imported

IMPORT = options.HelpPanel("Import")
_SHOWN = 20

Kind = Literal["prices", "statements", "news", "insiders", "actions", "profiles"]
Basis = Literal["split_adjusted", "fully_adjusted", "index"]
Decimal = Literal["point", "comma"]


@with_options(
    options.OUTPUT, lambda given: {"file": str(given["file"]), "folder": str(given["out"]), "kind": given["kind"]}
)
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .csv or .parquet file.", show_default=False)],
    out: Annotated[Path, IMPORT.option("--out DIR", "A new folder, or a snapshot to add to.")],
    kind: Annotated[Kind, IMPORT.option("--kind", "What the file holds.")],
    symbol: Annotated[str | None, IMPORT.option("--symbol S", "Symbol, if there is no such column.")] = None,
    columns: Annotated[
        str | None, IMPORT.option("--map OURS=THEIRS,...", "Names of columns that are not recognized.")
    ] = None,
    constant: Annotated[
        str | None, IMPORT.option("--set OURS=VALUE,...", "Values of columns that the file lacks: statement=income.")
    ] = None,
    decimal: Annotated[
        Decimal | None, IMPORT.option("--decimal", "Decimal sign, where the file's numbers do not tell it.")
    ] = None,
    basis: Annotated[
        Basis, IMPORT.option("--basis", "How prices are adjusted, without a column basis; ^ symbols are indices.")
    ] = "split_adjusted",
    no_splits: Annotated[bool, IMPORT.option("--no-splits", "None of the symbols was ever split.")] = False,
    *,
    flags: Flags,  # noqa: ARG001 - every command is given them
    terminal: Terminal,
) -> int:
    """Import prices, statements, news, trades, actions or profiles from a file into a snapshot folder.

    Imports all rows or none: faulty ones are listed by line. A new row replaces the folder's row with the same key.
    """
    from tradingagents.dataflows.snapshots.columns import TableTerms, UnusableFile
    from tradingagents.dataflows.snapshots.importing import import_file

    try:
        terms = TableTerms(
            symbol=symbol,
            named=_pairs(columns, "--map", "close=Last,volume=Vol"),
            constant=_pairs(constant, "--set", "statement=income,period=annual"),
            decimal=decimal,
        )
        done = import_file(file, out.absolute(), kind, terms, basis=basis, no_splits=no_splits)
    except UnusableFile as error:
        for problem in error.problems[:_SHOWN]:
            terminal.err.print(one_line(problem), markup=False, soft_wrap=True)
        if len(error.problems) > _SHOWN:
            terminal.err.print(f"... and {len(error.problems) - _SHOWN} more.", markup=False)
        raise
    _print(done, terminal)
    return 0


def _pairs(text: str | None, flag: str, example: str) -> dict[str, str]:
    """Parse `ours=theirs,ours=theirs`.

    Raises:
        UsageError: A part isn't a pair.
    """
    parts = [part.partition("=") for part in (text or "").split(",") if part.strip()]
    if not all(equals and ours.strip() and theirs.strip() for ours, equals, theirs in parts):
        raise UsageError(f"{flag} {text!r} is not understood; write it as {example}.")
    return {ours.strip().lower(): theirs.strip() for ours, _, theirs in parts}


def _print(done: Imported, terminal: Terminal) -> None:
    if terminal.json:
        terminal.print_json({**asdict(done), "folder": str(done.folder), "status": "done"})
    elif not terminal.quiet:
        names = _some(done.symbols)
        window = f" from {done.first} to {done.last}" if done.first else ""
        lines = [f"Imported {done.rows} rows of {done.kind}{window} for {names} into {done.folder}."]
        lines += [f"{done.repeated} duplicate rows in the file were skipped."] if done.repeated else []
        lines += [f"Rows without any value were left out: {_some(done.empty)}."] if done.empty else []
        lines += [f"{done.replaced} rows of the folder were replaced."] if done.replaced else []
        lines += [f"{written} is stored as {kept}." for written, kept in list(done.respelled.items())[:_SHOWN]]
        lines += [f"Imported as indices: {', '.join(done.indices)}."] if done.indices else []
        if not done.splits_listed:
            lines.append(
                "The folder lists no splits, so its prices are not known to be as traded: import the splits with "
                "--kind actions, or a column split beside the prices, or say --no-splits."
            )
        lines += done.doubts
        lines.append(f"Check it: tradingagents data check {done.folder}")
        terminal.print_text(clean("\n".join(lines)))


def _some(names: Sequence[str]) -> str:
    """Return the first few of some names, and how many more there are."""
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
