"""The situation an agent is in, as words: what its lessons are looked up by, and what they are remembered with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tradingagents.agents.prompting import TRADING_REPORTS
from tradingagents.context import TradingContext
from tradingagents.memory.days import last_day_known
from tradingagents.memory.situations import FinancialSituationMemory, Match
from tradingagents.record import LessonRecord

REPORT_CHARS = 1500
"""How much of each report describes a situation."""
MATCHES = 2
"""Lessons an agent is shown."""


def situation_of(symbol: str, sector: str | None, reports: Mapping[str, str]) -> str:
    """Return a situation as words: the same from a run under way and from its record.

    Args:
        symbol: The stock.
        sector: Its sector key; None where it is not known.
        reports: Texts by state key, in any order; those that are no report count nothing.
    """
    keys = (key for key in TRADING_REPORTS if key.endswith("_report") and key in reports)
    return "\n".join([symbol, sector or "", *(reports[key][:REPORT_CHARS] for key in keys)])


def recall(memory: FinancialSituationMemory | None, reports: Mapping[str, str], context: TradingContext) -> list[Match]:
    """Return lessons from situations like this one that were known by the run's cut-off, most alike first."""
    if memory is None:
        return []
    situation = situation_of(context.instrument.symbol, context.instrument.sector, reports)
    return memory.get_memories(situation, n_matches=MATCHES, as_of=last_day_known(context.data.cutoff))


def lessons_used(
    agent: str, memory: FinancialSituationMemory | None, matches: Sequence[Match]
) -> dict[str, dict[str, list[LessonRecord]]]:
    """Return the state's update that says which lessons an agent was shown; empty for none."""
    if memory is None or not matches:
        return {}
    shown = [
        LessonRecord(
            memory=memory.name,
            id=match["id"],
            similarity=match["similarity_score"],
            settled_on=match["settled_on"],
            ticker=match["ticker"],
            recommendation=match["recommendation"],
        )
        for match in matches
    ]
    return {"lessons_used": {agent: shown}}
