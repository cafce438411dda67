"""A circuit breaker: who fails three times in a row is left alone for a minute, then asked once.

Data vendors and model servers share it; the errors they refuse with are their own.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from tradingagents.errors import VendorDown

FAILURES = 3
REST = 60.0
"""Seconds without a request after the last failure."""


@dataclass(frozen=True)
class Refusal:
    """Why a request may not be made now."""

    failures: int
    """Failures in a row."""
    seconds: float
    """How long requests are refused for; 1 while a probe is under way."""


class CircuitBreaker:
    """One vendor's or server's state: closed, open, or waiting for the one probe that decides. Thread-safe.

    pybreaker holds its lock while it calls, so that calls take turns; purgatory lets every waiting call probe at once.
    """

    def __init__(self, name: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Start closed.

        Args:
            name: The vendor or server, for messages.
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

    @property
    def is_closed(self) -> bool:
        """Whether requests are made as ever: it did not fail so often that only a probe may be made."""
        with self._lock:
            return self._failures < FAILURES

    def enter(self) -> None:
        """Ask to make a request; one that may be made must be followed by `succeeded`, `failed` or `left`.

        Raises:
            VendorDown: The vendor is left alone for now.
        """
        if (refusal := self.refusal()) is not None:
            raise VendorDown(
                f"{self._name} failed {refusal.failures} times in a row and is left alone for "
                f"{refusal.seconds:.0f} s; try again then, or choose another vendor."
            )

    def refusal(self) -> Refusal | None:
        """Ask to make a request, as `enter`: None where it may be made, else why not."""
        with self._lock:
            if self._failures < FAILURES:
                return None
            left = self._opened_at + REST - self._clock()
            if left > 0 or self._probing:
                return Refusal(self._failures, max(left, 1.0))
            self._probing = True
            return None

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


class Breakers:
    """A breaker for each vendor or server, made when first asked for. Thread-safe."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with every breaker closed.

        Args:
            clock: Seconds, never set back.
        """
        self._clock = clock
        self._breakers: dict[str, CircuitBreaker] = {}
        self._lock = threading.Lock()

    def of(self, name: str) -> CircuitBreaker:
        """Return the breaker of a vendor or server."""
        with self._lock:
            return self._breakers.setdefault(name, CircuitBreaker(name, clock=self._clock))
