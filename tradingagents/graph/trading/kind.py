"""The kind `analyze`: four analysts, a research debate, a trader, a risk debate, a decision on one ticker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from tradingagents.runtime.kind import RunKind, short_card
from tradingagents.runtime.presentation import AgentGrid
from tradingagents.runtime.request import Argument, Flag, RunRequest, Symbol
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.workspace import TaskPolicy

if TYPE_CHECKING:
    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.dataflows.models import Prices
    from tradingagents.graph.trading.run import Run, TradingRun  # noqa: F401 - the base class names it as text
    from tradingagents.reports.document import Document
    from tradingagents.runtime.kind import AnyGraph, RunParts
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.services import Services
    from tradingagents.settings import Settings


class TeamRequest(RunRequest):
    """Settings of the trading graph."""

    analysts: tuple[str, ...] | None = Field(None, description="Analysts that write a report")
    debate_rounds: int | None = Field(None, ge=1, le=10, description="Rounds of the research debate")
    risk_rounds: int | None = Field(None, ge=1, le=10, description="Rounds of the risk debate")
    debate_mode: Literal["turns", "simultaneous"] | None = Field(None, description="Whether debaters take turns")
    sell_means: Literal["short", "close"] | None = Field(None, description="What SELL means")
    max_position_size: float | None = Field(None, gt=0, le=1, description="Largest position, as a fraction of equity")
    fetch_valuation: bool | None = Field(None, description="Compute the company's valuation for all agents")


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
    brief: Annotated[SkipJsonSchema[str], Flag(hidden=True)] = ""
    """Context from a market scan, as Markdown; empty for none."""


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
        return short_card(record, ("run_id", "status", "ticker", "trade_date"), **decided, degraded=degraded)

    def brief(self, request: TradingRequest) -> str:
        """Return the scan's context."""
        return request.brief

    def details(self, request: TradingRequest) -> Mapping[str, Any]:  # noqa: ARG002
        """Return nothing: the manifest holds the subject and the brief."""
        return {}

    def request_of(self, manifest: RunManifest) -> TradingRequest:
        """Return the request of a manifest."""
        return super().request_of(manifest).changed(brief=manifest.brief)

    def graph(self, services: Services) -> AnyGraph:
        """Compile the trading graph."""
        from tradingagents.graph.trading.graph import build_trading_graph

        return build_trading_graph(services.models, services.memories, services.settings)

    def document(self, record: RunRecord) -> Document:
        """Return the report from its record, without its price chart."""
        from tradingagents.reports.trading import trading_document

        return trading_document(record)

    def look_up(self, data: MarketData, request: TradingRequest) -> Prices:
        """Return the prices; raises DataError if there are none, with other meanings of the ticker."""
        from tradingagents.dataflows.look_up import look_up
        from tradingagents.dataflows.reference.symbols import normalise

        return look_up(data, normalise(request.ticker))

    def open(self, parts: RunParts, found: Prices) -> TradingRun:
        """Return a run on these prices."""
        from tradingagents.agents.prompting import desk_preamble
        from tradingagents.analytics.decisions.outcome import no_size, no_trade
        from tradingagents.analytics.price.stock_data import daily_range
        from tradingagents.context import TradingContext
        from tradingagents.graph.trading.run import TradingRun, assert_studied, record_short_history

        data, settings = parts.data, parts.services.settings
        instrument, last_close = data.instrument(parts.manifest.subject or ""), float(found.close[-1])
        assert_studied(instrument, settings.analysts)
        record_short_history(data, found)
        context = TradingContext(
            **parts.context,
            preamble=desk_preamble(settings, instrument, data.cutoff, last_close),
            instrument=instrument,
            last_close=last_close,
            daily_range=daily_range(found),
            no_trade=no_trade(found, data.cutoff.session),
            no_size=no_size(found),
        )
        return TradingRun(parts, context, found)


TRADING = TradingKind()
