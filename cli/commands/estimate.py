"""`--dry-run`: estimates what a command would cost instead of running it; calls no model and writes nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Annotated

from .. import options

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from tradingagents.graph.estimates.estimate import EstimateRecord, PartEstimate, TotalEstimate

    from ..console import Terminal

DryRun = Annotated[
    bool, options.LIMITS.option("--dry-run", "Estimate the cost by agent and tier and stop; needs no model and no key.")
]
RUN_WORDS = {"trading": ("study of a ticker", "studies of a ticker"), "scan": ("scan of the market",) * 2}


def print_estimate(
    terminal: Terminal, estimate: Callable[[], Awaitable[EstimateRecord]], *, in_any_case: Sequence[str] = ()
) -> int:
    """Make an estimate and print it; return the exit code. Raises what the estimate raises.

    Args:
        terminal: Where it is printed.
        estimate: Makes it.
        in_any_case: Tickers that are studied besides those of a scan; the estimate counts them.
    """
    import asyncio

    with terminal.loading():
        record = asyncio.run(_awaited(estimate))
    if terminal.json:
        named = {"in_any_case": list(in_any_case)} if in_any_case else {}
        terminal.print_json({"status": "estimated", **named, **record.as_json()})
    else:
        for part in record.parts:
            _print_part(terminal.out, part)
        if in_any_case:
            terminal.print_text(f"Studied besides what the scan picks: {', '.join(in_any_case)}")
        _print_total(terminal.out, record)
    return 0


async def _awaited(estimate: Callable[[], Awaitable[EstimateRecord]]) -> EstimateRecord:
    return await estimate()


def _print_part(console: Console, part: PartEstimate) -> None:
    """Print the expected use of one run of a kind, one agent per line."""
    from rich.table import Table
    from rich.text import Text

    from tradingagents.reports import formatting as words

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column("Agent", no_wrap=True)
    table.add_column("Tier", no_wrap=True)
    for name in ("Calls", "Tokens in", "Cached", "Tokens out", "USD"):
        table.add_column(name, justify="right", no_wrap=True)
    for agent in part.agents:
        table.add_row(
            agent.agent,
            Text(agent.tier, style="dim"),
            f"{agent.llm_calls:.3g}",
            *map(words.count, (agent.input_tokens, agent.cached_tokens, agent.output_tokens)),
            words.usd(agent.cost_usd),
        )
    console.print(Text(f"One {RUN_WORDS[part.kind][0]}", style="bold"))
    console.print(table)
    console.print(Text(f"From {part.basis}.", style="dim"), soft_wrap=True)
    console.print()


def _print_total(console: Console, record: EstimateRecord) -> None:
    from rich.text import Text

    from ..layout import add_warnings, labelled

    grid = labelled()
    grid.add_row("Runs", ", ".join(_runs(part) for part in record.parts))
    for tier, total in record.by_tier.items():
        grid.add_row(Text(f"{tier} model", style="dim"), _summed(total))
    grid.add_row("In all", _summed(record.total))
    add_warnings(grid, record.warnings)
    console.print(grid)
    console.print(Text("Nothing was run.", style="dim"))


def _runs(part: PartEstimate) -> str:
    """Return the number of runs of a kind, in words."""
    runs, (single, several) = part.runs, RUN_WORDS[part.kind]
    if runs["low"] == runs["high"]:
        return f"{runs['expected']} {single if runs['expected'] == 1 else several}"
    return f"{runs['low']} to {runs['high']} {several}"


def _summed(total: TotalEstimate) -> Text:
    from rich.text import Text

    from tradingagents.reports import formatting as words

    used = (
        f"{total.llm_calls:,.4g} model calls · {words.count(total.input_tokens)} tokens in"
        f"{' (' + words.count(total.cached_tokens) + ' cached)' if total.cached_tokens else ''} · "
        f"{words.count(total.output_tokens)} out · "
    )
    text = Text.assemble(used, (words.usd(total.cost_usd), "bold"))
    if total.cost_usd:
        text.append(f" (from {words.usd(total.low_usd)} to {words.usd(total.high_usd)})")
    return text
