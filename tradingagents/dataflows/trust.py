"""What stands between the router and a remote vendor: retries that wait as asked, and a breaker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_exponential_jitter

from tradingagents.dataflows.breaker import CircuitBreaker
from tradingagents.errors import RateLimited, VendorUnavailable

T = TypeVar("T")
FIRST_WAIT = 0.5
LONGEST_WAIT = 8.0
_backoff = wait_exponential_jitter(initial=FIRST_WAIT, max=LONGEST_WAIT, jitter=FIRST_WAIT)


class Trust:
    """Calls vendors: again after a failure that may pass, not at all for a while after several. Thread-safe."""

    def __init__(self, *, retries: int, patience: float, sleep: Callable[[float], None] = time.sleep) -> None:
        """Start with every vendor trusted.

        Args:
            retries: Further attempts after the first.
            patience: Most seconds a vendor may ask to wait before another attempt; asked for more, it is given up.
            sleep: Waits some seconds.
        """
        self._retries = retries
        self._patience = patience
        self._sleep = sleep
        self._breakers: dict[str, CircuitBreaker] = {}
        self._lock = threading.Lock()

    def breaker(self, vendor: str) -> CircuitBreaker:
        """Return a vendor's breaker."""
        with self._lock:
            return self._breakers.setdefault(vendor, CircuitBreaker(vendor))

    def call(self, vendor: str, ask: Callable[[], T]) -> T:
        """Ask a vendor.

        Raises:
            VendorUnavailable: It failed at every attempt, asks for a longer wait, or is left alone for now.
        """
        breaker = self.breaker(vendor)

        def attempt() -> T:
            breaker.enter()
            try:
                answer = ask()
            except VendorUnavailable:
                breaker.failed()
                raise
            except BaseException:
                breaker.succeeded()  # it answered, or the fault is ours
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


def _wait(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after if isinstance(error, RateLimited) else None
    return max(asked or 0.0, _backoff(state))
