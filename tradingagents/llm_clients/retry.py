"""Retry and circuit-breaker policy for model calls.

This is the one place that retries: the providers' own clients are told to ask once (see `providers`), else their
retries would multiply ours.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_exponential_jitter

from tradingagents.dataflows.gateway.breaker import CircuitBreaker
from tradingagents.errors import ModelFailure, ModelUnreachable

T = TypeVar("T")
FIRST_WAIT = 1.0
"""Seconds before the second attempt, then twice as long each time; and up to as much again at random, so that those
who were refused together do not come back together."""
LONGEST_WAIT = 60.0
"""Most seconds between two attempts. A server that asks for a longer wait is given up: a run should not stand still."""
BACKOFF = wait_exponential_jitter(initial=FIRST_WAIT, max=LONGEST_WAIT, jitter=FIRST_WAIT)
"""1, 2, 4 … seconds, and up to one more."""
PAUSE: Callable[[float], Awaitable[None]] = asyncio.sleep
"""Waits some seconds without keeping anybody."""


@dataclass(frozen=True)
class Retry:
    """A further attempt at a call, and why."""

    attempt: int
    """2 for the second attempt."""
    reason: str
    """What the attempt before came to."""
    wait: float
    """Seconds until it is made."""


async def call_with_retry(
    attempt: Callable[[], Awaitable[T]],
    *,
    server: str,
    breaker: CircuitBreaker,
    retries: int,
    on_retry: Callable[[Retry], None] | None = None,
) -> T:
    """Make a model call; retry failures that may pass, and fail at once while the breaker is open.

    At most `1 + retries` requests are made, and one only when the breaker probes. A call fails the breaker once,
    however many requests it took; one that the server refuses outright shows that it is there.

    Args:
        attempt: Makes one request.
        server: Host and model, for messages.
        breaker: The server's.
        retries: Further attempts after the first.
        on_retry: Told of each further attempt before the wait for it.

    Raises:
        ModelUnreachable: The server is left alone for now; or from `attempt`.
        ModelFailure: From the last attempt.
    """
    _assert_closed(breaker, server)

    def tell(state: RetryCallState) -> None:
        if on_retry:
            on_retry(Retry(state.attempt_number + 1, str(_failure(state)), state.upcoming_sleep))

    attempts = AsyncRetrying(
        stop=stop_after_attempt(1 + retries),
        wait=_wait,
        retry=retry_if_exception(lambda error: _worth_another(error) and breaker.is_closed),
        sleep=PAUSE,
        before_sleep=tell,
        reraise=True,
    )
    try:
        answer: T = await attempts(attempt)
    except ModelFailure as failure:
        if failure.may_pass:
            breaker.failed()
        else:
            breaker.succeeded()
        raise
    except BaseException:
        breaker.left()
        raise
    breaker.succeeded()
    return answer


def _assert_closed(breaker: CircuitBreaker, server: str) -> None:
    if (refusal := breaker.refusal()) is not None:
        raise ModelUnreachable(
            f"{server} failed {refusal.failures} calls in a row and is left alone for {refusal.seconds:.0f} s; run "
            "again then, or name a fallback model, such as TRADINGAGENTS_QUICK_FALLBACK_LLM."
        )


def _worth_another(error: BaseException) -> bool:
    return isinstance(error, ModelFailure) and error.may_pass and (error.retry_after or 0.0) <= LONGEST_WAIT


def _failure(state: RetryCallState) -> BaseException | None:
    return state.outcome.exception() if state.outcome else None


def _wait(state: RetryCallState) -> float:
    failure = _failure(state)
    asked = failure.retry_after if isinstance(failure, ModelFailure) else None
    return max(asked or 0.0, BACKOFF(state))
