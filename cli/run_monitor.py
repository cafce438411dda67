"""The progress of all runs of a command: tickers, a scan, or a scan and the tickers it selects."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tradingagents.events import Event

from .progress import Ending, RunProgress, scan_roster, trading_roster

SCAN = "Scan"
"""The scan's name among tickers; tickers have no lower-case letters."""


class RunMonitor:
    """A scan's progress, if there is one, and that of every ticker, in the given order."""

    def __init__(
        self,
        tickers: Sequence[str] = (),
        *,
        analysts: Sequence[str] = (),
        scan: bool = False,
        more_to_come: bool = False,
    ) -> None:
        """Start with every run waiting.

        Args:
            tickers: Tickers known at the start.
            analysts: Analysts of a ticker's run.
            scan: Whether the market is scanned.
            more_to_come: Whether further tickers may be planned.
        """
        self.scan = RunProgress.waiting(SCAN, scan_roster()) if scan else None
        self._analysts, self._more_to_come = analysts, more_to_come
        self._by_ticker: dict[str, RunProgress] = {}
        self._by_id: dict[str, RunProgress] = {}
        self._await(tickers)

    def __getitem__(self, ticker: str | None) -> RunProgress:
        """Return a ticker's run; the scan for None."""
        if ticker is not None:
            return self._by_ticker[ticker]
        if self.scan is None:
            raise KeyError("no scan is monitored")
        return self.scan

    @property
    def tickers(self) -> tuple[RunProgress, ...]:
        """The tickers' runs known by now."""
        return tuple(self._by_ticker.values())

    @property
    def only(self) -> RunProgress | None:
        """The run of a command that has only this one; None if there are or may be more."""
        known = [*([self.scan] if self.scan else []), *self.tickers]
        return known[0] if len(known) == 1 and not self._more_to_come else None

    @property
    def width(self) -> int:
        """Width of the longest name."""
        return max(map(len, (*self._by_ticker, *([SCAN] if self.scan else []))), default=0)

    def plan(self, tickers: Sequence[str], at: datetime) -> None:
        """Set which tickers will be analyzed; their scan has ended."""
        self._await(tickers)
        if self.scan and self.scan.ended is None:
            self.end(None, "done", "", at)

    def end(self, ticker: str | None, state: Ending, outcome: str, at: datetime) -> None:
        """Mark a ticker's run, or the scan (None), as ended; one that never began was finished earlier."""
        run = self[ticker]
        if state == "done" and run.began is None:
            outcome = f"before: {outcome}" if outcome else "from an earlier start"
        run.end(state, outcome, at)

    def apply(self, event: Event) -> RunProgress:
        """Pass the event to its run; the first of a run names its ticker, or None for the scan."""
        if event.type == "run_start":
            self._by_id[event.run_id] = self[event.data["ticker"]]
        run = self._by_id[event.run_id]
        run.apply(event)
        return run

    def _await(self, tickers: Sequence[str]) -> None:
        roster = trading_roster(self._analysts)
        self._by_ticker |= {ticker: RunProgress.waiting(ticker, roster) for ticker in tickers}
