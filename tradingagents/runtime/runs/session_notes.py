"""What a run of a session reads of earlier runs, and adds when it has ended."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from tradingagents.agents.prompting import shortened
from tradingagents.errors import UsageError
from tradingagents.events import EventStream
from tradingagents.files.plain_text import one_line
from tradingagents.runtime.kind import RunParts
from tradingagents.runtime.manifest import RunManifest
from tradingagents.runtime.runs.session_findings import FINDING_CHARS, FOLDER, QUESTIONS, SessionFindings
from tradingagents.schemas.facts import AnsweredQuestion, FactRecord

KEPT_FACTS, MOST_NAMED = 40, 3
"""Answers of tools that an answered question keeps; earlier questions that a line names."""


class SessionNotes:
    """The session of one run; a run without a session or a card knows nothing, one that keeps no steps adds nothing."""

    def __init__(self, parts: RunParts) -> None:
        """Take the session from the request of the run."""
        session = parts.manifest.request.get("session")
        home, belongs = parts.services.settings.home_dir, bool(session) and parts.persist != "none"
        self._findings = SessionFindings(home, str(session)) if belongs else None
        self._adds = parts.persist == "all" and parts.manifest.request.get("adds_to_session", True)
        self._day, self._begun_before = parts.manifest.trade_date.isoformat(), bool(parts.earlier)

    def earlier(self) -> list[AnsweredQuestion]:
        """Return what the session has found by the day of the run, the oldest first."""
        known = [] if self._findings is None else self._findings.known()
        return [question for question in known if question.as_of <= self._day]

    async def begin(self, events: EventStream | None = None) -> None:
        """Refuse a run of an earlier day than the session has reached; say what another one reuses.

        Args:
            events: Where it is said; None for a run that reuses nothing.

        Raises:
            UsageError: The session has moved on.
        """
        if self._findings is None or self._begun_before:
            return
        known = await asyncio.to_thread(self._findings.known)
        reached = max((question.as_of for question in known), default="")
        if reached > self._day:
            raise UsageError(
                f"The session has reached {reached}, which a run of {self._day} must not know; take another session."
            )
        if known and events is not None:
            events.emit("progress", reuse_of(known), step="session", runs=[question.run_id for question in known])

    async def add(self, answered: AnsweredQuestion) -> None:
        """Add what the run has found. A start that died before its record was written adds it again."""
        if self._findings is not None and self._adds:
            await asyncio.to_thread(self._findings.add, answered)


def session_file(manifest: RunManifest, home: Path) -> dict[str, bytes]:
    """Return what the session of a run had found before it, as its file, by the path in the home folder."""
    session, run_id = manifest.request.get("session"), manifest.run_id
    if not session:
        return {}
    known = SessionFindings(home, str(session)).known()
    ids = [question.run_id for question in known]
    before = known[: ids.index(run_id)] if run_id in ids else [one for one in known if one.run_id < run_id]
    stored = [question.as_json() for question in before]
    return {f"{FOLDER}/{session}.json": json.dumps({QUESTIONS: stored}).encode()} if stored else {}


def answered_question(
    question: str,
    answer: str,
    tickers: Sequence[str],
    findings: Mapping[str, str],
    facts: Iterable[FactRecord],
    *,
    run_id: str,
    as_of: str,
    frameworks: Sequence[str] = (),
) -> AnsweredQuestion:
    """Return what later questions of a session are shown of an answered one.

    Args:
        question: As it was asked.
        answer: With its sources.
        tickers: The companies.
        findings: What each part of the run found, by its name; long ones are shortened, empty ones left out.
        facts: What the tools answered; failures and repetitions are left out.
        run_id: The run.
        as_of: Its day.
        frameworks: Those of its plans.
    """
    answered = {fact.title: fact for fact in facts if not fact.failure}
    return AnsweredQuestion(
        question=question,
        answer=answer,
        tickers=list(tickers),
        frameworks=list(frameworks),
        findings={key: shortened(text, FINDING_CHARS) for key, text in findings.items() if text},
        run_id=run_id,
        as_of=as_of,
        facts=list(answered.values())[:KEPT_FACTS],
    )


def reuse_of(history: Sequence[AnsweredQuestion]) -> str:
    """Return in a line what a run reuses of its session; empty for nothing."""
    if not history:
        return ""
    questions = "; ".join(f"“{shortened(one_line(earlier.question), 80)}”" for earlier in history[-MOST_NAMED:])
    more = len(history) - MOST_NAMED
    return f"Researched earlier in this session: {questions}{f' and {more} more' if more > 0 else ''}."
