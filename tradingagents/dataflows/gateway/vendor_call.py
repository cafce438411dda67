"""One call of a vendor's method: the inner end of the path of a question, see `gateway.source`.

Texts in rows are bounded here, before anything keeps or shows them: no field is long enough to fill a prompt, holds a
secret of this process or controls a terminal. Identical concurrent requests share one call.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Hashable, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.reference.currencies import NOT_STATED
from tradingagents.dataflows.responses.lost_rows import Lost, noting_lost_rows, sentence_of
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import NoData, NotForPastDate
from tradingagents.files.redaction import KnownSecrets

LONGEST = 300
"""Characters of a field that is not named below: a publisher, an author, a form, the title of a release."""
LONGEST_BY_FIELD: Mapping[str, int] = {
    "title": 500,
    "summary": 4_000,
    "text": 4_000,
    "business": 1_200,
    "name": 120,
    "industry": 120,
    "exchange": 60,
    "listing": 60,
    "sector": 60,
    "insider": 120,
    "relation": 120,
    "url": 2_000,
}
"""Characters of a field by its name. A longer text is cut; a longer address is left out, since a cut one is wrong."""
_CURRENCY = re.compile(r"[A-Za-z]{3}")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_SPLITS = frozenset({"summary", "text"})
"""Fields that may have several lines."""
_CONTROL_BUT_BREAKS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


def cleaned(answer: Any, secrets: KnownSecrets) -> Any:
    """Return a vendor's answer with its texts bounded, on one line where they belong there, and without secrets.

    Args:
        answer: A row, or rows; what needs no change is returned as it is.
        secrets: Keys and passwords of this process, which a source may quote.
    """
    return secrets.value(_bounded(answer))


def _bounded(value: Any) -> Any:
    if type(value) in (tuple, list):
        if all(map(_is_textless, set(map(type, value)))):
            return value
        items = [_bounded(one) for one in value]
        return type(value)(items) if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed: dict[str, Any] = {}
    for name in _text_fields(type(value)):
        held = getattr(value, name)
        if isinstance(held, str):
            if (text := _field(name, held)) != held:
                changed[name] = text
        elif isinstance(held, tuple) and held and (new := _bounded(held)) is not held:
            changed[name] = new
    return replace(value, **changed) if changed else value


@lru_cache(maxsize=64)
def _is_textless(kind: type) -> bool:
    """Tell whether values of a type are rows that hold no text, such as dividends."""
    return is_dataclass(kind) and not _text_fields(kind)


@lru_cache(maxsize=64)
def _text_fields(kind: type) -> tuple[str, ...]:
    """Return the names of a row's fields that may hold text, or rows that do."""
    return tuple(
        field.name for field in fields(kind) if field.init and ("str" in str(field.type) or "tuple" in str(field.type))
    )


def _field(name: str, text: str) -> str:
    if name == "currency":
        return text if _CURRENCY.fullmatch(text) else NOT_STATED
    control = _CONTROL_BUT_BREAKS if name in _SPLITS else _CONTROL
    if control.search(text):
        text = control.sub(" ", text).strip()
    most = LONGEST_BY_FIELD.get(name, LONGEST)
    if len(text) <= most:
        return text
    return "" if name == "url" else f"{text[: most - 1]}…"


T = TypeVar("T")


class SingleFlight:
    """Calls in progress, by key. Thread-safe; an answer is dropped once all waiting callers have it."""

    def __init__(self) -> None:
        self._flights: dict[Hashable, Future[Any]] = {}
        self._lock = threading.Lock()

    def once(self, key: Hashable, ask: Callable[[], T]) -> T:
        """Return the result of `ask`, which the first of the concurrent callers executes.

        Args:
            key: The request.
            ask: Produces the answer; its error is raised for all waiting callers. If the executing caller is
                interrupted (Ctrl-C), one of the waiting callers executes it anew.
        """
        while True:
            with self._lock:
                flight = self._flights.get(key)
                leads = flight is None
                if flight is None:
                    flight = self._flights[key] = Future()
            if leads:
                return self._fly(key, flight, ask)
            try:
                return flight.result()  # type: ignore[no-any-return]
            except CancelledError:
                continue

    def _fly(self, key: Hashable, flight: Future[Any], ask: Callable[[], T]) -> T:
        def land() -> None:
            with self._lock:
                del self._flights[key]

        try:
            answer = ask()
        except Exception as error:
            land()
            flight.set_exception(error)
            raise
        except BaseException:
            land()
            flight.cancel()
            raise
        land()
        flight.set_result(answer)
        return answer


