"""`tradingagents auto`: scan the market and decide on each candidate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import DateArgument, DateOption, day_asked, one_day, read_day, read_one_of
from .estimate import DryRun, print_estimate

if TYPE_CHECKING:
    from tradingagents.features.batch.auto import Conviction
    from tradingagents.features.batch.kind import AutoRequest
    from tradingagents.settings import Settings


ORDERS = options.HelpPanel("Orders")


@with_options(options.AUTO, lambda given: {"trade_date": day_asked(given)})
def auto(
    day: DateArgument = None,
    date_option: DateOption = None,
    portfolio: Annotated[
        Path | None,
        options.CANDIDATES.option(
            "--portfolio FILE", "Analyze these holdings too: CSV with a ticker column, JSON, or one ticker per line."
        ),
    ] = None,
    conviction: Annotated[
        str,
        options.CANDIDATES.option(
            "--conviction LEVEL", "Minimum conviction of a pick to analyze: high, medium or low."
        ),
    ] = "low",
    book: Annotated[
        str | None,
        ORDERS.option("--book [FILE]", "Decide for what you hold (the stored book, or this file's); list orders."),
    ] = None,
    weights: Annotated[
        str, ORDERS.option("--weights NAME", "Of purchases: confidence, equal, inverse_volatility or hrp.")
    ] = "confidence",
    max_positions: Annotated[int, ORDERS.option("--max-positions", "Positions at most.", min=1)] = 15,
    max_sector: Annotated[float, ORDERS.option("--max-sector X", "Largest sector.", min=0, max=1)] = 0.35,
    max_turnover: Annotated[float, ORDERS.option("--max-turnover X", "Most that is traded.", min=0, max=10)] = 1.0,
    min_cash: Annotated[float, ORDERS.option("--min-cash X", "Smallest share of cash.", min=0, max=1)] = 0.05,
    fractions: Annotated[bool, ORDERS.option("--fractions", "Trade fractions of shares.")] = False,
    commission: Annotated[float, ORDERS.option("--commission X", "Per share.", min=0)] = 0.005,
    min_commission: Annotated[float, ORDERS.option("--min-commission X", "Per order.", min=0)] = 1.0,
    dry_run: DryRun = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Scan the market, analyze each candidate and rank the decisions.

    Idempotent for a day and its options: a second start adds only what is missing, so cron may call it daily.
    """
    asked = read_day(one_day(day, date_option))
    settings, environ = read_both(flags)

    from tradingagents.analytics.holdings.weights import checked_scheme
    from tradingagents.features.batch.auto import CONVICTIONS
    from tradingagents.features.batch.kind import AutoRequest
    from tradingagents.features.batch.orders import OrderPlan
    from tradingagents.graph.trading.kind import book_of_command

    level = cast("Conviction", read_one_of("--conviction", conviction, CONVICTIONS))
    plan = OrderPlan(
        weights=checked_scheme(weights),
        max_positions=max_positions,
        max_sector=max_sector,
        max_turnover=max_turnover,
        min_cash=min_cash,
        fractions=fractions,
        commission=commission,
        min_commission=min_commission,
    )
    request = AutoRequest(
        day=asked,
        conviction=level,
        holdings=_read_holdings(portfolio, settings, terminal, knows=book is not None),
        **book_of_command({"book": book}),
        orders=plan,
    )
    if dry_run:
        return _estimate(request, settings, terminal)

    from ..batch_session import AutoSession

    return AutoSession(request, settings, environ, terminal).run()


def _estimate(request: AutoRequest, settings: Settings, terminal: Terminal) -> int:
    """Print what a batch would cost, with what is studied in any case; return the exit code."""
    from tradingagents.dataflows.look_up import default_day
    from tradingagents.features.batch.auto import in_any_case
    from tradingagents.graph.estimates.estimate import estimate_auto
    from tradingagents.graph.trading.kind import completed_book

    book = completed_book(request.book, settings.home_dir, request.day or default_day(settings))
    held, all_picks = in_any_case(request.holdings, book), request.conviction == "low"
    return print_estimate(
        terminal, lambda: estimate_auto(settings, request.day, held, all_picks=all_picks), in_any_case=held
    )


def _read_holdings(portfolio: Path | None, settings: Settings, terminal: Terminal, *, knows: bool) -> tuple[str, ...]:
    """Read the tickers of a portfolio file, and say what is not read of it; none without one.

    Args:
        portfolio: The file.
        settings: Say what SELL means.
        terminal: Where it is said.
        knows: Whether decisions know a book.

    Raises:
        UsageError: It contains no ticker.
    """
    from tradingagents.features.batch.holdings import columns_left_out, read_holdings

    if portfolio is None:
        return ()
    holdings = read_holdings(portfolio)
    if knows:
        return holdings
    unread = ", ".join(columns_left_out(portfolio))
    told = f"Of {portfolio.name} only the tickers are read{f', not {unread}' if unread else ''}: no decision knows "
    told += "what you hold without --book."
    if settings.sell_means == "short":
        told += " SELL opens a short position; with TRADINGAGENTS_SELL_MEANS=close it only closes what is held."
    terminal.note(told)
    return holdings
