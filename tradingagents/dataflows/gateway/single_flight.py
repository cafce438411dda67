"""Single flight: whoever asks what is being asked already waits for that answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

T = TypeVar("T")


class SingleFlight:
    """Questions under way, by key. Thread-safe; an answer is forgotten once those who waited have it."""

    def __init__(self) -> None:
        self._flights: dict[Hashable, Future[Any]] = {}
        self._lock = threading.Lock()

    def once(self, key: Hashable, ask: Callable[[], T]) -> T:
        """Return what `ask` gives: asked by the first of those who want the same at the same time, and shared.

        Args:
            key: The question.
            ask: Finds the answer; an error it raises is raised to everyone who waits. Where the asker is interrupted
                (Ctrl-C), that is nobody else's: one of those who wait asks anew.
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
