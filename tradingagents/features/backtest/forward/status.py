"""Where the forward records of a home stand."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from tradingagents.features.backtest.capabilities.forward_records import RecordStatus
from tradingagents.features.backtest.forward.chain import HashChain
from tradingagents.features.backtest.forward.record import ForwardRecord, names_in, registry_path
from tradingagents.features.backtest.paper.account import PaperAccount


def record_status(home: Path, name: str, until: date | None = None) -> RecordStatus:
    """Return where a record stands, of the sessions that have been revealed.

    Args:
        home: Folder of the records.
        name: Of the record.
        until: Sessions after this day are left out; None: none is.

    Raises:
        NotFound: There is no such record.
        UnreadableFile: A file of it is damaged.
    """
    chain = ForwardRecord(home, name).read()
    last = str(until or date.max)
    commits = [entry for entry in chain.entries if entry["kind"] == "commit" and entry["session"] <= last]
    shown = [entry["session"] for entry in chain.entries if entry["kind"] == "reveal" and entry["session"] <= last]
    account = PaperAccount(home, name)
    marks = {line.mark.day.isoformat(): line.mark.equity / 100 for line in account.read_ledger().lines}
    return RecordStatus(
        name=name,
        committed=len(commits),
        late=sum(entry["at"] >= entry["next_open"] for entry in commits),
        revealed=len(shown),
        first=commits[0]["session"] if commits else "",
        last=commits[-1]["session"] if commits else "",
        total_return=marks[shown[-1]] / account.plan.deposit - 1 if shown else None,
        head=chain.head,
    )


def all_records(home: Path, until: date | None = None) -> tuple[RecordStatus, ...]:
    """Return every record ever begun in a home, the oldest first; parameters and errors as in `record_status`."""
    names = names_in(HashChain(registry_path(home), to_read=True))
    return tuple(record_status(home, name, until) for name in names)
