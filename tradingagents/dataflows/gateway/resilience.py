"""Retries, and a circuit breaker: after three consecutive failures no requests for a minute, then one probe.

Shared by data vendors and model servers; each raises its own errors.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from tradingagents.errors import DataError, RateLimited, VendorDown, VendorNotConfigured, VendorUnavailable

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


T = TypeVar("T")
FIRST_WAIT = 0.5
"""Seconds before the second attempt, doubled each time; plus as much jitter, so that clients that failed together don't
return together."""
LONGEST_WAIT = 8.0
"""Maximum seconds of wait and jitter together; a vendor may ask for longer."""


def doubled_waits(first: float, longest: float) -> Callable[[RetryCallState], float]:
    """Return waits that double from a first one, each with up to as much jitter as the first, none above the longest.

    Written out, since versions of tenacity name the parameters of their own differently.
    """

    def wait(state: RetryCallState) -> float:
        doubled = first * 2.0 ** min(state.attempt_number - 1, 64)
        return min(doubled + random.uniform(0, first), longest)  # noqa: S311 - no secret

    return wait


BACKOFF = doubled_waits(FIRST_WAIT, LONGEST_WAIT)
"""0.5, 1, 2 … 8 seconds, plus up to 0.5 s of jitter, so that clients refused together don't return together."""


class Trust:
    """Calls vendors with retries for temporary failures, and with a circuit breaker per vendor. Thread-safe."""

    def __init__(
        self,
        *,
        retries: int,
        patience: float,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start with all breakers closed.

        Args:
            retries: Maximum number of retries.
            patience: Maximum wait that a vendor may ask for before a retry, in seconds; a vendor that asks for more
                isn't retried.
            sleep: Sleeps for some seconds.
            clock: Monotonic seconds, for the breakers.
        """
        self._retries = retries
        self._patience = patience
        self._sleep = sleep
        self._breakers = Breakers(clock=clock)

    def breaker(self, vendor: str) -> CircuitBreaker:
        """Return a vendor's breaker."""
        return self._breakers.of(vendor)

    def forget(self, vendor: str) -> None:
        """Forget a vendor's failures, so that it is asked the next question."""
        self.breaker(vendor).succeeded()

    def call(self, vendor: str, ask: Callable[[], T]) -> T:
        """Call a vendor.

        Raises:
            VendorUnavailable: Every attempt failed, it asks for a longer wait, or its breaker is open.
        """
        breaker = self.breaker(vendor)

        def attempt() -> T:
            breaker.enter()
            try:
                answer = ask()
            except BaseException as error:
                _judge(breaker, error)
                raise
            breaker.succeeded()
            return answer

        attempts = Retrying(
            stop=stop_after_attempt(1 + self._retries),
            wait=_wait,
            retry=retry_if_exception(lambda error: self._may_pass(error) and not breaker.is_open),
            sleep=self._sleep,
            reraise=True,
        )
        return attempts(attempt)

    def _may_pass(self, error: BaseException) -> bool:
        if isinstance(error, RateLimited):
            return error.retry_after is not None and error.retry_after <= self._patience
        return isinstance(error, VendorUnavailable)


def _judge(breaker: CircuitBreaker, error: BaseException) -> None:
    if isinstance(error, RateLimited) and not error.asked:
        breaker.left()
    elif isinstance(error, VendorUnavailable):
        breaker.failed()
    elif isinstance(error, (DataError, VendorNotConfigured)):
        breaker.succeeded()  # it answered: no data, or no permission
    else:
        breaker.left()


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after if isinstance(error, RateLimited) else None
    if asked is None:
        return BACKOFF(state)
    return max(asked + random.uniform(0, FIRST_WAIT), BACKOFF(state))  # noqa: S311 - no secret
