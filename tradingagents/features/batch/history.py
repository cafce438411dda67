"""Earlier results of watched tickers by batch, in `<home>/watch/last.json`; new decisions are compared with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ValidationError

from tradingagents.files.atomic import unreadable
from tradingagents.files.json_file import JsonFile
from tradingagents.memory.cohort import Cohort
from tradingagents.schemas.batches import OutcomeRecord
from tradingagents.schemas.record import Record, problem_of

MOST = 40
"""Batches stored for a ticker and cohort; older results are in the folders of their batches."""
WAY_OUT = "move it away, and every decision counts as the first"


class DecisionEntry(Record):
    """The result of a ticker in one batch."""

    older_lack: ClassVar[Mapping[str, Any]] = {"cohort": ""}

    batch_id: str
    outcome: OutcomeRecord
    cohort: str
    """Cohort of the batch; empty in entries of earlier versions, which are compared with nothing."""


class LastDecisions:
    """The decisions of watched tickers, in the order in which they were first recorded."""

    def __init__(self, home: Path, cohort: Cohort) -> None:
        """Set the path; nothing is read or written yet.

        Args:
            cohort: Cohort of the batches to record; decisions are compared only within a cohort.
        """
        self._cohort = str(cohort)
        self._file = JsonFile(home, home / "watch" / "last.json", way_out=WAY_OUT)

    def take_in(self, batch_id: str, outcomes: Iterable[tuple[str, OutcomeRecord]]) -> dict[str, OutcomeRecord | None]:
        """Record the results of a batch; return the previous result of each ticker.

        The previous result is the newest one dated no later than the batch, among the batches recorded before this
        one was first recorded. A batch that is run again is therefore compared with the same results.

        Args:
            outcomes: Pairs of ticker and result.

        Raises:
            UnreadableFile: The file is damaged.
            HomeNotWritable: The file cannot be written.
        """
        with self._file.changing():
            history = self._history()
            before = {
                ticker: _take_in(
                    history.setdefault(ticker, []),
                    DecisionEntry(batch_id=batch_id, outcome=outcome, cohort=self._cohort),
                )
                for ticker, outcome in outcomes
            }
            written = {ticker: [entry.as_json() for entry in entries] for ticker, entries in history.items()}
            self._file.write({"tickers": written})
        return before

    def _history(self) -> dict[str, list[DecisionEntry]]:
        stored = self._file.read().get("tickers", {})
        try:
            return {ticker: [*map(DecisionEntry.model_validate, entries)] for ticker, entries in stored.items()}
        except ValidationError as error:
            raise unreadable(self._file.path, problem_of(error), WAY_OUT) from error
        except (AttributeError, TypeError) as error:
            raise unreadable(self._file.path, f"{type(error).__name__}: {error}", WAY_OUT) from error


def _take_in(entries: list[DecisionEntry], new: DecisionEntry) -> OutcomeRecord | None:
    """Replace the batch's earlier entry, or append a new one; return the result to compare it with."""
    known = [entry.batch_id for entry in entries]
    at = known.index(new.batch_id) if new.batch_id in known else len(entries)
    earlier = [entry.outcome for entry in entries[:at] if entry.cohort == new.cohort]
    entries[at : at + 1] = [new]
    _drop_oldest(entries, new.cohort)
    comparable = [outcome for outcome in earlier if outcome.trade_date <= new.outcome.trade_date]
    return max(reversed(comparable), key=lambda outcome: outcome.trade_date, default=None)


def _drop_oldest(entries: list[DecisionEntry], cohort: str) -> None:
    """Keep the newest `MOST` entries of a cohort; entries of other cohorts remain."""
    own = [at for at, entry in enumerate(entries) if entry.cohort == cohort]
    for at in reversed(own[:-MOST]):
        del entries[at]
