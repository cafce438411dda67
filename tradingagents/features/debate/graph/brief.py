"""The brief of the debate's rules, and what the evidence states differently."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.context import RunContext
from tradingagents.features.debate.agents.states import DebateState
from tradingagents.features.debate.rules.brief import CitedFigure, DebateBrief
from tradingagents.features.debate.schemas import DebateEvidence, DebateRecord, DebateSide

SAME = 0.01
"""Relative difference up to which two tools are taken to state the same figure."""


def debate_brief(
    context: RunContext, state: DebateState, side: DebateSide | None = None, *, gathering: bool = False
) -> DebateBrief:
    """Return what the rules know at a point of a debate.

    Args:
        context: The run's context.
        state: The run's state.
        side: Who speaks; None for the moderator.
        gathering: Whether the side has called no tool yet.
    """
    evidence = state.get("evidence", [])
    ticker = state["ticker"]
    return DebateBrief(
        ticker=ticker,
        day=context.data.as_of,
        side=side,
        gathering=gathering,
        figures=cited_figures(evidence, ticker),
        sources=_sources(evidence),
        discrepancies=tuple(differing_figures(evidence)),
        hints=tuple(hint.text for hint in state.get("hints", []) if side is not None and hint.side == side),
        cases=state.get("cases", {}),
        rebuttals=state.get("rebuttals", []),
    )


def kept_brief(day: date, record: DebateRecord, question: str, asked: Sequence[Any]) -> DebateBrief:
    """Return what the rules know of a debate that has ended."""
    return DebateBrief(
        ticker=record.ticker,
        day=day,
        figures=cited_figures(record.evidence, record.ticker),
        sources=_sources(record.evidence),
        cases=record.cases,
        rebuttals=record.rebuttals,
        verdict=record.verdict,
        question=question,
        asked=asked,
    )


def cited_figures(evidence: Iterable[DebateEvidence], ticker: str) -> Mapping[str, CitedFigure]:
    """Return the figures of a company by name, each with the first evidence that gives it."""
    found: dict[str, CitedFigure] = {}
    for fact in evidence:
        if fact.symbol == ticker:
            for figure in fact.figures:
                found.setdefault(figure.name, CitedFigure(figure.value, figure.shown, fact.id))
    return found


def differing_figures(evidence: Iterable[DebateEvidence]) -> list[str]:
    """Return, a sentence each, the figures of one name and company that two tools state differently."""
    first: dict[tuple[str | None, str], tuple[float, str, DebateEvidence]] = {}
    found = []
    for fact in evidence:
        for figure in fact.figures:
            what = (fact.symbol, figure.name)
            value, shown, earlier = first.setdefault(what, (figure.value, figure.shown, fact))
            same_tool = earlier.capability == fact.capability  # the same tool with other arguments
            if not same_tool and abs(value - figure.value) > SAME * max(abs(value), abs(figure.value)):
                found.append(
                    f"{metric_label(figure.name)}: {shown} by {earlier.capability} ({earlier.id}), "
                    f"{figure.shown} by {fact.capability} ({fact.id})."
                )
    return found


def _sources(evidence: Iterable[DebateEvidence]) -> Mapping[str, str]:
    return {fact.id: fact.title for fact in evidence}
