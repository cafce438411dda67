"""A model server that fails one call in five: refuses for now, breaks, hangs, cuts off, answers garbage."""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from benchmarks.openai_server import Answer, ToolCall
from tests.support.offline_server import OfflineServer

SHARE = 0.2
"""Of the requests that fail."""
PAGE = "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>"


def _cut(right: Answer) -> Answer:
    return replace(right, cut=True)


def _ended(right: Answer) -> Answer:
    """End a stream early; a whole body is cut instead, which has no polite end."""
    return replace(right, cut=True, ends=True)


def _broken_arguments(right: Answer) -> Answer:
    """Break the arguments of a tool call; an answer without one calls a tool in place of its text."""
    calls = right.tool_calls or (ToolCall("get_news", {}),)
    return Answer(tool_calls=tuple(ToolCall(call.name, '{"symbol": "ZZ') for call in calls))


FAILURES: Mapping[str, Callable[[Answer], Answer]] = {
    "429": lambda _: Answer(status=429),
    "429 with a wait": lambda _: Answer(status=429, retry_after="0.05"),
    "500": lambda _: Answer(status=500),
    "503": lambda _: Answer(status=503),
    "hang": lambda _: Answer(hang=True),
    "cut": _cut,
    "ended": _ended,
    "html": lambda _: Answer(body=PAGE),
    "no choices": lambda _: Answer(body='{"id": "x", "object": "chat.completion", "model": "m", "choices": []}'),
    "half JSON": lambda _: Answer(body='{"id": "x", "object": "chat.completion", "choices": [{"index": 0, "mess'),
    "nothing": lambda _: Answer(text=""),
    "broken arguments": _broken_arguments,
}
"""How a request fails, made from the right answer."""


class FailingServer(OfflineServer):
    """The offline analysts behind a server that fails.

    Which request fails, and how, hangs on the seed, the request and how often it was made: not on their order, so
    that runs side by side fail in the same places each time.

    Args:
        seed: Of the failures.
        share: Of the requests that fail.
    """

    def __init__(self, *, seed: int, share: float = SHARE, **options: Any) -> None:
        super().__init__(**options)
        self.asked: Counter[str] = Counter()
        """Requests by their hash."""
        self.failed: Counter[str] = Counter()
        """Failures by kind."""
        self._seed, self._share = seed, share

    def ponder(self, body: Mapping[str, Any]) -> Answer:
        key = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
        self.asked[key] += 1
        chance = random.Random(f"{self._seed} {key} {self.asked[key]}")  # noqa: S311 - no secret
        right = super().ponder(body)
        if chance.random() >= self._share:
            return right
        kind = chance.choice(sorted(FAILURES))
        if kind == "broken arguments" and not body.get("tools"):
            kind = "nothing"
        self.failed[kind] += 1
        return FAILURES[kind](right)