R = TypeVar("R")


@dataclass(frozen=True, slots=True, eq=False)
class VendorQuestion:
    """A method with its arguments."""

    method: VendorMethod[..., Any]
    args: tuple[object, ...]
    kwargs: Mapping[str, object]

    @property
    def values(self) -> tuple[object, ...]:
        """The arguments as a key: equal for equal calls only."""
        return (*self.args, *self.kwargs.items())

    @property
    def arguments(self) -> tuple[object, ...]:
        """The arguments, those by name last."""
        return (*self.args, *self.kwargs.values())

    @property
    def subject(self) -> str | None:
        """The symbol, series, topic or sector that it is about; None for the market."""
        first = next(iter(self.arguments), None)
        return first if isinstance(first, str) else None


class Source(Protocol):
    """Answers questions: a vendor's methods, or a wrapper around another source."""

    def answer(self, question: VendorQuestion) -> Any:
        """Answer.

        Raises:
            TradingAgentsError: The vendor's error.
        """


class VendorCall:
    """A vendor's methods. Secrets are removed from its answers before they reach a prompt, a cache or a report."""

    def __init__(self, name: str, vendor: Vendor, secrets: KnownSecrets, lost: Memo) -> None:
        """Name the vendor as settings do.

        Args:
            name: The name.
            vendor: The vendor.
            secrets: What is removed from its answers.
            lost: Where what cannot be read of an answer is told, by vendor, method and arguments.
        """
        self._name = name
        self._vendor = vendor
        self._secrets = secrets
        self._lost = lost

    def answer(self, question: VendorQuestion) -> Any:
        """Call the method."""
        call = question.method.of(self._vendor)
        if call is None:
            raise NoData(f"{self._name} has no {question.method.name}; choose another vendor in tool_vendors.")
        with noting_lost_rows() as noted:
            answer = cleaned(call(*question.args, **question.kwargs), self._secrets)
        key = lost_key(self._name, question)
        if noted or self._lost.get(key):
            about = " of ".join(filter(None, (question.method.name, question.subject)))
            self._lost.put(key, NotWhole(self._name, about, noted))
        return answer


@dataclass(frozen=True)
class NotWhole:
    """What an answer lacks."""

    vendor: str
    about: str
    """What was asked, such as `get_news of AAPL`."""
    noted: Lost
    """What could not be read."""
    further: tuple[tuple[datetime, str], ...] = ()
    """What else a run found, each with its cut-off."""

    def sentence(self, until: datetime | None) -> str:
        """Return it in words, as far as it was known by a cut-off; None: all."""
        further = (text for cutoff, text in self.further if until is None or cutoff <= until)
        return " ".join(filter(None, (sentence_of(self.vendor, self.about, self.noted, until), *further)))


def lost_key(vendor: str, question: VendorQuestion) -> tuple[object, ...]:
    """Return under what is kept that a vendor's answer to a question is not whole."""
    return (vendor, question.method.name, *question.values)


class OncePerRun:
    """The answers of one run. Errors that another attempt would not change count as answers. Thread-safe."""

    def __init__(self) -> None:
        """Begin with none."""
        self._answers: dict[tuple[object, ...], Any] = {}
        self._locks: dict[tuple[object, ...], threading.Lock] = {}
        self._lock = threading.Lock()

    def answer(self, key: tuple[object, ...], work: Callable[[], R]) -> R:
        """Answer a question once; a second concurrent caller waits for the first."""
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._answers:
                try:
                    self._answers[key] = work()
                except (NoData, NotForPastDate) as error:
                    self._answers[key] = error
            answer = self._answers[key]
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[no-any-return]
