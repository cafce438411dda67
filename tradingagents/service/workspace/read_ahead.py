"""What the first page waits for, asked once in the background when a server over recorded data has started.

The first question of a process imports pandas and pyarrow and reads news, statements and the calendar of results of all
companies: seconds of processor that later questions do not need again. Nothing is asked of a vendor over a network.
"""

from __future__ import annotations

import logging
import threading
from datetime import date, timedelta
from typing import Any

from tradingagents.dataflows.look_up import recorded_until
from tradingagents.errors import TradingAgentsError
from tradingagents.service.kernel.caller import Caller
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.settings import Settings

logger = logging.getLogger(__name__)

HOME = ("get_market_indices", "get_sector_performance")
OF_A_COMPANY = (
    *("company_info", "market_snapshot", "get_fundamentals", "valuation", "relative_valuation", "earnings"),
    *("get_peer_multiples", "get_insider_transactions", "guidance_record", "get_financials", "risk_profile"),
    "saved_theses",
)
"""What blocks of the company's page ask with nothing but its ticker."""
CHARTED = timedelta(days=5 * 366)
NEWS = timedelta(days=21)


class ReadAhead:
    """A thread that asks what the home page and a company's page ask; what fails is left to the page to say."""

    def __init__(self, kernel: Kernel, day: date) -> None:
        """Take what answers, and the day to ask for."""
        self._kernel, self._day = kernel, day
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._ask_all, name="read-ahead", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Ask nothing more, and wait for the question under way."""
        self._stopped.set()
        self._thread.join()

    def join(self) -> None:
        """Wait until all is asked."""
        self._thread.join()

    def _ask_all(self) -> None:
        movers = self._asked("get_market_movers", category="day_gainers")
        rows = movers.get("movers") or [{}]
        if symbol := rows[0].get("symbol"):
            for name in OF_A_COMPANY:
                self._asked(name, ticker=symbol)
            since, results = self._day - CHARTED, "earnings,dividends,splits"
            self._asked("open_chart", symbols=symbol, start_date=since.isoformat(), annotations=results)
            first = (self._day - NEWS).isoformat()
            self._asked("get_news", ticker=symbol, start_date=first, end_date=self._day.isoformat())
        for name in HOME:
            self._asked(name)

    def _asked(self, name: str, **arguments: str) -> dict[str, Any]:
        """Return an answer's result; empty where there is none, or nothing more is asked."""
        if self._stopped.is_set():
            return {}
        try:
            answer = self._kernel.invoke(name, arguments, as_of=self._day, caller=Caller(face="http", files=False))
        except TradingAgentsError as error:
            logger.debug("Read ahead: %s has no answer: %s", name, error)
            return {}
        return dict(answer.result)


def read_ahead(kernel: Kernel, settings: Settings) -> ReadAhead | None:
    """Return what reads ahead, to be started; None where data do not come from a recorded folder."""
    day = recorded_until(settings)
    return None if day is None else ReadAhead(kernel, day)
