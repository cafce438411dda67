"""`backtest` trades decisions of past days against recorded prices; `paper_run` decides in an account day by day."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from tradingagents.dataflows.look_up import recorded_until
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.graph.trading.kind import TeamRequest
from tradingagents.runtime.task_kind import RunTaskKind, TaskControl, TaskOutcome, new_limits
from tradingagents.settings import Settings, changed_settings

if TYPE_CHECKING:
    from tradingagents.features.backtest.paper.run import PaperRun
    from tradingagents.features.backtest.request import BacktestRequest
    from tradingagents.runtime.services import Services

MOST_TICKERS = 200
Weights = Literal["confidence", "equal", "inverse_volatility", "hrp"]
STEPS = 50
"""Events that tell the progress of the decisions, at most."""
FILES: Mapping[str, tuple[str, Literal["report", "data"]]] = {
    "report.html": ("Page", "report"),
    "report.md": ("Report", "report"),
    "result.json": ("Result", "data"),
    "trades.csv": ("Trades", "data"),
    "decisions.csv": ("Decisions", "data"),
    "equity.csv": ("Equity", "data"),
    "by_ticker.csv": ("Strategies by ticker", "data"),
}
"""Files of a backtest that become artifacts, with their titles and kinds."""


class BacktestTaskRequest(TeamRequest):
    """What to test, and the settings of its decisions. `day` is the last day that may be used."""

    tickers: tuple[str, ...] = Field(
        min_length=1, max_length=MOST_TICKERS, description="Symbols, such as AAPL and MSFT"
    )
    start: date = Field(description="First day; decisions begin here")
    end: date | None = Field(None, description="Last day of the accounts; unset: the day of the study")
    every: int = Field(5, ge=1, le=252, description="Sessions from one decision to the next")
    weights: Weights = Field("confidence", description="How decisions become weights")
    cash: float = Field(100_000.0, gt=0, description="What each account begins with")
    other_weights: tuple[Weights, ...] = Field((), max_length=4, description="Other weightings to try")
    ablations: tuple[str, ...] = Field((), max_length=8, description="Parts to leave out, each as a variant")
    repeats: int = Field(1, ge=1, le=100, description="How often models decide on each ticker and day")
    disguise: bool = Field(False, description="Decide a second time under other names, years and levels")
    short: bool = Field(False, description="Let SELL sell borrowed shares")
    exits: Literal["none", "plan"] = Field(
        "none",
        description="What closes positions between decisions: none, or plan, the stop and target of each decision",
    )
    memory_cases: int = Field(
        0,
        ge=0,
        le=2000,
        description="Tickers and days on which to tell decisions by data from decisions by remembered names; 0: none",
    )


class BacktestKind(RunTaskKind[BacktestTaskRequest]):
    """One backtest. Decisions are stored as they are made, so that a resumed task decides nothing twice."""

    name = "backtest"
    known_as = "Backtest decisions"
    summary = "Test decisions on past days: trade them against recorded prices with costs, and compare with baselines."
    request = BacktestTaskRequest

    def title(self, request: BacktestTaskRequest) -> str:
        """Return tickers and period."""
        named = ", ".join(ticker.strip().upper() for ticker in request.tickers[:4])
        more = f" and {len(request.tickers) - 4} more" if len(request.tickers) > 4 else ""
        until = request.end or request.day or "the last session"
        return f"Backtest of {named}{more}, {request.start} to {until}"

    def check(self, request: BacktestTaskRequest, settings: Settings) -> None:
        """Check symbols, days and settings. Raises UsageError."""
        for ticker in request.tickers:
            normalise(ticker)
        if request.end is not None and request.end <= request.start:
            raise UsageError(f"The end comes after the start; {request.end} does not come after {request.start}.")
        if request.day is not None and (request.end or request.start) > request.day:
            last = request.end or request.start
            raise UsageError(f"{last} is not known on {request.day}, the day of the study; end on that day at most.")
        super().check(request, settings)

    async def run(self, request: BacktestTaskRequest, control: TaskControl) -> TaskOutcome:
        """Decide, score and write the files; what an earlier start decided is stored."""
        import asyncio

        from tradingagents.features.backtest.pages.files import write_backtest
        from tradingagents.features.backtest.run import backtest

        settings = changed_settings(request.settings(control.settings), new_limits(control))
        services = await control.services(settings=settings)
        found = await backtest(services, asked(request, services.settings), tell=_progress(control))
        memory = await _memory(request, services, control)
        control.progress(step="files", message="writing the report")
        folder = await asyncio.to_thread(write_backtest, settings.home_dir, found)
        title = self.title(request)
        for name, (what, kind) in FILES.items():
            if (folder / name).is_file():
                control.add_artifact(folder / name, kind=kind, title=f"{what}: {title}")
        return TaskOutcome({**tested(found.record), **memory})


async def _memory(request: BacktestTaskRequest, services: Services, control: TaskControl) -> dict[str, Any]:
    """Return what the models may remember, where it was asked."""
    if not request.memory_cases:
        return {}
    from tradingagents.features.backtest.contamination.assess import assess_contamination

    found = await assess_contamination(
        services, asked(request, services.settings), cases=request.memory_cases, tell=_progress(control, "memory")
    )
    return {"contamination": found.to_json()}


def asked(request: BacktestTaskRequest, settings: Settings) -> BacktestRequest:
    """Return the request of the backtest; the settings choose its last day where none is named."""
    from tradingagents.dataflows.cutoff import utc_now
    from tradingagents.dataflows.reference.calendar import exchange_of, sessions
    from tradingagents.features.backtest.limits import ShortRules
    from tradingagents.features.backtest.request import BacktestRequest

    last_closed = sessions(exchange_of(normalise(request.tickers[0]))).last_closed(utc_now())
    return BacktestRequest(
        tickers=request.tickers,
        start=request.start,
        end=request.end or request.day or min(last_closed, recorded_until(settings) or last_closed),
        every=request.every,
        scheme=request.weights,
        deposit=request.cash,
        shorts=ShortRules() if request.short else None,
        exits=request.exits,
        schemes=request.other_weights,
        ablations=request.ablations,
        repeats=request.repeats,
        disguise=request.disguise,
    )


def tested(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a backtest in short: its verdict, the strategies, the coverage and what speaks against it."""
    keys = ("total_return", "sharpe", "max_drawdown", "exposure", "ci_equal_exposure")
    strategies = {name: {key: strategy[key] for key in keys} for name, strategy in record["strategies"].items()}
    more = ("first_session", "last_session", "sessions", "coverage", "power", "warnings")
    return {
        "backtest": record["id"],
        "verdict": record["verdict"],
        "strategies": strategies,
        **{key: record[key] for key in more},
        "cost_usd": record["costs"]["llm_usd"],
    }


def _progress(control: TaskControl, step: str = "decisions") -> Callable[[int, int], None]:
    """Return what is told after each decision: the progress always, an event for every fiftieth part."""
    told = [-1]

    def tell(done: int, wanted: int) -> None:
        control.progress(step=step, message=f"{done} of {wanted} decisions", done=done, total=wanted)
        part = done * STEPS // max(wanted, 1)
        if part > told[0]:
            told[0] = part
            control.emit("progress", f"{done} of {wanted} decisions", step=step, data={"done": done, "total": wanted})

    return tell


BACKTEST_TASK = BacktestKind()


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
