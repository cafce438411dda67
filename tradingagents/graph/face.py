"""What the public graphs have in common: a desk, settings, and an event loop for callers that have none."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, TypeVar

from tradingagents.dataflows.interface import Vendors
from tradingagents.events import Event, Subscriber
from tradingagents.graph.desk import Desk, open_desk
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.settings import Settings, environment, load_settings

T = TypeVar("T")
log = logging.getLogger("tradingagents.events")
RECORD_SECONDS = 30.0
"""Longest an interrupted run may take to write its record."""


class GraphFace:
    """A graph for people who write Python. Its runs share one desk, and synchronous calls one event loop.

    A model client's connections belong to one loop for good.
    """

    def __init__(
        self, config: Mapping[str, Any] | None, debug: bool, models: TierModels | None, vendors: Vendors | None
    ) -> None:
        environ = environment()
        self._desk = open_desk(load_settings(config, environ=environ), environ, models=models, vendors=vendors)
        self._debug = debug
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()

    @property
    def desk(self) -> Desk:
        """What the runs of this graph share."""
        return self._desk

    @property
    def config(self) -> Settings:
        """The settings in force, frozen."""
        return self._desk.settings

    def _watchers(self, subscribers: Sequence[Subscriber]) -> tuple[Subscriber, ...]:
        return (*subscribers, _log_event) if self._debug else tuple(subscribers)

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end and return the result.

        Ctrl-C lets the calls under way end for `drain_seconds`, and waits until the run has left its record; a second
        one does not wait.

        Raises:
            UsageError: The graph was made in another process, before a fork.
        """
        try:
            self._desk.assert_own_process()
        except BaseException:
            work.close()
            raise
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="tradingagents", daemon=True).start()
        ended = threading.Event()

        async def whole() -> T:
            try:
                return await work
            finally:
                ended.set()

        future = asyncio.run_coroutine_threadsafe(whole(), self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            try:
                self._desk.stops.request()
                ended.wait(self._desk.settings.drain_seconds)
            finally:  # also where a second one does not wait
                future.cancel()
                ended.wait(RECORD_SECONDS)
                self._desk.stops.withdraw()
            raise


def _log_event(event: Event) -> None:
    log.info("%s %s %s", event.type, event.node or "", event.message)
