"""What the builders share: the form of a node, the words for a missing answer, the texts in a state."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Protocol

from langgraph.runtime import Runtime

from tradingagents.agents.states import AgentState
from tradingagents.context import TradingContext

ANSWER_EMPTY = "Your answer was empty. Write it now."
NOT_AVAILABLE = "**Not available.**"


class Node(Protocol):
    """A node of the trading graph."""

    def __call__(self, state: AgentState, *, runtime: Runtime[TradingContext]) -> Awaitable[dict[str, Any]]:
        """Return the state's update."""


def texts_of(state: AgentState) -> dict[str, str]:
    """Return the texts in a state by their keys: reports and plans."""
    return {key: value for key, value in state.items() if isinstance(value, str)}
