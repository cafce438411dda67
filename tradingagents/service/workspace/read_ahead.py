"""What the first page waits for, asked once in the background when a server has started.

The first questions of a process import agents, kinds of tasks and pyarrow, and those about recorded data read prices,
news and statements of all companies: two seconds of processor that later questions do not need again. What is dear and
only of the home page, the calendar and the breadth of the market, comes last, so that a company opened at once does not
wait for it. No vendor is asked over a network.
"""

from __future__ import annotations

import logging
import threading
from datetime import date, timedelta
from typing import Any

from tradingagents.dataflows.look_up import recorded_until
from tradingagents.errors import TradingAgentsError
from tradingagents.service.kernel.caller import Caller
from tradingagents.service.workspace.choices import choices_of
from tradingagents.service.workspace.workspace import Workspace

logger = logging.getLogger(__name__)

HOME = ("get_market_indices", "get_sector_performance")
HOME_DEAR = ("calendar_events", "market_breadth")
"""They judge the statements, and the prices, of all companies."""
OF_A_COMPANY = (
    *("company_info", "market_snapshot", "get_fundamentals", "valuation", "relative_valuation", "earnings"),
    *("get_peer_multiples", "get_insider_transactions", "guidance", "guidance_record", "get_financials"),
    *("risk_profile", "saved_theses"),
)
"""What blocks of the company's page ask with nothing but its ticker."""
CHARTED = timedelta(days=5 * 366)
NEWS = timedelta(days=21)


class ReadAhead:
    """A thread that asks what the home page and a company's page ask; what fails is left to the page to say."""

    def __init__(self, workspace: Workspace) -> None:
        """Take what answers."""
        self._workspace = workspace
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
        settings = self._workspace.settings
        try:
            choices_of(settings, {})
            self._workspace.task_manager.kinds()
            day = recorded_until(settings)
        except TradingAgentsError as error:
            logger.debug("Read ahead: there are no choices: %s", error)
            return
        if day is not None:
            self._ask_about(day)

    def _ask_about(self, day: date) -> None:
        movers = self._asked(day, "get_market_movers", category="day_gainers")
        for name in HOME:
            self._asked(day, name)
        rows = movers.get("movers") or [{}]
        if symbol := rows[0].get("symbol"):
            for name in OF_A_COMPANY:
                self._asked(day, name, ticker=symbol)
            since, results = day - CHARTED, "earnings,dividends,splits"
            self._asked(day, "open_chart", symbols=symbol, start_date=since.isoformat(), annotations=results)
            first = (day - NEWS).isoformat()
            self._asked(day, "get_news", ticker=symbol, start_date=first, end_date=day.isoformat())
        for name in HOME_DEAR:
            self._asked(day, name)

    def _asked(self, day: date, name: str, **arguments: str) -> dict[str, Any]:
        """Return an answer's result; empty where there is none, or nothing more is asked."""
        if self._stopped.is_set():
            return {}
        caller = Caller(face="http", files=False)
        try:
            answer = self._workspace.kernel.invoke(name, arguments, as_of=day, caller=caller)
        except TradingAgentsError as error:
            logger.debug("Read ahead: %s has no answer: %s", name, error)
            return {}
        return dict(answer.result)
