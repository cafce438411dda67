"""The paper accounts of a home folder in short, without reading ledgers that have not changed since they were read."""

from __future__ import annotations

from datetime import date
from functools import partial
from pathlib import Path

from tradingagents.features.backtest.book import BookMismatch
from tradingagents.features.backtest.capabilities.paper import PaperAccountSummary
from tradingagents.features.backtest.paper.account import BOOK, FOLDER, LEDGER, PLAN, PaperAccount, paper_accounts
from tradingagents.features.backtest.paper.status import PaperStatus, status_of
from tradingagents.files.atomic import UnreadableFile
from tradingagents.files.summary_index import SummaryIndex

INDEX = "index.json"


def list_paper_accounts(home: Path, until: date | None = None) -> tuple[PaperAccountSummary, ...]:
    """Return the accounts of a home folder by name; one whose files do not agree has the error.

    Args:
        until: Day of the question: accounts are shown as they stood then, and later ones are left out; None: as they
            stand.
    """
    index = SummaryIndex(home, home / FOLDER / INDEX, PaperAccountSummary)
    found = list[PaperAccountSummary]()
    for name in paper_accounts(home):
        files = [home / FOLDER / name / file for file in (PLAN, LEDGER, BOOK)]
        try:
            summary = index.get(name, files, partial(_summary, home, name))
            if summary is not None and until is not None and summary.last_session and summary.last_session > until:
                began = summary.first_session is not None and summary.first_session <= until
                summary = _summary(home, name, until) if began else None
        except (UnreadableFile, BookMismatch) as error:
            summary = PaperAccountSummary(account=name, tickers=(), error=str(error))
        if summary is not None:
            found.append(summary)
    index.save()
    return tuple(found)


def _summary(home: Path, name: str, until: date | None = None) -> PaperAccountSummary:
    account = PaperAccount(home, name)
    ledger = account.read_ledger()
    return in_short(status_of(account.plan, ledger if until is None else ledger.upto(until)))


def in_short(status: PaperStatus) -> PaperAccountSummary:
    """Return an account in short."""
    return PaperAccountSummary(
        account=status.plan.name,
        tickers=status.plan.tickers,
        currency=status.plan.currency,
        first_session=status.first_session,
        last_session=status.last_session,
        sessions=status.sessions,
        equity=status.equity,
        total_return=status.total_return,
        benchmark=status.benchmark,
        benchmark_return=status.benchmark_return,
        positions=len(status.positions),
        orders=len(status.orders),
    )
