"""Single flight: identical concurrent requests share one call."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

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
