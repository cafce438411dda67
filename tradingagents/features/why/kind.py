"""`decision_change`: why the decision on a company is another one on a later day."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import Field

from tradingagents.dataflows.look_up import default_day
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.graph.trading.kind import TeamRequest
from tradingagents.runtime.task_kind import RunTaskKind, TaskControl, TaskOutcome, new_limits
from tradingagents.settings import Settings, changed_settings


class DecisionChangeRequest(TeamRequest):
    """A company, two days, and who decides."""

    ticker: str = Field(min_length=1, max_length=40, description="The company, such as AAPL")
    first: date = Field(description="The earlier day")
    second: date | None = Field(None, description="The later day; unset: the day of the study")
    by: Literal["offline", "models"] = Field(
        "offline", description="offline: exact, by the fixed rules; models: sampled within a number of decisions"
    )
    decisions: int = Field(30, ge=8, le=500, description="Most decisions of models")
    repeats: int = Field(3, ge=1, le=20, description="Decisions of models that tell noise from a cause")


class DecisionChangeKind(RunTaskKind[DecisionChangeRequest]):
    """Decides on both days, and again on the later one with some evidence as before; nothing is written."""

    name = "decision_change"
    summary = "Explain why the decision is another one on a later day: the fewest readings or reports that turn it."
    request = DecisionChangeRequest

    def title(self, request: DecisionChangeRequest) -> str:
        """Return company and days."""
        return (
            f"Why {request.ticker.strip().upper()} {request.first} {request.second or request.day or 'latest session'}"
        )

    def check(self, request: DecisionChangeRequest, settings: Settings) -> None:
        """Check symbol, days and settings. Raises UsageError."""
        normalise(request.ticker)
        second = request.second or request.day
        if second is not None and request.first >= second:
            raise UsageError(f"The earlier day comes first: {request.first} is not before {second}.")
        if request.day is not None and second is not None and second > request.day:
            raise UsageError(f"{second} is not known on {request.day}, the day of the study; name that day at most.")
        super().check(request, settings)

    async def run(self, request: DecisionChangeRequest, control: TaskControl) -> TaskOutcome:
        """Explain the change; a resumed task begins anew."""
        settings = changed_settings(request.settings(control.settings), new_limits(control))
        second = request.second or request.day or default_day(settings, normalise(request.ticker))
        if request.by == "models":
            return TaskOutcome(await _sampled(request, second, settings, control))
        from tradingagents.features.why.decision_change import explain_change

        found = await explain_change(request.ticker, request.first, second, settings, control.environ)
        return TaskOutcome(found.to_json())


async def _sampled(
    request: DecisionChangeRequest, second: date, settings: Settings, control: TaskControl
) -> dict[str, Any]:
    from tradingagents.features.why.sampled_change import sample_change

    services = await control.services(settings=settings)

    def tell(done: int, most: int) -> None:
        said = f"{done} of at most {most} decisions"
        control.progress(step="decisions", message=said, done=done, total=most)
        control.emit("progress", said, step="decisions", data={"done": done, "total": most})

    found = await sample_change(
        request.ticker,
        request.first,
        second,
        services,
        decisions=request.decisions,
        repeats=request.repeats,
        tell=tell,
    )
    return found.to_json()


DECISION_CHANGE = DecisionChangeKind()
