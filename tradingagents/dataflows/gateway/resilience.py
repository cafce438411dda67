"""Retry and circuit-breaker policy for vendor calls."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt

from tradingagents.dataflows.gateway.breaker import Breakers, CircuitBreaker
from tradingagents.errors import DataError, RateLimited, VendorNotConfigured, VendorUnavailable

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
