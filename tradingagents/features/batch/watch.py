"""`watch`: study the watch list and report what changed; results in `<home>/watch/<date>-<fingerprint>/`."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

from tradingagents.errors import UsageError
from tradingagents.features.batch.falsifiers import falsifier_notices
from tradingagents.features.batch.history import LastDecisions
from tradingagents.features.batch.run import Batch, BatchCandidate, BatchWatcher, card_path, exit_code, run_batch
from tradingagents.files.atomic import as_json, write_whole, writing
from tradingagents.runtime.runs.watch_list import WatchList
from tradingagents.runtime.services import Services
from tradingagents.schemas.batches import BatchRecord, BatchRow, ChangeRecord, OutcomeRecord, WatchRecord

__all__ = ["WatchList", "change", "exit_code", "watch", "watch_card", "watched_tickers"]

UNFINISHED = frozenset({"waiting", "budget", "interrupted"})
"""Statuses of rows that a later start finishes; they have no result yet."""
NONE = "NO_DECISION"
KIND, BATCH_CARD, CARD = "watch", "batch.json", "watch.json"
ROUNDING = 1e-9
"""Tolerance, so that a move from 0.55 to 0.60 counts as one of 0.05."""


async def watch(
    services: Services, day: str | date | None, *, watcher: BatchWatcher | None = None, min_move: float = 0.05
) -> WatchRecord:
    """Study the watch list and report what changed since each ticker was last studied.

    Idempotent for a day, like `auto`: a second start with the same settings adds only missing runs and reports the
    same changes.

    Args:
        day: The trading day of all runs; `None` means today.
        watcher: Receives progress.
        min_move: Smallest difference in confidence that counts as a change.

    Raises:
        UsageError: The list is empty, or the date is invalid; nothing was written.
        BatchBusy: Another process is working on the same batch.
        UnreadableFile: The list, or a file of an earlier start, is damaged.
    """
    home = services.settings.home_dir
    tickers = watched_tickers(home)

    async def work(batch: Batch) -> None:
        await batch.study([BatchCandidate(ticker, ("watchlist",)) for ticker in tickers])

    batch = await run_batch(services, day, work, kind=KIND, card=BATCH_CARD, watcher=watcher)
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(services.writer, _compare_and_keep, services, batch, tickers, min_move)


def watched_tickers(home: Path) -> tuple[str, ...]:
    """Return the tickers of the watch list.

    Raises:
        UsageError: The list is empty.
        UnreadableFile: The list is damaged.
    """
    tickers = WatchList(home).tickers
    if not tickers:
        raise UsageError("The watch list is empty; add tickers with: tradingagents watch add AAPL")
    return tickers


def watch_card(services: Services, day: str | date | None) -> Path:
    """Return the path of the watch batch's record for a day, however the batch ends. Raises BadDate."""
    return card_path(services, day, kind=KIND, card=BATCH_CARD)


def change(ticker: str, before: OutcomeRecord | None, after: OutcomeRecord, min_move: float) -> ChangeRecord:
    """Compare a ticker's result with its previous one; `None` means there is nothing to compare with."""
    kind = _kind(before, after, min_move)
    return ChangeRecord(
        ticker=ticker, kind=kind, before=before, after=after, words=f"{ticker}: {_words(kind, before, after)}"
    )


def _compare_and_keep(services: Services, batch: BatchRecord, tickers: tuple[str, ...], min_move: float) -> WatchRecord:
    """Write the decisions to the history, then the record of the watch."""
    home = services.settings.home_dir
    rows = {row.ticker: row for row in batch.rows}
    after = {
        ticker: _outcome(rows[ticker], batch.trade_date) for ticker in tickers if rows[ticker].status not in UNFINISHED
    }
    before = LastDecisions(home, services.cohort).take_in(batch.batch_id, after.items())
    folder, day = Path(batch.paths["folder"]), date.fromisoformat(batch.trade_date)
    since = max((outcome.trade_date for outcome in before.values() if outcome), default=None)
    record = WatchRecord(
        watch_id=batch.batch_id,
        trade_date=batch.trade_date,
        since=since,
        batch=batch,
        changes=[change(ticker, before[ticker], outcome, min_move) for ticker, outcome in after.items()],
        falsifiers=falsifier_notices(services.settings, tickers, day, vendors=services.vendors, since=since),
        paths={**batch.paths, "card": str(folder / CARD)},
    )
    with writing(home):
        write_whole(folder / CARD, as_json(record.as_json()))
    return record


def _outcome(row: BatchRow, day: str) -> OutcomeRecord:
    decision = row.decision
    return OutcomeRecord(
        action=decision.action if decision else NONE,
        confidence=decision.confidence if decision else 0.0,
        trade_date=day,
        run_id=row.run_id,
        strength=decision.strength if decision else None,
    )


def _kind(before: OutcomeRecord | None, after: OutcomeRecord, min_move: float) -> str:
    if before is None:
        return "first"
    if before.action == after.action:
        moved = abs(after.conviction - before.conviction)
        return "confidence" if moved >= max(min_move, 2 * ROUNDING) - ROUNDING else "same"
    if before.action == NONE:
        return "regained"
    return "lost" if after.action == NONE else "flip"


def _words(kind: str, before: OutcomeRecord | None, after: OutcomeRecord) -> str:
    if before is None:
        return f"{_shown(after)}, for the first time"
    return f"still {_shown(after)}" if kind == "same" else f"{_shown(before)} → {_shown(after)}"


def _shown(outcome: OutcomeRecord) -> str:
    return "no decision" if outcome.action == NONE else f"{outcome.action} {outcome.conviction:.2f}"
