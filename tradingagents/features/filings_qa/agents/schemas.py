"""Typed answers of the agents that answer questions about filings."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from tradingagents.features.filings_qa.agents.modes import AnswerMode

DataSource = Literal["10k", "earnings_transcripts", "latest_news", "hybrid"]
Score = Annotated[float, Field(ge=0, le=100)]
MAX_PHRASES = 5
WEIGHTS = {
    "completeness_score": 0.35,
    "accuracy_score": 0.30,
    "specificity_score": 0.25,
    "clarity_score": 0.10,
}
"""Weights of the scores in an answer's confidence."""


class _Typed(BaseModel):
    model_config = ConfigDict(extra="ignore")


class QuestionAnalysis(_Typed):
    """What a question asks, and where its answer is to be looked for."""

    valid: bool = Field(description="False for a question that is not about companies, their filings, calls or news")
    reason: str = Field("", description="Why the question is not valid; else empty")
    companies: list[str] = Field(default_factory=list, description="Companies asked about, by ticker or name")
    fiscal_years: list[int] = Field(default_factory=list, description="Fiscal years asked about, such as 2024")
    fiscal_quarters: list[int] = Field(default_factory=list, description="Quarters asked about, 1 to 4")
    last_periods: int = Field(0, ge=0, le=12, description="1 for the latest quarter, 3 for the last three; else 0")
    data_source: DataSource = Field(description="Where the answer is to be found")
    needs_10k: bool = Field(False, description="Whether filings are needed besides")
    needs_latest_news: bool = Field(False, description="Whether recent news are needed besides")
    answer_mode: AnswerMode = Field(AnswerMode.STANDARD, description="How thorough the answer is to be")
    search_query: str = Field("", description="Key words to search for, no question words")


class SubQuestion(_Typed):
    """A part of a question that one search answers."""

    phrase: str = Field(description="Key words as a filing prints them, no question words")
    kind: Literal["table", "text"] = Field(description="table for figures of the statements, text for everything else")
    items: list[str] = Field(default_factory=list, description="Items of the filing to look in, such as 7; empty: all")


class SearchPlan(_Typed):
    """What to search for in filings."""

    sub_questions: list[SubQuestion] = Field(min_length=1, max_length=8)


class TableChoice(_Typed):
    """The tables that answer the sub-questions."""

    tables: list[int] = Field(default_factory=list, max_length=4, description="Numbers of one or two tables each")


class DraftQuality(_Typed):
    """Whether the passages found so far answer the question."""

    quality_score: Score = Field(description="How well the passages answer the question")
    issues: list[str] = Field(default_factory=list, max_length=8)
    missing_info: list[str] = Field(default_factory=list, max_length=8, description="What is missing, as key words")
    suggestions: list[str] = Field(default_factory=list, max_length=8)


class Assessment(_Typed):
    """How good an answer is, and what to search for next."""

    completeness_score: Score = Field(description="Does it answer all of the question?")
    specificity_score: Score = Field(description="Does it give figures and quotes?")
    accuracy_score: Score = Field(description="Does every claim stand in the sources?")
    clarity_score: Score = Field(description="Is it well ordered and easy to read?")
    goals_met: bool = Field(description="Was everything found that the reasoning set out to find?")
    sufficient: bool = Field(description="Whether no further search would improve it")
    issues: list[str] = Field(default_factory=list, max_length=8)
    phrases: list[str] = Field(
        default_factory=list, max_length=MAX_PHRASES, description="Key words to search for next, no question words"
    )
    needs_transcript_search: bool = Field(False, description="Whether calls are to be searched for them")
    needs_news_search: bool = Field(False, description="Whether news are to be searched for them")

    @property
    def overall_confidence(self) -> float:
        """The weighted mean of the four scores, 0 to 1."""
        return round(sum(float(getattr(self, name)) * weight for name, weight in WEIGHTS.items()) / 100, 4)
