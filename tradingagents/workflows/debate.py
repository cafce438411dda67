"""The debate workflow: bull against bear on one company from shared evidence, and a moderator's verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, cast

from pydantic import Field, field_validator

from tradingagents.agents.debate.prompting import debate_preamble
from tradingagents.agents.debate.statements import conviction_line, texts_of_debate
from tradingagents.agents.debate.states import DebateState
from tradingagents.context import RunContext
from tradingagents.dataflows.instrument import assert_company
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.reports.debate import debate_document, debate_summary
from tradingagents.reports.document import Document
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files, to_markdown
from tradingagents.runtime.kind import AnyGraph, RunKind, RunParts, short_card
from tradingagents.runtime.manifest import RunManifest
from tradingagents.runtime.request import SessionRequest, Symbol
from tradingagents.runtime.services import Services
from tradingagents.schemas.debate import DebateRecord, DebateVerdict
from tradingagents.schemas.research import AnsweredQuestion
from tradingagents.workflows.checked_run import CheckedRun
from tradingagents.workflows.graphs.debate.annual_filing import annual_filing
from tradingagents.workflows.records.export import ExportableRun
from tradingagents.workflows.records.session_notes import SessionNotes, answered_question, session_file

MOST_ROUNDS = 2
SUMMARY = "summary.md"


@dataclass(frozen=True)
class DebateResult(ExportableRun):
    """A debate that has ended."""

    record: DebateRecord
    state: DebateState

    @property
    def text(self) -> str:
        """The debate on a page: verdict and the points of both sides, as Markdown."""
        return to_markdown(debate_summary(self.record))


class DebateRequest(SessionRequest):
    """A company to debate and the settings of the run."""

    subject_field = "ticker"

    ticker: Symbol = Field(min_length=1, max_length=40, description="The company")
    rounds: int = Field(1, ge=1, le=MOST_ROUNDS, description="Rebuttals of each side; 2 is a deep debate")
    coach: bool = Field(False, description="Pause between the phases for hints to the bull or the bear")

    @field_validator("ticker", mode="before")
    @classmethod
    def _one_company(cls, ticker: Any) -> Any:
        """Refuse several tickers. Raises UsageError."""
        if isinstance(ticker, str) and len(ticker.replace(",", " ").split()) != 1:
            raise UsageError("A debate is about one company; name one ticker.")
        return ticker


class DebateRun(CheckedRun[DebateResult]):
    """One run of the graph."""

    nothing_more_given: ClassVar[frozenset[str]] = frozenset()
    report_of: Mapping[str, str] = {}
    reports = ()

    def __init__(self, parts: RunParts, context: RunContext, filing: str) -> None:
        """Open a run.

        Args:
            parts: Passed by the executor.
            context: Passed to the run's nodes and tools.
            filing: The newest annual report, in words.
        """
        super().__init__(parts, context)
        self._filing, self._session = filing, SessionNotes(parts)

    def first_state(self) -> Mapping[str, Any]:
        """Return the ticker."""
        return {"ticker": self._manifest.subject or ""}

    async def prepare(self) -> None:
        """Refuse a day before the one that the session has reached. Raises UsageError."""
        await self._session.begin()  # both sides gather their evidence anew

    def announce(self) -> None:
        """Emit `run_start`."""
        ticker, rounds = self._manifest.subject, self._manifest.request["rounds"]
        day = self.context.data.as_of.isoformat()
        told = {"ticker": ticker, "trade_date": day, "rounds": rounds, "annual_filing": self._filing}
        self.context.events.emit("run_start", f"debate on {ticker}", **told, start=self._starts())

    async def finish(self) -> DebateResult:
        """Emit `result`, write the record and return both."""
        state = cast(DebateState, self.state)
        await self._session.add(self._answered(state))
        record = cast(DebateRecord, await self.leave("done" if state.get("verdict") else "no_answer"))
        verdict = record["verdict"]
        lead = conviction_line(DebateVerdict.model_validate(verdict)) if verdict else "The debate has no verdict."
        self.context.events.emit("result", lead, step="result", verdict=verdict)
        return DebateResult(record=record, state=state)

    def _answered(self, state: DebateState) -> AnsweredQuestion:
        """Return what later questions of the session are shown of the debate."""
        cases, verdict = state.get("cases", {}), state.get("verdict", {})
        texts = texts_of_debate(cases, [], verdict)
        return answered_question(
            f"Debate on {self._manifest.subject}",
            texts.get("verdict", ""),
            [self._manifest.subject or ""],
            {name: text for name, text in texts.items() if name != "verdict"},
            state.get("evidence", []),
            run_id=self.context.run_id,
            as_of=self.context.data.as_of.isoformat(),
        )

    def _nothing_reported(self) -> bool:
        return False

    def _record(self, status: str, error: str | None) -> Mapping[str, Any]:
        state = cast(DebateState, self.state)
        cases, rebuttals, verdict = state.get("cases", {}), state.get("rebuttals", []), state.get("verdict", {})
        rules = all(label.startswith("offline") for label in self.context.labels.values())
        return {
            "run_id": self.context.run_id,
            "status": status,
            "ticker": self._manifest.subject or "",
            "as_of": self.context.data.as_of.isoformat(),
            "annual_filing": self._filing,
            "rounds": self._manifest.request["rounds"],
            "evidence": state.get("evidence", []),
            "hints": state.get("hints", []),
            "cases": cases,
            "rebuttals": rebuttals,
            "verdict": verdict,
            "withheld": state.get("withheld") or [],
            "written_by": "rules" if rules else "model",
            **self._common(error),
            "reports": self._said(state),
        }

    def _said(self, state: DebateState) -> dict[str, str]:
        """Return the statements, and the verdict with how many of its figures were withheld."""
        from tradingagents.workflows.graphs.source_check import withheld_note

        rebuttals = [one for one in state.get("rebuttals", []) if one["counters"]]
        said = texts_of_debate(state.get("cases", {}), rebuttals, state.get("verdict", {}))
        note = withheld_note(state.get("withheld") or [])
        return {**said, "verdict": f"{said['verdict']}\n\n{note}"} if note else said

    def _files(self, record: Mapping[str, Any]) -> Mapping[str, str]:
        debate = cast(DebateRecord, record)
        document = debate_document(debate)
        return {
            **markdown_files(document),
            SUMMARY: to_markdown(debate_summary(debate)),
            "report.html": to_html(document),
        }


class DebateKind(RunKind[DebateRequest, DebateResult]):
    """Gather, open, rebut, moderate."""

    name = task = "debate"
    summary = "Debate a company: bull against bear from the same evidence, a verdict, and what would change it."
    request = DebateRequest

    def title(self, request: DebateRequest) -> str:
        """Return what is debated."""
        return f"Debate on {request.ticker.strip().upper()}"

    def check_answer(self, given: Mapping[str, Any]) -> None:
        """Check hints, a line each (`bull: …`) in the note of a verdict. Raises UsageError."""
        from tradingagents.workflows.graphs.debate.hints import hints_of

        if given.get("verdict") == "reject":
            raise UsageError("A debate cannot be rejected; approve continues it, revise takes hints in the note.")
        _, wrong = hints_of(given, "")
        if given.get("verdict") and wrong:
            raise UsageError(wrong.strip())

    def in_short(self, card: Mapping[str, Any]) -> dict[str, Any]:
        """Return the verdict of a debate with the cases of both sides."""
        keys = ("run_id", "status", "ticker", "as_of", "verdict", "cases", "written_by")
        return short_card(card, keys, answer=card["reports"].get("verdict", ""))

    def stand_in(self, request: DebateRequest) -> DebateRequest:
        """Return a debate that nobody coaches."""
        return super().stand_in(request).changed(coach=False)

    def prompts(self) -> Mapping[str, str]:
        """Return the instructions of its agents."""
        from tradingagents.agents.debate.prompts import debate_prompts

        return debate_prompts()

    def home_files(self, manifest: RunManifest, home: Path) -> Mapping[str, bytes]:
        """Return what the session had found."""
        return session_file(manifest, home)

    def graph(self, services: Services) -> AnyGraph:
        """Compile the graph."""
        from tradingagents.workflows.graphs.debate.graph import build_debate_graph

        return build_debate_graph(services.models)

    def document(self, record: Mapping[str, Any]) -> Document:
        """Return the report from a card."""
        return debate_document(cast(DebateRecord, record))

    def look_up(self, data: MarketData, request: DebateRequest) -> str:
        """Return the newest twelve months of statements in words; raises NoAnnualFiling where there is none."""
        symbol = normalise(request.ticker)
        if (profile := data.known_profile(symbol)) is not None:
            assert_company(profile, f"debate a company, or ask `tradingagents research` about {symbol}")
        return annual_filing(data, symbol)

    def open(self, parts: RunParts, found: str) -> DebateRun:
        """Return a run."""
        from tradingagents.workflows.graphs.debate.gathering import SharedAnswers, finished_calls
        from tradingagents.workflows.graphs.debate.graph import DebateContext

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
