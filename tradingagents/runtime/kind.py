"""`RunKind`: what a kind of run declares, and what the executor asks of one run of it.

The executor, the task of a run, the command line and the server know no kind by name. The executor checks the request,
makes the folder, takes the graph from step to step, and tells the run how it ended.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

from pydantic import ValidationError

from tradingagents.dataflows.reference.symbols import MARKET, normalise
from tradingagents.errors import BudgetReached, TradingAgentsError
from tradingagents.files.atomic import UnreadableFile
from tradingagents.runtime.presentation import EventLines, Pause, PrintedRun, Progress, page_note
from tradingagents.runtime.request import RunAnswer, RunRequestT
from tradingagents.schemas.cards import CardRecord
from tradingagents.schemas.record import problem_of
from tradingagents.schemas.workspace import TaskPolicy

if TYPE_CHECKING:
    from pathlib import Path

    from langgraph.graph.state import CompiledStateGraph

    from tradingagents.context import RunContext
    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.events import Event
    from tradingagents.reports.document import Document
    from tradingagents.reports.workbook import Workbook
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.runs.run_folder import RunFiles
    from tradingagents.runtime.services import Services
    from tradingagents.settings import Settings

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
AnyGraph: TypeAlias = "CompiledStateGraph[Any, Any, Any, Any]"
RecordT = TypeVar("RecordT", bound=CardRecord)
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, kw_only=True)
class RunParts:
    """What the executor hands to a kind for one run."""

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


class ActiveRun(ABC, Generic[ResultT]):
    """One run of a kind: its first state, its record, its result."""

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
    async def leave(self, status: str, *, error: str | None = None) -> object:
        """Leave the record of a run that ends with a status."""

    def status_of(self, error: TradingAgentsError) -> str:
        """Return the status of a run that an error ended."""
        return "budget" if isinstance(error, BudgetReached) else "failed"


class RunKind(ABC, Generic[RunRequestT, RecordT, ResultT]):
    """A kind of run: its request, its graph, its record and its report, declared once for every way to ask for it."""

    name: ClassVar[str]
    """In manifests, records and events."""
    task: ClassVar[str] = ""
    """What tasks, HTTP and MCP call it; "" for a kind that people do not start by itself."""
    known_as: ClassVar[str] = ""
    """What pages call it; "" takes the words of `task`."""
    summary: ClassVar[str] = ""
    """One sentence for people and models that choose among kinds."""
    policy: ClassVar[TaskPolicy] = TaskPolicy()
    command: ClassVar[str] = ""
    """Its command, such as `filings ask`; "" takes the name of `task`."""
    help: ClassVar[str] = ""
    """The help of its command; "" takes `summary`."""
    noun: ClassVar[str] = "run"
    """Such a run in a word, such as `report`."""
    day_key: ClassVar[str] = "as_of"
    """What its card calls the day."""
    progress: ClassVar[Progress] = EventLines()
    """What is shown of a run while it works."""
    tiers: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What the models of the tiers do, by setting, for the help of its command; unset: as in a trading run."""
    at_once: ClassVar[tuple[str, str] | None] = None
    """The setting that limits what it does at the same time, and what that is; None where it does one thing."""
    pauses: ClassVar[tuple[Pause, ...]] = ()
    """Where a run may stop for a person."""
    has_summary: ClassVar[bool] = False
    """Whether a summary is printed of a run unless its whole report is asked for."""
    request: type[RunRequestT]
    """What is asked. Its fields are the options of the command line, the request of a task and the schema of both."""
    record: type[RecordT]
    """What a run leaves: its card."""
    answer: type[RunAnswer] = RunAnswer
    """What a person may say to a run that waits, failed or was interrupted."""

    def title(self, request: RunRequestT) -> str:  # noqa: ARG002 - a kind without a task needs none
        """Return a short title, such as `VELQ 2025-03-14`."""
        return self.name

    def title_of_run(self, request: RunRequestT, record: RecordT) -> str:  # noqa: ARG002 - some kinds look at it
        """Return the title of a finished run's files."""
        return self.title(request)

    def check_answer(self, given: Mapping[str, Any]) -> None:
        """Check what a person says beyond its model.

        Raises:
            UsageError: A run of this kind cannot use it.
        """

    def steps(self, settings: Settings) -> int | None:  # noqa: ARG002 - few kinds know
        """Return of how many steps a run consists; None where that is not known before."""
        return None

    def read(self, card: Mapping[str, Any]) -> RecordT:
        """Return the record that a card holds, which this version or an earlier one wrote.

        Raises:
            UnreadableFile: It is no card of this kind.
        """
        try:
            return self.record.model_validate(card)
        except ValidationError as error:
            run = card.get("run_id", "the run")
            raise UnreadableFile(
                f"The card of {run} cannot be read ({problem_of(error)}); it was damaged or edited."
            ) from error

    def in_short(self, record: RecordT) -> dict[str, Any]:
        """Return what a task of the kind results in, from the record of its run."""
        return {"run_id": record.run_id, "status": record.status}

    def subject(self, request: RunRequestT) -> str | None:
        """Return what is studied, as it stands in run ids; None where it is no single instrument."""
        field = self.request.subject_field
        return None if field is None else normalise(getattr(request, field))

    def calendar_symbol(self, request: RunRequestT) -> str:
        """Return the symbol whose exchange gives the sessions of the run: the subject's, else that of the index."""
        return self.subject(request) or MARKET

    def completed(self, request: RunRequestT, home: Path, day: date) -> RunRequestT:  # noqa: ARG002 - most name nothing
        """Return what is asked with what it only names put in its place, so that its manifest tells it apart.

        Args:
            request: As it was asked.
            home: The home folder.
            day: Of the study.

        Raises:
            UsageError: What it names is not there.
        """
        return request

    def brief(self, request: RunRequestT) -> str:  # noqa: ARG002 - most kinds have none
        """Return what another run hands over, as Markdown; empty for none."""
        return ""

    def details(self, request: RunRequestT) -> Mapping[str, Any]:
        """Return what is asked besides subject, day and settings, as JSON; it becomes `RunManifest.request`."""
        return request.model_dump(mode="json", include=set(self.request.own_fields()))

    def request_of(self, manifest: RunManifest) -> RunRequestT:
        """Return the request that a manifest was made of."""
        asked = {name: value for name, value in manifest.request.items() if name in self.request.own_fields()}
        if self.request.subject_field is not None:
            asked[self.request.subject_field] = manifest.subject or ""
        return self.request(day=manifest.trade_date, **asked)

    def prompts(self) -> Mapping[str, str]:
        """Return the prompts of the kind's agents by name, besides those that every manifest names.

        A run whose prompts have changed since it was started is not resumed.
        """
        return {}

    def conversation(self, request: RunRequestT) -> str | None:  # noqa: ARG002 - most kinds have none
        """Return the id of the conversation that a run belongs to; None where it stands alone.

        The steps of a conversation outlive its runs: a run of it begins with the state that the last one left. The id
        is one path component.
        """
        return None

    def stand_in(self, request: RunRequestT) -> RunRequestT:
        """Return what is asked of the simulated market in its place, for an estimate that must not use a network."""
        field = self.request.subject_field
        return request.changed(day=SIMULATED_DAY, **({} if field is None else {field: _simulated_company()}))

    @abstractmethod
    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""

    def compiled(self, services: Services) -> AnyGraph:
        """Return the graph, compiled once for these services."""
        if self.name not in services.graphs:
            services.graphs[self.name] = self.graph(services)
        return services.graphs[self.name]

    def document(self, record: RecordT) -> Document | None:  # noqa: ARG002 - a kind may have none
        """Return the report of a run from its record, for exports; None: its Markdown is exported."""
        return None

    def workbook(self, record: RecordT, document: Document) -> Workbook:
        """Return the workbook of a run from its record and its report: the report in words, its figures and sources."""
        from tradingagents.reports.run_workbook import run_workbook

        return run_workbook(record, document)

    def printed(self, record: RecordT, *, whole: bool = False) -> PrintedRun:  # noqa: ARG002 - few have both
        """Return what is printed of a run that has ended.

        Args:
            record: What it left.
            whole: Whether the whole report is wanted where there is a summary.
        """
        from tradingagents.reports.render.markdown import to_markdown

        document = self.document(record)
        text = to_markdown(document) if document is not None else str(getattr(record, "answer", ""))
        return PrintedRun(text=text, notes=page_note(record))

    def found_nothing(self, record: RecordT) -> bool:
        """Return whether a run ended without a result."""
        return record.status != "done"

    def question_about(self, home: Path, run: str, question: str) -> tuple[RunKind[Any, Any, Any], Any] | None:  # noqa: ARG002
        """Return the kind and the request of a run that answers a question about one of this kind.

        Args:
            home: The home folder.
            run: Id of the run that the question is about, or the beginning of it.
            question: In plain words.

        Returns:
            None for a kind whose runs answer by rule, see `answer_about`.

        Raises:
            UsageError: The run is of another kind or has not ended, or the question is empty.
        """
        return None

    def answer_about(self, record: RecordT, question: str) -> str:
        """Answer a question about a finished run from its record, by rule and with its sources.

        Args:
            record: What it left.
            question: In plain words.
        """
        from tradingagents.runtime.run_questions.passages import run_brief
        from tradingagents.runtime.run_questions.rules import run_answer

        return run_answer(run_brief(record.as_json(), question))

    def home_files(self, manifest: RunManifest, home: Path) -> Mapping[str, bytes]:  # noqa: ARG002
        """Return the files of the home folder that a run read besides caches and stores, by their path in it.

        Args:
            manifest: The run's.
            home: The home folder.
        """
        return {}

    def runs_begun(self, record: RecordT) -> Sequence[str]:  # noqa: ARG002 - most kinds begin none
        """Return the ids of the runs that a run began, from its record; in an order that depends on no id."""
        return ()

    @abstractmethod
    def look_up(self, data: MarketData, request: RunRequestT) -> Any:
        """Read, before anything is written, what a run cannot do without. May wait for a network.

        Raises:
            DataError: It is not there; no run is begun.
        """

    @abstractmethod
    def open(self, parts: RunParts, found: Any) -> ActiveRun[ResultT]:
        """Return a run.

        Args:
            parts: Folder, context and the rest.
            found: What `look_up` returned.
        """


def short_card(record: CardRecord, keys: Iterable[str], **more: Any) -> dict[str, Any]:
    """Return these fields of a run's record and `more` as JSON, with its warnings and its cost."""
    card = record.as_json()
    fields = {key: card.get(key) for key in keys} | more
    return {**fields, "warnings": card["warnings"], "cost_usd": card["usage"]["cost_usd"]}


def _simulated_company() -> str:
    """Return a simulated company with news and statements."""
    from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NO_STATEMENTS

    return next(symbol for symbol in COMPANIES if symbol not in (*NO_NEWS, *NO_STATEMENTS))
