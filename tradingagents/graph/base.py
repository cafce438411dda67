"""What the public graphs share: services, settings, and an event loop for callers that have none."""

from __future__ import annotations

import logging
import threading
from collections.abc import Coroutine, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

from langchain_core.language_models import BaseChatModel

from tradingagents.dataflows.config import translated
from tradingagents.dataflows.interface import Vendors
from tradingagents.events import Event, Subscriber
from tradingagents.graph.messages import print_event
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.background import BackgroundLoop
from tradingagents.runtime.gc_tuning import collect_earlier_graphs
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import Settings, environment, load_settings

T = TypeVar("T")
log = logging.getLogger("tradingagents.events")
RECORD_SECONDS = 30.0
"""Longest an interrupted run may take to write its record."""


class BaseGraph:
    """A graph for people who write Python. Its runs share services, and synchronous calls one event loop.

    A model client's connections belong to one loop for good.

    A graph is a context manager: `close` ends its threads and closes its files and connections. One that is dropped
    without `close` frees them once Python collects it.
    """

    def __init__(
        self, config: Mapping[str, Any] | None, debug: bool, models: TierModels | None, vendors: Vendors | None
    ) -> None:
        collect_earlier_graphs()
        environ = environment()
        self._services = open_services(
            load_settings(translated(config), environ=environ), environ, models=models, vendors=vendors
        )
        self._debug = debug
        self._loop = BackgroundLoop("tradingagents")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Cancel runs under way, and free threads, files and connections. A later run opens what it needs anew."""
        self._loop.close()
        self._services.close()

    @property
    def services(self) -> Services:
        """What the runs of this graph share."""
        return self._services

    @property
    def config(self) -> Settings:
        """The settings in force, frozen."""
        return self._services.settings

    @property
    def quick_thinking_llm(self) -> BaseChatModel:
        """The model of the quick tier."""
        return self._services.models.quick

    @property
    def mid_thinking_llm(self) -> BaseChatModel:
        """The model of the mid tier."""
        return self._services.models.mid

    @property
    def deep_thinking_llm(self) -> BaseChatModel:
        """The model of the deep tier."""
        return self._services.models.deep

    def _watchers(self, subscribers: Sequence[Subscriber]) -> tuple[Subscriber, ...]:
        return (*subscribers, _log_event, print_event) if self._debug else tuple(subscribers)

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end and return the result.

        Ctrl-C lets the calls under way end for `drain_seconds`, and waits until the run has left its record; a second
        one does not wait.

        Raises:
            UsageError: The graph was made in another process, before a fork.
        """
        try:
            self._services.assert_own_process()
        except BaseException:
            work.close()
            raise
        ended = threading.Event()

        async def whole() -> T:
            try:
                return await work
            finally:
                ended.set()

        future = self._loop.submit(whole())
        try:
            return future.result()
        except KeyboardInterrupt:
            try:
                self._services.cancellation.request()
                ended.wait(self._services.settings.drain_seconds)
            finally:  # also where a second one does not wait
                future.cancel()
                ended.wait(RECORD_SECONDS)
                self._services.cancellation.withdraw()
            raise


def _log_event(event: Event) -> None:
    log.info("%s %s %s", event.type, event.node or "", event.message)
