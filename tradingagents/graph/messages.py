"""What `debug=True` shows of a run: each agent's text as it is written, and its tool calls, on stdout."""

from __future__ import annotations

import re
import sys

from tradingagents.events import Event
from tradingagents.schemas.decision import sureness_words

WIDTH = 80
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What could move a terminal's cursor or turn its text around."""


def print_event(event: Event) -> None:
    """Print what an event says to a reader; events that say nothing are passed over."""
    if event.type == "tool_start":
        _print(f"{event.node} calls {event.message}")
    elif event.type == "node_end" and (text := event.data.get("report")):
        _print(str(text), event.node)
    elif event.type == "node_end" and (decision := event.data.get("decision")):
        sure = sureness_words(decision["confidence"], decision.get("strength"))
        _print(f"{decision['action']} ({sure})\n\n{decision['rationale']}", event.node)
    elif event.type == "debate_turn":
        _print(str(event.data["text"]), event.node)
    elif event.type in ("warning", "error", "result"):
        _print(f"{event.type}: {event.message}")


def _print(text: str, author: str | None = None) -> None:
    title = f"{f' {author} ':=^{WIDTH}}\n\n" if author else ""
    sys.stdout.write(_CONTROLS.sub("", f"{title}{text}\n") + ("\n" if author else ""))
    sys.stdout.flush()
