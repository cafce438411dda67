"""The one typed stream of what a run does: what the terminal shows, the log keeps, the web page will read."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

EventType = Literal[
    "run_start",
    "node_start",
    "node_end",
    "tool_start",
    "tool_end",
    "token",
    "debate_turn",
    "usage",
    "retry",
    "warning",
    "approval",
    "result",
    "error",
]

Subscriber = Callable[["Event"], None]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a run."""

    type: EventType
    message: str
    """One line for a person."""
    run_id: str
    seq: int
    """0, 1, 2 … within the run: the order in which things happened."""
    ts: str
    """ISO 8601 instant, UTC, microseconds."""
    node: str | None = None
    """The agent or step it happened in, as the graph names it."""
    step: str | None = None
    """The phase: data, analysts, research, trading, risk, decision."""
    data: dict[str, Any] = field(default_factory=dict)
    """JSON-able details, by type."""

    def to_dict(self) -> dict[str, Any]:
        """Return the event as a JSON-able dict, in the documented field names."""
        return {name: getattr(self, name) for name in self.__slots__}


class EventStream:
    """Numbers events and hands each to every subscriber, in order, from whichever thread it comes.

    A subscriber must be quick and must not raise: it runs inside the run.
    """

    def __init__(self, run_id: str, subscribers: tuple[Subscriber, ...] = (), *, first: int = 0) -> None:
        """Begin a stream, or go on with one whose next event has the number `first`."""
        self.run_id = run_id
        self._subscribers = list(subscribers)
        self._numbers = itertools.count(first)
        self._lock = threading.Lock()

    def subscribe(self, subscriber: Subscriber) -> None:
        """Add a subscriber; it sees events from now on."""
        with self._lock:
            self._subscribers.append(subscriber)

    def emit(
        self,
        type: EventType,  # noqa: A002 - the documented field name
        message: str = "",
        *,
        node: str | None = None,
        step: str | None = None,
        **data: Any,
    ) -> None:
        """Record that something happened; keyword arguments become the event's `data`."""
        with self._lock:
            event = Event(
                type=type,
                message=message,
                run_id=self.run_id,
                seq=next(self._numbers),
                ts=datetime.now(UTC).isoformat(timespec="microseconds"),
                node=node,
                step=step,
                data=data,
            )
            for subscriber in self._subscribers:
                subscriber(event)
