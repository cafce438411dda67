"""Since when a remote vendor's rows are known where the vendor gives no date."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import is_dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from tradingagents.dataflows.data_sheet import DataSheetRow
from tradingagents.dataflows.filing_dates import FilingTimes
from tradingagents.dataflows.gateway.point_in_time import PointInTime
from tradingagents.dataflows.gateway.vendor_call import VendorQuestion
from tradingagents.dataflows.gateway.wrappers import AskingRun, Wrapper
from tradingagents.dataflows.models import Filing, InsiderTransaction, MacroSeries, Mover, SocialPost, Statement
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import DataError, NoData, VendorNotConfigured

R = TypeVar("R")
REGULATOR = "sec_edgar"
FILING_DATES = "filing_dates"
"""What the data sheet calls the list of filings that dates other vendors' rows."""
UNDATED = "Filing dates that a source does not give are assumed"
LISTED = timedelta(days=400)
"""How far before the cut-off filings are listed: more than a year, so that an overdue annual report is missed. EDGAR's
first page, one request, has as much of all but the few companies that file thousands of notes a year."""
STAMPED = (Mover, SocialPost)
"""Rows that their source stamps to the second: a stamp that lies ahead is a wrong clock."""
DATED_LATER = timedelta(days=5)
"""EDGAR dates what it accepts after 17:30 in New York by the next business day, which a long weekend may delay."""


class KnownSince(Wrapper):
    """Rows without a date get one: the only place that replaces the assumption about them.

    * EDGAR's list of filings dates the statements and insider trades of every vendor that doesn't.
    * In a live run, what a vendor serves before its assumed or rounded date is known now.

    Both happen after the cache, which keeps the vendor's own rows: a live run's time of fetching reaches no other run.
    """

    def answer(self, question: VendorQuestion) -> Any:
        """Return the vendor's answer, dated."""
        answer = self.inner.answer(question)
        about = str(question.args[0]) if question.method.is_about_symbol else None
        return dated(self.run, answer, about)


def dated(run: AskingRun, answer: R, symbol: str | None) -> R:
    """Return an answer of a remote vendor, other than EDGAR, with the dates that its rows lack.

    Args:
        run: The run; its data sheet says which filings the dates are from, or why there are none.
        answer: What the vendor gave.
        symbol: What the answer is about; None for anything but a symbol.
    """
    found: Any = answer
    if isinstance(found, tuple) and symbol is not None and any(map(_is_undated, found)):
        filings = run.once.answer((FILING_DATES, symbol), partial(_filings_of, run, symbol))
        if filings is not None:
            filed = FilingTimes(filings, since=_listed_since(run.at))
            found = tuple(filed.dated(row) if _is_undated(row) else row for row in found)
    return _as_served(found, run.at) if run.at.serves_now else found  # type: ignore[no-any-return]


def _as_served(answer: Any, at: PointInTime) -> Any:
    """Return an answer of a live run in which every row is known that is served."""
    if isinstance(answer, MacroSeries):
        return replace(answer, observations=_served(answer.observations, at))
    return _served(answer, at) if isinstance(answer, tuple) else answer


def _served(rows: Iterable[Any], at: PointInTime) -> tuple[Any, ...]:
    now, cutoff = at.now(), at.cutoff.instant
    return tuple(_known_at(row, cutoff) if _is_dated_after(row, now) else row for row in rows)


def _listed_since(at: PointInTime) -> date:
    return at.cutoff.instant.date() - LISTED


def _filings_of(run: AskingRun, symbol: str) -> tuple[Filing, ...] | None:
    """Return what the regulator lists of a company; None if it doesn't know the company, or can't be asked."""
    if run.regulator_silent.is_set():
        return None
    cutoff = run.at.cutoff
    start, end = _listed_since(run.at), cutoff.instant.date() + DATED_LATER
    try:
        run.vendors.get(REGULATOR)
    except VendorNotConfigured:
        _note_silence(run, notes=(f"{UNDATED}; set EDGAR_IDENTITY to take EDGAR's.",))
        return None
    try:
        found = run.answer_of(REGULATOR, Vendor.get_filings, symbol, start, end)
    except NoData:
        return None
    except (DataError, VendorNotConfigured) as error:
        _note_silence(run, warnings=(f"{UNDATED}: {error}",))
        return None
    newest = max((row.known_at for row in run.at.known(found)), default=None)
    row = DataSheetRow(
        FILING_DATES,
        symbol,
        REGULATOR,
        rows=len(found),
        fetched_at=run.asked_at,
        start=start,
        end=cutoff.as_of,
        known_at=newest,
    )
    run.sheet.add(row)
    return found


def _note_silence(run: AskingRun, *, notes: tuple[str, ...] = (), warnings: tuple[str, ...] = ()) -> None:
    """Say once that the regulator can't be asked, and ask it no more in this run."""
    run.regulator_silent.set()
    run.sheet.add(
        DataSheetRow(FILING_DATES, None, REGULATOR, rows=0, fetched_at=run.asked_at, notes=notes, warnings=warnings)
    )


def _is_undated(row: Any) -> bool:
    """Return whether a row's date is assumed. Vendors' rows are checked only when they are dated: days may be none."""
    if not isinstance(row, (Statement, InsiderTransaction)) or row.known_by != "assumed":
        return False
    return isinstance(row.period_end if isinstance(row, Statement) else row.transaction_date, date)


def _is_dated_after(row: Any, now: datetime) -> bool:
    """Return whether a row's date lies ahead, which only an assumed or rounded one can."""
    if isinstance(row, STAMPED) or not is_dataclass(row):
        return False
    known_at = getattr(row, "known_at", None)
    return isinstance(known_at, datetime) and known_at.tzinfo is not None and known_at > now


def _known_at(row: Any, instant: datetime) -> Any:
    """Return a row as known at an instant because it was served."""
    how = {"known_by": "fetched"} if hasattr(row, "known_by") else {}
    return replace(row, known_at=instant, **how)
