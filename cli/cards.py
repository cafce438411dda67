"""The cards that runs leave on disk, also those that ended early, by what they studied."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tradingagents.errors import BudgetReached, ModelFailure, TradingAgentsError
from tradingagents.events import Event
from tradingagents.store.atomic import read_object


class Cards:
    """Notes which run studies what, from the runs' events, and reads what each left."""

    def __init__(self, home: Path) -> None:
        """Prepare to note.

        Args:
            home: Where everything is written.
        """
        self._runs = home / "runs"
        self._run_ids: dict[str | None, str] = {}

    def note(self, event: Event) -> None:
        """Take in an event; the first of a run names its ticker, or None for a scan."""
        if event.type == "run_start":
            self._run_ids[event.data["ticker"]] = event.run_id

    def folder(self, ticker: str | None) -> Path | None:
        """Return the folder of a ticker's run, or of the scan (None); None where it never began."""
        return self._runs / self._run_ids[ticker] if ticker in self._run_ids else None

    def how_to_go_on(self, ticker: str | None, error: TradingAgentsError) -> str:
        """Return the sentence that says how a run that failed goes on; empty where it does not."""
        folder = self.folder(ticker)
        if (
            not isinstance(error, BudgetReached | ModelFailure)
            or folder is None
            or not (folder / "unfinished").is_dir()
        ):
            return ""
        return f" What it has done is kept: `tradingagents runs resume {folder.name}` goes on."

    def read(self, ticker: str | None) -> Any:
        """Return the record a run left; None where it left none."""
        folder = self.folder(ticker)
        if folder is None or not (folder / "run.json").is_file():
            return None
        return read_object(folder / "run.json", way_out="the event log beside it tells what the run did")
