"""`backtest_contamination`: what models may remember of a backtest's days, and whether they follow data or names."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.settings import Settings
from tradingagents.tasks.control import TaskControl, changed_settings
from tradingagents.tasks.kind import TaskOutcome
from tradingagents.tasks.run_request import RunTaskKind, TeamRequest

MOST_CASES = 2000


class ContaminationRequest(TeamRequest):
    """The companies and the period of a backtest, and how much of it is tried."""

    tickers: tuple[str, ...] = Field(min_length=2, max_length=200, description="Symbols, two at least")
    start: date = Field(description="First day")
    end: date | None = Field(None, description="Last day; unset: the day of the study")
    cases: int = Field(24, ge=2, le=MOST_CASES, description="Tickers and days to try; each takes about four decisions")

    @classmethod
    def not_settings(cls) -> set[str]:
        """Return the fields that are no settings."""
        return {*super().not_settings(), "tickers", "start", "end", "cases"}


class ContaminationKind(RunTaskKind[ContaminationRequest]):
    """Decides the same cases on altered inputs. Decisions are stored, so that a resumed task decides nothing twice."""

    name = "backtest_contamination"
    summary = "Find out what models may remember of a backtest's days, and whether they decide by data or by name."
    request = ContaminationRequest

    def title(self, request: ContaminationRequest) -> str:
        """Return tickers and period."""
        named = ", ".join(one.strip().upper() for one in request.tickers[:4])
        more = f" and {len(request.tickers) - 4} more" if len(request.tickers) > 4 else ""
        return f"Memory of {named}{more}, {request.start} to {request.end or request.day or 'the last session'}"

    def check(self, request: ContaminationRequest, settings: Settings) -> None:
        """Check symbols, days and settings. Raises UsageError."""
        for one in request.tickers:
            normalise(one)
        last = request.end or request.day
        if last is not None and last <= request.start:
            raise UsageError(f"The end comes after the start; {last} does not come after {request.start}.")
        if request.day is not None and last is not None and last > request.day:
            raise UsageError(f"{last} is not known on {request.day}, the day of the study; end on that day at most.")
        super().check(request, settings)

    async def run(self, request: ContaminationRequest, control: TaskControl) -> TaskOutcome:
        """Decide and compare; what an earlier start decided is stored."""
        from tradingagents.backtest.contamination.assess import assess_contamination
        from tradingagents.backtest.run import BacktestRequest
        from tradingagents.tasks.run_steps import new_limits
        from tradingagents.workflows.start import last_session

        def tell(done: int, wanted: int) -> None:
            control.progress(step="decisions", message=f"{done} of {wanted} decisions", done=done, total=wanted)

        settings = changed_settings(request.settings(control.settings), new_limits(control))
        services = await control.services(settings=settings)
        end = request.end or request.day or last_session(request.tickers[0])
        asked = BacktestRequest(tickers=request.tickers, start=request.start, end=end)
        found = await assess_contamination(services, asked, cases=request.cases, tell=tell)
        return TaskOutcome(found.to_json())


CONTAMINATION_TASK = ContaminationKind()
