"""Reads server-sent events: parses lines, and tells a complete stream from one that was cut off."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

END_COMMENT = ": end"
LONGEST_EVENT = 50_000_000
"""Characters of the data of one event; a larger one is no event of ours."""


@dataclass(frozen=True)
class ServerEvent:
    """One event of a stream."""

    data: str
    event: str = "message"
    id: str = ""


class StreamEnded(Exception):
    """The stream said that it is complete."""


async def read_events(lines: AsyncIterator[str]) -> AsyncIterator[ServerEvent]:
    """Yield the events of a stream; one that is cut off in its middle is left out.

    Raises:
        StreamEnded: The stream said that it is complete. A stream that just stops was cut off.
    """
    fields: dict[str, list[str]] = {}
    size = 0
    async for line in lines:
        if line == END_COMMENT:
            raise StreamEnded
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(":")
            fields.setdefault(name, []).append(value.removeprefix(" "))
            size += len(value)
            if size > LONGEST_EVENT:
                raise ValueError("an event is too large")
            continue
        if "data" in fields:
            yield ServerEvent(
                data="\n".join(fields["data"]),
                event=fields.get("event", ["message"])[-1],
                id=fields.get("id", [""])[-1],
            )
        fields, size = {}, 0
