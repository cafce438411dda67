"""What the rules for questions about filings answer from."""

from __future__ import annotations

from dataclasses import dataclass

from tradingagents.features.filings_qa.schemas import SourceRecord


@dataclass(frozen=True, slots=True)
class FoundSentence:
    """A sentence of a source that speaks of what is asked."""

    text: str
    label: str
    """Label of its source."""


@dataclass(frozen=True, kw_only=True)
class FilingsBrief:
    """What an agent of a filings question knows, as typed values."""

    question: str
    companies: tuple[str, ...] = ()
    """Companies that were recognised in the question, by ticker or name."""
    fiscal_years: tuple[int, ...] = ()
    fiscal_quarters: tuple[int, ...] = ()
    last_periods: int = 0
    on_topic: bool = True
    """Whether the question names a company or a term of accounting."""
    phrase: str = ""
    """The question without what carries no meaning for a search."""
    asks_figure: bool = False
    """Whether a figure of the statements is asked."""
    tables: int = 0
    """How many tables stand to choose from."""
    sources: tuple[SourceRecord, ...] = ()
    sentences: tuple[FoundSentence, ...] = ()
    """The sentences nearest to the question, the best first."""
    refusals: tuple[str, ...] = ()
    """Why a figure that was asked for could not be computed."""
    answer: str = ""
    """The answer that is assessed."""
    deep: bool = False
    """Whether the question asks for an exhaustive search."""
