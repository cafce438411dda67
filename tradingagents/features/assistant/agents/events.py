"""Event streams of a turn: the reply as pieces of a message, and what a hidden persona's work may show."""

from __future__ import annotations

from typing import Any

from tradingagents.events import EventStream, EventType

SHOWN_OF_PERSONAS = ("usage", "retry")
"""Types of the events of a persona's work that a face may see: what it costs, and that a model is asked again."""


class ReplyEvents(EventStream):
    """Shows the text of the assistant's model as `message` events, numbered by its replies of the turn."""

    def __init__(self, events: EventStream, part: int) -> None:
        """Wrap the stream of a run.

        Args:
            events: The run's.
            part: Number of the reply within the turn, from 0.
        """
        self.run_id, self._events, self.part = events.run_id, events, part

    def emit(
        self,
        type: EventType,  # noqa: A002 - the documented field name
        message: str = "",
        *,
        node: str | None = None,
        step: str | None = None,
        **data: Any,
    ) -> None:
        """Pass an event on; a piece of text becomes a piece of the message."""
        if type == "token":
            self._events.emit("message", "", node=node, step=step, delta=message, part=self.part)
        else:
            self._events.emit(type, message, node=node, step=step, **data)


class HiddenEvents(EventStream):
    """Lets through what a persona's work costs, and nothing that it reads or writes."""

    def __init__(self, events: EventStream) -> None:
        """Wrap the stream of a run."""
        self.run_id, self._events = events.run_id, events

    def emit(
        self,
        type: EventType,  # noqa: A002 - the documented field name
        message: str = "",
        *,
        node: str | None = None,
        step: str | None = None,
        **data: Any,
    ) -> None:
        """Pass on usage and retries."""
        if type in SHOWN_OF_PERSONAS:
            self._events.emit(type, message, node=node, step=step, **data)
