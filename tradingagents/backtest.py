"""`run_backtest` of the public API: decide on a grid of tickers and days, and see whether the calls were right.

It asks whether decisions are right, not what an account would have earned. `tradingagents backtest` trades the same
decisions in accounts, with costs, baselines and intervals (see `features.backtest`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

from tradingagents.agents.utils.rating import RATING_REVIEW, RATINGS_5_TIER
from tradingagents.dataflows.config import TRADING_DAYS, calendar_days
from tradingagents.dataflows.cutoff import parse_day, utc_now
from tradingagents.dataflows.instrument import assert_asset_type
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.features.backtest.decisions.decide import Wanted
from tradingagents.features.backtest.decisions.grid import (
    BacktestCell,
    decide_grid,
    grid_path,
    read_cells,
    write_cells,
)
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.runtime.background import BackgroundLoop
from tradingagents.runtime.runs.run_folder import new_run_id
from tradingagents.schemas.portfolio import Portfolio

HOLDING = 5
"""Sessions over which a decision is judged, as in the public project."""
DIRECTION: Mapping[str, int] = {"Buy": 1, "Overweight": 1, "Underweight": -1, "Sell": -1}
MOST_CELLS = 100_000
Progress = Callable[[int, int, str, str], None]
"""Called after each new cell with its number, the number of cells, the ticker and the day."""


@dataclass(frozen=True, slots=True)
class GridResult:
    """What a backtest over a grid did."""

    run_id: str
    log_path: Path
    """The cells, as JSON Lines."""
    cells_run: int
    """Decisions that were made now."""
    skipped: int
    """Decisions that were stored before, by this or another backtest of the same home."""
    failures: Sequence[tuple[str, str, str]]
    """Ticker, day and reason where there is no decision; the next run tries again."""
    settlement_failures: Sequence[tuple[str, str]]
    """Ticker and reason where outcomes could not be measured; the next run tries again."""


@dataclass(frozen=True, slots=True)
class RatingScore:
    """How the decisions of one rating came out. Figures are fractions."""

    count: int
    hit_rate: float | None
    """Share whose stock beat the benchmark (Buy, Overweight) or fell behind it (Sell, Underweight); None for Hold."""
    mean_return: float
    mean_alpha: float
    """Return of the stock less that of its benchmark."""


@dataclass(frozen=True, slots=True)
class GridSummary:
    """How the decisions of a grid came out."""

    by_rating: Mapping[str, RatingScore]
    """In the order of the ratings; those without an outcome are left out."""
    resolved: int
    pending: int
    """Decisions whose window has not passed."""
    unscored: int
    """Cells without a decision to judge, or without prices to judge it by."""
    holding: tuple[int, ...]
    """Sessions of the windows; several where one grid was run with several."""

    def render(self) -> str:
        """Return the summary as Markdown."""
        windows = " or ".join(map(str, self.holding)) or str(HOLDING)
        rows = [
            f"| {rating} | {score.count} | {_percent(score.hit_rate)} | {_percent(score.mean_return, signed=True)} | "
            f"{_percent(score.mean_alpha, signed=True)} |"
            for rating, score in self.by_rating.items()
        ]
        counts = [f"{self.resolved} decisions were judged {windows} sessions after their day."]
        if self.pending:
            counts.append(f"{self.pending} are pending: their window has not passed.")
        if self.unscored:
            counts.append(f"{self.unscored} cannot be judged: there was no decision, or there are no prices.")
        table = ["| Rating | Decisions | Right | Mean return | Mean excess |", "|---|---|---|---|---|", *rows]
        return "\n".join([" ".join(counts), *(["", *table] if rows else []), "", NO_PROOF])


NO_PROOF = (
    "Right means that the stock beat its benchmark after Buy and Overweight, and fell behind it after Sell and "
    "Underweight; Hold claims no direction. Costs are not counted. This is one sample of decisions on tickers that "
    "somebody chose, windows overlap, and a model may remember what happened: `tradingagents backtest` says how "
    "much of it chance explains."
)
BacktestResult, BacktestSummary = GridResult, GridSummary
"""Their names in the public project."""


def iter_grid(start_date: str | date, end_date: str | date, every_n_days: int = 1) -> list[str]:
    """Return the days from a first one on, as `YYYY-MM-DD`, none after the last one or after today.

    Raises:
        UsageError: A day is none, or the step is no positive number.
    """
    first, last = parse_day(start_date), min(parse_day(end_date), utc_now().date())
    if isinstance(every_n_days, bool) or not isinstance(every_n_days, int) or every_n_days < 1:
        raise UsageError("every_n_days is a whole number of days, at least 1.")
    count = (last - first).days // every_n_days + 1
    if count > MOST_CELLS:
        raise UsageError(f"These are {count:,} days; name a shorter period.")
    return [(first + timedelta(days=step * every_n_days)).isoformat() for step in range(max(count, 0))]


def run_backtest(
    tickers: Sequence[str],
    dates: Iterable[str | date],
    config: Mapping[str, Any] | None = None,
    *,
    selected_analysts: Sequence[str] | None = None,
    asset_type: str = "stock",
    portfolio: Portfolio | None = None,
    run_id: str | None = None,
    progress: Progress | None = None,
) -> GridResult:
    """Decide on every ticker and day with the trading graph, and measure what each stock did afterwards.

    Decisions are stored in the home folder: the same call decides nothing twice, whether or not it is given the id of
    the earlier one. Lessons of your own runs are neither read nor written.

    Args:
        tickers: Any spelling; each once.
        dates: Past days, see `iter_grid`.
        config: As of `TradingAgentsGraph`; `holding_period_days` is the window in sessions, 5 where it is not given.
        selected_analysts: market, social, news, fundamentals; None: as `config` says.
        asset_type: See `TradingAgentsGraph.apropagate`.
        portfolio: Refused: a stored decision is for nobody in particular.
        run_id: Name of the log; None: a new one.
        progress: Called after each new cell.

    Raises:
        UsageError: A ticker, a day or the id is wrong, or a portfolio is given; nothing was decided.
        TradingAgentsError: As `features.backtest.decisions.decide.decide` raises.
    """
    if portfolio is not None:
        raise UsageError("A backtest decides for nobody in particular; give a portfolio to propagate(portfolio=).")
    given = dict(config or {})
    window = given.pop(TRADING_DAYS, None) or HOLDING
    calendar_days(window)
    symbols = _symbols(tickers, asset_type)
    days = list(dict.fromkeys(map(parse_day, dates)))
    cells = len(symbols) * len(days)
    if not 0 < cells <= MOST_CELLS:
        raise UsageError(f"Name tickers and days, {MOST_CELLS:,} cells at most; these are {cells:,}.")
    run_id = run_id or new_run_id(symbols[0], days[0].isoformat())
    done = [0]

    def ended(case: Wanted) -> None:
        done[0] += 1
        if progress is not None:
            progress(done[0], cells, case[0], case[1].isoformat())

    loop = BackgroundLoop("tradingagents-backtest")
    with TradingAgentsGraph(selected_analysts, config=given) as graph:
        log = grid_path(graph.config.home_dir, run_id)
        try:
            found = loop.submit(decide_grid(graph.services, symbols, days, window, ended=ended)).result()
        finally:
            loop.close()
        write_cells(log, found.cells)
    return GridResult(
        run_id=run_id,
        log_path=log,
        cells_run=found.decided,
        skipped=len(found.cells) - found.decided,
        failures=[(ticker, day.isoformat(), reason) for (ticker, day), reason in found.missing.items()],
        settlement_failures=list(found.no_prices.items()),
    )


def summarize(result: GridResult | str | Path) -> GridSummary:
    """Return how the decisions of a backtest came out, by rating.

    Args:
        result: What `run_backtest` returned, or its log.

    Raises:
        FileNotFoundError: There is no such log.
        UnreadableFile: The log holds something else.
    """
    cells = read_cells(result.log_path if isinstance(result, GridResult) else Path(result))
    scored = {rating: _score(rating, cells) for rating in RATINGS_5_TIER}
    return GridSummary(
        by_rating={rating: score for rating, score in scored.items() if score is not None},
        resolved=sum(cell.excess is not None for cell in cells),
        pending=sum(cell.excess is None and not cell.unscored for cell in cells),
        unscored=sum(bool(cell.unscored) for cell in cells),
        holding=tuple(sorted({cell.sessions for cell in cells if cell.rating != RATING_REVIEW})),
    )


def _symbols(tickers: Sequence[str], asset_type: str) -> list[str]:
    if isinstance(tickers, str):
        raise UsageError('Tickers are a list, such as ["NVDA", "AAPL"].')
    for ticker in tickers:
        assert_asset_type(ticker, asset_type)
    return list(dict.fromkeys(map(normalise, tickers)))


def _score(rating: str, cells: Sequence[BacktestCell]) -> RatingScore | None:
    own = [
        (cell.total_return or 0.0, excess)
        for cell in cells
        if cell.rating == rating and (excess := cell.excess) is not None
    ]
    if not own:
        return None
    side = DIRECTION.get(rating)
    return RatingScore(
        count=len(own),
        hit_rate=None if side is None else fmean(side * excess > 0 for _, excess in own),
        mean_return=fmean(change for change, _ in own),
        mean_alpha=fmean(excess for _, excess in own),
    )


def _percent(share: float | None, *, signed: bool = False) -> str:
    if share is None:
        return "no direction"
    return f"{share * 100:+.2f} %" if signed else f"{share * 100:.0f} %"
