"""State of a comparison. All values can be written as JSON."""

from __future__ import annotations

from typing import Annotated, TypedDict

from tradingagents.agents.states import Degraded
from tradingagents.features.compare.schemas import AnswerNotes, ComparisonRow, ResearchedCompany


def merged_companies(
    known: dict[str, ResearchedCompany] | None, new: dict[str, ResearchedCompany] | None
) -> dict[str, ResearchedCompany]:
    """Return both."""
    return {**(known or {}), **(new or {})}


class CompareState(TypedDict, total=False):
    """What is known while companies are compared."""

    tickers: list[str]
    topics: list[str]
    symbol: str
    """The company of one branch."""
    companies: Annotated[dict[str, ResearchedCompany], merged_companies]
    """By ticker."""
    table: list[ComparisonRow]
    paid_for: list[str]
    """What the price of each company pays for, in the words of its valuation."""
    answer: str
    notes: AnswerNotes
    degraded: Degraded
