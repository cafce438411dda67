"""Runs a scan and what it leads to, watched, and answers with the ranked decisions and the exit code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from cli.batch_session import left_behind, print_row_errors, run_watched, why_ended
from cli.session import day_of_market, failure, loading, print_json
from tradingagents.errors import TradingAgentsError, UsageError

if TYPE_CHECKING:
    from cli.terminal import Terminal
    from tradingagents.batch.auto import Conviction
    from tradingagents.runtime.services import Services
    from tradingagents.schemas.records import BatchRecord
    from tradingagents.settings import Settings


@dataclass(frozen=True)
class AutoRequest:
    """What `auto` is asked."""

    day: date | None
    """None: the last session that has closed."""
    holdings: Sequence[str]
    conviction: Conviction


def read_request(day: date | None, portfolio: Path | None, conviction: str) -> AutoRequest:
    """Return what is asked for, checked as far as can be told without data.

    Args:
        day: None: the last session that has closed.
        portfolio: File of the holdings; None for no holdings.
        conviction: As written.

    Raises:
        UsageError: There is no such conviction, or the file holds no tickers.
    """
    from tradingagents.batch.auto import CONVICTIONS
    from tradingagents.batch.holdings import read_holdings

    level = next((known for known in CONVICTIONS if known == conviction.strip().lower()), None)
    if level is None:
        raise UsageError(f"--conviction cannot be {conviction[:40]!r}; it is one of {', '.join(CONVICTIONS)}.")
    return AutoRequest(day, read_holdings(portfolio) if portfolio else (), level)


def run_auto(request: AutoRequest, settings: Settings, environ: Mapping[str, str], terminal: Terminal) -> int:
    """Scan, study the candidates and print what came of it; return the exit code.

    Raises:
        ConfigurationError: A model or folder is not set up; nothing was run.
    """
    with loading(terminal):
        from cli.run_monitor import Runs
        from tradingagents.batch.auto import auto, exit_code
        from tradingagents.runtime.services import open_services

        services = open_services(settings, environ)
    outcome = run_watched(
        services,
        Runs(analysts=settings.analysts, scan=True, more_to_come=True),
        terminal,
        lambda watcher: auto(
            services, request.day, holdings=request.holdings, conviction=request.conviction, watcher=watcher
        ),
    )
    if isinstance(outcome, TradingAgentsError):
        _print_failure(services, request.day, outcome, terminal)
        return outcome.exit_code
    if terminal.json:
        print_json(terminal, outcome)
    else:
        _print_record(outcome, terminal)
    print_row_errors(outcome, terminal)
    return exit_code(outcome)


def _print_record(record: BatchRecord, terminal: Terminal) -> None:
    """Print the decisions; where it did not come so far, what the scan found."""
    from cli.batch_output import print_batch
    from cli.scan_output import has_findings, print_scan

    scan = record["scan"]
    if record["rows"] or (scan and scan["status"] == "done"):
        print_batch(terminal.out, record)
    elif scan and has_findings(scan):
        print_scan(terminal.out, scan)


def _print_failure(services: Services, day: date | None, error: TradingAgentsError, terminal: Terminal) -> None:
    """Print what an early end left, then why it came."""
    from tradingagents.batch.auto import auto_card

    record = left_behind(error, lambda: auto_card(services, day))
    if terminal.json:
        print_json(terminal, failure({"trade_date": day_of_market(day)}, error, record))
    elif record:
        _print_record(record, terminal)
    terminal.print_error(why_ended(error, record))
