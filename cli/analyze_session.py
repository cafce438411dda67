"""Runs the tickers asked for, watched, and answers with the results and the exit code."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, TypeAlias

from cli.cards import Cards
from cli.session import failure, loading, print_json, run_to_the_end
from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.look_up import look_up
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.errors import Interrupted, TradingAgentsError

if TYPE_CHECKING:
    from cli.display import Watcher
    from cli.request import Request
    from cli.terminal import Terminal
    from tradingagents.events import Subscriber
    from tradingagents.runtime.services import Services
    from tradingagents.schemas.records import RunRecord
    from tradingagents.settings import Settings
    from tradingagents.workflows.start import Run

    Outcomes: TypeAlias = AsyncGenerator[tuple[str, Run | TradingAgentsError], None]

NO_DECISION = 5
WITHOUT = ("no_decision", "rejected")
"""How a run ends that decided nothing."""


def run_request(
    request: Request, settings: Settings, environ: Mapping[str, str], terminal: Terminal, *, go_on: bool = False
) -> int:
    """Run every ticker of a request and print what came of it.

    Args:
        request: Tickers and day.
        settings: What the runs are told.
        environ: Where API keys are read from.
        terminal: Where to print.
        go_on: Whether to go on with runs that were asked the same and have not ended.

    Returns:
        The exit code: that of the first ticker, in the order asked, that did not end in a decision; else 0.

    Raises:
        ConfigurationError: A model or folder is not set up; nothing was run.
    """

    def outcomes(services: Services, subscribers: Sequence[Subscriber]) -> Outcomes:
        from tradingagents.workflows.start import analyze_many

        return analyze_many(services, request.tickers, request.day, subscribers=subscribers, go_on=go_on)

    vendors = Vendors(settings)
    if refused := _refused(request, settings, vendors):
        session = _Session(request, Cards(settings.home_dir), terminal)
        session.take_in(refused)
        session.print_results()
        return session.exit_code()
    return watch_outcomes(request, settings, environ, terminal, outcomes, vendors)


def _refused(request: Request, settings: Settings, vendors: Vendors) -> dict[str, TradingAgentsError]:
    """Return why none of the tickers can be studied, by ticker; empty where one can, or only a network could tell.

    A mistyped ticker is so refused before the graph's libraries are loaded, which takes longer than all the rest.
    """
    refused: dict[str, TradingAgentsError] = {}
    now = utc_now()
    for ticker in request.tickers:
        exchange = exchange_of(ticker)
        try:
            day = request.day or sessions(exchange).last_closed(now)
            data = MarketData(settings, day, exchange=exchange, vendors=vendors, opened=now)
            if not data.is_local("get_stock_data"):
                return {}
            look_up(data, ticker)
        except TradingAgentsError as error:
            refused[ticker] = error
        else:
            return {}
    return refused


def watch_outcomes(
    request: Request,
    settings: Settings,
    environ: Mapping[str, str],
    terminal: Terminal,
    outcomes: Callable[[Services, Sequence[Subscriber]], Outcomes],
    vendors: Vendors | None = None,
) -> int:
    """Run what was asked, watched, and print the results; `outcomes` makes the runs. See `run_request`."""
    session = _Session(request, Cards(settings.home_dir), terminal)
    with loading(terminal):
        from cli.display import watcher_for
        from cli.run_monitor import Runs
        from tradingagents.runtime.services import open_services

        services = open_services(settings, environ, vendors=vendors)
    with watcher_for(terminal, Runs(request.tickers, analysts=settings.analysts)) as watcher:
        session.run(services, watcher, outcomes)
    session.print_results()
    return session.exit_code()


class _Session:
    """The outcomes of a request, as they come in."""

    def __init__(self, request: Request, cards: Cards, terminal: Terminal) -> None:
        self._request, self._cards, self._terminal = request, cards, terminal
        self._outcomes: dict[str, RunRecord | TradingAgentsError] = {}

    def run(
        self, services: Services, watcher: Watcher, outcomes: Callable[[Services, Sequence[Subscriber]], Outcomes]
    ) -> None:
        """Run all tickers until they end or the user stops them."""
        try:
            runs = outcomes(services, (self._cards.note, watcher.on_event))
            run_to_the_end(services, self._take_in(runs, watcher), self._terminal)
        except Interrupted as stopped:
            for ticker in self._request.tickers:
                if ticker not in self._outcomes:
                    self._keep(ticker, stopped, watcher)

    async def _take_in(self, runs: Outcomes, watcher: Watcher) -> None:
        async with aclosing(runs):
            async for ticker, outcome in runs:
                self._keep(ticker, outcome, watcher)

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

    def take_in(self, outcomes: Mapping[str, TradingAgentsError]) -> None:
        """Take in why tickers were refused before a run began."""
        self._outcomes.update(outcomes)
        if self._terminal.json and not self._terminal.out.is_terminal:
            for ticker in outcomes:
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
        return NO_DECISION if outcome["status"] in WITHOUT else 0

    def _record(self, ticker: str) -> RunRecord | None:
        """Return the record to show a person; of a run that failed, only one in which there is something to read."""
        from cli.output import has_report

        outcome = self._outcomes[ticker]
        if not isinstance(outcome, TradingAgentsError):
            return outcome
        card: RunRecord | None = self._cards.read(ticker)
        return card if card and any(has_report(card, key) for key in card["reports"]) else None

    def _print_json(self, ticker: str) -> None:
        outcome = self._outcomes[ticker]
        if isinstance(outcome, TradingAgentsError):
            about = {"ticker": ticker, "trade_date": self._day(ticker)}
            print_json(self._terminal, failure(about, outcome, self._cards.read(ticker)))
        else:
            print_json(self._terminal, outcome)

    def _print_errors(self) -> None:
        failures = {t: o for t, o in self._outcomes.items() if isinstance(o, TradingAgentsError)}
        if stopped := [ticker for ticker, error in failures.items() if isinstance(error, Interrupted)]:
            self._terminal.print_error(self._interruption(stopped))
        for ticker in self._request.tickers:
            if ticker in failures and ticker not in stopped:
                several = len(self._request.tickers) > 1
                said = f"{failures[ticker]}{self._cards.how_to_go_on(ticker, failures[ticker])}"
                self._terminal.print_error(f"{ticker}: {said}" if several else said)

    def _interruption(self, stopped: list[str]) -> str:
        """Say what an interruption left behind."""
        begun = [folder for ticker in stopped if (folder := self._cards.folder(ticker))]
        if not begun:
            return "Interrupted before the run began; nothing was written."
        done = len(self._request.tickers) - len(stopped)
        count = f" after {done} of {len(self._request.tickers)} tickers" if len(self._request.tickers) > 1 else ""
        where = begun[0] if len(begun) == 1 else begun[0].parent
        how = f"`tradingagents runs resume {begun[0].name}`" if len(begun) == 1 else "the same command with --resume"
        return f"Interrupted{count}; {how} goes on. What there is stands in {where}"

    def _day(self, ticker: str) -> str:
        return (self._request.day or sessions(exchange_of(ticker)).last_closed(utc_now())).isoformat()
