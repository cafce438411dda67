"""The approval step: a person reviews the risk manager's decision. Only where the setting `approve` is on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from pydantic import BaseModel, ConfigDict, Field

from tradingagents.agents.decision_text import render_decision
from tradingagents.agents.managers import risk_manager
from tradingagents.agents.schemas import Decision
from tradingagents.agents.states import AgentState
from tradingagents.context import TradingContext
from tradingagents.schemas.decision import sureness_words
from tradingagents.schemas.records import ReviewRecord

AGENT = "Approval"
WRITES = risk_manager.SPEC.output_key


class Approval(BaseModel):
    """A person's answer to a proposed decision."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    verdict: Literal["approve", "revise", "reject"]
    """approve: final as proposed; revise: back to the risk manager with the note; reject: no decision."""
    note: str = Field("", max_length=4000)


def create_approval() -> Callable[..., Awaitable[Any]]:
    """Return the node at which a run waits for a person. It asks no model."""

    async def approve(state: AgentState, runtime: Runtime[TradingContext]) -> Any:
        proposed = state["decisions"][WRITES]
        if proposed.action == "NO_DECISION":
            return {}
        symbol = runtime.context.instrument.symbol
        sure = sureness_words(proposed.confidence, proposed.strength)
        question = f"{symbol}: {proposed.action} ({sure}) awaits approval"
        # The node begins anew when the answer is there: nothing may happen before this line.
        said = Approval.model_validate(interrupt({"question": question, "decision": proposed.as_json()}))
        runtime.context.events.emit("approval", f"{said.verdict}: {said.note}", node=AGENT, step="decision")
        review = ReviewRecord(
            verdict=said.verdict,
            note=said.note,
            action=proposed.action,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        if said.verdict == "revise":
            return Command(update={"reviews": [review]}, goto=risk_manager.SPEC.name)
        if said.verdict == "approve":
            return {"reviews": [review]}
        rejected = Decision.none(f"The reviewer rejected {proposed.action}: {said.note or 'no reason given'}")
        return {
            WRITES: render_decision(rejected),
            "decisions": {WRITES: rejected},
            "reviews": [review],
        }

    return approve
