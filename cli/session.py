"""Runs what was asked for, watched, and answers with the result and the exit code."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Mapping
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.terminal import INTERRUPTED
from tradingagents.errors import TradingAgentsError

if TYPE_CHECKING:
    from cli.display import Watcher
    from cli.request import Request
    from cli.terminal import Terminal
    from tradingagents.events import Event
    from tradingagents.graph.desk import Desk
    from tradingagents.record import RunRecord
    from tradingagents.runs import Run
    from tradingagents.settings import Settings

NO_DECISION = 5


class Interrupted(TradingAgentsError):
    """The user, or the system, stopped the runs."""

    exit_code = INTERRUPTED


def run_request(request: Request, settings: Settings, environ: Mapping[str, str], terminal: Terminal) -> int:
    """Run every ticker of a request and print what came of it.

    Returns:
        The exit code: that of the first ticker, in the order asked, that did not end in a decision; else 0.

    Raises:
        ConfigurationError: A model or folder is not set up; nothing was run.
    """
    session = _Session(request, settings, terminal)
    with _loading(terminal):
        from cli.display import watch
        from tradingagents.graph.desk import open_desk

        desk = open_desk(settings, environ)
    with watch(terminal, request.tickers, settings.analysts) as watcher:
        session.run(desk, watcher)
    session.print_results()
    return session.exit_code()


class _Session:
    """The outcomes of a request, as they come in."""

    def __init__(self, request: Request, settings: Settings, terminal: Terminal) -> None:
        self._request, self._settings, self._terminal = request, settings, terminal
        self._outcomes: dict[str, RunRecord | TradingAgentsError] = {}
        self._run_ids: dict[str, str] = {}

    def run(self, desk: Desk, watcher: Watcher) -> None:
        """Run all tickers until they end or the user stops them."""
        try:
            asyncio.run(self._run_all(desk, watcher))
        except (KeyboardInterrupt, asyncio.CancelledError):
            stopped = Interrupted("Interrupted.")
            for ticker in self._request.tickers:
                if ticker not in self._outcomes:
                    self._keep(ticker, stopped, watcher)
        finally:
            desk.executor.shutdown(wait=False, cancel_futures=True)

    async def _run_all(self, desk: Desk, watcher: Watcher) -> None:
        from tradingagents.runs import analyze_many

        if task := asyncio.current_task():
            # As Ctrl-C does: the runs are cancelled, and each leaves its record.
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        subscribers = (self._note_run_id, watcher.on_event)
        runs = analyze_many(desk, self._request.tickers, self._request.day, subscribers=subscribers)
        try:
            async with aclosing(runs):
                async for ticker, outcome in runs:
                    self._keep(ticker, outcome, watcher)
        finally:
            await desk.models.aclose()

    def _note_run_id(self, event: Event) -> None:
        if event.type == "run_start":
            self._run_ids[event.data["ticker"]] = event.run_id

    def _keep(self, ticker: str, outcome: Run | TradingAgentsError, watcher: Watcher) -> None:
        """Take in how a ticker ended; a program reading a pipe gets its line at once."""
        if isinstance(outcome, TradingAgentsError):
            self._outcomes[ticker] = outcome
            watcher.ended(ticker, "failed", str(outcome))
        else:
            self._outcomes[ticker] = outcome.record
            watcher.ended(ticker, "done", "")
        if self._terminal.json and not self._terminal.out.is_terminal:
            self._print_json(ticker)

    def print_results(self) -> None:
        """Print the results, then a line for each ticker that failed."""
        if not self._terminal.json:
            from cli.output import print_results

            records = (self._record(ticker) for ticker in self._request.tickers)
            print_results(self._terminal.out, [record for record in records if record])
        elif self._terminal.out.is_terminal:
            for ticker in self._request.tickers:
                self._print_json(ticker)
        self._print_errors()

    def exit_code(self) -> int:
        """Return the code of the first ticker that did not end in a decision; 0 where all did."""
        return next((code for ticker in self._request.tickers if (code := self._code(ticker))), 0)

    def _code(self, ticker: str) -> int:
        outcome = self._outcomes[ticker]
        if isinstance(outcome, TradingAgentsError):
            return outcome.exit_code
        return NO_DECISION if outcome["status"] == "no_decision" else 0

    def _record(self, ticker: str) -> RunRecord | None:
        """Return the record to show a person; of a run that failed, only one in which there is something to read."""
        from cli.output import has_report

        outcome = self._outcomes[ticker]
        if not isinstance(outcome, TradingAgentsError):
            return outcome
        card = self._card(ticker)
        return card if card and any(has_report(card, key) for key in card["reports"]) else None

    def _print_json(self, ticker: str) -> None:
        outcome = self._outcomes[ticker]
        if isinstance(outcome, TradingAgentsError):
            print_json(self._terminal, failure(ticker, self._day(ticker), outcome, self._card(ticker)))
        else:
            print_json(self._terminal, outcome)

    def _print_errors(self) -> None:
        failures = {t: o for t, o in self._outcomes.items() if isinstance(o, TradingAgentsError)}
        if stopped := [ticker for ticker, error in failures.items() if isinstance(error, Interrupted)]:
            self._terminal.print_error(self._interruption(stopped))
        for ticker in self._request.tickers:
            if ticker in failures and ticker not in stopped:
                several = len(self._request.tickers) > 1
                self._terminal.print_error(f"{ticker}: {failures[ticker]}" if several else str(failures[ticker]))

    def _interruption(self, stopped: list[str]) -> str:
        """Say what an interruption left behind."""
        begun = [self._card_path(ticker) for ticker in stopped if ticker in self._run_ids]
        if not begun:
            return "Interrupted before the run began; nothing was written."
        done = len(self._request.tickers) - len(stopped)
        count = f" after {done} of {len(self._request.tickers)} tickers" if len(self._request.tickers) > 1 else ""
        place = begun[0].parent if len(begun) == 1 else begun[0].parent.parent
        return f"Interrupted{count}; what there is stands in {place}"

    def _card_path(self, ticker: str) -> Path:
        return self._settings.home_dir / "runs" / self._run_ids[ticker] / "run.json"

    def _card(self, ticker: str) -> RunRecord | None:
        """Return the record a failed run left; None where it left none."""
        if ticker not in self._run_ids or not (path := self._card_path(ticker)).is_file():
            return None
        card: RunRecord = json.loads(path.read_text(encoding="utf-8"))
        return card

    def _day(self, ticker: str) -> str:
        from tradingagents.runs import last_session

        return (self._request.day or last_session(ticker)).isoformat()


def failure(
    ticker: str, day: str | None, error: TradingAgentsError, record: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the JSON object of a ticker that failed: what its run left, and what went wrong.

    Args:
        ticker: As asked for.
        day: The trade date; None where it is not known.
        error: What went wrong.
        record: The run's record, where it came so far as to leave one.
    """
    return {
        "ticker": ticker,
        "trade_date": day,
        "status": "interrupted" if isinstance(error, Interrupted) else "failed",
        **(record or {}),
        "error": str(error),
        "kind": type(error).__name__,
        "exit_code": error.exit_code,
    }


def print_json(terminal: Terminal, value: Mapping[str, Any]) -> None:
    """Print an object as JSON on one line of stdout, at once."""
    line = json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)
    terminal.out.file.write(line + "\n")
    terminal.out.file.flush()


def _loading(terminal: Terminal) -> Any:
    """Return what shows that imports take their time."""
    from contextlib import nullcontext

    return terminal.err.status("Getting ready …") if terminal.live else nullcontext()
