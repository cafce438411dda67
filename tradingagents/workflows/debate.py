"""The debate workflow: bull against bear on one company from shared evidence, and a moderator's verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

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
from tradingagents.runtime.manifest import RunManifest
from tradingagents.runtime.services import Services
from tradingagents.runtime.workflow import AnyGraph, RunParts, RunRequest, Workflow
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


@dataclass(frozen=True, kw_only=True)
class DebateRequest(RunRequest):
    """What to debate."""

    ticker: str
    rounds: int = 1
    """Rebuttals of each side: 1, or 2 for a deep debate."""
    coach: bool = False
    """Whether the run pauses between phases for hints to the bull or the bear."""
    session: str | None = None
    """Id of the session it belongs to: later questions of the session are shown its verdict."""

    def __post_init__(self) -> None:
        """Check the request.

        Raises:
            UsageError: The rounds are out of range, or no single ticker is named.
        """
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise UsageError(f"rounds must be 1 to {MOST_ROUNDS}.")
        if len(self.ticker.replace(",", " ").split()) != 1:
            raise UsageError("A debate is about one company; name one ticker.")


class DebateRun(CheckedRun[DebateResult]):
    """One run of the graph."""

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


class DebateWorkflow(Workflow[DebateRequest, DebateResult]):
    """Gather, open, rebut, moderate."""

    kind = "debate"

    def subject(self, request: DebateRequest) -> str:
        """Return the symbol debated."""
        return normalise(request.ticker)

    def calendar_symbol(self, request: DebateRequest) -> str:
        """Return the symbol debated."""
        return normalise(request.ticker)

    def details(self, request: DebateRequest) -> Mapping[str, Any]:
        """Return the rounds, whether the user coaches, and the session."""
        return {"rounds": request.rounds, "coach": request.coach, "session": request.session}

    def stand_in(self, request: DebateRequest) -> DebateRequest:
        """Return a simulated company with statements for the same request; nobody coaches an estimate."""
        from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NO_STATEMENTS

        company = next(symbol for symbol in COMPANIES if symbol not in (*NO_NEWS, *NO_STATEMENTS))
        return replace(super().stand_in(request), ticker=company, coach=False)

    def request_of(self, manifest: RunManifest) -> DebateRequest:
        """Return the request of a manifest."""
        asked = manifest.request
        return DebateRequest(
            day=manifest.trade_date,
            ticker=manifest.subject or "",
            rounds=asked["rounds"],
            coach=asked["coach"],
            session=asked.get("session"),
        )

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


DEBATE = DebateWorkflow()
