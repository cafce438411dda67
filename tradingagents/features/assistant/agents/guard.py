"""The loop guard: a call that is made for the third time in a turn is answered with advice instead."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

from tradingagents.features.assistant.agents.definitions import is_consultation

MOST_IDENTICAL = 2
"""How often a call may be made in one turn."""


class LoopGuard:
    """Counts identical calls of a turn."""

    def __init__(self) -> None:
        """Begin with no calls."""
        self._made: Counter[str] = Counter()

    def refusal(self, tool: str, arguments: Mapping[str, Any]) -> str | None:
        """Count a call; return why it is not made again, None where it may be made."""
        key = fingerprint(tool, arguments)
        self._made[key] += 1
        if self._made[key] <= MOST_IDENTICAL:
            return None
        what = "asked the same question" if is_consultation(tool) else "called with the same arguments"
        return (
            f"{tool} was {what} {MOST_IDENTICAL} times in this turn already, and would answer the same. Use the answers you "
            "have, change the arguments, or tell the user what is missing."
        )


def fingerprint(tool: str, arguments: Mapping[str, Any]) -> str:
    """Return the same text for the same call, whatever the order of its arguments and the spacing of their text."""
    fields = json.dumps(_canonical(arguments), sort_keys=True, default=str)
    return hashlib.sha256(f"{tool}\n{fields}".encode()).hexdigest()


def _canonical(value: Any) -> Any:
    if isinstance(value, str):
        return " ".join(value.split()).casefold()
    if isinstance(value, Mapping):
        return {str(name): _canonical(part) for name, part in value.items() if part is not None}
    if isinstance(value, (list, tuple)):
        return [_canonical(part) for part in value]
    return value
