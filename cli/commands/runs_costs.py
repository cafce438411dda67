"""`tradingagents runs costs`: use and cost of model calls over all runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from .runs_list import WHICH, Since, days

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.runtime.runs.run_costs import CostRecord, CostRow

By = Literal["agent", "tier", "ticker", "day", "model", "run"]


@with_options(options.LIST)
def costs(
    by: Annotated[By, WHICH.option("--by", "What to group the calls by.", show_default=True)] = "day",
    since: Since = None,
    until: Annotated[
        str | None, WHICH.option("--until DATE", "Only runs that began on this day or earlier, UTC.")
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Sum use and cost of model calls over analyses and scans, including unfinished ones."""
    from tradingagents.runtime.runs.run_costs import costs as added_up
    from tradingagents.runtime.runs.run_index import RunIndex

    first, last = days(since, until)
    record = added_up(RunIndex(read_both(flags)[0].home_dir), by, since=first, until=last)
    if terminal.json:
        terminal.print_json(record.as_json())
    else:
        print_costs(terminal.out, record)
    return 0


def print_costs(console: Console, record: CostRecord) -> None:
    """Print one row per group, then the total."""
    from rich.table import Table
    from rich.text import Text

    from ..text import one_line, with_flags

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column(record.by.capitalize(), overflow="fold")
    for name in ("Runs", "Calls", "Tokens in", "Cached", "Tokens out", "USD"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in record.groups:
        table.add_row(Text(one_line(row.name)), *_cells(row))
    table.add_row(Text("Total", style="bold"), *_cells(record.total))
    console.print(table)
    total = record.total
    if total.unpriced_calls:
        open_calls = f"{total.unpriced_calls} of {total.llm_calls} calls"
        said = f"The cost of {open_calls} is not known: + marks sums without it."
        console.print(Text(said, style="yellow"), soft_wrap=True)
    for warning in record.warnings:
        console.print(Text.assemble(("Warning ", "yellow"), one_line(with_flags(warning))), soft_wrap=True)


def _cells(row: CostRow) -> tuple[str, ...]:
    from tradingagents.reports import formatting as words

    more = "+" if row.unpriced_calls else ""
    counts = (row.runs, row.llm_calls, row.input_tokens, row.cached_tokens, row.output_tokens)
    return (*map(words.count, counts), f"{words.usd(row.priced_usd)}{more}")
