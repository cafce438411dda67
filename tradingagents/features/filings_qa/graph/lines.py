"""Figures over years, companies, parts and qualifiers as sources of an answer, with the table that answers by rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tradingagents.features.filings_qa.graph.compute import cell_pages, complete_of
from tradingagents.features.filings_qa.graph.sources import next_labels
from tradingagents.features.filings_qa.schemas import SourceRecord
from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.figures.stated_twice import stated_otherwise
from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.retrieval.lines.line_text import cells_text, text_of
from tradingagents.retrieval.lines.store_lines import lines_asked
from tradingagents.retrieval.models import Scope
from tradingagents.retrieval.series.build import FactSource
from tradingagents.retrieval.series.history import FactHistory
from tradingagents.retrieval.series.sources import MarketFacts
from tradingagents.retrieval.store import DocumentStore


class FilingFacts(MarketFacts):
    """What companies tagged in their filings, without the statements of a vendor, which are no filings."""

    def stated(self, company: str, item: str) -> Iterator[FactHistory]:  # noqa: ARG002
        """Yield nothing."""
        yield from ()


@dataclass(frozen=True, slots=True)
class AnsweredLines:
    """What a question for lines gave; nothing of either where it is another question."""

    answer: LineAnswer | None = None
    sources: list[SourceRecord] = field(default_factory=list)
    """Pages of its cells, and the calculation that names them all."""
    text: str = ""
    """The answer as Markdown with its citations."""
    refusal: str = ""

    @property
    def as_state(self) -> dict[str, Any] | None:
        """What the state keeps; None where nothing is answered."""
        if self.answer is None or self.refusal:
            return None
        return {
            "text": self.text,
            "cited": [source.label for source in self.sources],
            "complete": self.answer.complete,
            "answer": self.answer.model_dump(mode="json"),
        }


def answered_lines(
    store: DocumentStore, scope: Scope, state: Mapping[str, Any], facts: FactSource | None
) -> AnsweredLines:
    """Answer the question where it is one for lines, from stored filings and from facts that companies tagged."""
    infos = [info for info in store.documents(scope) if info.kind == "filing"]
    absent = [target["symbol"] or target["company"] for target in state["targets"] if not target["documents"]]
    answer = lines_asked(complete_of(state), infos, store.get, facts, scope.as_of, absent, store.holding)
    if answer is None:
        return AnsweredLines()
    if answer.refusal:
        return AnsweredLines(answer, refusal=answer.refusal)
    known: list[SourceRecord] = list(state.get("sources", []))
    keys = dict.fromkeys(operand.place.document for operand in answer.operands if operand.place)
    stored = {info.key for info in infos}
    documents = [store.get(key) for key in keys if key in stored]
    twice = [each for document in documents for each in stated_otherwise(document, answer.operands)]
    pages = cell_pages([*answer.operands, *(contradiction.other for contradiction in twice)], documents, known)
    label = next(next_labels(known, "X"))
    calculation = _source(answer, label, [page.label for page in pages])

    def cite(operands: Sequence[CitedOperand]) -> str:
        return "".join(dict.fromkeys(f"[{_label(operand, pages) or label}]" for operand in operands))

    said = (f"{found.said.rstrip('.')} {cite((found.own, found.other))}" for found in twice)
    answer = answer.model_copy(update={"notes": (*answer.notes, *said)})
    return AnsweredLines(answer, [*pages, calculation], text_of(answer, cite))


def _label(operand: CitedOperand, pages: Sequence[SourceRecord]) -> str:
    """Return the label of the page that holds a cell; empty where none does."""
    place = operand.place
    if place is None:
        return ""
    return next((page.label for page in pages if page.document == place.document and page.page == place.page), "")


def _source(answer: LineAnswer, label: str, operands: list[str]) -> SourceRecord:
    """Return the whole answer as a source: each figure with its formula and its cells."""
    companies = list(dict.fromkeys(value.company for value in answer.values))
    return SourceRecord(
        label=label,
        kind="calculation",
        text=cells_text(answer),
        name="Calculation",
        document="",
        page=None,
        start=0,
        end=0,
        symbol=companies[0] if len(companies) == 1 else "",
        form="",
        fiscal_year=None,
        fiscal_quarter=None,
        item="",
        speaker="",
        url="",
        known_at="",
        operands=operands,
    )
