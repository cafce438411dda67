"""A kind of run in one file, as a person would add it: how far the price of a ticker rose over its last sessions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from pydantic import Field

from tradingagents.context import RunContext
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.runtime.kind import AnyGraph, RunKind, RunParts
from tradingagents.runtime.records.base import RecordedRun
from tradingagents.runtime.records.export import ExportableRun
from tradingagents.runtime.request import RunRequest, Symbol
from tradingagents.runtime.services import Services
from tradingagents.schemas.cards import CardRecord


class RiseRequest(RunRequest):
    """A ticker, and over how many sessions."""

    subject_field = "ticker"

    ticker: Symbol = Field(min_length=1, max_length=40, description="The company")
    sessions: int = Field(5, ge=1, le=60, description="Sessions over which the rise is measured")


class RiseState(TypedDict, total=False):
    """The graph's state."""

    ticker: str
    sessions: int
    rise: float
    answer: str


async def measure(state: RiseState, runtime: Runtime[RunContext]) -> dict[str, Any]:
    close = runtime.context.data.prices(state["ticker"]).close
    rise = float(close[-1] / close[-1 - state["sessions"]] - 1)
    return {"rise": rise, "answer": f"{state['ticker']} rose by {rise:.2%} in {state['sessions']} sessions."}


class RiseRecord(CardRecord):
    """The card of a measured rise."""

    ticker: str
    answer: str


@dataclass(frozen=True)
class Rise(ExportableRun):
    """A measured rise."""

    record: RiseRecord


class RiseRun(RecordedRun[RiseRecord, Rise]):
    """One run."""

    reports = ("answer",)
    report_of: Mapping[str, str] = {}
    nothing_more_given = frozenset[str]()

    def first_state(self) -> Mapping[str, Any]:
        return {"ticker": self._manifest.subject, "sessions": self._manifest.request["sessions"]}

    def announce(self) -> None:
        self.context.events.emit("run_start", f"rise of {self._manifest.subject}", start=self._starts())

    async def finish(self) -> Rise:
        self.context.events.emit("result", self.state["answer"])
        return Rise(await self.leave("done"))

    def _nothing_reported(self) -> bool:
        return False

    def _record(self, status: str, error: str | None) -> RiseRecord:
        found = {"ticker": self._manifest.subject, "answer": self.state.get("answer", "")}
        return RiseRecord.model_validate(
            {"run_id": self.context.run_id, "status": status, **found, **self._common(error)}
        )

    def _files(self, record: RiseRecord) -> Mapping[str, str]:
        return {"complete_report.md": f"# Rise\n\n{record.answer}\n"}


class RiseKind(RunKind[RiseRequest, RiseRecord, Rise]):
    """One step."""

    name = task = "rise"
    noun = "rise"
    summary = "Measure how far the price of a company rose."
    request = RiseRequest
    record = RiseRecord

    def title(self, request: RiseRequest) -> str:
        return f"Rise of {request.ticker}"

    def graph(self, services: Services) -> AnyGraph:
        graph = StateGraph(RiseState, RunContext)
        graph.add_node("measure", measure)
        graph.add_edge(START, "measure")
        graph.add_edge("measure", END)
        return graph.compile(name="rise")

    def look_up(self, data: MarketData, request: RiseRequest) -> Prices:
        return data.prices(normalise(request.ticker))

    def open(self, parts: RunParts, found: Prices) -> RiseRun:
        return RiseRun(parts, RunContext(**parts.context, preamble=""))


RISE = RiseKind()
