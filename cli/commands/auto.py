"""`tradingagents auto`: scan the market and decide on each candidate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import DAY_HELP, DateOption, one_day, read_day, read_one_of
from .estimate import DryRun, print_estimate

if TYPE_CHECKING:
    from tradingagents.batch.auto import Conviction


@with_options(options.AUTO, lambda given: {"trade_date": given["day"] or given["date_option"]})
def auto(
    day: Annotated[str | None, typer.Argument(metavar="[DATE]", help=DAY_HELP, show_default=False)] = None,
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

    from tradingagents.batch.auto import CONVICTIONS

    level = cast("Conviction", read_one_of("--conviction", conviction, CONVICTIONS))
    holdings = _read_holdings(portfolio)
    if dry_run:
        from tradingagents.estimates.estimate import estimate_auto

        all_picks = level == "low"
        return print_estimate(terminal, lambda: estimate_auto(settings, asked, holdings, all_picks=all_picks))

    from ..batch_session import AutoSession

    return AutoSession(asked, settings, environ, terminal, holdings=holdings, conviction=level).run()


def _read_holdings(portfolio: Path | None) -> Sequence[str]:
    """Read the tickers of a portfolio file; none without one. Raises UsageError if it contains none."""
    from tradingagents.batch.holdings import read_holdings

    return read_holdings(portfolio) if portfolio else ()
