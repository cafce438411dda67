"""`SignalProcessor`: reads the action from the text of a decision."""

from __future__ import annotations

import re
from typing import Any

from tradingagents.errors import UsageError

_STATED = re.compile(
    r"(?:\*\*Action:\*\*|FINAL TRANSACTION PROPOSAL:)\s*\**\s*(BUY|SELL|HOLD|NO_DECISION)\b", re.IGNORECASE
)
_NAMED = re.compile(r"\b(BUY|SELL|HOLD|NO_DECISION)\b")


class SignalProcessor:
    """Reads BUY, SELL, HOLD or NO_DECISION from a text, by rules; no model is asked."""

    def __init__(self, quick_thinking_llm: Any = None) -> None:
        """Take a model, as scripts written for the public API give it; it is not used."""

    def process_signal(self, full_signal: str) -> str:
        """Return the action that a text states: in its line "Action", in its final proposal, or as the only one named.

        Raises:
            UsageError: The text states none, or several.
        """
        for pattern in (_STATED, _NAMED):
            found: set[str] = {action.upper() for action in pattern.findall(str(full_signal))}
            if len(found) == 1:
                return found.pop()
            if found:
                break
        raise UsageError(
            "The text does not state one action of BUY, SELL, HOLD and NO_DECISION; read the decision that propagate "
            "returned instead."
        )
