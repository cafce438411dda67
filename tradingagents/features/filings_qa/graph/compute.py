"""Figures computed from statement cells, and the sentences nearest to a question, as sources of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from tradingagents.features.filings_qa.agents.states import Target
from tradingagents.features.filings_qa.graph.sources import next_labels, source_of
from tradingagents.features.filings_qa.rules import FoundSentence
from tradingagents.features.filings_qa.schemas import SourceRecord
from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.figures.answers import answer_from_documents, likeliest_filings
from tradingagents.retrieval.figures.extractive_answer import ExtractiveAnswer
from tradingagents.retrieval.figures.sentences import best_sentences
from tradingagents.retrieval.index.companies import company_id
from tradingagents.retrieval.index.question import without_periods
from tradingagents.retrieval.index.words import words_of
from tradingagents.retrieval.models import DocumentInfo, Hit, Scope, SourceDocument, TextPlace
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.reading.headings import risk_factors
from tradingagents.retrieval.store import DocumentStore
from tradingagents.retrieval.text_sentences import content_words, split_sentences

MOST_FACTORS = 8
"""Risk factors of a company that are read as sources."""
FACTOR_CHARACTERS = 400
"""Characters of a factor's text that follow its heading in the source."""
_RISKS = re.compile(
    r"\brisk factors?\b|\b(?:main|key|major|biggest|principal|top|most important) (?:\w+ )?risks\b"
    r"|\brisks?\b.{0,30}\b(?:faces?|names?|lists?|discloses?)\b",
    re.IGNORECASE,
)
_ASKING = frozenset(
    content_words(
        "main key major biggest principal top important names lists faces facing related relating reports discloses see"
    )
)
MOST_OPENINGS = 3
"""Passages whose first sentence is quoted where no sentence shares words with the question."""


def computed_sources(
    store: DocumentStore, scope: Scope, state: Mapping[str, Any]
) -> tuple[list[SourceRecord], list[str], list[str]]:
    """Compute the figure asked, for each company; the pages of its cells come as sources before the calculation.

    Returns:
        New sources, why a figure that was asked for could not be computed, and warnings of the filings that figures
        are from; none of them where no figure is asked.
    """
    question_asked = complete_of(state)
    asked = QuestionReading(question_asked).figure
    known: list[SourceRecord] = list(state.get("sources", []))
    several = asked.any_quarter and state["analysis"].get("last_periods", 0) > 1
    if several or not asked.asks_figure or any(source.kind == "calculation" for source in known):
        return [], [], []
    refusals: list[str] = []
    warnings: dict[str, None] = {}
    found: list[SourceRecord] = []
    calculations = next_labels(known, "X")
    companies = list(_filings(store, scope, state["targets"]))
    if not state["targets"]:
        companies = _only_company(store, scope)
        if not companies:
            return [], [_NO_COMPANY], []
    for infos in companies:
        question = _with_quarter(question_asked, infos) if asked.any_quarter else question_asked
        if not question:
            refusals.append(f"{infos[0].symbol or infos[0].company}: the store has no report of a quarter.")
            continue
        period = QuestionReading(question).figure
        documents = [store.get(info.key) for info in likeliest_filings(infos, period.years, period.quarter)]
        answer = answer_from_documents(question, documents)
        if answer.kind in ("figure", "comparison"):
            warnings |= dict.fromkeys(note for document in documents for note in document.unit_notes)
            pages = cell_pages([*answer.operands, *answer.others], documents, [*known, *found])
            found += [page for page in pages if page.label not in {source.label for source in known}]
            found.append(_calculation(answer, next(calculations), [page.label for page in pages], documents))
        elif answer.refusal:
            refusals.append(answer.refusal)
    return found, refusals, list(warnings)


def risk_sources(store: DocumentStore, scope: Scope, state: Mapping[str, Any]) -> list[SourceRecord]:
    """Return the risk factors of each company as sources, where the question asks for risk factors.

    A question for certain risks ("risk factors about suppliers") gets those that share its words, if there are any.
    """
    question = complete_of(state)
    known: list[SourceRecord] = list(state.get("sources", []))
    if not _RISKS.search(question) or any(source.heading for source in known):
        return []
    found: list[SourceRecord] = []
    labels = next_labels(known, "10K")
    companies = list(_filings(store, scope, state["targets"]))
    names = " ".join(f"{infos[0].company} {infos[0].symbol}" for infos in companies)
    wanted = set(content_words(without_periods(_RISKS.sub(" ", question)))) - set(content_words(names)) - _ASKING
    for infos in companies:
        annual = sorted((info for info in infos if info.form.startswith(("10-K", "20-F"))), key=_newest)
        years = state["analysis"].get("fiscal_years") or []
        asked = [info for info in annual if info.fiscal_year in years] or annual
        for info in asked[-1:]:
            document = store.get(info.key)
            factors = risk_factors(document)
            fitting = [factor for factor in factors if wanted & set(content_words(factor.text))] if wanted else []
            for factor in (fitting or factors)[:MOST_FACTORS]:
                end = min(factor.end + FACTOR_CHARACTERS, len(document.pages[factor.page].text))
                place = TextPlace(info.key, factor.page, factor.start, end)
                source = source_of(Hit(info, place, document.text(place), 0.0, item="1A"), next(labels))
                found.append(source.model_copy(update={"heading": factor.text}))
    return found


