"""The kind `debate`: bull against bear on one company from shared evidence, and a moderator's verdict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, field_validator

from tradingagents.errors import UsageError
from tradingagents.features.debate.schemas import DEBATE_KIND, DebateRecord
from tradingagents.runtime.kind import RunKind, short_card
from tradingagents.runtime.presentation import HintsPause, PrintedRun, Statements, page_note
from tradingagents.runtime.request import Argument, Flag, SessionRequest, Symbol

if TYPE_CHECKING:
    from pathlib import Path

    from tradingagents.dataflows.market_data import MarketData
    from tradingagents.features.debate.question_kind import DebateQuestionRequest
    from tradingagents.features.debate.run import DebateResult, DebateRun  # noqa: F401 - the base class names it as text
    from tradingagents.reports.document import Document
    from tradingagents.runtime.kind import AnyGraph, RunParts
    from tradingagents.runtime.manifest import RunManifest
    from tradingagents.runtime.services import Services

MOST_ROUNDS = 2


class DebateRequest(SessionRequest):
    """A company to debate and the settings of the run."""

    subject_field = "ticker"

    ticker: Annotated[
        Symbol,
        Argument(
            metavar="TICKER",
            help="The company; with --ask, the question about the debate.",
            wanted="Name a ticker, such as VELQ, or --resume RUN.",
        ),
    ] = Field(min_length=1, max_length=40, description="The company")
    rounds: Annotated[int, Flag(usage="--deep", help="Two rebuttals a side instead of one.", sets=MOST_ROUNDS)] = Field(
        1, ge=1, le=MOST_ROUNDS, description="Rebuttals of each side; 2 is a deep debate"
    )
    coach: bool = Field(False, description="Pause between the phases for hints to the bull or the bear")

    @field_validator("ticker", mode="before")
    @classmethod
    def _one_company(cls, ticker: Any) -> Any:
        """Refuse several tickers. Raises UsageError."""
        if isinstance(ticker, str) and len(ticker.replace(",", " ").split()) != 1:
            raise UsageError("A debate is about one company; name one ticker.")
        return ticker


def hint_at_prompt(line: str) -> dict[str, str]:
    """Return a hint as a debate takes it, from a line such as `bull: look at the margins`. Raises UsageError."""
    side, _, text = line.partition(":")
    return _checked_hint(side, text)


def hint_given(text: str) -> dict[str, str]:
    """Return a hint as a debate takes it, from `bull=TEXT` or `bull:TEXT`.

    Raises:
        UsageError: It names no side, or there is no text.
    """
    at = min((place for place in (text.find("="), text.find(":")) if place > 0), default=-1)
    if at < 0:
        raise UsageError(f"{text!r} names no side; write --hint bull=TEXT or --hint bear=TEXT.")
    return _checked_hint(text[:at], text[at + 1 :])


def _checked_hint(side: str, text: str) -> dict[str, str]:
    from tradingagents.features.debate.graph.hints import hints_of

    hint = {"side": side, "text": text}
    checked, wrong = hints_of({"hints": [hint]}, "")
    if checked is None:
        raise UsageError(wrong.strip())
    return hint


class DebateKind(RunKind[DebateRequest, DebateRecord, "DebateResult"]):
    """Gather, open, rebut, moderate."""

    name = task = DEBATE_KIND
    summary = "Debate a company: bull against bear from the same evidence, a verdict, and what would change it."
    noun = "debate"
    progress = Statements()
    pauses = (
        HintsPause(
            prompt="Hint (bull: TEXT or bear: TEXT; Enter continues) ",
            read=hint_at_prompt,
            usage="--hint SIDE=TEXT",
            help="Advice to bull or bear for the next pause; implies --coach; may be repeated.",
            given=hint_given,
            implies={"coach": True},
        ),
    )
    has_summary = True
    request = DebateRequest
    record = DebateRecord

    def title(self, request: DebateRequest) -> str:
        """Return what is debated."""
        return f"Debate on {request.ticker.strip().upper()}"

    def check_answer(self, given: Mapping[str, Any]) -> None:
        """Check hints, a line each (`bull: …`) in the note of a verdict. Raises UsageError."""
        from tradingagents.features.debate.graph.hints import hints_of

        if given.get("verdict") == "reject":
            raise UsageError("A debate cannot be rejected; approve continues it, revise takes hints in the note.")
        _, wrong = hints_of(given, "")
        if given.get("verdict") and wrong:
            raise UsageError(wrong.strip())

    def in_short(self, record: DebateRecord) -> dict[str, Any]:
        """Return the verdict of a debate with the cases of both sides."""
        keys = ("run_id", "status", "ticker", "as_of", "verdict", "cases", "written_by")
        return short_card(record, keys, answer=record.reports.get("verdict", ""))

    def stand_in(self, request: DebateRequest) -> DebateRequest:
        """Return a debate that nobody coaches."""
        return super().stand_in(request).changed(coach=False)

    def prompts(self) -> Mapping[str, str]:
        """Return the instructions of its agents."""
        from tradingagents.features.debate.agents.prompts import debate_prompts

        return debate_prompts()

    def home_files(self, manifest: RunManifest, home: Path) -> Mapping[str, bytes]:
        """Return what the session had found."""
        from tradingagents.runtime.runs.session_notes import session_file

        return session_file(manifest, home)

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.features.debate.graph.graph import build_debate_graph

        return build_debate_graph(services.models)

    def document(self, record: DebateRecord) -> Document:
        """Return the report from its record."""
        from tradingagents.features.debate.report import debate_document

        return debate_document(record)

    def printed(self, record: DebateRecord, *, whole: bool = False) -> PrintedRun:
        """Return the debate on a page or all of it, and how to ask about it."""
        from tradingagents.features.debate.report import debate_document, debate_summary
        from tradingagents.reports.render.markdown import to_markdown

        document = debate_document if whole else debate_summary
        how = f'tradingagents debate --ask {record.run_id} "What would change your mind?"'
        return PrintedRun(
            text=to_markdown(document(record)),
            notes=page_note(record),
            next_step=f"Ask about it: {how}",
            names_market=True,
        )

    def question_about(
        self, home: Path, run: str, question: str
    ) -> tuple[RunKind[Any, Any, Any], DebateQuestionRequest]:
        """Return the question about a debate as a run of its own. Raises as `RunKind.question_about` does."""
        from tradingagents.features.debate.question_kind import DEBATE_QUESTION, question_about

        return DEBATE_QUESTION, question_about(home, run, question)

    def answer_about(self, record: DebateRecord, question: str) -> str:
        """Answer a question from the cases and the verdict of a card, with the evidence that the answer names."""
        from tradingagents.features.debate.graph.card_answer import answer_from_card

        if not record.cases:
            return super().answer_about(record, question)
        return answer_from_card(record, question)

    def look_up(self, data: MarketData, request: DebateRequest) -> str:
        """Return the newest twelve months of statements in words; raises NoAnnualFiling where there is none."""
        from tradingagents.dataflows.instrument import assert_company
        from tradingagents.dataflows.reference.symbols import normalise
        from tradingagents.features.debate.graph.annual_filing import annual_filing

        symbol = normalise(request.ticker)
        if (profile := data.known_profile(symbol)) is not None:
            assert_company(profile, f"debate a company, or ask `tradingagents research` about {symbol}")
        return annual_filing(data, symbol)

    def open(self, parts: RunParts, found: str) -> DebateRun:
        """Return a run."""
        from tradingagents.features.debate.agents.prompting import debate_preamble
        from tradingagents.features.debate.graph.gathering import SharedAnswers, finished_calls
        from tradingagents.features.debate.graph.graph import DebateContext
        from tradingagents.features.debate.run import DebateRun

        asked = parts.manifest.request
        if asked["coach"] and parts.persist != "all":
            raise UsageError("A coached debate keeps its steps while it waits; take persist='all', or leave out coach.")
        context = DebateContext(
            **parts.context,
            preamble=debate_preamble(parts.services.settings, parts.data.cutoff, parts.manifest.subject or ""),
            rounds=asked["rounds"],
            coach=asked["coach"],
            shared=SharedAnswers(finished_calls(parts.earlier)),
        )
        return DebateRun(parts, context, found)


DEBATE = DebateKind()
