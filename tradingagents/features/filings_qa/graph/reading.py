"""What rules read from a question: companies of the store, periods, and whether a figure of the statements is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tradingagents.features.filings_qa.agents.states import Target
from tradingagents.retrieval.index.companies import Companies, company_id
from tradingagents.retrieval.index.lexicon import finance_lexicon
from tradingagents.retrieval.index.question import SearchQuestion, clean_question, read_search_question
from tradingagents.retrieval.models import DocumentInfo
from tradingagents.retrieval.questions.companies import listed_instruments
from tradingagents.retrieval.questions.plain_words import spaced

TICKER_LETTERS = 5
_MARK = "\u2402"
"""Stands for the name of a company of the store."""
_PROPER = r"[A-Z][\w&.-]{0,40}+(?: [A-Z][\w&.-]{0,40}+){0,8}"
_BESIDE = re.compile(
    rf"{_MARK}(?:,| ?and| ?or| ?with| ?to| ?than| vs\.?| versus) (?:of |that of )?({_PROPER})"
    rf"|({_PROPER})(?:['\u2019]s)?(?:,| and| or| with| vs\.?| versus) {_MARK}"
)
"""A name in capitals that stands with a company of the store, as in `Apple and Initech`."""
_ABBREVIATIONS = frozenset(
    (
        *(
            "AI",
            "CEO",
            "CFO",
            "COO",
            "EPS",
            "ESG",
            "EU",
            "FY",
            "GAAP",
            "IPO",
            "IT",
            "MD",
            "MDA",
            "PE",
            "Q",
            "RD",
            "SEC",
        ),
        *(
            "UK",
            "US",
            "USA",
            "USD",
            "EUR",
            "Is",
            "Are",
            "Was",
            "Were",
            "Did",
            "Does",
            "Do",
            "Has",
            "Have",
            "How",
            "The",
        ),
        *("What", "Which", "Who", "Why", "When", "Where", "In", "On", "If", "And", "Form", "Item", "Part", "Note", "I"),
    )
)
"""Words in capitals that name no company."""
_MONTHS = frozenset(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"))


@dataclass(frozen=True, slots=True)
class StoreQuestion:
    """A question to a store of filings, as rules read it."""

    question: SearchQuestion
    companies: tuple[str, ...]
    """Companies of the store that it names, by ticker or name."""
    phrase: str
    """What it asks, without instructions such as how to round."""

    @property
    def fiscal_years(self) -> tuple[int, ...]:
        """The fiscal years that it names, each once."""
        return tuple(dict.fromkeys(period.year for period in self.question.periods))

    @property
    def fiscal_quarters(self) -> tuple[int, ...]:
        """The quarters that it names, each once."""
        return tuple(dict.fromkeys(period.quarter for period in self.question.periods if period.quarter))

    @property
    def last_periods(self) -> int:
        """How many of the latest periods it asks for; 0 where it says nothing of that."""
        return min(self.question.latest, 12)

    @property
    def asks_figure(self) -> bool:
        """Whether it asks for a line item of the statements."""
        return bool(self.question.items)

    @property
    def on_topic(self) -> bool:
        """Whether it names a company of the store, a line item, a statement or a subject of filings."""
        asked = self.question
        return bool(self.companies or asked.items or asked.statements or asked.named_topics or asked.forms)


def read(question: str, documents: Sequence[DocumentInfo]) -> StoreQuestion:
    """Read a question by rules."""
    listed = {mention.symbol for mention in listed_instruments().mentions(spaced(question))}
    by_brand = {company_id(document.symbol, document.company) for document in documents if document.symbol in listed}
    named = _companies(documents).named(question) | by_brand
    shown = {
        company_id(document.symbol, document.company): document.symbol or document.company for document in documents
    }
    found = tuple(sorted(shown[company] for company in named if company in shown))
    asked = read_search_question(question)
    return StoreQuestion(asked, (*found, *_strangers(asked, found, documents)), clean_question(question))


def _strangers(asked: SearchQuestion, found: Sequence[str], documents: Sequence[DocumentInfo]) -> tuple[str, ...]:
    """Return companies that a question names and the store doesn't have, so that no other company answers for them.

    `$NFLX` always names one. Where no company of the store is named, a name in capitals within the sentence does too.
    """
    known = {document.symbol for document in documents}
    tickers = [name for name in asked.names if name.startswith("$") and name.lstrip("$").upper() not in known]
    marked = _companies(documents).without_names(asked.text, _MARK)
    beside = [name.strip() for pair in _BESIDE.findall(marked) for name in pair if name]
    tickers += [name for name in beside if name not in known and not any(map(_is_term, name.split()))]
    if found or tickers:
        return tuple(dict.fromkeys(tickers))
    names = [name.removesuffix("'s").removesuffix("\u2019s") for name in asked.names[1:]]
    proper = [name for name in names if name[0].isalpha() and name.isalpha() and not _is_term(name)]
    return (" ".join(proper),) if proper else ()


def _is_term(name: str) -> bool:
    """Tell whether a word in capitals is no name: an abbreviation, a month, or a word of accounting."""
    word = name.lower()
    return name in _ABBREVIATIONS or word[:3] in _MONTHS or bool(finance_lexicon().find([word]))


def targets_named(names: Sequence[str], documents: Sequence[DocumentInfo], *, most: int) -> tuple[list[Target], str]:
    """Return the companies of these names with their documents, and the problem with a name that means several.

    A company that the store doesn't have is a target without documents: no other company is read in its place.
    """
    known = _companies(documents)
    targets: list[Target] = []
    for name in names[:most]:
        found = known.named(name) or known.named(f"${name.lstrip('$').upper()}")
        if len(found) > 1:
            listed = ", ".join(sorted(_shown(company, documents) for company in found))
            return [], f"{name!r} may mean {listed}; ask again with the ticker."
        target = _target(next(iter(found), ""), name, documents)
        if target not in targets:
            targets.append(target)
    return targets, ""


def latest_periods(documents: Iterable[DocumentInfo], count: int) -> list[tuple[int, int | None]]:
    """Return the last periods that documents are about, the newest first: fiscal year and quarter (None: the year)."""
    known = {(document.fiscal_year, document.fiscal_quarter) for document in documents if document.fiscal_year}
    ordered = sorted(known, key=lambda period: (period[0] or 0, period[1] or 5), reverse=True)
    return [(year, quarter) for year, quarter in ordered[:count] if year]


def _companies(documents: Sequence[DocumentInfo]) -> Companies:
    return Companies((document.symbol, document.company) for document in documents)


def _target(known: str, name: str, documents: Sequence[DocumentInfo]) -> Target:
    own = [document for document in documents if known and company_id(document.symbol, document.company) == known]
    if own:
        symbol = next((document.symbol for document in own if document.symbol), "")
        company = next((document.company for document in own if document.company), symbol)
        return Target(symbol=symbol, company=company, periods=[], documents=[document.key for document in own])
    plain = name.lstrip("$").strip()
    ticker = (
        plain.upper()
        if plain.isalpha() and len(plain) <= TICKER_LETTERS and (plain.isupper() or name[0] == "$")
        else ""
    )
    return Target(symbol=ticker, company=plain, periods=[], documents=[])


def _shown(known: str, documents: Sequence[DocumentInfo]) -> str:
    own = next(document for document in documents if company_id(document.symbol, document.company) == known)
    return f"{own.symbol} ({own.company})" if own.symbol and own.company else own.symbol or own.company
