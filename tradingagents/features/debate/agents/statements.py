"""Statements and verdict of a debate as Markdown, as agents, reports and terminals show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tradingagents.features.debate.agents.debate_rules import band_of
from tradingagents.features.debate.schemas import (
    SIDES,
    DebateCase,
    DebateCounter,
    DebateSide,
    DebateVerdict,
    RebuttalRecord,
    reply_id,
)
from tradingagents.files.plain_text import one_line


def opening_key(side: str) -> str:
    """Return the key of an opening statement among a record's reports."""
    return f"{side}_opening"


def rebuttal_key(side: str, number: int) -> str:
    """Return the key of a rebuttal among a record's reports."""
    return f"{side}_rebuttal_{number}"


def case_text(case: DebateCase, side: DebateSide) -> str:
    """Return an opening statement: its summary, then its points with their ids and citations."""
    points = [
        f"- **{side}-{number}** ({point.strength}) {one_line(point.claim)} {_cited(point.evidence)}".rstrip()
        for number, point in enumerate(case.points, 1)
    ]
    return "\n".join([one_line(case.summary), "", *points])


def rebuttal_text(rebuttal: RebuttalRecord) -> str:
    """Return a rebuttal: each quoted argument, then the answer with its id."""
    parts = []
    for number, given in enumerate(rebuttal.counters):
        counter = DebateCounter.model_validate(given)
        word = "Conceded. " if counter.concedes else ""
        name = f"**{reply_id(rebuttal.side, rebuttal.round, number)}**"
        answer = f"{name} {word}{one_line(counter.reply)} {_cited(counter.evidence)}".rstrip()
        parts.append(f"> {counter.point}: “{one_line(counter.quote)}”\n\n{answer}")
    return "\n\n".join(parts)


def conviction_line(verdict: DebateVerdict) -> str:
    """Return the conviction: `N because …, would be M if …`."""
    because, condition = _clause(verdict.because), _clause(verdict.other_if)
    return f"{verdict.conviction} because {because}, would be {verdict.other_conviction} if {condition}."


def breaker_line(verdict: DebateVerdict) -> str:
    """Return what would break the thesis: `… breaks if …`."""
    thesis = one_line(verdict.thesis).rstrip(".")
    return f"{thesis[:1].upper()}{thesis[1:]} breaks if {_clause(verdict.breaks_if)}."


def verdict_text(verdict: DebateVerdict) -> str:
    """Return a verdict: conviction, thesis-breaker, contentions, evidence by side, consensus and discrepancies."""
    parts = [
        f"**Conviction {verdict.conviction} of 10 ({band_of(verdict.conviction)}).** {conviction_line(verdict)}",
        f"**Thesis-breaker.** {breaker_line(verdict)}",
        "### Contentions",
    ]
    for number, contention in enumerate(verdict.contentions, 1):
        leans = "open" if contention.leans == "open" else f"leans {contention.leans}"
        head = f"**{number}. {one_line(contention.question)}** ({leans}) {_cited(contention.evidence)}".rstrip()
        lines = [f"- Bull: {one_line(contention.bull)}", f"- Bear: {one_line(contention.bear)}"]
        if contention.why:
            lines.append(f"- {one_line(contention.why)}")
        parts.append("\n".join([head, "", *lines]))
    buckets = verdict.evidence
    rows = [("Favours the bull", buckets.bull), ("Favours the bear", buckets.bear), ("Disputed", buckets.disputed)]
    if any(ids for _, ids in rows):
        parts += ["### Evidence", "\n".join(f"- {name}: {', '.join(ids) or 'none'}" for name, ids in rows)]
    for title, lines in (("Consensus", verdict.consensus), ("Factual discrepancies", verdict.discrepancies)):
        if lines:
            parts += [f"### {title}", "\n".join(f"- {one_line(line)}" for line in lines)]
    return "\n\n".join(parts)


def texts_of_debate(
    cases: Mapping[str, Mapping[str, Any]], rebuttals: Iterable[RebuttalRecord], verdict: Mapping[str, Any]
) -> dict[str, str]:
    """Return what was said as text, in the order of the debate, by the keys of a record's reports."""
    texts = {
        opening_key(side): case_text(DebateCase.model_validate(cases[side]), side) for side in SIDES if side in cases
    }
    texts |= {rebuttal_key(said.side, said.round): rebuttal_text(said) for said in rebuttals}
    return {**texts, "verdict": verdict_text(DebateVerdict.model_validate(verdict))} if verdict else texts


def _cited(ids: Iterable[str]) -> str:
    named = ", ".join(ids)
    return f"[{named}]" if named else ""


def _clause(text: str) -> str:
    """Return a sentence as a clause: without its full stop and without the word that stands before it."""
    plain = one_line(text).rstrip(".")
    for word in ("because ", "if "):
        if plain.lower().startswith(word):
            plain = plain[len(word) :]
    return plain
