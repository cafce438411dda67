"""Figures computed from statement cells, and the sentences nearest to a question, as sources of an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from tradingagents.agents.filings.states import Target
from tradingagents.offline.filings.answers import answer_from_documents, likeliest_filings
from tradingagents.offline.filings.models import ExtractiveAnswer
from tradingagents.offline.filings.sentences import best_sentences
from tradingagents.offline.filings_qa import FoundSentence
from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.models import DocumentInfo, Hit, Scope, SourceDocument, TextPlace
from tradingagents.retrieval.questions import read_question
from tradingagents.retrieval.store import DocumentStore
from tradingagents.retrieval.text_sentences import split_sentences
from tradingagents.schemas.filings import SourceRecord
from tradingagents.workflows.graphs.filings_sources import next_labels, source_of

MOST_OPENINGS = 3
"""Passages whose first sentence is quoted where no sentence shares words with the question."""


def computed_sources(
    store: DocumentStore, scope: Scope, state: Mapping[str, Any]
) -> tuple[list[SourceRecord], list[str]]:
    """Compute the figure asked, for each company; the pages of its cells come as sources before the calculation.

    Returns:
        New sources, and why a figure that was asked for could not be computed; neither where no figure is asked.
    """
    asked = read_question(state["question"])
    known: list[SourceRecord] = list(state.get("sources", []))
    several = asked.any_quarter and state["analysis"].get("last_periods", 0) > 1
    if several or not asked.asks_figure or any(source["kind"] == "calculation" for source in known):
        return [], []
    refusals: list[str] = []
    found: list[SourceRecord] = []
    calculations = next_labels(known, "X")
    for infos in _filings(store, scope, state["targets"]):
        question = _with_quarter(state["question"], infos) if asked.any_quarter else state["question"]
        if not question:
            refusals.append(f"{infos[0].symbol or infos[0].company}: the store has no report of a quarter.")
            continue
        period = read_question(question)
        documents = [store.get(info.key) for info in likeliest_filings(infos, period.years, period.quarter)]
        answer = answer_from_documents(question, documents)
        if answer.kind in ("figure", "comparison"):
            pages = _pages(answer.operands, documents, [*known, *found])
            found += [page for page in pages if page["label"] not in {one["label"] for one in known}]
            found.append(_calculation(answer, next(calculations), [page["label"] for page in pages], documents))
        elif answer.refusal:
            refusals.append(answer.refusal)
    return found, refusals


def nearest_sentences(question: str, sources: Sequence[SourceRecord]) -> tuple[FoundSentence, ...]:
    """Return the sentences of filings, calls and news that share most words with a question, in reading order."""
    passages = [source for source in sources if source["kind"] != "calculation"]
    hits = [
        Hit(_named(source["label"]), TextPlace(source["label"], number, 0, len(source["text"])), source["text"], 0.0)
        for number, source in enumerate(passages)
    ]
    if not hits:
        return ()
    found = tuple(FoundSentence(one.text, one.document) for one in best_sentences(question, (), hits))
    return found or tuple(
        FoundSentence(sentences[0].text, hit.place.document)
        for hit in hits[:MOST_OPENINGS]
        if (sentences := split_sentences(hit.text))
    )


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


def _pages(
    operands: Sequence[CitedOperand], documents: Sequence[SourceDocument], known: Sequence[SourceRecord]
) -> list[SourceRecord]:
    """Return the pages of the operands as sources, each once; a page that is a source already keeps its label."""
    by_key = {document.info.key: document for document in documents}
    labels = next_labels(known, "10K")
    found: list[SourceRecord] = []
    for operand in operands:
        document = by_key.get(operand.document)
        if document is None or operand.page is None:
            continue
        text = document.pages[operand.page].text
        place = TextPlace(operand.document, operand.page, 0, len(text))
        earlier = [one for one in (*known, *found) if _holds(one, operand)]
        if not earlier:
            found.append(source_of(Hit(document.info, place, text, 0.0, "table"), next(labels)))
        elif earlier[0] not in found:
            found.append(earlier[0])
    return found


def _holds(source: SourceRecord, operand: CitedOperand) -> bool:
    """Tell whether a passage holds an operand's cell."""
    same = source["document"] == operand.document and source["page"] == operand.page
    return same and source["start"] <= operand.start and operand.end <= source["end"]


def _calculation(
    answer: ExtractiveAnswer, label: str, operands: list[str], documents: Sequence[SourceDocument]
) -> SourceRecord:
    """Return a computed figure as a source: its sentence, formula and operands."""
    used = {operand.document for operand in answer.operands}
    info = next(document.info for document in documents if document.info.key in used)
    cells = "; ".join(f"{one.label} ({one.column}) {one.text}" for one in answer.operands)
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
