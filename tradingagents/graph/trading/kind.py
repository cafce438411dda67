"""The kind `analyze`: four analysts, a research debate, a trader, a risk debate, a decision on one ticker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field
from pydantic.json_schema import SkipJsonSchema

from tradingagents.errors import UsageError
from tradingagents.runtime.kind import RunKind, short_card
from tradingagents.runtime.presentation import AgentGrid
from tradingagents.runtime.request import Argument, Flag, RunRequest, Symbol
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.portfolio import Portfolio
from tradingagents.schemas.workspace import TaskPolicy

if TYPE_CHECKING:
    from tradingagents.analytics.holdings.reader_book import ReaderBook
    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.dataflows.models import Prices
    from tradingagents.graph.trading.run import Run, TradingRun  # noqa: F401 - the base class names it as text
    from tradingagents.reports.document import Document
    from tradingagents.runtime.kind import AnyGraph, RunParts
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.services import Services
    from tradingagents.settings import Settings

    Found: TypeAlias = tuple[Prices, ReaderBook | None]

STORED: Final = "stored"


def _book_of(value: Any) -> Any:
    """Read a book from JSON. Raises UsageError."""
    if not isinstance(value, dict | list):
        return value
    from tradingagents.dataflows.portfolio_file import portfolio_of_json

    return portfolio_of_json(value)


BookAsked = Annotated[
    Portfolio | Literal["stored"] | None,
    BeforeValidator(_book_of),
    Flag(usage="--book [FILE]", help="Decide for what you hold: the stored book of the day, or that of this file."),
]
"""The book of who asks; see `completed_book`."""


def book_of_command(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a command line with its book read where it names a file. Raises UsageError."""
    from tradingagents.dataflows.portfolio_file import read_portfolio

    book = given.get("book")
    return {**given, "book": read_portfolio(Path(book))} if isinstance(book, str) and book != STORED else dict(given)


def completed_book(book: Portfolio | Literal["stored"] | None, home: Path, day: date) -> Portfolio | None:
    """Return the book that is asked for, the stored one as it stood on the day of the study.

    Raises:
        UsageError: None was stored by then, or the book is of a later day.
    """
    if book == STORED:
        from tradingagents.dataflows.portfolio_store import needed_book

        return needed_book(home, day)
    if book is not None and book.day is not None and book.day > day:
        raise UsageError(f"The book is of {book.day}, later than the study's {day}; give one of that day or earlier.")
    return book


class TeamRequest(RunRequest):
    """Settings of the trading graph."""

    analysts: tuple[str, ...] | None = Field(None, description="Analysts that write a report")
    debate_rounds: int | None = Field(None, ge=1, le=10, description="Rounds of the research debate")
    risk_rounds: int | None = Field(None, ge=1, le=10, description="Rounds of the risk debate")
    debate_mode: Literal["turns", "simultaneous"] | None = Field(None, description="Whether debaters take turns")
    sell_means: Literal["short", "close"] | None = Field(None, description="What SELL means")
    max_position_size: float | None = Field(None, gt=0, le=1, description="Largest position, as a fraction of equity")
    fetch_valuation: bool | None = Field(None, description="Compute the company's valuation for all agents")
    settle: bool | None = Field(None, description="Ask the deciding agents again until the action is settled or is not")
    settle_max_asks: int | None = Field(None, ge=6, le=200, description="Most asks of each of them")
    unsettled_action: Literal["NO_DECISION", "HOLD"] | None = Field(None, description="Action of an unsettled run")


class TradingRequest(TeamRequest):
    """A ticker, a day, and the settings of its run."""

    subject_field = "ticker"

    ticker: Annotated[
        Symbol,
        Argument(
            metavar="TICKER... [DATE]",
            help="Symbols, then the trade date as YYYY-MM-DD; without one: today.",
            wanted="Name at least one ticker, for example: tradingagents analyze VELQ 2025-03-14 --offline",
        ),
    ] = Field(min_length=1, max_length=40, description="Symbol, such as AAPL")
    approve: bool | None = Field(None, description="Wait for a person's approval before the decision is final")
    book: BookAsked = Field(
        None, description="What you hold: positions and cash, or `stored` for the book of the home; unset: not known"
    )
    brief: Annotated[SkipJsonSchema[str], Flag(hidden=True)] = ""
    """Context from a market scan, as Markdown; empty for none."""

    @classmethod
    def of_command(cls, given: Mapping[str, Any]) -> Self:
        """Return the request of a command line, whose book is that of a file where it names one."""
        return super().of_command(book_of_command(given))


