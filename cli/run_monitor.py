"""The progress of everything a command runs: tickers, a scan, or a scan and the tickers it leads to."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from tradingagents.events import Event

from .progress import Ending, RunProgress, scan_roster, trading_roster

SCAN = "Scan"
"""The scan's name among tickers, which have no small letters."""


class RunMonitor:
    """A scan's progress, where there is one, and that of every ticker, in the order asked."""

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
            tickers: Those known from the start.
            analysts: Who reports in a ticker's run.
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
            raise KeyError("no scan is watched")
        return self.scan

    @property
    def tickers(self) -> tuple[RunProgress, ...]:
        """The tickers' runs known by now."""
        return tuple(self._by_ticker.values())

    @property
    def only(self) -> RunProgress | None:
        """The run of a command that has only this one; None where there are or may be several."""
        known = [*([self.scan] if self.scan else []), *self.tickers]
        return known[0] if len(known) == 1 and not self._more_to_come else None

    @property
    def width(self) -> int:
        """Columns that the longest name takes."""
        return max(map(len, (*self._by_ticker, *([SCAN] if self.scan else []))), default=0)

    def plan(self, tickers: Sequence[str], at: datetime) -> None:
        """Note which tickers will be studied; the scan they come from is over."""
        self._await(tickers)
        if self.scan and self.scan.ended is None:
            self.end(None, "done", "", at)

    def end(self, ticker: str | None, state: Ending, outcome: str, at: datetime) -> None:
        """Note that a ticker's run, or the scan (None), is over; one that is done and never began was done before."""
        run = self[ticker]
        if state == "done" and run.began is None:
            outcome = f"before: {outcome}" if outcome else "from an earlier start"
        run.end(state, outcome, at)

    def apply(self, event: Event) -> RunProgress:
        """Give the event to its run; the first of a run names its ticker, or None for the scan."""
        if event.type == "run_start":
            self._by_id[event.run_id] = self[event.data["ticker"]]
        run = self._by_id[event.run_id]
        run.apply(event)
        return run

    def _await(self, tickers: Sequence[str]) -> None:
        roster = trading_roster(self._analysts)
        self._by_ticker |= {ticker: RunProgress.waiting(ticker, roster) for ticker in tickers}
