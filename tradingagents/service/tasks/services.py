"""`ServicePool`: services opened once for each distinct settings, shared by tasks, closed when unused."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import Settings

IDLE = 2
"""Services kept open while no task uses them: the next turn of a conversation finds its models and caches."""


@dataclass
class _Entry:
    opening: asyncio.Task[Services]
    users: int = 0
    unused_since: int = field(default=0)


class ServicePool:
    """Services by settings. For one event loop."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        """Open nothing yet."""
        self._environ = environ
        self._entries: dict[str, _Entry] = {}
        self._clock = 0

    async def lend(self, settings: Settings) -> Services:
        """Return services with these settings; give each back once.

        Raises:
            ModelNotConfigured: A key or package is missing.
            SettingsError: The settings contradict each other.
        """
        key = _key(settings)
        entry = self._entries.get(key)
        if entry is None:
            opening = asyncio.create_task(asyncio.to_thread(open_services, settings, self._environ))
            entry = self._entries[key] = _Entry(opening)
        entry.users += 1
        try:
            return await asyncio.shield(entry.opening)
        except BaseException:
            entry.users -= 1
            failed = entry.opening.done() and (entry.opening.cancelled() or entry.opening.exception() is not None)
            if failed and self._entries.get(key) is entry:
                del self._entries[key]
            raise

    def give_back(self, settings: Settings) -> None:
        """Give services back; beyond a few, those that were unused longest are closed."""
        entry = self._entries[_key(settings)]
        entry.users -= 1
        self._clock += 1
        entry.unused_since = self._clock
        idle = sorted(
            (
                (lent.unused_since, key)
                for key, lent in self._entries.items()
                if lent.users == 0 and lent.opening.done()
            ),
            reverse=True,
        )
        for _, key in idle[IDLE:]:
            _close(self._entries.pop(key))

    def interrupt(self) -> None:
        """Let every run end its step and begin no other."""
        for entry in self._entries.values():
            if entry.opening.done() and not entry.opening.cancelled() and entry.opening.exception() is None:
                entry.opening.result().cancellation.request()

    async def close(self) -> None:
        """Close all services."""
        entries, self._entries = list(self._entries.values()), {}
        await asyncio.gather(*(entry.opening for entry in entries), return_exceptions=True)
        for entry in entries:
            _close(entry)


def _close(entry: _Entry) -> None:
    if not entry.opening.cancelled() and entry.opening.exception() is None:
        entry.opening.result().close()


def _key(settings: Settings) -> str:
    return settings.model_dump_json()
