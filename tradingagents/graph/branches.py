"""Branches that run side by side, where they join: a run in which every one of them failed ends there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tradingagents.agents.states import Failure
from tradingagents.errors import ModelFailure, ModelUnreachable


def fail_without_any(keys: Sequence[str], state: Mapping[str, Any], *, who: str) -> None:
    """End a run in which every branch failed, since nothing stands behind what would follow.

    Args:
        keys: The branches' report keys.
        state: The graph's state, with `failures`.
        who: What the branches are, for the message: `analyst`.

    Raises:
        ModelUnreachable: One of them could not reach its model.
        ModelFailure: All failed otherwise.
    """
    if not none_reported(keys, state):
        return
    failures: list[Failure] = [state["failures"][key] for key in keys]
    reasons = "; ".join(dict.fromkeys(failure["reason"] for failure in failures))
    unreachable = any(failure["kind"] == "unreachable" for failure in failures)
    raise (ModelUnreachable if unreachable else ModelFailure)(f"No {who} could report: {reasons}")


def none_reported(keys: Sequence[str], state: Mapping[str, Any]) -> bool:
    """Tell whether every branch failed."""
    return set(keys) <= set(state.get("failures", {}))
