"""The protocol of a run kind: what the executor asks of a workflow, and of one run of it.

A workflow is one file under `workflows/`. The executor knows no agent, no report and no record: it checks the request,
makes the folder, takes the graph from step to step, and tells the run how it ended.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from langgraph.graph.state import CompiledStateGraph

from tradingagents.context import RunContext
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import BudgetReached, TradingAgentsError
from tradingagents.events import Event
from tradingagents.store.run_folder import RunFiles

if TYPE_CHECKING:
    from pathlib import Path

    from tradingagents.reports.document import Document
    from tradingagents.reports.workbook import Workbook
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.services import Services

FINISHED = frozenset({"done", "no_answer", "no_decision", "rejected"})
"""How a run ends that need not go on."""
WAITING = "awaiting_approval"
"""How a run stands that waits for a person."""
Persist = Literal["all", "card", "none"]
"""What a run leaves on disk.

- `all`: card, reports, page, event log, data sheet, and its steps until it has ended, so that it can go on.
- `card`: the card alone. The run cannot go on after an interruption.
- `none`: nothing; the record is returned and not written, and its figures are not checked against the data.
"""

SIMULATED_DAY = date(2025, 3, 14)
"""A day of the simulated market on which every tool has something to answer, about as long as on a real one."""
AnyGraph = CompiledStateGraph[Any, Any, Any, Any]


@dataclass(frozen=True, kw_only=True)
class RunRequest:
    """What is asked of a run, whatever its kind."""

    day: str | date | None = None
    """The day the run pretends it is; None: today."""


RequestT = TypeVar("RequestT", bound=RunRequest)
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, kw_only=True)
class RunParts:
    """What the executor hands to a workflow for one run."""

    services: Services
    manifest: RunManifest
    data: MarketData
    files: RunFiles
    context: Mapping[str, Any]
    """The arguments of a `RunContext` that are the same for every kind: all but its preamble."""
    earlier: Sequence[Event]
    """What earlier starts of the run logged; empty at its first."""
    began: float
    """`time.perf_counter()` when this start was asked for."""
    opened: datetime
    persist: Persist


class WorkflowRun(ABC, Generic[ResultT]):
    """One run of a workflow: its first state, its record, its result."""

    context: RunContext
    state: dict[str, Any]
    """The graph's state after its last finished step; the executor sets it."""

    @abstractmethod
    def first_state(self) -> Mapping[str, Any]:
        """Return the state to begin with, where no step is done yet."""

    @abstractmethod
    def on_event(self, event: Event) -> None:
        """Take in an event as it happens. Must be quick and must not raise."""

    @abstractmethod
    def announce(self) -> None:
        """Emit `run_start`."""

    async def prepare(self) -> None:
        """Do what belongs to the run but to no step of its graph; done anew at each start."""
        return

    @abstractmethod
    async def finish(self) -> ResultT:
        """Emit `result`, leave the record of a run whose graph has ended, and return the result."""

    @abstractmethod
    async def leave(self, status: str, *, error: str | None = None) -> Mapping[str, Any]:
        """Leave the record of a run that ends with a status; return it."""

    def status_of(self, error: TradingAgentsError) -> str:
        """Return the status of a run that an error ended."""
        return "budget" if isinstance(error, BudgetReached) else "failed"


class Workflow(ABC, Generic[RequestT, ResultT]):
    """A kind of run."""

    kind: ClassVar[str]
    """Its name in manifests, records and events."""

    @abstractmethod
    def subject(self, request: RequestT) -> str | None:
        """Return what is studied, as it stands in run ids; None where it is the whole market."""

    @abstractmethod
    def calendar_symbol(self, request: RequestT) -> str:
        """Return the symbol whose exchange gives the sessions of the run."""

    def brief(self, request: RequestT) -> str:  # noqa: ARG002 - most kinds have none
        """Return what another run hands over, as Markdown; empty for none."""
        return ""

    def details(self, request: RequestT) -> Mapping[str, Any]:  # noqa: ARG002 - most kinds have none
        """Return what is asked besides subject and day, as JSON; it becomes `RunManifest.request`."""
        return {}

    def prompts(self) -> Mapping[str, str]:
        """Return the prompts of the kind's agents by name, besides those that every manifest names.

        A run whose prompts have changed since it was started is not resumed.
        """
        return {}

    def conversation(self, request: RequestT) -> str | None:  # noqa: ARG002 - most kinds have none
        """Return the id of the conversation that a run belongs to; None where it stands alone.

        The steps of a conversation outlive its runs: a run of it begins with the state that the last one left. The id
        is one path component.
        """
        return None

    def stand_in(self, request: RequestT) -> RequestT:
        """Return what is asked of the simulated market in its place, for an estimate that must not use a network."""
        return replace(request, day=SIMULATED_DAY)

    @abstractmethod
    def request_of(self, manifest: RunManifest) -> RequestT:
        """Return the request that a manifest was made of."""

    @abstractmethod
    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""

    def compiled(self, services: Services) -> AnyGraph:
        """Return the graph, compiled once for these services."""
        if self.kind not in services.graphs:
            services.graphs[self.kind] = self.graph(services)
        return services.graphs[self.kind]

    def document(self, record: Mapping[str, Any]) -> Document | None:  # noqa: ARG002 - a kind may have none
        """Return the report of a run from its card, for exports; None for a kind that is exported from its Markdown."""
        return None

    def workbook(self, record: Mapping[str, Any], document: Document) -> Workbook:
        """Return the workbook of a run from its card and its report: the report in words, its figures and sources."""
        from tradingagents.reports.run_workbook import run_workbook

        return run_workbook(record, document)

    def home_files(self, manifest: RunManifest, home: Path) -> Mapping[str, bytes]:  # noqa: ARG002
        """Return the files of the home folder that a run read besides caches and stores, by their path in it.

        Args:
            manifest: The run's.
            home: The home folder.
        """
        return {}

    def runs_begun(self, record: Mapping[str, Any]) -> Sequence[str]:  # noqa: ARG002 - most kinds begin none
        """Return the ids of the runs that a run began, from its card; in an order that depends on no id."""
        return ()

    @abstractmethod
    def look_up(self, data: MarketData, request: RequestT) -> Any:
        """Read, before anything is written, what a run cannot do without. May wait for a network.

        Raises:
            DataError: It is not there; no run is begun.
        """

    @abstractmethod
    def open(self, parts: RunParts, found: Any) -> WorkflowRun[ResultT]:
        """Return a run.

        Args:
            parts: Folder, context and the rest.
            found: What `look_up` returned.
        """
