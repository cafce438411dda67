"""The kind of a question about a debate that has ended."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradingagents.errors import UsageError
from tradingagents.features.debate.schemas import DEBATE_KIND, DebateQuestionRecord, DebateRecord
from tradingagents.runtime.kind import RunKind
from tradingagents.runtime.presentation import PrintedRun, Statements, page_note
from tradingagents.runtime.registry import kind_of
from tradingagents.runtime.request import RunRequest
from tradingagents.runtime.runs.run_folder import CARD
from tradingagents.runtime.runs.run_index import RunIndex

if TYPE_CHECKING:
    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.features.debate.question_run import DebateAnswer, DebateQuestionRun  # noqa: F401 - the base class names it as text
    from tradingagents.reports.document import Document
    from tradingagents.runtime.kind import AnyGraph, RunParts
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.services import Services


LONGEST_QUESTION = 4000


class DebateQuestionRequest(RunRequest):
    """One question about a debate, and what it was held from."""

    subject_field = "ticker"

    debate: str
    """Run id."""
    ticker: str
    question: str
    material: str
    """What was said in the debate, and its evidence: what the answer may take figures from."""


def finished_debate(home: Path, run: str) -> DebateRecord:
    """Return the record of a debate with statements.

    Raises:
        NoSuchRun: There is no such run.
        UsageError: It is no debate, or no case was stated.
        UnreadableFile: Its card is damaged.
    """
    found = RunIndex(home).find(run)
    card = found.card()
    if card is None or card.get("kind") != DEBATE_KIND:
        what = "has not ended" if card is None else "is no debate"
        raise UsageError(f"{found.run_id} {what}; `tradingagents runs list --kind debate` lists the debates.")
    if not card.get("cases"):
        raise UsageError(
            f"{found.run_id} ended before a case was stated; continue it with `tradingagents debate --resume "
            f"{found.run_id}`."
        )
    record: DebateRecord = kind_of(DEBATE_KIND).read(card)
    return record


def question_about(home: Path, run: str, question: str) -> DebateQuestionRequest:
    """Return the request of a question about a debate.

    Args:
        home: The home folder.
        run: The debate's run id, or the beginning of it.
        question: The question.

    Raises:
        NoSuchRun: There is no such run.
        UsageError: It is no debate, it has not been held yet, or the question is empty or too long.
    """
    debate = finished_debate(home, run)
    if not question.strip():
        raise UsageError('The question is empty; write one, such as "what would change your mind?".')
    if len(question) > LONGEST_QUESTION:
        raise UsageError(f"The question has {len(question)} characters; at most {LONGEST_QUESTION} are read.")
    said = [*debate.reports.values(), *(fact.content for fact in debate.evidence if fact.content)]
    return DebateQuestionRequest(
        day=debate.as_of,
        debate=debate.run_id,
        ticker=debate.ticker,
        question=question.strip(),
        material="\n\n".join(said),
    )


class DebateQuestionKind(RunKind[DebateQuestionRequest, DebateQuestionRecord, "DebateAnswer"]):
    """One step: the answer."""

    name = "debate_question"
    noun = "question"
    progress = Statements()
    request = DebateQuestionRequest
    record = DebateQuestionRecord

    def brief(self, request: DebateQuestionRequest) -> str:
        """Return what the debate hands over."""
        return request.material

    def details(self, request: DebateQuestionRequest) -> Mapping[str, Any]:
        """Return the debate and the question."""
        return {"debate": request.debate, "question": request.question}

    def conversation(self, request: DebateQuestionRequest) -> str:
        """Return the id of the debate's questions: earlier ones are remembered."""
        return f"debate-{request.debate}"

    def request_of(self, manifest: RunManifest) -> DebateQuestionRequest:
        """Return the request of a manifest."""
        asked = manifest.request
        return DebateQuestionRequest(
            day=manifest.trade_date,
            debate=asked["debate"],
            ticker=manifest.subject or "",
            question=asked["question"],
            material=manifest.brief,
        )

    def prompts(self) -> Mapping[str, str]:
        """Return the instructions of its agents."""
        from tradingagents.features.debate.agents.prompts import debate_prompts

        return debate_prompts()

    def home_files(self, manifest: RunManifest, home: Path) -> Mapping[str, bytes]:
        """Return the card of the debate."""
        card = f"runs/{manifest.request['debate']}/{CARD}"
        return {card: (home / card).read_bytes()}

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.features.debate.graph.question import build_debate_question_graph

        return build_debate_question_graph(services.models)

    def document(self, record: DebateQuestionRecord) -> Document:
        """Return the report from its record."""
        from tradingagents.features.debate.report import debate_question_document

        return debate_question_document(record)

    def printed(self, record: DebateQuestionRecord, *, whole: bool = False) -> PrintedRun:  # noqa: ARG002
        """Return the answer."""
        return PrintedRun(text=record.answer, notes=page_note(record))

    def found_nothing(self, record: DebateQuestionRecord) -> bool:  # noqa: ARG002
        """Return False: that the debate says nothing about it is an answer, too."""
        return False

    def look_up(self, data: MarketData, request: DebateQuestionRequest) -> None:
        """Read nothing: the debate has read everything."""

    def open(self, parts: RunParts, found: None) -> DebateQuestionRun:  # noqa: ARG002
        """Return a run."""
        from tradingagents.features.debate.agents.prompting import debate_preamble
        from tradingagents.features.debate.graph.question import DebateQuestionContext
        from tradingagents.features.debate.question_run import DebateQuestionRun

        asked, services = parts.manifest.request, parts.services
        context = DebateQuestionContext(
            **parts.context,
            preamble=debate_preamble(services.settings, parts.data.cutoff, parts.manifest.subject or ""),
            debate=finished_debate(services.settings.home_dir, asked["debate"]),
        )
        return DebateQuestionRun(parts, context)


DEBATE_QUESTION = DebateQuestionKind()
