"""Check the statements of a snapshot as a series, and that share counts, splits and window agree.

Series are judged by the rules of every run (`statement_checks`). Counts that do not fit the splits distort valuations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from tradingagents.dataflows.gateway.checks.neighbouring_statements import SHOWN_BY, judged_by_filing, missing_statement
from tradingagents.dataflows.gateway.checks.row_checks import check_row
from tradingagents.dataflows.gateway.checks.share_jumps import count_jumps
from tradingagents.dataflows.gateway.checks.statement_checks import check_statements
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.gateway.financial_sources import last_filed
from tradingagents.dataflows.gateway.share_basis import is_share_split, local_day, statement_in_shares_of
from tradingagents.dataflows.models import Frequency, Split, Statement, StatementKind
from tradingagents.dataflows.snapshots.check_fields import CheckFindings
from tradingagents.dataflows.vendors.snapshot.folder import Unreadable
from tradingagents.dataflows.vendors.snapshot.prices import Actions
from tradingagents.dataflows.vendors.snapshot.statements import load_statements

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
    for symbol, listed in sorted(actions.items()):
        if symbol not in spans:
            continue
        for split in listed.splits:
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
    newest = max(rows, key=lambda row: row.known_at)
    day = local_day(newest.known_at, newest.symbol)
    return [statement_in_shares_of(day, row, splits, cutoff=newest.known_at) for row in rows]


FILE = "statements.jsonl.gz"
END_OF_TIME = datetime.max.replace(tzinfo=UTC)


def sound_statements(
    statements: Mapping[str, Sequence[Statement]], found: CheckFindings, symbols: Collection[str] | None = None
) -> Mapping[str, tuple[Statement, ...]]:
    """Return the statements as runs use them once all are known, without what cannot be true.

    Args:
        statements: By symbol.
        found: Collects the faults: an error where runs withhold items, else a warning.
        symbols: Those looked at; None: all.
    """
    wanted = [symbol for symbol in statements if symbols is None or symbol in symbols]
    return {symbol: tuple(_sound(statements[symbol], found)) for symbol in sorted(wanted)}


def statement_doubts(folder: Path, symbols: Collection[str] | None = None) -> tuple[str, ...]:
    """Return the errors in a folder's statements that withhold items from runs.

    Args:
        folder: The snapshot.
        symbols: Those looked at; None: all.

    Raises:
        VendorDown: The statements are unreadable as a whole.
    """
    found = CheckFindings()
    sound_statements(load_statements(folder / FILE, Unreadable()), found, symbols)
    return tuple(finding.text for finding in found.all() if finding.level == "error")


def _sound(rows: Iterable[Statement], found: CheckFindings) -> Iterable[Statement]:
    series: dict[tuple[StatementKind, Frequency], list[Statement]] = defaultdict(list)
    for given in rows:
        row, _ = check_row(given)  # invalid values are named by line (`check_fields`)
        if row is not None:
            series[row.kind, row.frequency].append(row)
    sound: dict[tuple[StatementKind, Frequency], tuple[Statement, ...]] = {}
    for key, given_rows in series.items():
        sound[key], faults = check_statements(tuple(given_rows), END_OF_TIME)
        for fault in faults:
            if fault.withholds:
                _tell_withheld(found, fault)
            else:
                found.warn(FILE, f"unusual items ({fault.kind}), which runs note", fault.text())
    for kind, label in series:
        own, other = sound[kind, label], sound.get((SHOWN_BY[kind], label), ())
        if own and (missing := missing_statement(last_filed(own), last_filed(other))) is not None:
            _tell_withheld(found, missing)
        yield from judged_by_filing(
            own, (row for key, rows in sound.items() if key[0] != kind and key[1] == label for row in rows)
        )


def _tell_withheld(found: CheckFindings, fault: Fault) -> None:
    found.error(FILE, f"items that cannot be true ({fault.kind}), which runs withhold", fault.text())
