"""Completes a follow-up question by rules: what it leaves out is taken from the question before."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tradingagents.features.filings_qa.graph.reading import StoreQuestion, read
from tradingagents.retrieval.index.companies import Companies
from tradingagents.retrieval.index.question import period_words, without_periods
from tradingagents.retrieval.index.words import STOP_WORDS, word_list, words_of
from tradingagents.retrieval.models import DocumentInfo

_OPENING = re.compile(
    r"^\W*(?:(?:ok|okay|and|but|so|then|now|also)\b\W*)*"
    r"(?:(?:what|how) about\b|(?:the )?same (?:for|question for)\b|(?:and|but|also|then)\b)\W*",
    re.IGNORECASE,
)
"""How a question begins that goes on from the one before."""
_ASKING = re.compile(
    r"^(?:what|how|which|who|why|when|where|did|does|do|is|are|was|were|has|have|had|can|compare|show|give|tell|list)\b",
    re.IGNORECASE,
)
_REFERRING = word_list("of_questions") | frozenset(
    ("it", "its", "their", "they", "that", "there", "same", "about", "one", "ones", "instead", "again", "else", "then",
     "also", "next", "previous", "before", "too", "well", "say", "now", "ok", "okay", "compare", "versus", "vs")
)  # fmt: skip
"""Words that say nothing of what is asked."""


def complete_question(question: str, earlier: Sequence[str], documents: Sequence[DocumentInfo]) -> str:
    """Return a question with what it leaves out: company, period, or all but these, from the question before.

    Args:
        question: As it was asked.
        earlier: The questions before it, completed, the oldest first.
        documents: What is known in the store, by whose companies names are told.
    """
    if not earlier:
        return question
    before, companies = earlier[-1], Companies((document.symbol, document.company) for document in documents)
    own, past = read(question, documents), read(before, documents)
    opening = _OPENING.match(question)
    if opening is None and own.companies:
        return question  # it names its company and begins anew
    if not _subject(question, own, companies):
        if not own.companies and not period_words(own.question):
            return question
        asked = companies.without_names(before) if own.companies else before
        asked = without_periods(asked) if period_words(own.question) else asked
        return _with(asked, own.companies, period_words(own.question))
    rest = question[opening.end() :] if opening else question
    asked = rest if not opening or _ASKING.match(rest) else f"What was {rest}"
    names = () if own.companies else past.companies
    return _with(asked, names, "" if period_words(own.question) else period_words(past.question))


def _subject(question: str, own: StoreQuestion, companies: Companies) -> set[str]:
    """Return the words of a question that say what it asks, apart from companies and periods."""
    plain = companies.without_names(without_periods(question))
    names = {word for name in own.companies for word in words_of(name)}
    return {word for word in words_of(plain) if word not in STOP_WORDS | _REFERRING | names}


def _with(asked: str, companies: Sequence[str], period: str) -> str:
    """Return a question with companies and a period at its end."""
    added = ", ".join(part for part in (" and ".join(companies), period) if part)
    return f"{asked.strip()} ({added})" if added else asked.strip()
