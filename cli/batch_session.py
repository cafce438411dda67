"""What `auto` and `watch run` share: a batch run under the eyes of a display, and what an early end left."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from cli.session import run_to_the_end
from tradingagents.errors import ConfigurationError, Interrupted, TradingAgentsError, UsageError
from tradingagents.events import Event
from tradingagents.store.atomic import read_object

if TYPE_CHECKING:
    from cli.display import Watcher
    from cli.run_monitor import Runs
    from cli.terminal import Terminal
    from tradingagents.batch.run import BatchWatcher
    from tradingagents.runtime.services import Services
    from tradingagents.schemas.records import BatchRecord, BatchRow

T = TypeVar("T")
FINISHED = ("done", "no_decision", "rejected")
"""How a ticker ends that another start does not study again."""


class BatchView:
    """Shows a batch on a display, in the display's terms."""

    def __init__(self, display: Watcher) -> None:
        self._display = display

    def on_event(self, event: Event) -> None:
        """Pass an event on."""
        self._display.on_event(event)

    def planned(self, tickers: Sequence[str]) -> None:
        """Pass the tickers on."""
        self._display.planned(tickers)

    def ended(self, row: BatchRow) -> None:
        """Say how a ticker ended."""
        self._display.ended(row["ticker"], "done" if row["status"] in FINISHED else "failed", outcome_words(row))


def outcome_words(row: BatchRow) -> str:
    """Return a decision in the words its run ends with, or why there is none."""
    from tradingagents.reports.batch_outline import outcome

    if decision := row["decision"]:
        return f"{decision['action']} (confidence {decision['confidence']:.2f})"
    return row["error"] or outcome(row).lower()


def run_watched(
    services: Services, runs: Runs, terminal: Terminal, work: Callable[[BatchWatcher], Coroutine[Any, Any, T]]
) -> T | TradingAgentsError:
    """Run a batch, shown as it goes; return what it came to, or what ended it."""
    from cli.display import watcher_for

    with watcher_for(terminal, runs) as display:
        try:
            return run_to_the_end(services, work(BatchView(display)), terminal)
        except TradingAgentsError as error:
            if runs.scan and runs.scan.ended is None:
                display.ended(None, "failed", str(error))
            return error


def left_behind(error: TradingAgentsError, card_of: Callable[[], Path]) -> BatchRecord | None:
    """Return the record of a batch that ended early; None where it left none.

    What an older start left says nothing about one that was refused, and a refused day has no card.
    """
    if isinstance(error, UsageError | ConfigurationError) or not (card := card_of()).is_file():
        return None
    return cast("BatchRecord | None", read_object(card, way_out="move it away and run again"))


def why_ended(error: TradingAgentsError, batch: BatchRecord | None) -> str:
    """Say what ended a batch early; of an interruption, what it left behind and how to go on."""
    if not isinstance(error, Interrupted):
        return str(error)
    if batch is None:
        return "Interrupted before there was a record; the same command goes on from what was done."
    done = sum(row["status"] in FINISHED for row in batch["rows"])
    count = f" after {done} of {len(batch['rows'])} tickers" if batch["rows"] else ""
    return (
        f"Interrupted{count}; the same command goes on from there. What there is stands in {batch['paths']['folder']}"
    )


def print_row_errors(batch: BatchRecord, terminal: Terminal) -> None:
    """Print a line for each reason why tickers failed."""
    tickers_of: dict[str, list[str]] = {}
    for row in batch["rows"]:
        if row["error"]:
            tickers_of.setdefault(row["error"], []).append(row["ticker"])
    for error, tickers in tickers_of.items():
        terminal.print_error(f"{', '.join(tickers)}: {error}")
