"""Sources of a round of research: answers of capabilities, articles, passages of filings and calls."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from tradingagents.agents.thesis import deep_researcher
from tradingagents.agents.thesis.states import SourceText
from tradingagents.analytics.company.news import NewsDigest
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.tools import ask_in_run
from tradingagents.context import RunContext
from tradingagents.dataflows.results import Result
from tradingagents.errors import TradingAgentsError
from tradingagents.offline.thesis.models import ReadableSource, SourceFigure
from tradingagents.plain_text import one_line
from tradingagents.retrieval.results import PassageList
from tradingagents.schemas.evidence import SourceKind

COMPANY_SOURCES: tuple[tuple[SourceKind, str], ...] = (
    ("statement", "get_ttm_analysis"),
    ("statement", "get_cashflow"),
    ("statement", "get_balance_sheet"),
    ("statement", "fundamental_screen"),
    ("statement", "get_fundamentals"),
    ("estimates", "earnings"),
    ("peers", "get_peer_multiples"),
    ("peers", "get_peer_comparison"),
    ("prices", "market_snapshot"),
    ("insiders", "get_insider_transactions"),
)
"""Asked once for each hypothesis: kind of source and capability."""
SEARCHES: tuple[tuple[SourceKind, str], ...] = (("filing", "search_filings"), ("call", "search_transcripts"))
PASSAGES = 3
"""Passages of each search."""
MOST_SEARCHES = 4
"""Questions of a round that are searched for."""
NEWS_DAYS = 30
AGENT = deep_researcher.SPEC.name


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A source with its typed answer; passages and articles have none."""

    candidate: SourceText
    result: Result | None = None


async def find_sources(
    context: RunContext, ticker: str, wanted: Sequence[str], read: Iterable[str]
) -> list[FoundSource]:
    """Return sources that were not looked at before, labelled S1, S2 and so on.

    Args:
        context: The run's context; what is asked stands on its data sheet.
        ticker: The company.
        wanted: What to find out: the evidence needed in the first round, questions in later ones.
        read: Addresses of sources that were looked at.
    """
    known = frozenset(read)
    asked = [
        *(_company(context, kind, name, ticker) for kind, name in COMPANY_SOURCES if f"{name}:{ticker}" not in known),
        _news(context, ticker),
        *(_passages(context, kind, name, ticker, words) for words in wanted[:MOST_SEARCHES] for kind, name in SEARCHES),
    ]
    answers = await asyncio.gather(*asked)
    found: dict[str, FoundSource] = {}
    for one in (source for several in answers for source in several):
        if one.candidate["address"] not in known:
            found.setdefault(one.candidate["address"], one)
    return [
        FoundSource({**one.candidate, "label": f"S{number}"}, one.result)
        for number, one in enumerate(found.values(), start=1)
    ]


def readable(found: Iterable[FoundSource]) -> list[ReadableSource]:
    """Return sources with their typed figures, as the rules read them."""
    return [
        ReadableSource(
            label=one.candidate["label"],
            kind=one.candidate["kind"],
            title=one.candidate["title"],
            figures=tuple(figures_of_source(one.result, one.candidate["text"])) if one.result is not None else (),
        )
        for one in found
    ]


def figures_of_source(result: Result, text: str) -> Iterable[SourceFigure]:
    """Yield the figures of an answer with the row of its text that states each."""
    rows = {row.strip("| ").split(" | ")[0]: row.strip("| ") for row in text.splitlines() if row.startswith("| ")}
    for figure in result.figures():
        if figure.rounded is not None and figure.name in rows:
            yield SourceFigure(name=figure.name, value=figure.rounded, shown=figure.text, row=rows[figure.name])


async def _company(context: RunContext, kind: SourceKind, name: str, ticker: str) -> list[FoundSource]:
    """Return what a capability answers about the company; nothing where it cannot."""
    result = await _asked(context, name, {"ticker": ticker})
    if result is None:
        return []
    known_at = result.known_at or context.data.cutoff.instant
    candidate = _candidate(kind, result.title, f"{name}:{ticker}", "", known_at, result.to_markdown())
    return [FoundSource(candidate, result)]


async def _news(context: RunContext, ticker: str) -> list[FoundSource]:
    day = context.data.as_of
    asked = {"ticker": ticker, "start_date": day - timedelta(days=NEWS_DAYS), "end_date": day}
    result = await _asked(context, "get_news", asked)
    if not isinstance(result, NewsDigest):
        return []
    return [
        FoundSource(
            _candidate(
                "news",
                f"{article.publisher or 'Unknown publisher'}, {article.published_at:%Y-%m-%d}",
                article.url or f"news:{article.published_at.isoformat()}:{article.title}"[:300],
                article.publisher or "",
                article.published_at,
                "\n".join(part for part in (article.title, article.summary) if part),
            )
        )
        for article in result.articles
        if not article.weak
    ]


async def _passages(context: RunContext, kind: SourceKind, name: str, ticker: str, words: str) -> list[FoundSource]:
    result = await _asked(context, name, {"query": words[:300], "ticker": ticker, "limit": PASSAGES})
    if not isinstance(result, PassageList):
        return []
    return [
        FoundSource(
            _candidate(
                kind,
                one.document,
                f"{one.key}#{one.page}:{one.start}-{one.end}",
                f"page {one.page}" + (f", {one.speaker or one.item}" if one.speaker or one.item else ""),
                one.known_at,
                one.text,
            )
        )
        for one in result.passages
    ]


async def _asked(context: RunContext, name: str, arguments: Mapping[str, Any]) -> Result | None:
    """Ask a capability; None where no vendor has it or it has no answer, which the data sheet tells."""
    capability = registry()[name]
    if not capability.is_available(context.data):
        return None
    fields = capability.arguments.model_fields
    given = {key: value for key, value in arguments.items() if key in fields}
    for key in ("curr_date", "end_date"):
        if key in fields and key not in given and fields[key].is_required():
            given[key] = context.data.as_of
    try:
        return await ask_in_run(context, capability, given, agent=AGENT)
    except TradingAgentsError:
        return None  # its event has told why, and the record warns


def _candidate(kind: SourceKind, title: str, address: str, place: str, known_at: datetime, text: str) -> SourceText:
    return SourceText(
        label="",
        kind=kind,
        title=one_line(title)[:300] or kind,
        address=address[:300],
        place=one_line(place)[:300],
        known_at=known_at.isoformat(),
        text=text,
    )
