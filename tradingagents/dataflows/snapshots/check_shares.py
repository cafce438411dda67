"""Check that share counts, splits and window of a snapshot agree; mismatches distort valuations."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from tradingagents.dataflows.gateway.checks.share_jumps import count_jumps
from tradingagents.dataflows.gateway.share_basis import is_share_split, local_day, statement_in_shares_of
from tradingagents.dataflows.models import Split, Statement
from tradingagents.dataflows.snapshots.findings import CheckFindings
from tradingagents.dataflows.vendors.snapshot.prices import Actions

ACTIONS, PRICES, STATEMENTS = "actions.csv", "prices.parquet", "statements.jsonl.gz"
EARLY = timedelta(days=30)
"""Prices that end this long before the window's last day are reported."""

Spans = Mapping[str, tuple[date, date]]
"""First and last day with a price, by symbol."""


def check_shares(
    statements: Mapping[str, Sequence[Statement]], actions: Mapping[str, Actions], spans: Spans, found: CheckFindings
) -> None:
    """Find share counts that jump like a split missing from `actions.csv`, for companies with prices.

    Splits before the first price need not be listed: statements filed before it are skipped.

    Args:
        statements: By symbol.
        actions: By symbol.
        spans: Of the prices.
        found: Collects the faults.
    """
    for symbol, rows in sorted(statements.items()):
        if symbol not in spans:
            continue
        splits = actions.get(symbol, Actions()).splits
        for source in _sources(rows, spans[symbol][0]):
            brought = _in_shares_of_the_last(source, splits)
            for jump in count_jumps(brought):
                found.error(
                    STATEMENTS,
                    f"share counts that jump like a split which {ACTIONS} lacks, so that valuations are wrong by it"
                    if jump.like_a_split
                    else "share counts that jump further than any split: one of the two is in another unit",
                    f"{symbol} {jump.words} between {jump.from_day} and {jump.to_day}",
                )


def check_spans(actions: Mapping[str, Actions], spans: Spans, last: date, recorded: date, found: CheckFindings) -> None:
    """Find prices that end long before the window, and splits listed after it.

    An index that ends early is a warning: nothing is traded in it. A split after the window is an error unless the
    folder was recorded after it, when sources had adjusted their prices for it.

    Args:
        actions: By symbol.
        spans: Of the prices.
        last: Last day of the window.
        recorded: The day on which the folder was recorded.
        found: Collects the faults.
    """
    for symbol, (_, newest) in sorted(spans.items()):
        if last - newest > EARLY:
            report = found.warn if symbol.startswith("^") else found.error
            report(PRICES, f"prices that end more than {EARLY.days} days before {last}", f"{symbol} {newest}")
    for symbol, one in sorted(actions.items()):
        if symbol not in spans:
            continue
        for split in one.splits:
            if split.day > max(last, spans[symbol][1]) and is_share_split(split):
                report = found.warn if recorded >= split.day else found.error
                report(
                    ACTIONS,
                    "splits after the window's last day: unless the prices are adjusted for them, all prices are shown "
                    "wrong by their ratio",
                    f"{symbol} {split.ratio:g} for 1 on {split.day}",
                )


def _sources(rows: Iterable[Statement], first: date) -> Iterable[list[Statement]]:
    """Yield the income statements by source, frequency and share basis, newest first, filed from `first` on."""
    groups: dict[tuple[str, str, bool], dict[date, Statement]] = defaultdict(dict)
    for row in sorted(rows, key=lambda one: one.known_at):
        if row.kind == "income" and (row.shares_as_of is not None or local_day(row.known_at, row.symbol) >= first):
            groups[row.source, row.frequency, row.shares_as_of is None][row.period_end] = row
    for group in groups.values():
        yield [group[end] for end in sorted(group, reverse=True)]


def _in_shares_of_the_last(rows: Sequence[Statement], splits: Sequence[Split]) -> list[Statement]:
    newest = max(rows, key=lambda one: one.known_at)
    day = local_day(newest.known_at, newest.symbol)
    return [statement_in_shares_of(day, one, splits, cutoff=newest.known_at) for one in rows]
