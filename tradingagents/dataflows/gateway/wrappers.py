"""The moment a run is bound to, and the wrappers around a vendor's methods; each adds one thing to its answers.

`PointInTime` holds the cut-off, the calendars around it, and the cut itself. `gateway.source` orders the wrappers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from threading import Event
from typing import Any, ParamSpec, Protocol, TypeVar

from tradingagents.dataflows.cutoff import Cutoff
from tradingagents.dataflows.data_sheet import DataSheet, DataSheetRow
from tradingagents.dataflows.gateway.cache import DiskCache, Memo, Question
from tradingagents.dataflows.gateway.checks.validation import (
    Validated,
    another_company,
    is_series,
    newest_known,
    validate,
)
from tradingagents.dataflows.gateway.drift.earlier_answers import compare
from tradingagents.dataflows.gateway.faults import Fault, summarised
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.gateway.vendor_call import OncePerRun, Source, VendorQuestion
from tradingagents.dataflows.models import Prices, Profile
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import NoData, VendorDown
from tradingagents.settings import Settings


class Known(Protocol):
    """A row with the instant from which it was known."""

    @property
    def known_at(self) -> datetime:
        """Instant, UTC."""


K = TypeVar("K", bound=Known)


@dataclass(frozen=True)
class PointInTime:
    """The moment that a run is bound to."""

    cutoff: Cutoff
    exchange: str
    """MIC of the calendar whose sessions count."""
    now: Callable[[], datetime]

    @property
    def past(self) -> date | None:
        """The day asked about where it is over: vendors that know today only are not asked. None for today."""
        return None if self.cutoff.live else self.cutoff.as_of

    @property
    def serves_now(self) -> bool:
        """Whether a vendor's answer was known when the run was asked for: the run is live, and its cut-off was now."""
        return self.cutoff.live and self.cutoff.is_now

    @property
    def market(self) -> Sessions:
        """The sessions whose close is the cut-off."""
        return sessions(self.exchange)

    def known(self, rows: Iterable[K]) -> list[K]:
        """Return the rows known at the cut-off: the only place where later rows are dropped."""
        return [row for row in rows if row.known_at <= self.cutoff.instant]

    def last_session(self, answer: Any) -> date:
        """Return the last session of an answer's symbol, or else of the market, that had closed by the cut-off."""
        calendar = sessions(exchange_of(answer.symbol)) if isinstance(answer, Prices) else self.market
        return calendar.last_closed(self.cutoff.instant)

    def validated(self, answer: Any) -> Validated:
        """Return an answer without its invalid rows, as far as the cut-off knows it."""
        return validate(answer, instant=self.cutoff.instant, last=self.last_session(answer))


P = ParamSpec("P")
R = TypeVar("R")
MAX_PLACED = 5
"""Maximum number of invalid rows per answer to locate in the vendor's files."""
UNPLACED = ("no-trade", "stale-end", "short-history")
"""Kinds that are no error of a row, so that nobody has to find one."""
SETTLES = timedelta(days=3)
"""A vendor that has changed its units or rows by mistake corrects it within days; one that has not keeps to it."""
SEARCHES = ("get_global_news", "get_topic_news")
"""Questions whose rows are picked by how well they fit."""
END_OF_TIME = datetime.max.replace(tzinfo=UTC)


