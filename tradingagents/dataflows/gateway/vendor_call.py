"""One call of a vendor's method: the inner end of the path of a question, see `gateway.source`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from tradingagents.dataflows.row_text import cleaned
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import NoData, NotForPastDate
from tradingagents.files.redaction import KnownSecrets

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

    def __init__(self, name: str, vendor: Vendor, secrets: KnownSecrets) -> None:
        """Name the vendor as settings do."""
        self._name = name
        self._vendor = vendor
        self._secrets = secrets

    def answer(self, question: VendorQuestion) -> Any:
        """Call the method."""
        call = question.method.of(self._vendor)
        if call is None:
            raise NoData(f"{self._name} has no {question.method.name}; choose another vendor in tool_vendors.")
        return cleaned(call(*question.args, **question.kwargs), self._secrets)


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
