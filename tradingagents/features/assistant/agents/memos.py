"""Checks of a persona's memo: what it must be to be accepted, and what is noted beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from pydantic import ValidationError

from tradingagents.features.assistant.agents.host import ToolOffer
from tradingagents.features.assistant.agents.prompts import SUBMIT
from tradingagents.features.assistant.personas.persona import Persona
from tradingagents.schemas.memo import GuruResearchMemo, MemoSource, MemoSubmission
from tradingagents.schemas.workspace import TranscriptEntry

STRONG = 80
"""A reported confidence from which on missing support is called out as strong."""


def submit_offer() -> ToolOffer:
    """Return the tool by which a persona ends its work."""
    schema = MemoSubmission.model_json_schema()
    return ToolOffer(name=SUBMIT, description=" ".join((MemoSubmission.__doc__ or "").split()), arguments=schema)


def read_memo(arguments: Mapping[str, Any]) -> MemoSubmission | str:
    """Return a submitted memo, or what is wrong with it."""
    try:
        return MemoSubmission.model_validate(dict(arguments))
    except ValidationError as error:
        problems = (
            f"{'.'.join(map(str, problem['loc'])) or 'the memo'}: {problem['msg']}" for problem in error.errors()
        )
        return f"The memo is not valid ({'; '.join(problems)}); correct it and call {SUBMIT} again."


def style_problem(persona: Persona, memo: MemoSubmission) -> str:
    """Return what a memo lacks of its persona's method and style, in one sentence; empty where it fits."""
    problems = []
    if missing := persona.missing_subjects(memo):
        wanted = persona.fit.at_least
        problems.append(f"it weighs fewer than {wanted} of the subjects of the method (left out: {', '.join(missing)})")
    if memo.stance != "abstain" and len(memo.key_evidence) > persona.limits.evidence:
        problems.append(
            f"it has {len(memo.key_evidence)} items of evidence, at most {persona.limits.evidence} are wanted"
        )
    if (words := len(memo.thesis.split())) > persona.limits.thesis_words:
        problems.append(f"its thesis has {words} words, at most {persona.limits.thesis_words} are wanted")
    return "; ".join(problems)


def retry_advice(problem: str) -> str:
    """Return what a persona is told whose memo does not fit its method."""
    return (
        f"The memo does not fit your method: {problem}. Revise it and call {SUBMIT} once more; submit stance abstain if the "
        "question is out of your scope. Your confidence is yours: change it only if your judgement changed."
    )


def checked_memo(
    persona: Persona,
    question: str,
    memo: MemoSubmission,
    read: Sequence[MemoSource],
    figures: Mapping[str, set[str]],
    *,
    by_rules: bool = False,
) -> GuruResearchMemo:
    """Return the memo as it is handed over: as submitted, with the persona's name and the checks beside it.

    Args:
        persona: Whose memo it is.
        question: What it was asked.
        memo: As submitted.
        read: The tool results that it read.
        figures: Names of the figures of each of them, by label.
        by_rules: Whether fixed rules wrote it.
    """
    unmatched = tuple(citation for citation in memo.citations if not _matches(citation, read, figures))
    supported = bool(memo.citations) and not unmatched
    note = ""
    if memo.stance == "abstain" and not memo.key_evidence and not unmatched:
        supported = True  # it claims nothing that would need a source
    elif not supported:
        why = (
            f"{len(unmatched)} of {len(memo.citations)} citations match nothing that was read"
            if memo.citations
            else "the memo cites nothing"
        )
        strong = "high " if memo.confidence >= STRONG else ""
        sure = "strength" if by_rules else "confidence"
        note = f"The {strong}{sure} of {memo.confidence} is as reported, but {why}."
    problem = style_problem(persona, memo)
    return GuruResearchMemo(
        guru=persona.name,
        title=persona.title,
        question=question,
        **memo.model_dump(),
        by_rules=by_rules,
        supported=supported,
        confidence_note=note,
        unmatched_citations=unmatched,
        fit_note=f"The memo does not fit the method, after it was asked to once: {problem}." if problem else "",
        sources=tuple(read),
    )


def sources_read(results: Sequence[tuple[TranscriptEntry, TranscriptEntry]]) -> list[MemoSource]:
    """Return the sources that a memo may cite, of calls with their labelled results."""
    return [
        MemoSource(
            label=str(result.data["label"]),
            capability=str(result.data["capability"]),
            arguments=dict(call.arguments or {}),
            title=str(result.data.get("title", "")),
            symbol=result.data.get("symbol"),
            as_of=date.fromisoformat(str(result.data["answered_as_of"])),
        )
        for call, result in results
        if result.status == "ok" and result.data.get("capability") and result.data.get("answered_as_of")
    ]


def _matches(citation: str, read: Sequence[MemoSource], figures: Mapping[str, set[str]]) -> bool:
    """Tell whether a citation names a tool result that was read, and the figure in it if it names one."""
    label, _, figure = (part.strip() for part in citation.strip(" []()").partition(":"))
    known = {source.label.casefold(): source.label for source in read} | {
        source.capability: source.label for source in read
    }
    found = known.get(label.casefold())
    if found is None:
        return False
    return not figure or " " in figure or figure in figures.get(found, set())
