"""The assistant's workflow: one turn of a conversation, from a message to the reply.

A turn leaves no run folder: its transcript holds everything, and a turn that was killed is continued from it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tradingagents.events import Event
from tradingagents.runtime.kind import ActiveRun, RunParts

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class TurnResult:
    """What came of a turn."""

    reply: str
    usage: Mapping[str, Any]
    seconds: float


class AssistantTurn(ActiveRun[TurnResult]):
    """One turn."""

    context: Any

    def __init__(self, parts: RunParts, context: Any) -> None:
        """Open a turn."""
        self.context, self.state = context, {}
        self._began = parts.began

    def first_state(self) -> Mapping[str, Any]:
        """Return an empty state: the transcript says how far an earlier start came."""
        return {}

    def on_event(self, event: Event) -> None:
        """Take in an event; nothing is collected."""

    def announce(self) -> None:
        """Emit `run_start`."""
        self.context.events.emit("run_start", "turn", turn=self.context.conversation.turn)

    async def finish(self) -> TurnResult:
        """Emit `result`, and return the reply."""
        record = await self.leave("done")
        result = TurnResult(self.state["reply"], record["usage"], record["seconds"])
        self.context.events.emit(
            "result", result.reply.partition("\n")[0][:200], reply=result.reply, usage=result.usage
        )
        return result

    async def leave(self, status: str, *, error: str | None = None) -> Mapping[str, Any]:
        """Return what the turn used."""
        self.context.replay.flush()
        seconds = round(time.perf_counter() - self._began, 3)
        return {"status": status, "error": error, "usage": self.context.meter.totals().as_json(), "seconds": seconds}
