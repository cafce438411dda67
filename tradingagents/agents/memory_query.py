"""Memory queries: describe a situation as text, recall lessons of similar ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from tradingagents.agents.roster import trading_reports
from tradingagents.context import TradingContext
from tradingagents.memory.days import last_day_known
from tradingagents.memory.situations import FinancialSituationMemory, Match
from tradingagents.schemas.records import LessonRecord

REPORT_CHARS = 1500
"""Characters used of each report, and of plans and debate together."""
MATCHES = 2
"""Most lessons that an agent is shown."""


def situation_of(
    symbol: str, sector: str | None, trade_date: date | str, reports: Mapping[str, str], debate: str = ""
) -> str:
    """Describe a situation as text; a run and its later record give the same text.

    Args:
        symbol: The stock.
        sector: Its sector key; None where it is not known.
        trade_date: The day that is studied.
        reports: Texts by state key, in any order; keys that are no report are ignored.
        debate: Plans and debate as text; see `debate_context`.
    """
    keys = (key for key in trading_reports() if key.endswith("_report") and key in reports)
    texts = (reports[key][:REPORT_CHARS] for key in keys)
    return "\n".join([symbol, sector or "", str(trade_date), *texts, *([debate] if debate else [])])


def debate_context(turns: Iterable[Mapping[str, Any]] = (), plans: Iterable[str] = ()) -> str:
    """Return the beginnings of plans and debate turns as text.

    Together they are as long as one report.
    """
    parts = [part for part in (*plans, *(str(turn["text"]) for turn in turns)) if part]
    each = REPORT_CHARS // max(1, len(parts))
    return "\n".join(part[:each] for part in parts)


def recall(
    memory: FinancialSituationMemory | None, reports: Mapping[str, str], context: TradingContext, debate: str = ""
) -> list[Match]:
    """Return lessons from similar situations that were known by the run's cut-off, most similar first."""
    if memory is None:
        return []
    instrument, day = context.instrument, context.data.as_of
    situation = situation_of(instrument.symbol, instrument.sector, day, reports, debate)
    return memory.get_memories(situation, n_matches=MATCHES, as_of=last_day_known(context.data.cutoff))


def lessons_used(
    agent: str, memory: FinancialSituationMemory | None, matches: Sequence[Match]
) -> dict[str, dict[str, list[LessonRecord]]]:
    """Return the state's update that records which lessons an agent was shown; empty for none."""
    if memory is None or not matches:
        return {}
    shown = [
        LessonRecord(
            memory=memory.name,
            id=match.id,
            similarity=match.similarity_score,
            settled_on=match.settled_on,
            ticker=match.ticker,
            recommendation=match.recommendation,
            outcome=match.outcome,
        )
        for match in matches
    ]
    return {"lessons_used": {agent: shown}}
