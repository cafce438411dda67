"""Branches that run side by side: what stands in for one that failed, and the node where they join."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime
from langgraph.types import Command

from tradingagents.agents.shapes import NOT_AVAILABLE
from tradingagents.context import RunContext
from tradingagents.errors import BudgetReached, ModelFailure, ModelUnreachable, TradingAgentsError


def stated_gap(agent: str, key: str, *, step: str, goto: str) -> Any:
    """Return what stands in for an agent that failed: a stated gap under its report's key, so that the run goes on.

    A failed node's own edges do not fire in LangGraph, so the gap says where the run goes on.
    """

    async def state_gap(_state: Mapping[str, Any], error: NodeError, runtime: Runtime[RunContext]) -> Command[Any]:
        cause = error.error
        if isinstance(cause, BudgetReached):
            raise cause
        known = isinstance(cause, TradingAgentsError)
        reason = str(cause) if known else f"an unexpected {type(cause).__name__} in its tools or model"
        runtime.context.events.emit("warning", f"{agent} could not report: {reason}", node=agent, step=step)
        gap = {
            key: f"{NOT_AVAILABLE} The {agent} could not report: {reason}",
            "failures": {key: "unreachable" if isinstance(cause, ModelUnreachable) else "failed"},
            "warnings": [f"{agent} could not report: {reason}"],
        }
        return Command(update=gap, goto=goto)

    return state_gap


def fail_without_any(keys: Sequence[str], state: Mapping[str, Any], *, who: str) -> None:
    """End a run in which every branch failed, since nothing stands behind what would follow.

    Args:
        keys: The branches' report keys.
        state: The graph's state, with `failures` and `warnings`.
        who: What the branches are, for the message: `analyst`.

    Raises:
        ModelUnreachable: One of them could not reach its model.
        ModelFailure: All failed otherwise.
    """
    failures = state.get("failures", {})
    if not set(keys) <= set(failures):
        return
    reasons = "; ".join(dict.fromkeys(warning.partition(": ")[2] for warning in state.get("warnings", [])))
    unreachable = "unreachable" in failures.values()
    raise (ModelUnreachable if unreachable else ModelFailure)(f"No {who} could report: {reasons}")
