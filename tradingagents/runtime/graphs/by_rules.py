"""Rules in place of a language model that gave nothing usable: they answer the whole question, from its beginning.

A state that uses this has `unusable`, why what the model gave cannot be used, and `by_rules`, the same once rules
answer; both are empty while the model does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from tradingagents.agents.builders.node import Act
from tradingagents.errors import UnusableReply
from tradingagents.llm_clients.calls import PromptTooLong
from tradingagents.llm_clients.tiers import TIERS, TierModels
from tradingagents.schemas.records import DegradedRecord

START_OVER = "start_over"
"""Name of the node that leads back to the first step."""
_Update = TypeVar("_Update", bound=Mapping[str, Any])


@cache
def rule_models() -> TierModels:
    """Return the models that answer by rules."""
    from tradingagents.llm_clients.offline_model import OfflineChatModel

    model = OfflineChatModel()
    return TierModels(model, model, model, dict.fromkeys(TIERS, "offline/rules"))


def models_of(state: Mapping[str, Any], models: TierModels) -> TierModels:
    """Return the models that answer in this state: those of the run, or rules."""
    return rule_models() if state.get("by_rules") else models


def or_rules(act: Act) -> Act:
    """Return a step that, where the model gives it nothing usable, says why in `unusable` and changes nothing else."""

    async def tried(state: Any, runtime: Runtime[Any], config: RunnableConfig) -> Any:
        try:
            return await act(state, runtime, config)
        except (UnusableReply, PromptTooLong) as failure:
            return {"unusable": str(failure)}

    return tried


def started_over(state: Mapping[str, Any], agent: str) -> dict[str, Any]:
    """Return the update by which rules answer from here on, and the run says so.

    Args:
        agent: Who would have answered, for `degraded`.
    """
    reason = state["unusable"]
    return {
        "by_rules": reason,
        "unusable": "",
        "warnings": [note_of(reason)],
        "degraded": [DegradedRecord(kind="by_rules", agent=agent, detail=reason)],
    }


def note_of(reason: str) -> str:
    """Return the sentence that stands above an answer by rules."""
    return f"Fixed rules answer, since the language model gave no usable answer. {reason}"
