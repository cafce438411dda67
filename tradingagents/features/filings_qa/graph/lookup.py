"""The context of a question about filings, and its searches: filings, earnings calls and news, side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from tradingagents.capabilities.news import get_news
from tradingagents.capabilities.scanner import get_topic_news
from tradingagents.context import RunContext
from tradingagents.errors import DataError
from tradingagents.features.filings_qa.agents.modes import (
    CHUNKS_PER_QUARTER,
    MAX_NEWS,
    MAX_QUARTERS,
    MAX_TICKERS,
    SEARCH_WORKERS,
    AnswerMode,
)
from tradingagents.features.filings_qa.agents.states import FilingsState, Target
from tradingagents.features.filings_qa.graph.sources import news_sources, next_labels, source_of
from tradingagents.features.filings_qa.schemas import SourceRecord
from tradingagents.retrieval.models import Hit, Scope
from tradingagents.retrieval.store import DocumentStore

T = TypeVar("T")
NEWS_WINDOW = timedelta(days=30)


@dataclass(frozen=True, kw_only=True)
class FilingsContext(RunContext):
    """The context of a question."""

    store: DocumentStore
    as_of: datetime
    """Nothing known later is read."""
    mode: AnswerMode | None = None
    """The mode the caller wants; None: as the question says."""
    max_iterations: int | None = None
    """Instead of the mode's."""

    @property
    def scope(self) -> Scope:
        """Every document that was known."""
        return Scope(as_of=self.as_of)


async def search_filings(
    context: FilingsContext,
    phrases: Sequence[str],
    targets: Sequence[Target],
    *,
    items: tuple[str, ...] = (),
    tables: bool = False,
    limit: int = 8,
) -> list[Hit]:
    """Search filings for each phrase, of all companies and periods, side by side.

    Args:
        context: The question's context.
        phrases: What to search for.
        targets: Companies and periods; none: all.
        items: Items of filings to look in; where they hold nothing, the whole filing is searched.
        tables: Whether only tables are wanted.
        limit: Passages of each search.
    """
    searches = [
        (
            _with_years(phrase, target),
            Scope(as_of=context.as_of, kinds=("filing",), documents=tuple(target["documents"]), items=items),
        )
        for phrase in phrases
        for target in targets
        if target["documents"]
    ] or [(phrase, Scope(as_of=context.as_of, kinds=("filing",), items=items)) for phrase in phrases if not targets]
    search = context.store.search_pages if tables else context.store.search
    hits = await _search_all(context, search, searches, limit)
    if hits or not items:
        return hits
    return await search_filings(context, phrases, targets, tables=tables, limit=limit)


async def search_calls(context: FilingsContext, phrases: Sequence[str], targets: Sequence[Target]) -> list[Hit]:
    """Search calls for each phrase, in all quarters of each company, side by side."""
    scopes = [scope for target in targets if target["documents"] for scope in _call_scopes(context, target)]
    scopes = scopes if targets else [Scope(as_of=context.as_of, kinds=("call",))]
    limit = max(3, CHUNKS_PER_QUARTER // max(1, len(phrases)))
    searches = [(phrase, scope) for phrase in phrases for scope in scopes]
    return await _search_all(context, context.store.search, searches, limit)


def _call_scopes(context: FilingsContext, target: Target) -> list[Scope]:
    """Return one scope for each quarter of a company, and one for its years."""
    whole = Scope(as_of=context.as_of, kinds=("call",), documents=tuple(target["documents"]))
    quarters = [(year, quarter) for year, quarter in target["periods"] if quarter][:MAX_QUARTERS]
    years = tuple(dict.fromkeys(year for year, quarter in target["periods"] if not quarter))
    scopes = [replace(whole, fiscal_years=(year,), fiscal_quarters=(quarter,)) for year, quarter in quarters]
    return scopes if quarters and not years else [*scopes, replace(whole, fiscal_years=years)]


def _with_years(phrase: str, target: Target) -> str:
    """Return a phrase with the fiscal years of its company: the search prefers the documents about them."""
    missing = [str(year) for year, _ in target["periods"] if str(year) not in phrase]
    return " ".join((phrase, *(f"FY{year}" for year in dict.fromkeys(missing))))


async def search_news(
    context: FilingsContext, phrases: Sequence[str], targets: Sequence[Target], state: FilingsState
) -> tuple[list[SourceRecord], list[str]]:
    """Search the month's news of the companies, or of the topic where none is named; and say what failed."""
    end = context.data.as_of
    asked = [
        (get_news, {"ticker": target["symbol"], "start_date": end - NEWS_WINDOW, "end_date": end})
        for target in targets[:MAX_TICKERS]
        if target["symbol"]
    ] or [(get_topic_news, {"topic": phrases[0]})]
    results, warnings = [], []
    for capability, arguments in asked:
        try:
            results.append(await in_thread(context, partial(capability.ask, context.data, **arguments)))
        except DataError as error:
            warnings.append(f"No news: {error}")
            context.events.emit("progress", warnings[-1], step="news", warning=True)
    labels = next_labels(state.get("sources", []), "N")
    return news_sources(results, phrases, labels, most=MAX_NEWS), warnings


def labelled_hits(hits: Sequence[Hit], state: Mapping[str, Any], prefix: str) -> list[SourceRecord]:
    """Return hits as sources with the next free labels, each once; what is a source already is left out."""
    known = {(source.document, source.page, source.start, source.end) for source in state.get("sources", [])}
    labels = next_labels(state.get("sources", []), prefix)
    places = {(hit.place.document, hit.place.page, hit.place.start, hit.place.end): hit for hit in reversed(hits)}
    return [source_of(hit, next(labels)) for place, hit in reversed(places.items()) if place not in known]


async def _search_all(
    context: FilingsContext,
    search: Callable[[str, Scope, int], Sequence[Hit]],
    searches: Sequence[tuple[str, Scope]],
    limit: int,
) -> list[Hit]:
    """Make all searches side by side; return the passages, best first, each once."""
    workers = asyncio.Semaphore(SEARCH_WORKERS)

    async def found_by(phrase: str, scope: Scope) -> Sequence[Hit]:
        async with workers:
            return await in_thread(context, partial(search, phrase, scope, limit))

    found = await asyncio.gather(*(found_by(phrase, scope) for phrase, scope in searches))
    # The first of each search, then the second of each: no search crowds out another.
    longest = max(map(len, found), default=0)
    ordered = [hits[place] for place in range(longest) for hits in found if place < len(hits)]
    return list({hit.place: hit for hit in reversed(ordered)}.values())[::-1]


async def in_thread(context: RunContext, act: Callable[[], T]) -> T:
    """Run something that reads files or waits for a vendor in a thread."""
    return await asyncio.get_running_loop().run_in_executor(context.executor, act)
