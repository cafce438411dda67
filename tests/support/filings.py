"""Small filings and calls for tests, and a scripted model that answers every agent of a question."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage

from tests.support.graph_factory import role_of
from tradingagents.graph.filings_answerer import FilingsAnswerer
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.retrieval.models import CallTurn, DocumentInfo, Page, SourceDocument, TextPlace

INCOME = """\
Acme Corp
Consolidated Statements of Income
(In millions, except per share amounts)
                                       2024      2023      2022
Net sales                          $ 12,400  $ 11,300  $ 10,900
Cost of sales                         7,440     7,006     6,976
Gross profit                          4,960     4,294     3,924
Net income                          $ 1,860   $ 1,469   $ 1,308
"""
DISCUSSION = """\
Item 7. Management's Discussion and Analysis
Gross margin rose to 40.0% in 2024 from 38.0% in 2023. The increase was driven by lower freight costs and a richer
mix of services. Freight costs fell by 12% after new contracts took effect.
"""
RISKS = (
    "Item 1A. Risk Factors\nA single supplier makes most of our compressors, and losing it would delay deliveries.\n"
)
CALL = (
    ("Jane Doe", "CEO", "We expect margins to hold, and demand for heat pumps is strong in every region."),
    ("John Roe", "CFO", "Gross margin was 41.2% in the quarter, helped by mix; we guide to about 41% next quarter."),
    ("Ann Poe", "analyst", "How should we think about freight from here?"),
)


def filing(
    symbol: str = "ACME",
    company: str = "Acme Corp",
    year: int = 2024,
    *,
    form: str = "10-K",
    known_at: datetime | None = None,
    pages: Sequence[str] = (INCOME, DISCUSSION, RISKS),
) -> SourceDocument:
    """A filing of a fiscal year, accepted in the February after it unless told otherwise."""
    texts = tuple(page.replace("Acme Corp", company) for page in pages)
    key = hashlib.sha256("\f".join((symbol, str(year), form, *texts)).encode()).hexdigest()
    info = DocumentInfo(
        key=key,
        name=f"{symbol} {form} {year}",
        kind="filing",
        company=company,
        symbol=symbol,
        form=form,
        known_at=known_at or datetime(year + 1, 2, 14, 21, tzinfo=UTC),
        fiscal_year=year,
        period_end=date(year, 12, 31),
        url=f"https://www.sec.gov/Archives/{symbol.lower()}-{year}.htm",
    )
    return SourceDocument(info, tuple(Page(number, text) for number, text in enumerate(texts)))


def call(
    symbol: str = "ACME",
    company: str = "Acme Corp",
    year: int = 2025,
    quarter: int = 1,
    said: Sequence[tuple[str, str, str]] = CALL,
) -> SourceDocument:
    """An earnings call of a quarter, held a month after its end."""
    key = hashlib.sha256(f"{symbol}{year}{quarter}{said}".encode()).hexdigest()
    pages = tuple(Page(number, f"{name} ({role}): {words}") for number, (name, role, words) in enumerate(said))
    turns = tuple(
        CallTurn(
            name,
            role,
            "questions" if role == "analyst" else "prepared",
            TextPlace(key, number, 0, len(pages[number].text)),
        )
        for number, (name, role, _) in enumerate(said)
    )
    month = 3 * quarter + 1
    info = DocumentInfo(
        key=key,
        name=f"{symbol} call Q{quarter} {year}",
        kind="call",
        company=company,
        symbol=symbol,
        form="call",
        known_at=datetime(year + month // 13, month % 13 or 1, 25, 21, tzinfo=UTC),
        fiscal_year=year,
        fiscal_quarter=quarter,
    )
    return SourceDocument(info, pages, turns=turns)


ANALYSIS: Mapping[str, Any] = {
    "valid": True,
    "companies": ["ACME"],
    "fiscal_years": [2024],
    "data_source": "10k",
    "search_query": "gross margin drivers 2024",
}
GOOD: Mapping[str, Any] = {
    "completeness_score": 95,
    "specificity_score": 95,
    "accuracy_score": 95,
    "clarity_score": 95,
    "goals_met": True,
    "sufficient": True,
    "phrases": [],
}
POOR: Mapping[str, Any] = {
    **GOOD,
    "completeness_score": 40,
    "specificity_score": 40,
    "sufficient": False,
    "goals_met": False,
}
REPLIES: Mapping[str, Any] = {
    "Question Analyzer": ANALYSIS,
    "Research Planner": "I need to find what drove gross margin in 2024. The discussion tells it.",
    "Filings Search Planner": {"sub_questions": [{"phrase": "gross margin increase driven by", "kind": "text"}]},
    "Table Selector": {"tables": [1]},
    "Filings Drafter": "Lower freight costs [10K1].",
    "Filings Evaluator": {"quality_score": 95},
    "Answer Writer": "Gross margin rose to 40.0% on lower freight costs [10K1].",
    "Answer Assessor": GOOD,
}
"""What each agent answers unless a test says otherwise; a list is answered in order."""


def answering(changes: Mapping[str, Any] | None = None) -> ScriptedChatModel:
    """A model that answers each agent as in `REPLIES`, or as told: a value for always, or a list in order."""
    told = {**REPLIES, **(changes or {})}
    queues = {role: list(reply) for role, reply in told.items() if isinstance(reply, list)}

    def script(messages: Sequence[BaseMessage], tools: tuple[str, ...]) -> Reply:
        role = role_of(messages)
        reply = queues[role].pop(0) if role in queues else told[role]
        if isinstance(reply, Callable):  # type: ignore[arg-type]
            reply = reply(messages)
        if isinstance(reply, str | AIMessage | Exception):
            return reply
        name = tools[0] if tools else ""
        if not name:
            return json.dumps(reply)
        return AIMessage("", tool_calls=[{"name": name, "args": dict(reply), "id": "t1", "type": "tool_call"}])

    return ScriptedChatModel(script)


def answerer(
    home: Path, model: ScriptedChatModel | None = None, *documents: SourceDocument, **config: Any
) -> FilingsAnswerer:
    """An answerer on the simulated market with these documents in its store; without a model the offline rules."""
    settings = {"data_vendor": "simulated", "home": str(home), **config}
    if model is None:
        made = FilingsAnswerer({"llm_provider": "offline", **settings})
    else:
        made = FilingsAnswerer(settings, models=TierModels.same(model))
    for document in documents:
        made.store.add(document)
    return made
