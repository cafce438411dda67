"""A circuit breaker: after three consecutive failures no requests for a minute, then one probe.

Shared by data vendors and model servers; each raises its own errors.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from tradingagents.errors import VendorDown

FAILURES = 3
REST = 60.0
"""Seconds without requests after the last failure."""


@dataclass(frozen=True)
class Refusal:
    """Why a request isn't allowed now."""

    failures: int
    """Consecutive failures."""
    seconds: float
    """Seconds until requests are allowed again; 1 while a probe is in progress."""


class CircuitBreaker:
    """State of one vendor or server: closed, open, or waiting for the result of a probe. Thread-safe.

    pybreaker holds its lock during calls, which serializes them; purgatory lets every waiting call probe at once.
    """

    def __init__(self, name: str, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Start closed.

        Args:
            name: The vendor or server, for messages.
            clock: Monotonic seconds.
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
        """Whether the breaker is closed, so that requests need no probe."""
        with self._lock:
            return self._failures < FAILURES

    def enter(self) -> None:
        """Ask to send a request; if allowed, call `succeeded`, `failed` or `left` afterwards.

        Raises:
            VendorDown: The breaker is open.
        """
        if (refusal := self.refusal()) is not None:
            raise VendorDown(
                f"{self._name} failed {refusal.failures} times in a row; it is not asked for "
                f"{refusal.seconds:.0f} s; try again then, or choose another vendor."
            )

    def refusal(self) -> Refusal | None:
        """Ask to send a request, as `enter`; return None if allowed, else the reason."""
        with self._lock:
            if self._failures < FAILURES:
                return None
            left = self._opened_at + REST - self._clock()
            if left > 0 or self._probing:
                return Refusal(self._failures, max(left, 1.0))
            self._probing = True
            return None

    def succeeded(self) -> None:
        """Record an answer, including one that reports no data."""
        with self._lock:
            self._failures, self._probing = 0, False

    def failed(self) -> None:
        """Record a request without an answer."""
        with self._lock:
            self._failures += 1
            self._opened_at, self._probing = self._clock(), False

    def left(self) -> None:
        """Record a request that was not sent, or that we cancelled: it says nothing about the vendor."""
        with self._lock:
            self._probing = False


class Breakers:
    """One breaker per vendor or server, created on first use. Thread-safe."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Start with every breaker closed.

        Args:
            clock: Monotonic seconds.
        """
        self._clock = clock
        self._breakers: dict[str, CircuitBreaker] = {}
        self._lock = threading.Lock()

    def of(self, name: str) -> CircuitBreaker:
        """Return the breaker of a vendor or server."""
        with self._lock:
            return self._breakers.setdefault(name, CircuitBreaker(name, clock=self._clock))
