"""Rules that stand in for a language model where questions about filings are asked: routing, planning, writing.

Figures and sentences are found by `retrieval` and handed over in the brief; the rules choose where to look and write
the answer from them, with the same citations a model would give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tradingagents.features.filings_qa.schemas import SourceRecord
from tradingagents.offline.brief import Brief
from tradingagents.retrieval.figures.answer_confidence import BAR, unlikely

MADE_BY = "Found by fixed rules, no language model:"
QUOTED_BY = "Quoted by fixed rules, no language model; these passages are nearest to the question:"
NOT_FOUND = "The answer was not found in the documents that were read."
NEAREST = "Nearest passages:"
MOST_SENTENCES = 4
MOST_FACTORS = 16
"""Risk factors that are listed: those of two companies."""
_NEWS = ("news", "headline", "breaking", "this week", "last week", "announced today", "market reaction", "developments")
_CALL = (
    *("management say", "management said", "said about", "say about", "commentary", "guidance", "outlook", "tone"),
    *("earnings call", "on the call", "calls", "analyst ask", "analysts ask", "quarter over quarter", "qoq", "ceo say"),
)
_FILING = (
    *("10-k", "10-q", "8-k", "10k", "10q", "8k", "annual report", "filing", "balance sheet", "income statement"),
    *("cash flow statement", "statement of", "compensation", "risk", "legal", "litigation", "regulat", "segment"),
    *("total assets", "total liabilities", "debt", "fiscal year", "fiscal", "fy", "year end", "audited", "properties"),
)
_ITEMS: Mapping[str, tuple[str, ...]] = {
    "1A": ("risk factor", "risks"),
    "3": ("legal proceeding", "lawsuit", "litigation"),
    "11": ("executive compensation", "compensation of"),
}
"""Items of a 10-K that answer questions with these words."""
_BOTH = ("compare", "versus", " vs", "against", "and what did", "as well as")


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
    incomplete: bool = False
    """Whether some of the figures that are asked for are named as missing."""
    answer: str = ""
    """The answer that is assessed."""
    confidence: float = 0.0
    """Of the answer, 0 to 1, as it was measured (`retrieval.figures.answer_confidence`)."""
    deep: bool = False
    """Whether the question asks for an exhaustive search."""


def analysis(brief: Brief) -> Mapping[str, Any]:
    """Route a question by the words that tell what is wanted."""
    known = _known(brief)
    asked = f" {known.question.lower()} "
    news, named, said = (any(word in asked for word in words) for words in (_NEWS, _FILING, _CALL))
    call = said or (bool(known.fiscal_quarters or (known.last_periods and not news)) and not named)
    filing = named or (known.asks_figure and not call)
    if (news and (filing or call)) or (filing and call and any(word in asked for word in _BOTH)):
        source = "hybrid"
    elif news:
        source = "latest_news"
    else:
        source = "earnings_transcripts" if call and not named else "10k"
    valid = known.on_topic or news or named or said
    return {
        "valid": valid,
        "reason": "" if valid else "It names no company and nothing that a filing, a call or news would tell.",
        "companies": list(known.companies),
        "fiscal_years": list(known.fiscal_years),
        "fiscal_quarters": list(known.fiscal_quarters),
        "last_periods": known.last_periods,
        "data_source": source,
        "needs_10k": filing,
        "needs_latest_news": news,
        "answer_mode": "deep_search" if known.deep else "standard",
        "search_query": known.phrase or known.question,
    }


def reasoning(brief: Brief) -> str:
    """Say what is looked for."""
    known = _known(brief)
    who = ", ".join(known.companies) or "the companies of the store"
    years = ", ".join(f"fiscal {year}" for year in known.fiscal_years) or "the latest periods"
    what = "the line items of the statements" if known.asks_figure else "the passages"
    return (
        f"I need to find {what} on: {known.phrase or known.question}. I read the documents of {who} for {years}. "
        "Figures are taken from statement cells and computed by formula; text is quoted. "
        "The answer is right if each figure and sentence stands at its citation."
    )


def search_plan(brief: Brief) -> Mapping[str, Any]:
    """Search for the question itself, in tables where a figure is asked, and in text."""
    known = _known(brief)
    phrase = known.phrase or known.question
    kinds = ("table", "text") if known.asks_figure else ("text",)
    asked = known.question.lower()
    items = [item for item, words in _ITEMS.items() if any(word in asked for word in words)]
    return {"sub_questions": [{"phrase": phrase, "kind": kind, "items": items} for kind in kinds]}


def table_choice(brief: Brief) -> Mapping[str, Any]:
    """Take the first two tables: the search has ordered them."""
    return {"tables": list(range(1, min(2, _known(brief).tables) + 1))}


def draft(brief: Brief) -> str:
    """Write what the passages say."""
    return answer(brief)


def draft_quality(brief: Brief) -> Mapping[str, Any]:
    """Be content with what was found: the rules know nothing else to search for."""
    found = bool(_known(brief).sources)
    return {"quality_score": 95 if found else 0, "missing_info": [], "issues": [] if found else ["nothing was found"]}


def answer(brief: Brief) -> str:
    """Write the answer: computed figures with their formula, else the nearest sentences, each with its citation."""
    known = _known(brief)
    computed = [source for source in known.sources if source.kind == "calculation"]
    lines = [_calculation(source) for source in computed] or _nearest(known)
    refused = [f"The figure cannot be given: {reason}" for reason in known.refusals]
    if refused and not known.companies and not computed:
        return "\n".join(refused)  # of which company the passages would have to be is not known
    nearest = ["", NEAREST, ""] if refused and lines else [MADE_BY if computed else QUOTED_BY, ""]
    return "\n".join([*refused, *nearest, *lines]) if lines else "\n".join(refused) or NOT_FOUND


def unlikely_answer(known: FilingsBrief) -> str:
    """Say in place of an answer below the bar that it was not found, with the nearest passages."""
    lines = _nearest(known)
    return "\n".join([unlikely(known.confidence), *(["", NEAREST, ""] if lines else []), *lines])


def _nearest(known: FilingsBrief) -> list[str]:
    """Return the sentences nearest to the question, a line each; else the news."""
    most = MOST_FACTORS if any(source.heading for source in known.sources) else MOST_SENTENCES
    found = {_quoted(sentence.text): sentence.label for sentence in reversed(known.sentences)}
    lines = [f"- {text} [{label}]" for text, label in list(found.items())[::-1][:most]]
    news = [source for source in known.sources if source.kind == "news"]
    return lines or [f"- {_quoted(source.text)} [{source.label}]" for source in news]


def assessment(brief: Brief) -> Mapping[str, Any]:
    """Score an answer by how often answers like it rest on the right page; below the bar it is not found."""
    known = _known(brief)
    score, found = 100 * known.confidence, known.confidence >= BAR
    return {
        "completeness_score": score / 2 if known.incomplete else score,
        "specificity_score": score,
        "accuracy_score": score,
        "clarity_score": score,
        "goals_met": found and not known.refusals and not known.incomplete,
        "sufficient": True,
        "issues": [
            *known.refusals,
            *(["some figures are missing"] if known.incomplete else []),
            *([] if found else ["nothing was found"]),
        ],
        "phrases": [],
    }


def _known(brief: Brief) -> FilingsBrief:
    if not isinstance(brief.known, FilingsBrief):
        raise TypeError("the agent was given no brief on a question")
    return brief.known


def _calculation(source: SourceRecord) -> str:
    cited = "".join(f"[{label}]" for label in source.operands)
    return f"{source.text} [{source.label}]{cited}"


def _quoted(text: str) -> str:
    return " ".join(text.split())
