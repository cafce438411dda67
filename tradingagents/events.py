"""The typed stream of events of a run, for the terminal, the log and other subscribers."""

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
    "message",
    "memo",
    "debate_turn",
    "usage",
    "retry",
    "warning",
    "approval",
    "progress",
    "analysis",
    "reasoning",
    "news_search",
    "10k_search",
    "iteration_start",
    "agent_decision",
    "iteration_followup",
    "iteration_search",
    "iteration_complete",
    "rejected",
    "plan",
    "task",
    "reflection",
    "result",
    "error",
]

Subscriber = Callable[["Event"], None]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened in a run."""

    type: EventType
    message: str
    """One line for the user."""
    run_id: str
    seq: int
    """Position of the event within the run: 0, 1, 2 …"""
    ts: str
    """ISO 8601 instant, UTC, microseconds."""
    node: str | None = None
    """The agent or step that caused it, as named in the graph."""
    step: str | None = None
    """The phase: data, analysts, research, trading, risk, decision."""
    data: dict[str, Any] = field(default_factory=dict)
    """JSON-able details, by type."""

    def to_dict(self) -> dict[str, Any]:
        """Return the event as a JSON-able dict with the documented field names."""
        return {
            "type": self.type,
            "message": self.message,
            "run_id": self.run_id,
            "seq": self.seq,
            "ts": self.ts,
            "node": self.node,
            "step": self.step,
            "data": self.data,
        }


class EventStream:
    """Numbers the events of a run and passes each to every subscriber, in order, from any thread.

    Subscribers must be quick and must not raise: they are called inside the run.
    """

    def __init__(
        self, run_id: str, subscribers: tuple[Subscriber, ...] = (), *, first: int = 0, told: bool = False
    ) -> None:
        """Start a stream.

        Args:
            run_id: The run.
            subscribers: Who is told.
            first: Number of the first event, above 0 for a resumed run.
            told: Whether an earlier start has told the result, and was killed before its record was whole: neither the
                result nor a start is told again.
        """
        self.run_id = run_id
        self._untold = frozenset(("run_start", "result")) if told else frozenset()
        self._subscribers = list(subscribers)
        self._numbers = itertools.count(first)
        self._lock = threading.Lock()

    def subscribe(self, subscriber: Subscriber) -> None:
        """Add a subscriber; it receives events from now on."""
        with self._lock:
            self._subscribers.append(subscriber)

    def close(self) -> None:
        """Send nothing to anyone from now on.

        Subscribers mostly hold what holds the stream: so a run that has ended is freed at once, without Python's
        garbage collector.
        """
        with self._lock:
            self._subscribers.clear()

    def emit(
        self,
        type: EventType,  # noqa: A002 - the documented field name
        message: str = "",
        *,
        node: str | None = None,
        step: str | None = None,
        **data: Any,
    ) -> None:
        """Send an event to the subscribers; keyword arguments become the event's `data`."""
        if type in self._untold:
            return
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