class AskingRun(Protocol):
    """What wrappers know of the run that asks; `gateway.source` has each attribute's meaning."""

    settings: Settings
    at: PointInTime
    vendors: Vendors
    cache: DiskCache | None
    memo: Memo | None
    sheet: DataSheet
    asked_at: datetime
    unusable_prices: dict[str, Prices]
    regulator_silent: Event
    once: OncePerRun
    disagreements: dict[tuple[object, ...], str]

    def answer_of(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Answer with one vendor, once per run."""

    def alone(self, name: str) -> Source:
        """Return a vendor that is held against no other."""


class Wrapper:
    """A source that passes questions on to an inner one and adds something to its answers."""

    def __init__(self, inner: Source, name: str, vendor: Vendor, run: AskingRun) -> None:
        """Wrap a source.

        Args:
            inner: Answers.
            name: The vendor, as settings name it.
            vendor: The vendor.
            run: The source of the run.
        """
        self.inner = inner
        self.name = name
        self.vendor = vendor
        self.run = run

    def answer(self, question: VendorQuestion) -> Any:
        """Answer."""
        raise NotImplementedError


class Retries(Wrapper):
    """A remote vendor is called again after temporary failures, and not while its circuit breaker is open."""

    def answer(self, question: VendorQuestion) -> Any:
        """Answer after as many attempts as it takes."""
        return self.run.vendors.trust.call(self.name, partial(self.inner.answer, question))


class Memory(Wrapper):
    """Complete answers of a local vendor are read once for all runs of a graph."""

    def answer(self, question: VendorQuestion) -> Any:
        """Answer from memory where the method gives all it has whatever the day."""
        memo = self.run.memo
        if memo is None or not question.method.complete:
            return self.inner.answer(question)
        key = (self.name, question.method.name, *question.values)
        answer = memo.get(key)
        if answer is None:
            answer = self.inner.answer(question)
            memo.put(key, answer)
        return answer


class DiskAnswers(Wrapper):
    """Answers of a remote vendor come from the disk where they still hold; concurrent callers share one request."""

    def answer(self, question: VendorQuestion) -> Any:
        """Answer from the disk, or send a request and store what it gives."""
        run, cache, flights = self.run, self.run.cache, self.run.vendors.flights
        # A vendor without the method raises by itself; that isn't a cache miss.
        if cache is None or not question.method.cached or not self.vendor.supports(question.method):
            key = (self.name, question.method.name, *question.values)
            return flights.once(key, partial(self.inner.answer, question))
        stored = _stored_question(run, self.name, question)
        return flights.once(stored.key, partial(self._stored, cache, stored, question))

    def _stored(self, cache: DiskCache, stored: Question, question: VendorQuestion) -> Any:
        answer = cache.get(stored, now=self.run.at.now())
        if answer is None:
            answer = self.inner.answer(question)
            is_whole = not self.run.vendors.lost_of(self.name, question)
            if is_whole and self.run.at.validated(answer).unusable is None:  # the vendor may correct it soon
                cache.put(stored, answer, now=self.run.at.now())
        return answer


def _stored_question(run: AskingRun, name: str, question: VendorQuestion) -> Question:
    """Return a question as the disk cache knows it."""
    live, instant = run.at.serves_now, run.at.cutoff.instant
    values = tuple("cut-off" if value == instant and live else value for value in question.values)
    return Question(name, question.method, values, instant, live, run.settings.vendor_urls.get(name, ""))


class EarlierAnswers(Wrapper):
    """What a remote vendor gives anew is held against its last good answer to the same question.

    An answer that disagrees is not stored, so that each run asks again, until the vendor has kept to it for `SETTLES`.
    """

    def answer(self, question: VendorQuestion) -> Any:
        """Return the answer without what disagrees.

        Raises:
            VendorDown: The answer as a whole disagrees.
        """
        cache, now = self.run.cache, self.run.at.now()
        try:
            answer = self.inner.answer(question)
        except NoData:
            known = self._known_before(question, now)
            if known is None:
                raise
            return known
        if cache is None or not question.method.cached:
            return answer
        asked = _stored_question(self.run, self.name, question)
        earlier = cache.earlier(asked, now=now)
        if earlier is None:
            return answer
        window = [value for value in question.arguments if isinstance(value, date)]
        is_search, elapsed = question.method.vendor_name in SEARCHES, now - earlier.stored_at
        known, later = self._parted(answer)
        compared = compare(known, self._parted(earlier.answer)[0], window, elapsed=elapsed, is_search=is_search)
        if not (compared.told or compared.unusable) or now - cache.doubt(asked, now=now) >= SETTLES:
            return answer
        about = " of ".join(filter(None, (question.method.name, question.subject)))
        told = "; ".join(compared.told) if not compared.unusable else compared.unusable
        sentence = (
            f"{self.name}'s answer to {about} is not whole, or not right, against its answer of "
            f"{earlier.stored_at:%Y-%m-%d %H:%M} UTC: {told} ({reference('earlier-answer')})."
        )
        if compared.unusable:
            raise VendorDown(f"{sentence} Ask again later, or choose another vendor.")
        self.run.vendors.note_lost(self.name, question, sentence, self.run.at.cutoff.instant)
        return (*later, *compared.answer) if later else compared.answer

    def _known_before(self, question: VendorQuestion, now: datetime) -> Profile | None:
        """Return the profile that the vendor gave before and now says it has not: companies do not lose theirs."""
        if self.run.cache is None or not question.method.cached or question.method.vendor_name != "get_profile":
            return None
        asked = _stored_question(self.run, self.name, question)
        earlier = self.run.cache.earlier(asked, now=now)
        if earlier is None or now - self.run.cache.doubt(asked, now=now) >= SETTLES:
            return None
        told = f"it gives none any more; that of {earlier.stored_at:%Y-%m-%d %H:%M} UTC is used"
        sentence = f"{self.name}'s profile of {question.subject} is not whole: {told} ({reference('earlier-answer')})."
        self.run.vendors.note_lost(self.name, question, sentence, self.run.at.cutoff.instant)
        return earlier.answer if isinstance(earlier.answer, Profile) else None

    def _parted(self, answer: Any) -> tuple[Any, tuple[Any, ...]]:
        """Return what a run on a past day may know of an answer, and the rows that became known later.

        Vendors send all their rows whatever the day: what differs in later ones would tell their figures.
        """
        if (
            self.run.at.serves_now
            or not isinstance(answer, tuple)
            or not all(hasattr(row, "known_at") for row in answer)
        ):
            return answer, ()
        known = tuple(self.run.at.known(answer))
        kept = set(map(id, known))
        return known, tuple(row for row in answer if id(row) not in kept)


class Alteration(Wrapper):
    """An experiment alters answers before anybody reads them."""

    def answer(self, question: VendorQuestion) -> Any:
        """Return the altered answer."""
        answer, alter = self.inner.answer(question), self.run.vendors.alter
        return answer if alter is None else alter(question.method, answer)


class Validation(Wrapper):
    """Invalid rows are removed, and listed by the data sheet; an unusable answer counts as none."""

    def answer(self, question: VendorQuestion) -> Any:
        """Return a valid answer.

        Raises:
            VendorDown: The prices are unusable as a whole, or the answer is about another symbol.
        """
        answer = self.inner.answer(question)
        if (other := another_company(answer, question.subject)) is not None:
            self._record_gaps(question, summarised([(other, "")]), (other,))
            raise VendorDown(f"{self.name}: {other.reason} Check the symbol, or choose another vendor.")
        checked = self._checked(question, answer)
        gaps = [*self.vendor.unreadable(question.method, *question.arguments), *self._placed(checked.faults)]
        if gaps:
            self._record_gaps(question, gaps, checked.faults)
        if checked.unusable is not None:
            symbol = answer.symbol if isinstance(answer, Prices) else ""
            self.run.unusable_prices[symbol] = checked.answer
            raise VendorDown(
                f"{self.name}'s prices of {symbol} cannot be used, {checked.unusable}: {gaps[-1]} "
                f"Fix the row, name an earlier date, or choose another vendor."
            )
        return checked.answer

    def _checked(self, question: VendorQuestion, answer: Any) -> Validated:
        """Validate an answer; one of a local vendor is checked once for all runs that know the same of it.

        A series is checked anew where a cut-off knows another bar or row of it. Rows that are each judged alone and
        valid, also those known later, are checked only once.
        """
        at, memo = self.run.at, self.run.memo
        if memo is None or not (self.vendor.local and question.method.complete):
            return at.validated(answer)
        alone = not is_series(answer)
        known_until = () if alone else (newest_known(answer, instant=at.cutoff.instant, last=at.last_session(answer)),)
        key = ("sound", self.name, question.method.name, *question.arguments, *known_until)
        known: tuple[Any, Validated] | None = memo.get(key)
        if known is not None and known[0] is answer:
            return known[1]
        if alone and validate(answer, instant=END_OF_TIME, last=at.cutoff.as_of).faults:
            return at.validated(answer)
        checked = Validated(answer) if alone else at.validated(answer)
        memo.put(key, (answer, checked))
        return checked

    def _placed(self, faults: tuple[Fault, ...]) -> list[str]:
        """Return faults as sentences; the first ones say where the row stands in the vendor's files."""
        placed = [
            (fault, "" if fault.kind in UNPLACED else self.vendor.place_of(fault)) for fault in faults[:MAX_PLACED]
        ]
        return summarised([*placed, *((fault, "") for fault in faults[MAX_PLACED:])])

    def _record_gaps(self, question: VendorQuestion, gaps: Iterable[str], faults: tuple[Fault, ...]) -> None:
        self.run.sheet.add(gaps_row(question.method.name, question.subject, self.name, gaps, faults, self.run.asked_at))


def gaps_row(
    method: str, subject: str | None, vendor: str, gaps: Iterable[str], faults: Iterable[Fault], fetched_at: datetime
) -> DataSheetRow:
    """Return the data sheet's row on what was wrong with an answer.

    Args:
        method: Name of the vendor method.
        subject: What the answer is about.
        vendor: Who gave it.
        gaps: What is missing, one sentence each.
        faults: What was found.
        fetched_at: When it was asked for.
    """
    return DataSheetRow(
        method,
        subject,
        vendor,
        rows=0,
        fetched_at=fetched_at,
        warnings=tuple(f"{vendor}: {gap}" for gap in gaps),
        faults=tuple(replace(fault, row=None) for fault in faults),
    )
