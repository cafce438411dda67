"""`tradingagents runs verify`: compute a run again: a dossier as a whole, a research run's numbers from their cells."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tradingagents.errors import UsageError
from tradingagents.files.regular_files import names_a_file

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

if TYPE_CHECKING:
    from tradingagents.features.dossier.redecide import OtherConclusion

DIFFERS = 5
"""Exit code where a number does not follow, or a dossier was changed."""
MOST_LINES, LONGEST_LINE = 6, 300
"""Lines of a text that differ, and characters of one."""
DOSSIER, OTHER = ".dossier", options.HelpPanel("Another model")


@with_options(options.LIST, lambda given: {"run": given["run"]})
def verify(
    run: Annotated[
        str, typer.Argument(metavar="FILE|RUN", help="A dossier, or the id of a research run or its beginning.")
    ],
    root: Annotated[
        str | None, options.HelpPanel("Dossier").option("--root HASH", "The root hash that the dossier must have.")
    ] = None,
    model: Annotated[
        str | None, OTHER.option("--model MODEL", "Decide again on the dossier's evidence: provider/model, or offline.")
    ] = None,
    backend_url: Annotated[str | None, OTHER.option("--backend-url URL", "Address of that model's server.")] = None,
    budget_usd: Annotated[float | None, OTHER.option("--budget-usd X", "The most that it may cost.")] = None,
    max_llm_calls: Annotated[int | None, OTHER.option("--max-llm-calls N", "The most calls that it may make.")] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Verify a dossier by recomputing its run, or every number of a research run from the cells that it stored.

    A dossier needs no key, no network and no home folder. What was changed, and what comes out differently, is named.
    """
    path = Path(run).expanduser()
    if path.suffix != DOSSIER and not names_a_file(path):
        if model or root:
            raise UsageError(
                f"Only a dossier has a root hash or data to decide on; write one with `tradingagents runs seal {run}`."
            )
        return _verify_numbers(run, flags, terminal)
    if model is None:
        return _verify_dossier(path, root, terminal)
    from tradingagents.features.dossier.redecide import decide_again
    from tradingagents.features.dossier.verify import read_dossier
    from tradingagents.settings import environment

    with terminal.loading():
        again = decide_again(
            read_dossier(path, root=root),
            model,
            environment(),
            backend_url=backend_url,
            budget_usd=budget_usd,
            max_llm_calls=max_llm_calls,
        )
        found = asyncio.run(again)
    if terminal.json:
        terminal.print_json(found.to_json())
    else:
        _print_conclusions(found, terminal)
    return 0


def _verify_dossier(path: Path, root: str | None, terminal: Terminal) -> int:
    from tradingagents.features.dossier.verify import verify_dossier

    from ..text import clean

    with terminal.loading():
        found = asyncio.run(verify_dossier(path, root=root))
    code = 0 if found.sound else DIFFERS
    if terminal.json:
        terminal.print_json(found.to_json())
        return code
    for problem in found.problems:
        terminal.print_text(clean(str(problem)))
    if found.sound:
        told = f"{found.run_id}: {found.entries} entries unchanged; the run gives the same card and report."
    elif not found.recomputed:
        told = f"{path}: the file was changed; the run was not recomputed."
    else:
        told = f"{found.run_id}: {found.entries} entries unchanged, but the run comes out differently."
    terminal.print_text(told)
    terminal.print_text(f"Root hash {found.root}")
    return code


def _verify_numbers(run: str, flags: Flags, terminal: Terminal) -> int:
    from tradingagents.features.research.verify import verify_research
    from tradingagents.runtime.runs.run_index import RunIndex

    from ..text import clean

    found = verify_research(RunIndex(read_both(flags)[0].home_dir).find(run).card() or {})
    code = 0 if found.sound else DIFFERS
    if terminal.json:
        terminal.print_json(found.to_json())
        return code
    for problem in found.problems:
        terminal.print_text(clean(str(problem)))
    verdict = "every number follows" if found.sound else f"{len(found.problems)} do not follow"
    told = f"{found.run_id}: {found.figures} figures and {found.numbers} numbers of the answer verified; {verdict}."
    terminal.print_text(told)
    return code


def _cell(value: object, other: object) -> str:
    """Return a value; of a long text the lines that the other one lacks, or the first where they are equal."""
    from ..text import one_line

    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    lines = [one_line(line) for line in str(value).splitlines() if line.strip()]
    if len(lines) < 2:
        return one_line(str(value))[:LONGEST_LINE]
    known = {one_line(line) for line in str(other).splitlines()}
    new = [line for line in lines if line not in known] or lines[:1]
    more = [f"({len(new) - MOST_LINES} more lines; --json has all)"] if len(new) > MOST_LINES else []
    return "\n".join([*(line[:LONGEST_LINE] for line in new[:MOST_LINES]), *more])


def _print_conclusions(found: OtherConclusion, terminal: Terminal) -> None:
    from rich.table import Table
    from rich.text import Text

    from ..text import one_line

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    for name in ("", "Sealed", found.model):
        table.add_column(one_line(name), overflow="fold")
    for name in found.names:
        value, other = found.sealed.get(name), found.other.get(name)
        style = "bold" if name in found.differing else ""
        table.add_row(one_line(name), Text(_cell(value, other)), Text(_cell(other, value), style=style))
    terminal.out.print(table)
    cost = "" if found.cost_usd is None else f", {found.cost_usd:.4f} USD"
    by = "decided by rules" if found.model.startswith("offline/") else f"{found.llm_calls} model calls{cost}"
    told = f"{len(found.differing)} of {len(found.names)} differ; {by}."
    terminal.print_text(told)
    if found.not_held:
        missing = f"The dossier holds no answer to {len(found.not_held)} requests of this model, such as "
        terminal.print_text(f"{missing}{one_line(found.not_held[0])}.")
    if found.own_searches:
        told = f"Its {len(found.own_searches)} other searches in filings read only the pages that the dossier holds."
        terminal.print_text(told)
