"""`auto`: scan the market, study every candidate, rank the decisions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from tradingagents.dataflows.look_up import default_day
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BudgetReached
from tradingagents.events import Event
from tradingagents.features.batch.orders import OrderPlan
from tradingagents.graph.trading.kind import BookAsked, TeamRequest, completed_book
from tradingagents.runtime.task_kind import RunTaskKind, TaskControl, TaskOutcome, new_limits
from tradingagents.settings import Settings, changed_settings

if TYPE_CHECKING:
    from tradingagents.schemas.batches import BatchRecord, BatchRow


class AutoRequest(TeamRequest):
    """A day, what is studied besides the scan's picks, and the settings of all runs."""

    holdings: tuple[str, ...] = Field((), max_length=100, description="Tickers to study in any case")
    conviction: Literal["high", "medium", "low"] = Field(
        "low", description="Lowest conviction of the scan's picks to study"
    )
    book: BookAsked = Field(
        None, description="What you hold: positions and cash, or `stored` for the book of the home; unset: not known"
    )
    orders: OrderPlan | None = Field(None, description="How all decisions become one list of orders for the book")
    max_tickers: int | None = Field(None, ge=1, le=50, description="Exact number of stocks the scan names")


class AutoKind(RunTaskKind[AutoRequest]):
    """One batch: a scan, and a run of the trading graph for each candidate."""

    name = "auto"
    known_as = "Scan and analyze"
    summary = "Scan the market, then study every candidate and holding with a team of agents, and rank the decisions."
    request = AutoRequest

    def title(self, request: AutoRequest) -> str:
        """Return the day, and how many holdings are studied too."""
        held = f" and {len(request.holdings)} holdings" if request.holdings else ""
        return f"Scan and analyze {request.day or 'latest session'}{held}"

    def check(self, request: AutoRequest, settings: Settings) -> None:
        """Check holdings and settings. Raises UsageError."""
        for ticker in request.holdings:
            normalise(ticker)
        super().check(request, settings)

    async def run(self, request: AutoRequest, control: TaskControl) -> TaskOutcome:
        """Run the batch; runs that an earlier start finished are not repeated."""
        from tradingagents.features.batch.auto import auto

        if "day" not in control.state:
            control.remember(day=(request.day or default_day(control.settings)).isoformat())
        day = date.fromisoformat(control.state["day"])
        settings = changed_settings(request.settings(control.settings), new_limits(control))
        services = await control.services(settings=settings)
        watcher = _AutoWatcher(control)
        record = await auto(
            services,
            day,
            holdings=request.holdings,
            conviction=request.conviction,
            watcher=watcher,
            book=completed_book(request.book, control.settings.home_dir, day),
            plan=request.orders,
        )
        for name, what in (("html", "Page"), ("report", "Report")):
            control.add_artifact(Path(record["paths"][name]), kind="report", title=f"{what}: scan and study {day}")
        if record["status"] == "budget":
            left = sum(row.status in ("budget", "waiting") for row in record["rows"])
            raise BudgetReached(
                f"The budget is used up, and {left} of {len(record['rows'])} tickers are not finished; resume the task "
                "with a higher budget_usd or max_llm_calls."
            )
        return TaskOutcome(ranked_in_short(record))


class _AutoWatcher:
    """Writes the events of all runs to the task's journal, and counts finished tickers."""

    def __init__(self, control: TaskControl) -> None:
        self._control, self._done = control, 0
        control.progress(done=0, message="scan")

    def on_event(self, event: Event) -> None:
        """Receive an event of the scan or of a run."""
        if event.type == "run_start":
            self._control.run_started(event.run_id)
        self._control.subscriber(event)

    def planned(self, tickers: Sequence[str]) -> None:
        """Receive the tickers of the batch."""
        self._done = 0
        self._control.progress(done=0, total=len(tickers))
        self._control.emit("progress", f"studying {', '.join(tickers)}", data={"tickers": list(tickers)})

    def ended(self, row: BatchRow) -> None:
        """Receive the row of a ticker that has ended."""
        self._done += 1
        self._control.progress(done=self._done)
        short = row_in_short(row)
        self._control.emit(
            "progress", f"{row['ticker']}: {short['action'] or row['status']}", run_id=row.run_id, data=short
        )


def ranked_in_short(record: BatchRecord) -> dict[str, Any]:
    """Return the ranked decisions of a batch."""
    return {
        "batch_id": record["batch_id"],
        "status": record["status"],
        "trade_date": record["trade_date"],
        "rows": [row_in_short(row) for row in record["rows"]],
        "warnings": list(record["warnings"]),
        **({} if record.orders is None else {"orders": record.orders.as_json()}),
        "cost_usd": record.usage.cost_usd,
    }


def row_in_short(row: BatchRow) -> dict[str, Any]:
    """Return one ticker of a batch in short."""
    decision = row.decision
    return {
        "ticker": row.ticker,
        "name": row.name,
        "status": row.status,
        "action": None if decision is None else decision.action,
        "confidence": None if decision is None else decision.confidence,
        "strength": None if decision is None else decision.strength,
        "key_reason": row.key_reason,
        "run_id": row.run_id,
        "error": row.error,
    }


AUTO = AutoKind()
