"""What the trading graph passes from node to node. JSON-able throughout, so that a checkpoint can hold it."""

from __future__ import annotations

import operator
from typing import Annotated, Any, TypedDict

from tradingagents.schemas.records import DegradedRecord, LessonRecord, ReviewRecord


class Failure(TypedDict):
    """Why an agent could not report."""

    agent: str
    kind: str
    """`unreachable` where its model could not be reached, else `failed`."""
    reason: str


def each_once(known: list[DegradedRecord], new: list[DegradedRecord]) -> list[DegradedRecord]:
    """Return both lists joined, without repetitions: an agent that is asked several times fails in the same way."""
    return [*known, *(one for one in new if one not in known)]


Degraded = Annotated[list[DegradedRecord], each_once]
"""What the run had to do without, beside the reports in `failures`."""
Failures = Annotated[dict[str, Failure], operator.or_]
"""By the state key of the report that is missing."""


class Turn(TypedDict):
    """One contribution to a debate."""

    speaker: str
    text: str


class InvestDebateState(TypedDict):
    """Bull against bear."""

    turns: list[Turn]
    history: str
    bull_history: str
    bear_history: str
    current_response: str
    count: int
    judge_decision: str


class RiskDebateState(TypedDict):
    """Aggressive, conservative and neutral on the trader's plan."""

    turns: list[Turn]
    history: str
    aggressive_history: str
    conservative_history: str
    neutral_history: str
    current_aggressive_response: str
    current_conservative_response: str
    current_neutral_response: str
    latest_speaker: str
    count: int
    judge_decision: str


class AgentState(TypedDict, total=False):
    """The state of a trading run; keys as documented, plus the typed verdicts behind the texts."""

    company_of_interest: str
    trade_date: str
    market_report: str
    macro_regime_report: str
    sentiment_report: str
    news_report: str
    fundamentals_report: str
    macro_scan_summary: str
    """What a market scan handed over, as Markdown; absent where there was none."""
    investment_debate_state: InvestDebateState
    investment_plan: str
    trader_investment_plan: str
    sender: str
    risk_debate_state: RiskDebateState
    final_trade_decision: str
    decisions: Annotated[dict[str, dict[str, Any]], operator.or_]
    """Decision by the state key of its text: investment_plan, trader_investment_plan, final_trade_decision."""
    reviews: Annotated[list[ReviewRecord], operator.add]
    """What a person said of the proposed decisions."""
    lessons_used: Annotated[dict[str, list[LessonRecord]], operator.or_]
    """Lessons that were shown, by agent."""
    failures: Failures
    degraded: Degraded
    warnings: Annotated[list[str], operator.add]


class AnalystState(TypedDict, total=False):
    """What an analyst reads from the graph around it."""

    company_of_interest: str
    trade_date: str