class TradingKind(RunKind[TradingRequest, RunRecord, "Run"]):
    """Four analysts, a research debate, a trader, a risk debate, a decision."""

    name = "trading"
    task = "analyze"
    day_key = "trade_date"
    progress = AgentGrid(results="decisions", spender="a ticker's run", form=True)
    at_once = ("max_concurrent_pipelines", "Tickers that run at the same time.")
    known_as = "Analyze a stock"
    summary = "Study one ticker with a team of agents (analysts, debates, trader, risk) and decide: BUY, SELL or HOLD."
    help = (
        "Analyze tickers for a day and decide: buy, sell or hold, and why.\n\n"
        "Without a ticker, on a terminal, asks for everything that the options don't set."
    )
    policy = TaskPolicy(costs_money=True, writes=True)
    request = TradingRequest
    record = RunRecord

    def title(self, request: TradingRequest) -> str:
        """Return ticker and day."""
        return f"{request.ticker} {request.day or 'latest session'}"

    def title_of_run(self, request: TradingRequest, record: RunRecord) -> str:  # noqa: ARG002
        """Return ticker and day of the run."""
        return f"{record['ticker']} {record['trade_date']}"

    def steps(self, settings: Settings) -> int:
        """Return how often agents speak where all answer: analysts, both debates, three who decide."""
        debates = 2 * settings.max_debate_rounds + 3 * settings.max_risk_discuss_rounds
        return len(settings.analysts) + debates + 3

    def in_short(self, record: RunRecord) -> dict[str, Any]:
        """Return the decision in short."""
        decision = record.as_json()["decision"] or {}
        keys = ("action", "confidence", "horizon_days", "entry", "stop", "target", "position_size", "rationale")
        decided = {key: decision.get(key) for key in keys}
        degraded = len(record.degraded)
        held = {} if record.book is None else {"book": record.book.as_json()}
        asked = {"settling": [asks.as_json() for asks in record.settling]} if record.settling else {}
        head = ("run_id", "status", "ticker", "trade_date")
        return short_card(record, head, **decided, degraded=degraded, **held, **asked)

    def brief(self, request: TradingRequest) -> str:
        """Return the scan's context."""
        return request.brief

    def completed(self, request: TradingRequest, home: Path, day: date) -> TradingRequest:
        """Return what is asked with the stored book where that is asked for."""
        return request if request.book is None else request.changed(book=completed_book(request.book, home, day))

    def details(self, request: TradingRequest) -> Mapping[str, Any]:
        """Return the book with its hash, where there is one: subject and brief stand elsewhere in the manifest."""
        book = request.book
        return {"book": book.as_json(), "book_hash": book.digest} if isinstance(book, Portfolio) else {}

    def request_of(self, manifest: RunManifest) -> TradingRequest:
        """Return the request of a manifest."""
        book = manifest.request.get("book")
        asked = super().request_of(replace(manifest, request={}))
        return asked.changed(brief=manifest.brief, book=None if book is None else Portfolio.model_validate(book))

    def stand_in(self, request: TradingRequest) -> TradingRequest:
        """Return what is asked of the simulated market, for no book: its instruments are others."""
        return super().stand_in(request).changed(book=None)

    def graph(self, services: Services) -> AnyGraph:
        """Compile the trading graph."""
        from tradingagents.graph.trading.graph import build_trading_graph

        return build_trading_graph(services.models, services.memories, services.settings)

    def document(self, record: RunRecord) -> Document:
        """Return the report from its record, without its price chart."""
        from tradingagents.reports.trading import trading_document

        return trading_document(record)

    def look_up(self, data: MarketData, request: TradingRequest) -> Found:
        """Return the prices, and the book; raises DataError if there are none, with other meanings of the ticker."""
        from tradingagents.dataflows.look_up import look_up
        from tradingagents.dataflows.reference.symbols import normalise

        symbol = normalise(request.ticker)
        prices = look_up(data, symbol)
        if not isinstance(request.book, Portfolio):
            return prices, None
        from tradingagents.analytics.holdings.reader_book import read_book

        return prices, read_book(request.book, data, (symbol,), data.with_new_sheet().instrument(symbol).benchmark)

    def open(self, parts: RunParts, found: Found) -> TradingRun:
        """Return a run on these prices, for this book."""
        from tradingagents.agents.prompting import desk_preamble
        from tradingagents.analytics.decisions.outcome import no_size, no_trade
        from tradingagents.analytics.price.stock_data import daily_range
        from tradingagents.context import TradingContext
        from tradingagents.graph.trading.run import TradingRun, assert_studied, record_short_history

        data, settings, (prices, book) = parts.data, parts.services.settings, found
        instrument, last_close = data.instrument(parts.manifest.subject or ""), float(prices.close[-1])
        assert_studied(instrument, settings.analysts)
        record_short_history(data, prices)
        context = TradingContext(
            **parts.context,
            preamble=desk_preamble(settings, instrument, data.cutoff, last_close),
            instrument=instrument,
            last_close=last_close,
            daily_range=daily_range(prices),
            no_trade=no_trade(prices, data.cutoff.session),
            no_size=no_size(prices),
            book=book,
        )
        return TradingRun(parts, context, prices)


TRADING = TradingKind()
