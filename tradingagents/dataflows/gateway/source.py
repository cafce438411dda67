"""`RunSource.answer(method, arguments)`: the one path of a question from a run to a vendor.

From the outside in:

1. `OncePerRun`: the same question is put once; who asks meanwhile waits for the answer.
2. `RunSource._chosen`: the vendors of the settings; where one fails the next, if it may answer instead.
3. `RunSource._wrapped`: the wrappers around one vendor, in order: prices and statements are held against a second
   vendor's, what is invalid is removed, rows without a date get one, answers come from memory or disk, new ones are
   held against the last good one, failed calls are repeated.
4. `VendorCall`: the vendor's method. Remote vendors keep to their rate limits there, before each request.

`MarketData` cuts answers at the cut-off afterwards: caches hold what a vendor gave.

Where a remote vendor gives no date, `KnownSince` says since when a row is known.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import is_dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, ParamSpec, TypeVar

from tradingagents.dataflows.data_sheet import DataSheet, DataSheetRow
from tradingagents.dataflows.gateway.cache import DiskCache, Memo
from tradingagents.dataflows.gateway.drift.second_vendor import SecondVendor
from tradingagents.dataflows.gateway.router import Vendors, candidates, may_ask_next, nobody_answered, nobody_named
from tradingagents.dataflows.gateway.vendor_call import OncePerRun, Source, VendorQuestion, lost_key
from tradingagents.dataflows.gateway.wrappers import (
    Alteration,
    AskingRun,
    DiskAnswers,
    EarlierAnswers,
    Memory,
    PointInTime,
    Retries,
    Validation,
    Wrapper,
    gaps_row,
)
from tradingagents.dataflows.models import Filing, InsiderTransaction, MacroSeries, Mover, Prices, SocialPost, Statement
from tradingagents.dataflows.reference.fiscal_periods import FilingTimes
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import DataError, NoData, NotInPlan, VendorNotConfigured, VendorUnavailable
from tradingagents.settings import Settings

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


P = ParamSpec("P")
R = TypeVar("R")
AnyMethod = VendorMethod[..., Any]


class RunSource:
    """The vendors as one run asks them. Thread-safe."""

    def __init__(
        self,
        settings: Settings,
        at: PointInTime,
        *,
        vendors: Vendors,
        cache: DiskCache | None,
        memo: Memo | None,
        sheet: DataSheet,
        asked_at: datetime,
    ) -> None:
        """Make the source of a run.

        Args:
            settings: Chooses the vendors.
            at: The moment that the run is bound to.
            vendors: The vendors.
            cache: Disk cache for answers of remote vendors; None: no disk cache.
            memo: Memory cache for final answers, shared with other runs; None: not shared.
            sheet: Lists what was wrong with answers.
            asked_at: When the run began, UTC.
        """
        self.settings = settings
        self.at = at
        self.vendors = vendors
        self.cache = cache
        self.memo = memo
        self.sheet = sheet
        self.asked_at = asked_at
        self.stood_in: dict[tuple[str, str], tuple[str, ...]] = {}
        """Unavailable vendors, by method and the vendor that answered instead."""
        self.unusable_prices: dict[str, Prices] = {}
        """Prices that were refused as a whole, by symbol: their splits may be listed all the same."""
        self.regulator_silent = threading.Event()
        """Set once the list of filings that dates other vendors' rows can't be asked."""
        self.disagreements: dict[tuple[object, ...], str] = {}
        """What a second vendor gives otherwise, by vendor and question; see `second_vendor`."""
        self.once = OncePerRun()
        self._able: dict[str, tuple[tuple[str, ...], Exception | None]] = {}

    def with_sheet(self, sheet: DataSheet) -> RunSource:
        """Return the same source, which records what is wrong with answers in another data sheet."""
        view = object.__new__(RunSource)  # copy.copy takes five times as long, and a run asks for dozens
        vars(view).update(vars(self), sheet=sheet)
        return view

    def answer(self, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> tuple[R, str]:
        """Answer with the vendor that settings choose, and name it; once per run for the same question."""
        question = VendorQuestion(method, args, kwargs)
        found: tuple[R, str] = self.once.answer((method.name, *question.values), partial(self._chosen, question))
        self._tell_lost(found[1], question)
        self._tell_unconfirmed(found[1], question)
        return found

    def answer_of(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Answer with one vendor, once per run, for requests that hold several vendors' answers against each other."""
        question, source = VendorQuestion(method, args, kwargs), self.alone(name)
        found: R = self.once.answer((name, method.name, *question.values), partial(source.answer, question))
        self._tell_lost(name, question)
        return found

    def _tell_lost(self, name: str, question: VendorQuestion) -> None:
        """Have the data sheet say what an answer lacks, each time it is given: sheets are of single questions."""
        until = None if self.at.serves_now else self.at.cutoff.instant
        told = (self.vendors.lost_of(name, question, until), self.disagreements.get(lost_key(name, question)))
        for lost in filter(None, told):
            row = gaps_row(question.method.name, question.subject, name, (), (), self.asked_at)
            self.sheet.add(replace(row, warnings=(lost,), lost=(lost,)))

    def _tell_unconfirmed(self, name: str, question: VendorQuestion) -> None:
        """Have an answer say what of its rows a vendor alone tells, so that nothing shows where it is wrong."""
        what = self.vendors.get(name).unconfirmed_of(question.method.vendor_name)
        if what is not None:
            told = f"{name} alone gives the {what}: nothing confirms them."
            row = gaps_row(question.method.name, question.subject, name, (), (), self.asked_at)
            self.sheet.add(replace(row, notes=(told,), lost=(told,)))

    def answers_of_all(
        self, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> dict[str, R | DataError | VendorNotConfigured]:
        """Query every available vendor in parallel; return each one's answer or error by name.

        Raises:
            VendorNotConfigured: No vendor is available.
        """
        able, passed_over = self.candidates(method)
        if not able:
            raise passed_over or nobody_named(method)

        def answer_or_error(name: str) -> R | DataError | VendorNotConfigured:
            try:
                found = self.answer_of(name, method, *args, **kwargs)
            except (DataError, VendorNotConfigured) as error:
                return error
            self._tell_unconfirmed(name, VendorQuestion(method, args, kwargs))
            return found

        if len(able) == 1:
            return {able[0]: answer_or_error(able[0])}
        with ThreadPoolExecutor(max_workers=len(able)) as pool:
            return dict(zip(able, pool.map(answer_or_error, able), strict=True))

    def candidates(self, method: AnyMethod | str) -> tuple[tuple[str, ...], Exception | None]:
        """Return the vendors available for the day, and the reason why the first of the others isn't."""
        name = method if isinstance(method, str) else method.name
        if name not in self._able:
            self._able[name] = candidates(method, settings=self.settings, vendors=self.vendors, past=self.at.past)
        return self._able[name]

    def _chosen(self, question: VendorQuestion) -> tuple[Any, str]:
        """Return the answer of the first vendor that can give one, and the vendor's name; errors as `ask_vendors`."""
        method = question.method
        able, passed_over = self.candidates(method)
        failed: dict[str, VendorUnavailable | VendorNotConfigured] = {}
        for name in able:
            try:
                answer = self._wrapped(name).answer(question)
            except (VendorUnavailable, VendorNotConfigured) as error:
                failed[name] = error
                if not may_ask_next(method, error):
                    break
            else:
                absent = tuple(other for other, error in failed.items() if not isinstance(error, NotInPlan))
                if absent:
                    self.stood_in[method.name, name] = absent
                return answer, name
        raise nobody_answered(method, failed, passed_over)

    def _wrapped(self, name: str) -> Source:
        """Return a vendor in all its wrappers; raises as `alone`."""
        source, vendor = self.alone(name), self.vendors.get(name)
        return source if vendor.local else SecondVendor(source, name, vendor, self)

    def alone(self, name: str) -> Source:
        """Return a vendor in the wrappers that ask no other one.

        Raises:
            SettingsError: Unknown vendor.
            VendorNotConfigured: It lacks a key or a folder.
        """
        vendor = self.vendors.get(name)
        wrappers: list[type[Wrapper]] = [Validation]
        if self.vendors.alter is not None:
            wrappers.append(Alteration)
        if vendor.local:
            wrappers.append(Memory)
        elif name == REGULATOR:  # it stamps to the second what it accepts
            wrappers += [DiskAnswers, EarlierAnswers, Retries]
        else:
            wrappers += [KnownSince, DiskAnswers, EarlierAnswers, Retries]
        source: Source = self.vendors.call_of(name)
        for wrapper in reversed(wrappers):
            source = wrapper(source, name, vendor, self)
        return source
