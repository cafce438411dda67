"""The trading graph's state: plain values and records, so that checkpoints can hold them."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from tradingagents.schemas.decision import Decision
from tradingagents.schemas.records import DegradedRecord, LessonRecord, RepeatedAsksRecord, ReviewRecord

NOT_AVAILABLE = "**Not available.**"
"""How a text begins that stands in place of a report or a turn that an agent could not give."""


def shown_to_models(text: str) -> str:
    """Return a text as later prompts show it: of one that is missing no more than that.

    Why it is missing, and what to do about it, is for who runs the desk; a weak model takes it for a view of the market.
    """
    start, missing, _ = text.partition(NOT_AVAILABLE)
    return f"{start}{NOT_AVAILABLE}" if missing and not start.strip() else text


class Failure(TypedDict):
    """Why an agent could not report."""

    agent: str
    kind: str
    """`unreachable` if its model could not be reached, else `failed`."""
    reason: str


def appended(known: list[Any], new: list[Any]) -> list[Any]:
    """Return both lists joined.

    LangGraph reads the signature of each reducer for each graph: that of `operator.add` takes ten times as long.
    """
    return known + new


def united(known: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return what both hold; where both have a key, the new value. `operator.or_`, quicker as `appended` is."""
    return known | new


def each_once(known: list[DegradedRecord], new: list[DegradedRecord]) -> list[DegradedRecord]:
    """Return both lists joined without duplicates."""
    return [*known, *(gap for gap in new if gap not in known)]


Degraded = Annotated[list[DegradedRecord], each_once]
"""Degradations of the run, other than the missing reports in `failures`."""
Failures = Annotated[dict[str, Failure], united]
"""By the state key of the missing report."""


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
    """The state of a trading run: the documented keys, and the typed verdicts behind the texts."""

    company_of_interest: str
    trade_date: str
    market_report: str
    macro_regime_report: str
    valuation_report: str
    """The company's computed valuation; absent where it was not asked for."""
    sentiment_report: str
    news_report: str
    fundamentals_report: str
    macro_scan_summary: str
    """The market scan's brief as Markdown; absent without a scan."""
    investment_debate_state: InvestDebateState
    investment_plan: str
    trader_investment_plan: str
    sender: str
    risk_debate_state: RiskDebateState
    final_trade_decision: str
    decisions: Annotated[dict[str, Decision], united]
    """Decision by the state key of its text: investment_plan, trader_investment_plan, final_trade_decision."""
    settling: Annotated[dict[str, RepeatedAsksRecord], united]
    """What deciding agents answered that were asked again, by the state key of the text; see `builders.settle`."""
    reviews: Annotated[list[ReviewRecord], appended]
    """A person's reviews of the proposed decisions."""
    lessons_used: Annotated[dict[str, list[LessonRecord]], united]
    """The lessons that were shown, by agent."""
    failures: Failures
    degraded: Degraded
    warnings: Annotated[list[str], appended]


class AnalystState(TypedDict, total=False):
    """What an analyst reads from the graph around it."""

    company_of_interest: str
    trade_date: str
