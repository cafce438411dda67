"""Runs the watch list, watched, and answers with what changed and the exit code."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from cli.batch_session import left_behind, print_row_errors, run_watched, why_ended
from cli.session import day_of_market, failure, loading, print_json
from cli.terminal import INTERRUPTED
from tradingagents.errors import TradingAgentsError, UsageError

if TYPE_CHECKING:
    from cli.terminal import Terminal
    from tradingagents.estimates.estimate import EstimateRecord
    from tradingagents.runtime.services import Services
    from tradingagents.schemas.records import WatchRecord
    from tradingagents.settings import Settings


@dataclass(frozen=True)
class WatchRequest:
    """What `watch run` is asked."""

    day: date | None
    """None: the last session that has closed."""
    min_move: float
    webhook: str | None


def read_request(day: date | None, min_move: float, webhook: str | None, environ: Mapping[str, str]) -> WatchRequest:
    """Return what is asked for, checked as far as can be told without data.

    Raises:
        UsageError: The move is no difference in confidence, or the URL is none that a message may go to.
        ConfigurationError: There is no secret to sign messages with.
    """
    from tradingagents.batch.webhook import SECRET_VARIABLE, check_webhook

    if not 0 <= min_move <= 1:
        raise UsageError(f"--min-move cannot be {min_move:g}; it is a difference in confidence, from 0 to 1.")
    if webhook is not None:
        check_webhook(webhook, environ.get(SECRET_VARIABLE))
    return WatchRequest(day, min_move, webhook)


async def estimate_watch(settings: Settings, day: date | None) -> EstimateRecord:
    """Estimate what the study of the list costs, as if none were finished yet.

    Raises:
        UsageError: The list is empty, or the date is wrong.
    """
    from tradingagents.batch.watch import watched_tickers
    from tradingagents.estimates.estimate import estimate_analyze

    return await estimate_analyze(settings, watched_tickers(settings.home_dir), day)


def run_watch(request: WatchRequest, settings: Settings, environ: Mapping[str, str], terminal: Terminal) -> int:
    """Study the list and print what changed; return the exit code.

    Raises:
        ConfigurationError: A model or folder is not set up; nothing was run.
    """
    with loading(terminal):
        from cli.run_monitor import Runs
        from tradingagents.batch.watch import exit_code, watch
        from tradingagents.runtime.services import open_services

        services = open_services(settings, environ)
    runs = Runs(analysts=settings.analysts, more_to_come=True)
    outcome = run_watched(
        services,
        runs,
        terminal,
        lambda watcher: watch(services, request.day, watcher=watcher, min_move=request.min_move),
    )
    if isinstance(outcome, TradingAgentsError):
        _print_failure(services, request.day, outcome, terminal)
        return outcome.exit_code
    _print_record(outcome, terminal)
    undelivered = _deliver(request.webhook, outcome, environ, terminal)
    return exit_code(outcome["batch"]) or undelivered


def _print_record(record: WatchRecord, terminal: Terminal) -> None:
    if terminal.json:
        print_json(terminal, record)
    else:
        from cli.watch_output import print_watch

        print_watch(terminal.out, record)
    print_row_errors(record["batch"], terminal)


def _deliver(url: str | None, record: WatchRecord, environ: Mapping[str, str], terminal: Terminal) -> int:
    """Tell a webhook, where there is one; return the exit code of a failure, else 0."""
    if url is None:
        return 0
    from tradingagents.batch.webhook import SECRET_VARIABLE, deliver, watch_payload

    try:
        asyncio.run(deliver(url, watch_payload(record), secret=environ.get(SECRET_VARIABLE)))
    except TradingAgentsError as error:
        terminal.print_error(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        terminal.print_error("Interrupted before the webhook took the message; the results are written.")
        return INTERRUPTED
    return 0


def _print_failure(services: Services, day: date | None, error: TradingAgentsError, terminal: Terminal) -> None:
    """Print what an early end left, then why it came."""
    from tradingagents.batch.watch import watch_card

    batch = left_behind(error, lambda: watch_card(services, day))
    if terminal.json:
        print_json(terminal, failure({"trade_date": day_of_market(day)}, error, {"batch": batch} if batch else None))
    elif batch and batch["rows"]:
        from cli.batch_output import print_batch

        print_batch(terminal.out, batch)
    terminal.print_error(why_ended(error, batch))
