"""A circuit breaker: a vendor that fails three times in a row is left alone for a minute, then asked once."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from tradingagents.errors import VendorDown

FAILURES = 3
REST = 60.0
"""Seconds without a request after the last failure."""


class CircuitBreaker:
    """One vendor's state: closed, open, or waiting for the one probe that decides. Thread-safe.

    pybreaker holds its lock while it calls, so that calls take turns; purgatory lets every waiting call probe at once.
    """

    def __init__(self, name: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Start closed.

        Args:
            name: The vendor, for messages.
            clock: Seconds, never set back.
        """
        self._name = name
        self._clock = clock
        self._failures = 0
        self._opened_at = 0.0
        self._probing = False
        self._lock = threading.Lock()

    @property
    def is_open(self) -> bool:
        """Whether requests are refused now."""
        with self._lock:
            return self._failures >= FAILURES and self._clock() < self._opened_at + REST

    def enter(self) -> None:
        """Ask to make a request; one that may be made must be followed by `succeeded`, `failed` or `left`.

        Raises:
            VendorDown: The vendor is left alone for now.
        """
        with self._lock:
            if self._failures < FAILURES:
                return
            left = self._opened_at + REST - self._clock()
            if left > 0 or self._probing:
                raise VendorDown(
                    f"{self._name} failed {self._failures} times in a row and is left alone for "
                    f"{max(left, 1):.0f} s; try again then, or choose another vendor."
                )
            self._probing = True

    def succeeded(self) -> None:
        """Note an answer, also one that says there is nothing."""
        with self._lock:
            self._failures, self._probing = 0, False

    def failed(self) -> None:
        """Note a request without an answer."""
        with self._lock:
            self._failures += 1
            self._opened_at, self._probing = self._clock(), False

    def left(self) -> None:
        """Note a request that was not made, or was broken off by us: it tells nothing about the vendor."""
        with self._lock:
            self._probing = False
