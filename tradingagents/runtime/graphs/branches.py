"""Agents that run in parallel: their shared state, and the end of a run in which all of them failed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict, TypeVar, cast, get_type_hints

from tradingagents.agents.spec import AgentSpec
from tradingagents.agents.states import NOT_AVAILABLE, Failure
from tradingagents.errors import ModelFailure, ModelUnreachable

State = TypeVar("State")


def state_with(state: type[State], agents: Iterable[AgentSpec], joined: Mapping[str, Any] | None = None) -> type[State]:
    """Return a graph's state, extended by the agents' texts that the documented state has no key for.

    Args:
        state: The documented state.
        agents: The graph's agents.
        joined: Keys that more than one agent writes in one step, with their types.
    """
    known = get_type_hints(state, include_extras=True)
    more = {section.key: str for spec in agents for section in spec.sections if section.key not in known}
    if not more and not joined:
        return state
    fields = {**known, **more, **(joined or {})}
    return cast(type[State], TypedDict(state.__name__, fields, total=False))  # type: ignore[operator]


def fail_without_any(keys: Sequence[str], state: Mapping[str, Any], *, who: str) -> None:
    """End a run in which every branch failed: the later agents would have nothing to read.

    Args:
        keys: The branches' report keys.
        state: The graph's state, with `failures`.
        who: Name of the branches in the message, such as `analyst`.

    Raises:
        ModelUnreachable: One of them could not reach its model.
        ModelFailure: All failed otherwise.
    """
    if not none_reported(keys, state):
        return
    failures: list[Failure] = [state["failures"][key] for key in keys if key in state["failures"]]
    reasons = "; ".join(dict.fromkeys(failure["reason"] for failure in failures))
    unreachable = any(failure["kind"] == "unreachable" for failure in failures)
    raise (ModelUnreachable if unreachable else ModelFailure)(f"No {who} could report: {reasons}")


def none_reported(keys: Sequence[str], state: Mapping[str, Any]) -> bool:
    """Return whether every branch failed, but for those that had nothing to study."""
    failed = state.get("failures", {})
    reported = (key for key in keys if not str(state.get(key) or "").startswith(NOT_AVAILABLE))
    return bool(failed) and all(key in failed for key in reported)
