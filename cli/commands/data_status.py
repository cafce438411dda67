"""`tradingagents data status`: cached answers by vendor, their hit rate, and how much of each rate limit is used."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

from tradingagents.errors import SettingsError, UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, check_vendor, read_both

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from tradingagents.dataflows.gateway.cache_stats import DataStatus

EVERYTHING = "all"
_AGES = ((86400, "d"), (3600, "h"), (60, "min"))


@with_options(options.LIST)
def status(
    clear: Annotated[
        str | None,
        options.HelpPanel("Cache").option(
            "--clear VENDOR", "First remove one vendor's answers from the cache, or all."
        ),
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Show cached answers, their dates and hits, and the requests of the last hour and day."""
    from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache
    from tradingagents.dataflows.gateway.cache_stats import data_status

    settings, _ = read_both(flags)
    removed = None
    if clear is not None:
        try:
            check_vendor(None if clear == EVERYTHING else clear)
        except SettingsError as error:
            raise UsageError(str(error)) from None
        removed = DiskCache(settings.home_dir / CACHE_FILE).clear(None if clear == EVERYTHING else clear)
    found = data_status(settings)
    if terminal.json:
        terminal.print_json({**found.to_json(), **({} if removed is None else {"removed": removed})})
    else:
        if removed is not None:
            terminal.out.print(f"Removed {removed} answers of {'every vendor' if clear == EVERYTHING else clear}.\n")
        print_status(terminal.out, found, now=datetime.now(UTC))
    return 0


def print_status(console: Console, found: DataStatus, *, now: datetime) -> None:
    """Print a table for each vendor."""
    from rich.text import Text

    if found.kinds:
        console.print(Text(f"Cache, {_bytes(found.size)}"), soft_wrap=True)
        console.print(Text(str(found.path), style="dim"), soft_wrap=True)
        for vendor, kinds in groupby(found.kinds, key=lambda kind: kind.vendor):
            table = _table(vendor, "Answers", "Size", "Oldest", "Newest", "Served")
            for kind in kinds:
                served = "" if kind.hit_rate is None else f"{kind.hit_rate:.0%} of {kind.hits + kind.misses}"
                table.add_row(
                    kind.method,
                    str(kind.entries),
                    _bytes(kind.size),
                    _age(kind.oldest, now),
                    _age(kind.newest, now),
                    served,
                )
            console.print()
            console.print(table)
    else:
        console.print(Text(f"Nothing is cached yet in {found.path}."), soft_wrap=True)
    console.print()
    table = _table("Requests sent", "Last hour", "Last day", "Of the rate limits")
    for usage in found.requests:
        rates = ", ".join(f"{used} of {rate}" for rate, used in usage.rates)
        table.add_row(usage.vendor, str(usage.last_hour), str(usage.last_day), rates)
    console.print(table)


def _table(first: str, *others: str) -> Table:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column(first, no_wrap=True)
    for name in others:
        table.add_column(name, justify="right", no_wrap=True, vertical="bottom")
    return table


def _bytes(size: int) -> str:
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.0f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def _age(instant: datetime | None, now: datetime) -> str:
    if instant is None:
        return ""
    seconds = max(0.0, (now - instant).total_seconds())
    return next((f"{seconds / length:.0f} {unit}" for length, unit in _AGES if seconds >= length), f"{seconds:.0f} s")
