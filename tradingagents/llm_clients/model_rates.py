"""Rates of model requests: one count for each provider and key, shared by all processes with the same home."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.runnables import Runnable

from tradingagents.dataflows.gateway.limits import LIMITS_FILE, RateLimiter, parse_rates
from tradingagents.errors import ModelUnreachable, RateLimited, SettingsError
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
