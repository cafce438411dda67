"""`debate`: bull against bear on one company, with a moderator's verdict; hints between the phases where coached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from tradingagents.errors import UsageError
from tradingagents.schemas.workspace import TaskInfo
from tradingagents.service.tasks.control import TaskControl
from tradingagents.service.tasks.kind import TaskOutcome
from tradingagents.service.tasks.run_request import RunTaskKind, SessionModelRequest
from tradingagents.settings import Settings


class DebateTaskRequest(SessionModelRequest):
    """A company to debate and the settings of the run."""

    ticker: str = Field(min_length=1, max_length=40, description="The company")
    rounds: int = Field(1, ge=1, le=2, description="Rebuttals of each side; 2 is a deep debate")
    coach: bool = Field(False, description="Pause between the phases for hints to the bull or the bear")


class DebateKind(RunTaskKind[DebateTaskRequest]):
    """One run of the debate graph."""

    name = "debate"
    summary = "Debate a company: bull against bear from the same evidence, a verdict, and what would change it."
    request = DebateTaskRequest

    def title(self, request: DebateTaskRequest) -> str:
        """Return what is debated."""
        return f"Debate on {request.ticker.strip().upper()}"

    def check(self, request: DebateTaskRequest, settings: Settings) -> None:
        """Check ticker and settings. Raises UsageError."""
        from tradingagents.dataflows.reference.symbols import normalise
        from tradingagents.features.debate.run import DebateRequest

        normalise(DebateRequest(ticker=request.ticker, day=request.day, rounds=request.rounds).ticker)
        super().check(request, settings)

    def check_answer(self, info: TaskInfo, answer: Mapping[str, Any] | None) -> dict[str, Any]:
        """Check hints, a line each (`bull: …`) in the note of a verdict, and new limits. Raises UsageError."""
        from tradingagents.features.debate.graph.hints import hints_of

        given = super().check_answer(info, answer)
        if given.get("verdict") == "reject":
            raise UsageError("A debate cannot be rejected; approve continues it, revise takes hints in the note.")
        _, wrong = hints_of(given, "")
        if given.get("verdict") and wrong:
            raise UsageError(wrong.strip())
        return given

    async def run(self, request: DebateTaskRequest, control: TaskControl) -> TaskOutcome:
        """Run the debate graph, or resume its run."""
        from tradingagents.features.debate.run import DEBATE, DebateRequest
        from tradingagents.service.tasks.run_steps import add_reports, run_to_end

        asked = DebateRequest(
            ticker=request.ticker,
            day=request.day,
            rounds=request.rounds,
            coach=request.coach,
            session=request.session or control.info.session_id,
        )
        card = await run_to_end(control, DEBATE, asked, request.settings(control.settings))
        add_reports(control, card, self.title(request))
        return TaskOutcome(debated(card))


def debated(card: Mapping[str, Any]) -> dict[str, Any]:
    """Return the verdict of a debate with the cases of both sides."""
    from tradingagents.service.tasks.run_steps import short_card

    keys = ("run_id", "status", "ticker", "as_of", "verdict", "cases", "written_by")
    return short_card(card, keys, answer=card["reports"].get("verdict", ""))


DEBATE_TASK = DebateKind()
