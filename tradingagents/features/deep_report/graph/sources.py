"""Sources of a round of research: answers of capabilities, articles, passages of filings and calls."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from tradingagents.analytics.company.news import NewsDigest, RankedArticle
from tradingagents.capabilities.guidance import holds_guidance
from tradingagents.context import RunContext
from tradingagents.features.deep_report.graph.filing_sources import filing_sources
from tradingagents.features.deep_report.graph.found_source import FoundSource, answer_of, candidate, figures_of_source
from tradingagents.features.deep_report.graph.profile import rule_sources
from tradingagents.features.deep_report.rules.brief import ReadableSource, SourceFigure
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
GUIDANCE = ("guidance", "guidance_record")
"""Asked where the store holds a call or release of the company."""
NEWS_DAYS = 30


async def find_sources(
    context: RunContext,
    ticker: str,
    wanted: Sequence[str],
    read: Iterable[str],
    *,
    rounds: int = 0,
    for_rules: bool = False,
) -> list[FoundSource]:
    """Return sources that were not looked at before, labelled S1, S2 and so on.

    Args:
        context: The run's context; what is asked stands on its data sheet.
        ticker: The company.
        wanted: What to find out: the evidence needed in the first round, questions in later ones.
        read: Addresses of sources that were looked at.
        rounds: Rounds of research before this one.
        for_rules: Whether rules read them, which take figures of filings from cells and not from text.
    """
    known = frozenset(read)
    gathered = [
        *(_company(context, kind, name, ticker) for kind, name in COMPANY_SOURCES if f"{name}:{ticker}" not in known),
        *(_guidance(context, name, ticker) for name in GUIDANCE if f"{name}:{ticker}" not in known),
        _news(context, ticker, known),
        filing_sources(context, ticker, wanted, known, rounds),
        *([rule_sources(context, ticker)] if for_rules else []),
    ]
    answers = await asyncio.gather(*gathered)
    found: dict[str, FoundSource] = {}
    for source in (source for several in answers for source in several):
        if source.candidate.address not in known:
            found.setdefault(source.candidate.address, source)
    return [
        replace(source, candidate=replace(source.candidate, label=f"S{number}"))
        for number, source in enumerate(found.values(), start=1)
    ]


async def ask_ahead(context: RunContext, ticker: str) -> None:
    """Ask what every hypothesis will be asked of, so that it is known when the first one is researched."""
    await asyncio.gather(*(_company(context, kind, name, ticker) for kind, name in COMPANY_SOURCES))
    await _news(context, ticker, ())


def readable(found: Iterable[FoundSource]) -> list[ReadableSource]:
    """Return sources with their typed figures, as the rules read them."""
    return [
        ReadableSource(
            label=source.candidate.label,
            kind=source.candidate.kind,
            title=source.candidate.title,
            figures=source.figures or _figures(source),
            text=source.candidate.text if source.candidate.kind in ("filing", "call") and not source.figures else "",
            known_on=datetime.fromisoformat(source.candidate.known_at).date(),
        )
        for source in found
    ]


def _figures(source: FoundSource) -> tuple[SourceFigure, ...]:
    return tuple(figures_of_source(source.result, source.candidate.text)) if source.result is not None else ()


async def _company(context: RunContext, kind: SourceKind, name: str, ticker: str) -> list[FoundSource]:
    """Return what a capability answers about the company; nothing where it cannot."""
    result = await answer_of(context, name, {"ticker": ticker})
    if result is None:
        return []
    known_at = result.known_at or context.data.cutoff.instant
    source = candidate(kind, result.title, f"{name}:{ticker}", "", known_at, result.to_markdown())
    return [FoundSource(source, result)]


async def _guidance(context: RunContext, name: str, ticker: str) -> list[FoundSource]:
    """Return what the company guided to, or what came of it; nothing where its documents hold none."""
    if not holds_guidance(context.data, ticker):
        return []
    return [source for source in await _company(context, "call", name, ticker) if source.result and source.result.rows]


async def _news(context: RunContext, ticker: str, known: Collection[str]) -> list[FoundSource]:
    """Return the articles of the last days that were not looked at; weak ones are left out."""
    day = context.data.as_of
    given = {"ticker": ticker, "start_date": day - timedelta(days=NEWS_DAYS), "end_date": day}
    result = await answer_of(context, "get_news", given)
    if not isinstance(result, NewsDigest):
        return []
    return [
        FoundSource(
            candidate(
                "news",
                f"{article.publisher or 'Unknown publisher'}, {article.published_at:%Y-%m-%d}",
                address,
                article.publisher or "",
                article.published_at,
                "\n".join(part for part in (article.title, article.summary) if part),
            )
        )
        for article in result.articles
        if not article.weak and (address := _address_of(article)) not in known
    ]


def _address_of(article: RankedArticle) -> str:
    return (article.url or f"news:{article.published_at.isoformat()}:{article.title}")[:300]
