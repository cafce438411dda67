"""How sure an answer that rules wrote is, and what is said in place of one below the bar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tradingagents.features.filings_qa.graph.compute import complete_of
from tradingagents.features.filings_qa.rules import NOT_FOUND, FilingsBrief, unlikely_answer
from tradingagents.features.filings_qa.schemas import SourceRecord
from tradingagents.provenance.citations import check_answer
from tradingagents.retrieval.figures.answer_confidence import BAR, rated
from tradingagents.retrieval.models import Scope
from tradingagents.retrieval.store import DocumentStore


def rule_confidence(store: DocumentStore, scope: Scope, state: Mapping[str, Any]) -> float:
    """Return how likely the answer of the rules rests on the right page, 0 to 1; 0 where it refuses.

    News are chosen by company and day, not by their words, and were not measured: an answer from them alone is at the
    bar.
    """
    used = set(state.get("cited", []))
    cited: list[SourceRecord] = [source for source in state.get("sources", []) if source.label in used]
    computed = [source.text for source in cited if source.kind == "calculation"]
    pages = [(source.document, source.page) for source in cited if source.document and source.page is not None]
    if not cited or (state.get("refusals") and not computed) or state["answer"].startswith(NOT_FOUND):
        return 0.0
    if not pages:
        return BAR
    texts = computed or [line for line in state["answer"].splitlines() if line.startswith("- ")]
    return rated(store, complete_of(state), texts, pages, computed=bool(computed), as_of=scope.as_of)


def withheld(brief: FilingsBrief) -> dict[str, Any]:
    """Return the update that withholds an answer below the bar: that it was not found, and the nearest passages."""
    text = unlikely_answer(brief)
    checked = check_answer(text, {source.label: source.text for source in brief.sources}, given=brief.question)
    return {"answer": text, "cited": list(checked.cited), "problems": []}
