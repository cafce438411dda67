"""`KnownSinceGateway`: since when a remote vendor's rows are known where the vendor gives no date."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import is_dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from tradingagents.dataflows.data_sheet import DataSheetRow
from tradingagents.dataflows.filing_dates import FilingTimes
from tradingagents.dataflows.gateway.point_in_time import P, PointInTimeGateway, R
from tradingagents.dataflows.models import Filing, InsiderTransaction, MacroSeries, Mover, SocialPost, Statement
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import DataError, NoData, VendorNotConfigured

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


class KnownSinceGateway(PointInTimeGateway):
    """The gateway for rows without a date: the only place that replaces the assumption about them.

    * EDGAR's list of filings dates the statements and insider trades of every vendor that doesn't.
    * In a live run, what a vendor serves before its assumed or rounded date is known now.

    Both happen after the cache, which keeps the vendor's own rows: a live run's time of fetching reaches no other run.
    """

    def _answer(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return one vendor's answer, dated."""
        answer = super()._answer(name, method, *args, **kwargs)
        return self.as_known(name, answer, str(args[0]) if method.is_about_symbol else None)

    def as_known(self, name: str, answer: R, symbol: str | None) -> R:
        """Return a vendor's own answer, dated; those of a local vendor and of EDGAR as they are.

        Args:
            name: The vendor.
            answer: What it gave.
            symbol: What the answer is about; None for anything but a symbol.
        """
        if self._vendors.get(name).local or name == REGULATOR:  # EDGAR stamps to the second what it accepts
            return answer
        found: Any = answer
        if isinstance(found, tuple) and symbol is not None:
            found = self._dated(found, symbol)
        return self._as_served(found) if self.serves_now else found  # type: ignore[no-any-return]

    def _dated(self, rows: tuple[Any, ...], symbol: str) -> tuple[Any, ...]:
        """Return statements and insider trades with the dates of their filings, where theirs are assumed."""
        if not any(map(_is_undated, rows)):
            return rows
        filings = self._filings_of(symbol)
        if filings is None:
            return rows
        filed = FilingTimes(filings, since=self._listed_since)
        return tuple(filed.dated(row) if _is_undated(row) else row for row in rows)

    def _as_served(self, answer: Any) -> Any:
        """Return an answer of a live run in which every row is known that is served."""
        if isinstance(answer, MacroSeries):
            return replace(answer, observations=self._served(answer.observations))
        return self._served(answer) if isinstance(answer, tuple) else answer

    def _served(self, rows: Iterable[Any]) -> tuple[Any, ...]:
        now, cutoff = self._now(), self.cutoff.instant
        return tuple(_known_at(row, cutoff) if _is_dated_after(row, now) else row for row in rows)

    @property
    def _listed_since(self) -> date:
        return self.cutoff.instant.date() - LISTED

    def _filings_of(self, symbol: str) -> tuple[Filing, ...] | None:
        """Return what the regulator lists of a company; None if it doesn't know the company, or can't be asked."""
        return self._once((FILING_DATES, symbol), lambda: self._list_filings(symbol))

    def _list_filings(self, symbol: str) -> tuple[Filing, ...] | None:
        if self._regulator_silent.is_set():
            return None
        start, end = self._listed_since, self.cutoff.instant.date() + DATED_LATER
        try:
            self._vendors.get(REGULATOR)
        except VendorNotConfigured:
            self._note_silence(notes=(f"{UNDATED}; set EDGAR_IDENTITY to take EDGAR's.",))
            return None
        try:
            found = self._ask_at(REGULATOR, Vendor.get_filings, symbol, start, end)
        except NoData:
            return None
        except (DataError, VendorNotConfigured) as error:
            self._note_silence(warnings=(f"{UNDATED}: {error}",))
            return None
        newest = max((row.known_at for row in self._known(found)), default=None)
        self._record(FILING_DATES, symbol, REGULATOR, rows=len(found), start=start, end=self.as_of, known_at=newest)
        return found

    def _note_silence(self, *, notes: tuple[str, ...] = (), warnings: tuple[str, ...] = ()) -> None:
        """Say once that the regulator can't be asked, and ask it no more in this run."""
        self._regulator_silent.set()
        self.sheet.add(
            DataSheetRow(
                FILING_DATES, None, REGULATOR, rows=0, fetched_at=self.asked_at, notes=notes, warnings=warnings
            )
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
