"""Runs a scan, watched, and answers with what it found and the exit code."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, cast

from cli.cards import Cards
from cli.session import day_of_market, failure, loading, print_json, run_to_the_end
from tradingagents.errors import Interrupted, TradingAgentsError

if TYPE_CHECKING:
    from cli.terminal import Terminal
    from tradingagents.runtime.services import Services
    from tradingagents.schemas.records import ScanRecord
    from tradingagents.settings import Settings


def run_scan(
    day: date | None,
    settings: Settings,
    environ: Mapping[str, str],
    terminal: Terminal,
    *,
    go_on: bool = False,
    run_id: str | None = None,
) -> int:
    """Scan the market and print what came of it.

    Args:
        day: The day the scan pretends it is; None: the last session that has closed.
        settings: What the scan is told.
        environ: Where API keys are read from.
        terminal: Where to print.
        go_on: Whether to go on with a scan that was asked the same and has not ended.
        run_id: The scan to go on with, whatever else there is.

    Returns:
        The exit code.

    Raises:
        ConfigurationError: A model or folder is not set up; nothing was run.
    """
    with loading(terminal):
        from tradingagents.runtime.services import open_services

        services = open_services(settings, environ)
    cards = Cards(settings.home_dir)
    outcome = _scan(services, day, cards, terminal, go_on, run_id)
    if isinstance(outcome, TradingAgentsError):
        _print_failure(day, outcome, cards, terminal)
        return outcome.exit_code
    _print_record(outcome, terminal)
    return 0


def _scan(
    services: Services, day: date | None, cards: Cards, terminal: Terminal, go_on: bool, run_id: str | None
) -> ScanRecord | TradingAgentsError:
    from cli.display import watcher_for
    from cli.run_monitor import Runs
    from tradingagents.workflows.start import ScanRun, resume, scan

    with watcher_for(terminal, Runs(scan=True)) as watcher:
        try:
            watching = (cards.note, watcher.on_event)
            if run_id is None:
                run = run_to_the_end(services, scan(services, day, subscribers=watching, go_on=go_on), terminal)
            else:
                run = cast(ScanRun, run_to_the_end(services, resume(services, run_id, subscribers=watching), terminal))
        except TradingAgentsError as error:
            watcher.ended(None, "failed", str(error))
            return error
        watcher.ended(None, "done", "")
    return run.record


def _print_record(record: ScanRecord, terminal: Terminal) -> None:
    if terminal.json:
        print_json(terminal, record)
    else:
        from cli.scan_output import print_scan

        print_scan(terminal.out, record)


def _print_failure(day: date | None, error: TradingAgentsError, cards: Cards, terminal: Terminal) -> None:
    """Print what a scan that failed left, where there is something to read, then why it failed."""
    from cli.scan_output import has_findings

    record: ScanRecord | None = cards.read(None)
    if terminal.json:
        print_json(terminal, failure({"scan_date": day_of_market(day)}, error, record))
    elif record and has_findings(record):
        _print_record(record, terminal)
    said = f"{error}{cards.how_to_go_on(None, error)}"
    terminal.print_error(_interruption(cards) if isinstance(error, Interrupted) else said)


def _interruption(cards: Cards) -> str:
    """Say what an interruption left behind."""
    folder = cards.folder(None)
    if folder is None:
        return "Interrupted before the scan began; nothing was written."
    return f"Interrupted; `tradingagents runs resume {folder.name}` goes on. What there is stands in {folder}"