def _newest(info: DocumentInfo) -> tuple[int, datetime]:
    return info.fiscal_year or 0, info.known_at


def complete_of(state: Mapping[str, Any]) -> str:
    """Return the question with what it left out, see `filings_follow_up`."""
    return str(state["analysis"].get("complete") or state["question"])


def nearest_sentences(state: Mapping[str, Any], sources: Sequence[SourceRecord]) -> tuple[FoundSentence, ...]:
    """Return the sentences of filings, calls and news that share most words with a question, in reading order.

    The names of its companies and its periods tell no sentence of their documents from another: they don't count.
    """
    named = tuple(FoundSentence(source.heading, source.label) for source in sources if source.heading)
    if named:
        return named
    passages = [source for source in sources if source.kind != "calculation"]
    hits = [
        Hit(_named(source.label), TextPlace(source.label, number, 0, len(source.text)), source.text, 0.0)
        for number, source in enumerate(passages)
    ]
    if not hits:
        return ()
    names = {word for target in state["targets"] for word in words_of(f"{target['company']} {target['symbol']}")}
    asked = " ".join(word for word in without_periods(complete_of(state)).split() if not names & set(words_of(word)))
    found = tuple(FoundSentence(best.text, best.place.document) for best in best_sentences(asked, (), hits))
    return found or tuple(
        FoundSentence(sentences[0].text, hit.place.document)
        for hit in hits[:MOST_OPENINGS]
        if (sentences := split_sentences(hit.text))
    )


_NO_COMPANY = "The question names no company, and the store has filings of more than one. Name it, or give its ticker."


def _only_company(store: DocumentStore, scope: Scope) -> list[list[DocumentInfo]]:
    """Return the filings of the store where all are of one company; else nothing."""
    infos = [info for info in store.documents(scope) if info.kind == "filing"]
    return [infos] if len({company_id(info.symbol, info.company) for info in infos}) == 1 else []


def _with_quarter(question: str, infos: Sequence[DocumentInfo]) -> str:
    """Return a question about "the latest quarter" with the company's own latest; empty where no report is of one."""
    quarters = [(info.fiscal_year, info.fiscal_quarter) for info in infos if info.fiscal_year and info.fiscal_quarter]
    if not quarters:
        return ""
    year, quarter = max(quarters)
    return f"{question} (Q{quarter} FY{year})"


def _filings(store: DocumentStore, scope: Scope, targets: Sequence[Target]) -> Iterator[list[DocumentInfo]]:
    """Yield the filings of each company."""
    known = [info for info in store.documents(scope) if info.kind == "filing"]
    for target in targets:
        own = [info for info in known if info.key in set(target["documents"])]
        if own:
            yield own


def cell_pages(
    operands: Sequence[CitedOperand], documents: Sequence[SourceDocument], known: Sequence[SourceRecord]
) -> list[SourceRecord]:
    """Return the pages of the operands as sources, each once; a page that is a source already keeps its label."""
    by_key = {document.info.key: document for document in documents}
    labels = next_labels(known, "10K")
    found: list[SourceRecord] = []
    for operand in operands:
        cell = operand.place
        document = by_key.get(cell.document) if cell else None
        if cell is None or document is None:
            continue
        text = document.pages[cell.page].text
        place = TextPlace(cell.document, cell.page, 0, len(text))
        earlier = [source for source in (*known, *found) if _holds(source, cell)]
        if not earlier:
            found.append(source_of(Hit(document.info, place, text, 0.0, "table"), next(labels)))
        elif earlier[0] not in found:
            found.append(earlier[0])
    return found


def _holds(source: SourceRecord, cell: TextPlace) -> bool:
    """Tell whether a passage holds a cell."""
    same = source.document == cell.document and source.page == cell.page
    return same and source.start <= cell.start and cell.end <= source.end


def _calculation(
    answer: ExtractiveAnswer, label: str, operands: list[str], documents: Sequence[SourceDocument]
) -> SourceRecord:
    """Return a computed figure as a source: its sentence, formula and operands."""
    used = {operand.place.document for operand in answer.operands if operand.place}
    info = next(document.info for document in documents if document.info.key in used)
    cells = "; ".join(f"{operand.label} ({operand.column}) {operand.text}" for operand in answer.operands)
    return SourceRecord(
        label=label,
        kind="calculation",
        text=f"{info.symbol or info.company}: {answer.text} Cells: {cells}.",
        name="Calculation",
        document="",
        page=None,
        start=0,
        end=0,
        symbol=info.symbol,
        form="",
        fiscal_year=info.fiscal_year,
        fiscal_quarter=info.fiscal_quarter,
        item="",
        speaker="",
        url="",
        known_at=info.known_at.isoformat(),
        operands=operands,
    )


def _named(label: str) -> DocumentInfo:
    """Return a document's info that holds no more than a label."""
    return DocumentInfo(label, label, "filing", "", "", "", datetime(1970, 1, 1, tzinfo=UTC))
