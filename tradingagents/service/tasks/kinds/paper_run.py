"""`paper_run`: a paper account is taken through the sessions that have closed since its last run, and decides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic import Field

from tradingagents.graph.trading.kind import TeamRequest
from tradingagents.service.tasks.control import TaskControl
from tradingagents.service.tasks.kind import TaskOutcome
from tradingagents.service.tasks.run_task import RunTaskKind
from tradingagents.settings import Settings, changed_settings

if TYPE_CHECKING:
    from tradingagents.features.backtest.paper.run import PaperRun


class PaperRunRequest(TeamRequest):
    """An account, and the settings of its decisions. `day` is its clock: the day up to which it is run."""

    account: str = Field("main", max_length=40, description="Name of the paper account")
    decide_missed: bool = Field(
        False, description="Decide on missed sessions, too, each with what was known after its close"
    )


class PaperRunKind(RunTaskKind[PaperRunRequest]):
    """One run of a paper account. What an interrupted one recorded and decided is found by the next."""

    name = "paper_run"
    known_as = "Run a paper account"
    summary = "Take a paper account through the sessions since its last run: fill its orders, mark it, decide anew."
    request = PaperRunRequest

    def title(self, request: PaperRunRequest) -> str:
        """Return account and day."""
        return f"Paper account {request.account} {request.day or 'latest session'}"

    def check(self, request: PaperRunRequest, settings: Settings) -> None:
        """Check account and settings; refuse one that is being run. Raises UsageError, NotFound, PaperAccountBusy."""
        from tradingagents.features.backtest.paper.account import PaperAccount

        PaperAccount(settings.home_dir, request.account).refuse_busy()
        super().check(request, settings)

    async def run(self, request: PaperRunRequest, control: TaskControl) -> TaskOutcome:
        """Run the account; a resumed task goes through what is left."""
        import asyncio

        from tradingagents.features.backtest.paper.run import run_paper
        from tradingagents.service.tasks.run_steps import new_limits

        settings = changed_settings(request.settings(control.settings), new_limits(control))
        services = await control.services(settings=settings)

        def tell(done: int, wanted: int) -> None:
            said = f"{done} of {wanted} decisions"
            control.progress(step="decisions", message=said, done=done, total=wanted)
            control.emit("progress", said, step="decisions", data={"done": done, "total": wanted})

        found = await run_paper(services, request.account, request.day, decide_missed=request.decide_missed, tell=tell)
        return TaskOutcome(await asyncio.to_thread(_stands, settings, request.account, found))


def _stands(settings: Settings, name: str, found: PaperRun) -> dict[str, Any]:
    """Return what a run did, and where the account stands after it."""
    from tradingagents.features.backtest.paper.status import paper_status

    told = paper_status(settings.home_dir, name, found.until).to_json()
    keys = ("last_session", "equity", "cash", "total_return", "benchmark", "benchmark_return", "positions", "orders")
    more = ("last_decisions", "warnings", "cost_usd")
    return {"account": name, "run": found.to_json(), **{key: told[key] for key in (*keys, *more)}}


PAPER_RUN = PaperRunKind()
