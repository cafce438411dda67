"""What watched tickers came to, batch by batch, in `<home>/watch/last.json`: what a new decision is compared with."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypedDict

from tradingagents.cohort import Cohort
from tradingagents.schemas.records import OutcomeRecord
from tradingagents.store.atomic import unreadable
from tradingagents.store.json_file import JsonFile

MOST = 40
"""Batches kept of a ticker: what an older one came to is in its own folder."""
WAY_OUT = "move it away, and every decision counts as the first"


class DecisionEntry(TypedDict):
    """What a ticker came to in a batch."""

    batch_id: str
    outcome: OutcomeRecord
    cohort: str
    """Of the batch; empty in entries of a version that did not write it, which are compared with nothing."""


class LastDecisions:
    """The decisions of watched tickers, in the order in which they were first recorded."""

    def __init__(self, home: Path, cohort: Cohort) -> None:
        """Name the file under a home; nothing is read or written yet.

        Args:
            home: The home.
            cohort: Of the batches to be recorded; a decision is compared with earlier ones of its own cohort only.
        """
        self._cohort = str(cohort)
        self._kept = JsonFile(home, home / "watch" / "last.json", way_out=WAY_OUT)

    def take_in(self, batch_id: str, outcomes: Iterable[tuple[str, OutcomeRecord]]) -> dict[str, OutcomeRecord | None]:
        """Record what a batch's tickers came to; return by ticker what each had come to before.

        Before is the newest day not after the batch's own, among the batches recorded earlier than this one was the
        first time: so a batch that is run again compares with what it compared with then.

        Args:
            batch_id: The batch.
            outcomes: Ticker and what it came to.

        Raises:
            UnreadableFile: The file is damaged.
            HomeNotWritable: It cannot be written.
        """
        with self._kept.changing():
            history = self._history()
            before = {
                ticker: _take_in(
                    history.setdefault(ticker, []),
                    DecisionEntry(batch_id=batch_id, outcome=outcome, cohort=self._cohort),
                )
                for ticker, outcome in outcomes
            }
            self._kept.write({"tickers": history})
        return before

    def _history(self) -> dict[str, list[DecisionEntry]]:
        kept = self._kept.read().get("tickers", {})
        try:
            return {ticker: [_checked(entry) for entry in entries] for ticker, entries in kept.items()}
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise unreadable(self._kept.path, f"{type(error).__name__}: {error}", WAY_OUT) from error


def _take_in(entries: list[DecisionEntry], new: DecisionEntry) -> OutcomeRecord | None:
    """Put a batch's entry where its earlier one stood, else at the end; return what to compare it with."""
    known = [entry["batch_id"] for entry in entries]
    at = known.index(new["batch_id"]) if new["batch_id"] in known else len(entries)
    earlier = [entry["outcome"] for entry in entries[:at] if entry["cohort"] == new["cohort"]]
    entries[at : at + 1] = [new]
    _drop_oldest(entries, new["cohort"])
    day = new["outcome"]["trade_date"]
    comparable = [outcome for outcome in earlier if outcome["trade_date"] <= day]
    return max(reversed(comparable), key=lambda outcome: outcome["trade_date"], default=None)


def _drop_oldest(entries: list[DecisionEntry], cohort: str) -> None:
    """Keep the newest `MOST` entries of a cohort; those of others stay."""
    own = [at for at, entry in enumerate(entries) if entry["cohort"] == cohort]
    for at in reversed(own[:-MOST]):
        del entries[at]


def _checked(entry: Any) -> DecisionEntry:
    kept = entry["outcome"]
    outcome = OutcomeRecord(
        action=str(kept["action"]),
        confidence=float(kept["confidence"]),
        trade_date=str(kept["trade_date"]),
        run_id=kept["run_id"],
    )
    if kept.get("strength") is not None:
        outcome["strength"] = float(kept["strength"])
    return DecisionEntry(batch_id=str(entry["batch_id"]), outcome=outcome, cohort=str(entry.get("cohort", "")))
