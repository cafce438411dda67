"""When a model is asked: by the rates of its provider, again after a failure, and not while its circuit is open.

This is the only place that retries: the providers' own clients make single attempts (see `providers`), since their
retries would multiply ours.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from langchain_core.runnables import Runnable
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from tradingagents.dataflows.gateway.limits import LIMITS_FILE, RateLimiter, parse_rates
from tradingagents.dataflows.gateway.resilience import CircuitBreaker, doubled_waits
from tradingagents.errors import ModelFailure, ModelUnreachable, RateLimited, SettingsError
from tradingagents.llm_clients.providers import PROVIDERS
from tradingagents.llm_clients.servers import secrets_in_model, server_of
from tradingagents.settings import Settings, nearest

PATIENCE = 600.0
"""Seconds that a request waits for its turn at most."""
PAUSE: Callable[[float], Awaitable[None]] = asyncio.sleep
"""Sleep without blocking the event loop."""


class ModelRates:
    """The rates of the settings. Requests wait for their turn in order of arrival, over all processes of a home."""

    def __init__(self, settings: Settings) -> None:
        """Read the rates.

        Raises:
            SettingsError: A rate cannot be read, or names no provider.
        """
        for name in settings.model_rates:
            if name not in PROVIDERS:
                close = nearest(name, PROVIDERS)
                hint = f"did you mean {close}?" if close else f"there are {', '.join(PROVIDERS)}."
                raise SettingsError(f"model_rates names {name!r}, which is no provider; {hint}")
        self._rates = {name: parse_rates(text) for name, text in settings.model_rates.items()}
        self._limiter = RateLimiter(settings.home_dir / LIMITS_FILE)

    async def turn(self, model: Runnable[Any, Any]) -> None:
        """Wait until a request may be sent to a model; at once where its provider has no rate.

        Raises:
            ModelUnreachable: Its turn would come later than in ten minutes.
            HomeNotWritable: The count cannot be stored.
        """
        if not self._rates:
            return
        provider = server_of(model).provider
        rates = self._rates.get(provider, ())
        if not rates:
            return
        try:
            delay = await asyncio.to_thread(self._limiter.reserve, _bucket(provider, model), rates, PATIENCE)
        except RateLimited as error:
            shown = ", ".join(map(str, rates))
            raise ModelUnreachable(
                f"{provider} may be asked {shown} by model_rates, and this is used up; try again later, or raise it "
                "where your plan allows more."
            ) from error
        if delay > 0:
            await PAUSE(delay)


def _bucket(provider: str, model: Runnable[Any, Any]) -> str:
    """Return what is counted: the provider and a hash of the key, which is not stored."""
    held = "\0".join(sorted(secrets_in_model(model)))
    return f"model {provider}:{hashlib.sha256(held.encode()).hexdigest()[:16]}"


T = TypeVar("T")
FIRST_WAIT = 1.0
"""Seconds before the second attempt, doubled each time; plus as much jitter, so that clients refused together don't
return together."""
LONGEST_WAIT = 60.0
"""Maximum seconds between two attempts. A server that asks for a longer wait isn't retried, so that a run doesn't
stall."""
BACKOFF = doubled_waits(FIRST_WAIT, LONGEST_WAIT)
"""1, 2, 4 … seconds, plus up to one second of jitter."""
"""Sleep without blocking the event loop."""


@dataclass(frozen=True)
class Retry:
    """A retry and its reason."""

    attempt: int
    """2 for the second attempt."""
    reason: str
    """The error of the previous attempt."""
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
    """Make a model call; retry temporary failures, and fail at once while the breaker is open.

    At most `1 + retries` requests are made, and only one when the breaker probes. A call counts as one failure for the
    breaker, however many requests it took; a refusal counts as an answer.

    Args:
        attempt: Makes one request.
        server: Host and model, for messages.
        breaker: The server's breaker.
        retries: Maximum number of retries.
        on_retry: Called before the wait for each retry.

    Raises:
        ModelUnreachable: The breaker is open; or from `attempt`.
        ModelFailure: From the last attempt.
    """
    _assert_closed(breaker, server)

    def tell(state: RetryCallState) -> None:
        if on_retry:
            on_retry(Retry(state.attempt_number + 1, str(_failure(state)), state.upcoming_sleep))

    def attempts() -> AsyncRetrying:
        return AsyncRetrying(
            stop=stop_after_attempt(1 + retries),
            wait=_wait,
            retry=retry_if_exception(lambda error: _worth_another(error) and breaker.is_closed),
            sleep=PAUSE,
            before_sleep=tell,
            reraise=True,
        )

    try:
        answer: T = await _made(attempt, attempts)
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


async def _made(attempt: Callable[[], Awaitable[T]], attempts: Callable[[], AsyncRetrying]) -> T:
    """Make the first attempt, and hand its failure to the retries.

    Nearly every call succeeds at once, and making ready for retries takes longer than the rest of a call's overhead.
    """
    try:
        return await attempt()
    except ModelFailure as failure:
        failed: list[ModelFailure] = [failure]

    async def again() -> T:
        if failed:  # the attempt that was made already
            raise failed.pop()
        return await attempt()

    return await attempts()(again)


def _assert_closed(breaker: CircuitBreaker, server: str) -> None:
    if (refusal := breaker.refusal()) is not None:
        raise ModelUnreachable(
            f"{server} failed {refusal.failures} calls in a row; it is not asked for {refusal.seconds:.0f} s; run "
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
