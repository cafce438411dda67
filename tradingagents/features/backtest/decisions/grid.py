"""Decide on a grid of tickers and days, and compare what each stock did then with its benchmark.

Nothing is traded here: it tells whether a team's calls were right, each over the same number of sessions. Accounts with
costs, limits and intervals are the matter of `features.backtest.run`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from pydantic import ValidationError

from tradingagents.agents.utils.rating import Rating, rating_of
from tradingagents.analytics.decisions.outcome import path
from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.errors import DataError, VendorNotConfigured
from tradingagents.features.backtest.decisions.decide import Ended, Wanted, decide
from tradingagents.features.backtest.decisions.decision_store import StoredDecision
from tradingagents.files.atomic import log_line, unreadable, write_whole, writing
from tradingagents.files.json_text import parse_json
from tradingagents.files.regular_files import read_regular
from tradingagents.graph.evaluation.outcome import benchmark_prices
from tradingagents.runtime.executor import open_market
from tradingagents.runtime.runs.run_folder import checked_component
from tradingagents.runtime.services import Services
from tradingagents.schemas.record import Record

FOLDER = "backtest_grids"
WAY_OUT = "delete it, and run the backtest again: the decisions are stored elsewhere"


class BacktestCell(Record):
    """One decision of a grid, with what the stock did after it. Returns are fractions, dividends included."""

    ticker: str
    day: date
    action: str
    conviction: float
    """0 to 1: strength of the offline rules, or the model's confidence."""
    sessions: int
    """Length of the window after the decision."""
    end: date | None = None
    """Last session of the window; None where it has not passed, or where there is no price."""
    total_return: float | None = None
    benchmark: str | None = None
    benchmark_return: float | None = None
    unscored: str = ""
    """Why there is no outcome and never will be; empty where there is one, or where the window has not passed."""

    @property
    def rating(self) -> Rating:
        """The decision on the five steps of the public TradingAgents."""
        return rating_of(self.action, self.conviction)

    @property
    def excess(self) -> float | None:
        """Return of the stock less that of its benchmark."""
        if self.total_return is None or self.benchmark_return is None:
            return None
        return self.total_return - self.benchmark_return


@dataclass(frozen=True, slots=True)
class DecidedGrid:
    """The cells of a grid, and those without a decision or an outcome."""

    cells: Sequence[BacktestCell]
    decided: int
    """Decisions that were made now; the others were stored before."""
    missing: Mapping[Wanted, str]
    """Why there is no decision."""
    no_prices: Mapping[str, str]
    """Why the decisions on a ticker have no outcome yet, by ticker."""


async def decide_grid(
    services: Services, tickers: Sequence[str], days: Sequence[date], window: int, *, ended: Ended
) -> DecidedGrid:
    """Decide on every ticker and day, and measure what followed.

    Args:
        services: Settings and models.
        tickers: Normalized symbols.
        days: Past days, sessions or not.
        window: Sessions after a decision over which its stock is compared with the benchmark.
        ended: Called after each attempt to decide.

    Raises:
        TradingAgentsError: As `decide` raises; decisions made so far are stored.
    """
    decided = await decide(services, tickers, days, ended=ended)
    cells: list[BacktestCell] = []
    no_prices: dict[str, str] = {}
    for ticker in tickers:
        own = [decision for (symbol, _), decision in decided.found.items() if symbol == ticker]
        try:
            cells += await asyncio.to_thread(lambda: list(_measured(services, ticker, own, window)))  # noqa: B023
        except (DataError, VendorNotConfigured) as error:
            no_prices[ticker] = str(error)
            cells += [_cell(decision, window) for decision in own]
    return DecidedGrid(cells, decided.decided, decided.missing, no_prices)


def _measured(
    services: Services, ticker: str, decisions: Sequence[StoredDecision], window: int
) -> Iterator[BacktestCell]:
    """Yield the decisions on one ticker with their outcomes."""
    if not decisions:
        return
    data = open_market(services, ticker, None, utc_now())
    calendar = sessions(exchange_of(ticker))
    first = calendar.on_or_before(min(decision.day for decision in decisions))
    days = max((data.as_of - first).days + 15, services.settings.price_history_days)
    prices, benchmark = data.prices(ticker, days=days), data.instrument(ticker).benchmark
    compared = benchmark_prices(data, benchmark, days)
    last = calendar.last_closed(data.cutoff.instant)
    for decision in decisions:
        cell = _cell(decision, window)
        start = calendar.on_or_before(decision.day)
        held = calendar.between(start, last)
        if decision.decision.action == "NO_DECISION" or len(held) <= window:
            yield cell  # nothing to judge, or not yet
            continue
        end = held[window]
        found = path(decision.decision.action, prices, start, end, compared)
        if found is None:
            yield cell.model_copy(update={"unscored": f"{prices.vendor} has no price of {ticker} on {start} or {end}"})
        elif found.benchmark_return is None:
            yield cell.model_copy(update={"unscored": "there is no benchmark with prices of the window"})
        else:
            outcome = {"end": end, "total_return": found.total_return, "benchmark_return": found.benchmark_return}
            yield cell.model_copy(update={**outcome, "benchmark": benchmark})


def _cell(stored: StoredDecision, window: int) -> BacktestCell:
    decision = stored.decision
    unscored = decision.rationale if decision.action == "NO_DECISION" else ""
    return BacktestCell(
        ticker=stored.ticker,
        day=stored.day,
        action=decision.action,
        conviction=decision.conviction,
        sessions=window,
        unscored=unscored,
    )


def grid_path(home: Path, run_id: str) -> Path:
    """Return where a home folder holds the cells of a grid.

    Raises:
        UsageError: The id is no path component.
    """
    return home / FOLDER / f"{checked_component(run_id)}.jsonl"


def write_cells(file: Path, cells: Iterable[BacktestCell]) -> None:
    """Write cells, one a line, and replace earlier ones.

    Raises:
        HomeNotWritable: The file cannot be written.
    """
    with writing(file.parent):
        write_whole(file, "".join(log_line(cell.as_json()).decode() for cell in cells))


def read_cells(file: Path) -> list[BacktestCell]:
    """Return the cells of a file.

    Raises:
        FileNotFoundError: There is none.
        UnreadableFile: It holds something else.
    """
    try:
        return [
            BacktestCell.model_validate(parse_json(line)) for line in read_regular(file).decode().splitlines() if line
        ]
    except (ValueError, ValidationError) as error:
        raise unreadable(file, "it holds no cells of a backtest", WAY_OUT) from error
