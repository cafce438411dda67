"""`auto`: scan the market and study each candidate; results in `<home>/auto/<date>-<fingerprint>/`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Literal, get_args

from tradingagents.agents.scanners.brief import scan_brief
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.features.batch.orders import OrderPlan
from tradingagents.features.batch.run import Batch, BatchCandidate, BatchWatcher, card_path, exit_code, run_batch
from tradingagents.runtime.services import Services
from tradingagents.schemas.batches import BatchRecord
from tradingagents.schemas.portfolio import Portfolio
from tradingagents.schemas.scan_summary import ScanSummaryRecord

__all__ = ["CONVICTIONS", "Conviction", "auto", "auto_card", "candidates", "exit_code"]

Conviction = Literal["high", "medium", "low"]
CONVICTIONS: tuple[Conviction, ...] = get_args(Conviction)
"""From highest to lowest."""
KIND, CARD = "auto", "auto.json"


async def auto(
    services: Services,
    day: str | date | None,
    *,
    holdings: Sequence[str] = (),
    conviction: Conviction = "low",
    watcher: BatchWatcher | None = None,
    book: Portfolio | None = None,
    plan: OrderPlan | None = None,
) -> BatchRecord:
    """Scan the market, study every candidate, and write one ranked record.

    A second start with the same settings reuses finished runs and adds what is missing, even with other holdings or
    another conviction. The budget covers the scan and all runs together, including earlier starts.

    Args:
        day: The trading day of all runs; `None` means today.
        holdings: Tickers to study whether or not the scan selects them.
        conviction: Lowest conviction of a pick to study.
        watcher: Receives progress.
        book: What is held: it is studied too, every run decides for it, and the record lists the orders of all
            decisions together. None: not known.
        plan: How decisions become orders; None for the defaults.

    Raises:
        UsageError: The date, a holding or the conviction is invalid; nothing was written.
        BatchBusy: Another process is working on the same batch.
        UnreadableFile: A file of an earlier start is damaged.
        TradingAgentsError: The scan failed; the record holds the error. The failure of one ticker is not raised but
            reported in its row.
    """
    held = in_any_case(holdings, book)
    if conviction not in CONVICTIONS:
        raise UsageError(f"{conviction!r} is not a conviction; use one of {', '.join(CONVICTIONS)}.")

    async def work(batch: Batch) -> None:
        summary = (await batch.scan())["summary"]
        found = candidates(summary, held, conviction) if summary else ()
        if summary and not any("scan" in one.sources for one in found):
            batch.warn(_none_chosen(summary, conviction))
        await batch.study(found)
        await batch.order(plan or OrderPlan())

    return await run_batch(services, day, work, kind=KIND, card=CARD, watcher=watcher, book=book)


def in_any_case(holdings: Sequence[str], book: Portfolio | None) -> tuple[str, ...]:
    """Return the tickers that are studied whether or not the scan picks them, normalised. Raises BadSymbol."""
    owned = () if book is None else book.symbols
    return tuple(dict.fromkeys(normalise(ticker) for ticker in (*holdings, *owned)))


def auto_card(services: Services, day: str | date | None, book: Portfolio | None = None) -> Path:
    """Return the path of `auto`'s record for a day, however the batch ends. Raises BadDate for an invalid day."""
    return card_path(services, day, kind=KIND, card=CARD, book=book)


def candidates(
    summary: ScanSummaryRecord, holdings: Sequence[str], conviction: Conviction
) -> tuple[BatchCandidate, ...]:
    """Return the candidates: picks with at least this conviction in the scan's order, then the remaining holdings.

    Args:
        holdings: Normalised tickers.
        conviction: Lowest conviction of a pick; holdings are studied regardless of it.
    """
    picks = {pick.ticker: pick for pick in summary.stocks_to_investigate}
    enough = CONVICTIONS[: CONVICTIONS.index(conviction) + 1]
    chosen = [ticker for ticker, pick in picks.items() if pick.conviction in enough]

    def candidate(ticker: str) -> BatchCandidate:
        pick = picks.get(ticker)
        return BatchCandidate(
            ticker=ticker,
            sources=(*(["scan"] if ticker in chosen else []), *(["portfolio"] if ticker in holdings else [])),
            conviction=pick.conviction if pick else None,
            brief=scan_brief(summary, ticker),
            name=pick.name if pick else "",
        )

    return tuple(candidate(ticker) for ticker in dict.fromkeys((*chosen, *holdings)))


def _none_chosen(summary: ScanSummaryRecord, conviction: Conviction) -> str:
    """Return a warning that no pick has the requested conviction, and how to study some."""
    levels = [pick.conviction for pick in summary.stocks_to_investigate]
    highest = next(level for level in CONVICTIONS if level in levels)
    asked = conviction if conviction == CONVICTIONS[0] else f"{conviction} or more"
    return (
        f"None of the scan's {len(levels)} picks has a conviction of {asked}; the highest is {highest}. "
        f"Study them with conviction='{highest}'."
    )
