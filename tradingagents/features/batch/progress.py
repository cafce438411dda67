"""The runs of a batch over all its starts: which have ended, with what status, and what they used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tradingagents.events import Event, Subscriber
from tradingagents.files.atomic import read_object, unreadable, writing
from tradingagents.llm_clients.usage_sums import logged_usage, summed
from tradingagents.runtime.kind import FINISHED
from tradingagents.runtime.runs.ledger import Ledger, LedgerEntry
from tradingagents.schemas.cards import ScanRecord
from tradingagents.schemas.decision import Decision
from tradingagents.schemas.record import problem_of
from tradingagents.schemas.records import DegradedRecord, UsageRecord

PATHS = ("folder", "card", "report", "html")
WAY_OUT = "move its folder away, and the run is made again"


@dataclass(frozen=True, slots=True)
class Ended:
    """The facts a batch keeps from a run's card."""

    run_id: str
    status: str
    name: str
    decision: Decision | None
    plan: Decision | None
    """The research manager's decision."""
    cost_usd: float | None
    paths: dict[str, str]
    error: str | None
    degraded: list[DegradedRecord]

    @classmethod
    def of(cls, card: Mapping[str, Any]) -> Ended:
        """Read a card. Raises KeyError, TypeError or AttributeError if it is not a valid card."""
        return cls(
            run_id=card["run_id"],
            status=card["status"],
            name=card["instrument"]["name"],
            decision=_decision(card["decision"]),
            plan=_decision(card["decisions"].get("investment_plan")),
            cost_usd=card["usage"]["cost_usd"],
            paths={key: card["paths"][key] for key in PATHS},
            error=card.get("error"),
            degraded=[DegradedRecord.model_validate(gap) for gap in card.get("degraded", [])],
        )


def _decision(written: object) -> Decision | None:
    return None if written is None else Decision.model_validate(written)


class BatchRuns:
    """The runs a batch has started. A run has ended if it has a card; a killed run has none."""

    def __init__(self, home: Path, ledger: Ledger) -> None:
        """Read the results of earlier starts.

        Args:
            ledger: The runs of the batch.

        Raises:
            UnreadableFile: A card is damaged.
        """
        self._home, self._ledger = home, ledger
        self._begun: dict[str | None, str] = {}
        self._ended: dict[str, Ended] = {}
        self._scan: ScanRecord | None = None
        self.usage: UsageRecord = summed([self._take_in(entry) for entry in ledger.entries])
        """Use by earlier starts, including killed runs."""

    def noting(self, ticker: str | None) -> Subscriber:
        """Return a subscriber that adds a run to the ledger when it starts."""

        def note(event: Event) -> None:
            if event.type == "run_start":
                if event.run_id not in {entry.run_id for entry in self._ledger.entries}:  # a resumed run is listed
                    with writing(self._home):
                        self._ledger.add(LedgerEntry(event.run_id, ticker, event.ts))
                self._ended.pop(event.run_id, None)
                self._begun[ticker] = event.run_id

        return note

    def begun(self, ticker: str) -> str | None:
        """Return the id of the run that this start began; `None` if it began none."""
        return self._begun.get(ticker)

    def last(self, ticker: str) -> Ended | None:
        """Return the newest run of a ticker that has a card; `None` if there is none.

        Raises:
            UnreadableFile: The card is damaged.
        """
        for entry in self._newest_first(ticker):
            if entry.run_id not in self._ended:
                self._take_in(entry)
            if entry.run_id in self._ended:
                return self._ended[entry.run_id]
        return None

    def finished(self, ticker: str) -> bool:
        """Return whether a ticker needs no further run."""
        last = self.last(ticker)
        return last is not None and last.status in FINISHED

    def scan(self) -> ScanRecord | None:
        """Return the newest scan that has a card, whatever its status; `None` if there is none."""
        for entry in self._newest_first(None):
            if self._scan is None or self._scan["run_id"] != entry.run_id:
                self._take_in(entry)
            if self._scan and self._scan["run_id"] == entry.run_id:
                return self._scan
        return None

    def adopt_scan(self, run_id: str) -> None:
        """Reuse a finished scan from outside the batch. Raises UnreadableFile if its card is damaged."""
        with writing(self._home):
            self._ledger.add(
                LedgerEntry(run_id, None, datetime.now(UTC).isoformat(timespec="microseconds"), adopted=True)
            )

    @property
    def adopted(self) -> str | None:
        """Id of the reused scan from outside the batch; `None` if the batch made its own."""
        newest = next(iter(self._newest_first(None)), None)
        return newest.run_id if newest is not None and newest.adopted else None

    def _newest_first(self, ticker: str | None) -> Iterable[LedgerEntry]:
        return (entry for entry in reversed(self._ledger.entries) if entry.ticker == ticker)

    def _take_in(self, entry: LedgerEntry) -> UsageRecord:
        """Read a run's results; return its use."""
        folder = self._home / "runs" / entry.run_id
        path, events = folder / "run.json", folder / "events.jsonl"
        card = read_object(path, way_out=WAY_OUT)
        try:
            if card is None:
                return logged_usage(events)
            if entry.ticker is None:
                self._scan = _checked_scan(card)
            else:
                self._ended[entry.run_id] = Ended.of(card)
            return summed([] if entry.adopted else [UsageRecord.model_validate(card["usage"])])
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            why = problem_of(error) if isinstance(error, ValidationError) else f"{type(error).__name__}: {error}"
            raise unreadable(path if card is not None else events, why, WAY_OUT) from error


def _checked_scan(card: Mapping[str, Any]) -> ScanRecord:
    """Return a card as a scan's. Raises ValueError if it is none."""
    record = ScanRecord.model_validate(card)
    if record.status == "done" and record.summary is None:
        raise ValueError("a finished scan without a summary")
    return record
