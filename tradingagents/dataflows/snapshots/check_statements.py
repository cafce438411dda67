"""Check the statements of a snapshot as a series, by the rules of every run (`statement_checks`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from tradingagents.dataflows.gateway.checks.neighbouring_statements import SHOWN_BY, judged_by_filing, missing_statement
from tradingagents.dataflows.gateway.checks.row_checks import check_row
from tradingagents.dataflows.gateway.checks.statement_checks import check_statements
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.gateway.financial_sources import last_filed
from tradingagents.dataflows.models import Frequency, Statement, StatementKind
from tradingagents.dataflows.snapshots.findings import CheckFindings
from tradingagents.dataflows.vendors.snapshot.folder import Unreadable
from tradingagents.dataflows.vendors.snapshot.statements import load_statements

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
    return tuple(one.text for one in found.all() if one.level == "error")


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
