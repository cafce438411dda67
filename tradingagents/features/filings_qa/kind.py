"""The kind `filings_question`: a question about companies, answered from filings, calls and news with citations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, field_validator

from tradingagents.errors import UsageError
from tradingagents.features.filings_qa.schemas import FilingsRecord
from tradingagents.runtime.kind import RunKind, short_card
from tradingagents.runtime.presentation import EventLines, PrintedRun, page_note
from tradingagents.runtime.request import Argument, Flag, RunRequest, title_of
from tradingagents.runtime.runs.run_folder import is_component

if TYPE_CHECKING:
    from datetime import datetime

    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.features.filings_qa.run import FilingsAnswer, FilingsRun  # noqa: F401 - the base class names it as text
    from tradingagents.reports.document import Document
    from tradingagents.retrieval.store import DocumentStore
    from tradingagents.runtime.kind import AnyGraph, RunParts
    from tradingagents.runtime.services import Services

LONGEST_QUESTION = 4000
SHOWN_EVENTS = {
    "analysis": "analysis",
    "reasoning": "plan",
    "10k_search": "filings",
    "news_search": "news",
    "progress": "",
    "iteration_start": "",
    "agent_decision": "assessment",
    "iteration_followup": "searching",
    "iteration_search": "found",
    "warning": "",
}
"""Events that are shown while a question is worked on, with the word before each."""


TIERS = {
    "quick_think_llm": "Model that reads the question, plans the searches and assesses the answer.",
    "mid_think_llm": "Model that writes the answer.",
    "deep_think_llm": "Not used by questions on filings.",
}


class FilingsRequest(RunRequest):
    """A question, how thoroughly it is answered, and the settings of its run."""

    question: Annotated[
        str,
        Argument(
            metavar="QUESTION",
            help="In plain words.",
            wanted='Write a question, such as tradingagents filings ask "What does VELQ sell?", or --resume RUN.',
        ),
    ] = Field(min_length=1, max_length=LONGEST_QUESTION, description="What to find out")
    mode: Annotated[
        Literal["direct", "standard", "detailed", "deep_search"] | None,
        Flag(
            usage="--mode MODE",
            help="direct, standard, detailed or deep_search; default: as the question says.",
        ),
    ] = Field(None, description="How thorough; unset: as the question says")
    max_iterations: Annotated[int | None, Flag(help="Instead of the mode's.")] = Field(
        None, ge=1, le=20, description="Most searches, instead of the mode's"
    )
    conversation: Annotated[str | None, Flag(hidden=True)] = Field(
        None, max_length=120, description="Id of the conversation, for questions that refer to earlier ones"
    )

    @field_validator("question")
    @classmethod
    def _asks(cls, question: str) -> str:
        """Refuse an empty question. Raises UsageError."""
        if not question.strip():
            raise UsageError("The question is empty; write one.")
        return question

    @field_validator("mode", mode="before")
    @classmethod
    def _known(cls, mode: Any) -> Any:
        """Refuse a mode that there is not. Raises UsageError."""
        from tradingagents.features.filings_qa.run import mode_named

        return mode_named(mode) if isinstance(mode, str) else mode

    @field_validator("conversation")
    @classmethod
    def _usable(cls, conversation: str | None) -> str | None:
        """Refuse what is no part of a path. Raises UsageError."""
        if conversation is not None and not is_component(conversation):
            raise UsageError("conversation: use letters, digits, dots, dashes and underscores.")
        return conversation


class FilingsKind(RunKind[FilingsRequest, FilingsRecord, "FilingsAnswer"]):
    """Analyse, reason, search filings, calls and news, answer, assess, search again."""

    name = "filings_qa"
    task = "filings_question"
    known_as = "Ask filings and calls"
    summary = "Answer a question about companies from their filings, earnings calls and news, with citations."
    command = "filings ask"
    noun = "question"
    tiers = TIERS
    progress = EventLines(words=SHOWN_EVENTS, style="dim", longest=240)
    request = FilingsRequest
    record = FilingsRecord

    def title(self, request: FilingsRequest) -> str:
        """Return the beginning of the question."""
        return title_of(request.question)

    def in_short(self, record: FilingsRecord) -> dict[str, Any]:
        """Return the answer with what it cites."""
        keys = ("run_id", "status", "question", "answer", "confidence", "cited", "sources", "stopped", "written_by")
        return short_card(record, keys)

    def details(self, request: FilingsRequest) -> Mapping[str, Any]:
        """Return the question, its limits, its conversation, and whether it is asked of today."""
        return {**super().details(request), "live": request.day is None}

    def conversation(self, request: FilingsRequest) -> str | None:
        """Return the id of the conversation."""
        return request.conversation

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.features.filings_qa.graph.graph import build_filings_graph

        return build_filings_graph(services.models)

    def document(self, record: FilingsRecord) -> Document:
        """Return the report from its record."""
        from tradingagents.features.filings_qa.report import answer_document

        return answer_document(record)

    def printed(self, record: FilingsRecord, *, whole: bool = False) -> PrintedRun:  # noqa: ARG002
        """Return the answer with the sources that it cites."""
        from tradingagents.features.filings_qa.report import cited_sources

        notes: tuple[str, ...] = ()
        if record.confidence is not None:
            by = "fixed rules, no language model" if record.written_by == "rules" else "a language model"
            notes = (f"Confidence {record.confidence:.0%}; written by {by}.", *page_note(record))
        return PrintedRun(text=record.answer, sources=cited_sources(record), notes=notes)

    def found_nothing(self, record: FilingsRecord) -> bool:
        """Return whether a question was rejected, or has no answer."""
        return record.status in ("rejected", "no_answer") or record.stopped == "nothing_found"

    def look_up(self, data: MarketData, request: FilingsRequest) -> DocumentStore:  # noqa: ARG002
        """Return the store of documents.

        Raises:
            HomeNotWritable: It cannot be opened.
        """
        from tradingagents.retrieval.store import own_store

        return own_store(data.settings, data.memo)

    def prompts(self) -> Mapping[str, str]:
        """Return the instructions of its agents."""
        from tradingagents.features.filings_qa.agents.agents import filings_prompts

        return filings_prompts()

    def open(self, parts: RunParts, found: DocumentStore) -> FilingsRun:
        """Return a run."""
        from tradingagents.features.filings_qa.agents.modes import AnswerMode
        from tradingagents.features.filings_qa.agents.prompting import filings_preamble
        from tradingagents.features.filings_qa.graph.lookup import FilingsContext
        from tradingagents.features.filings_qa.run import FilingsRun

        asked = parts.manifest.request
        as_of: datetime = parts.opened if asked["live"] else parts.data.cutoff.instant
        context = FilingsContext(
            **parts.context,
            preamble=filings_preamble(parts.services.settings, as_of),
            store=found,
            as_of=as_of,
            mode=AnswerMode(asked["mode"]) if asked["mode"] else None,
            max_iterations=asked["max_iterations"],
        )
        return FilingsRun(parts, context)


FILINGS_QA = FilingsKind()
