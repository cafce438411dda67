"""Makes labelled sources of what searches find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tradingagents.analytics.company.news import NewsDigest, RankedArticle
from tradingagents.features.filings_qa.schemas import SourceRecord
from tradingagents.retrieval.index.words import stems_of
from tradingagents.retrieval.models import Hit

KIND_OF = {"10K": "filing", "T": "call", "N": "news", "X": "calculation"}


def next_labels(sources: Sequence[SourceRecord], prefix: str) -> Iterator[str]:
    """Yield the labels that no source has yet, such as 10K3, then 10K4."""
    number = 1 + sum(source.kind == KIND_OF[prefix] for source in sources)
    while True:
        yield f"{prefix}{number}"
        number += 1


def source_of(hit: Hit, label: str) -> SourceRecord:
    """Return a passage of a document as a source."""
    info = hit.info
    return SourceRecord(
        label=label,
        kind="call" if info.kind == "call" else "filing",
        text=hit.text,
        name=info.name,
        document=info.key,
        page=hit.place.page,
        start=hit.place.start,
        end=hit.place.end,
        symbol=info.symbol,
        form=info.form,
        fiscal_year=info.fiscal_year,
        fiscal_quarter=info.fiscal_quarter,
        item=hit.item,
        speaker=hit.speaker,
        url=info.url,
        known_at=info.known_at.isoformat(),
    )


def news_sources(
    digests: Sequence[NewsDigest], phrases: Sequence[str], labels: Iterator[str], *, most: int
) -> list[SourceRecord]:
    """Return the articles that speak most of the phrases as sources, at most `most` of each digest."""
    wanted = {stem for phrase in phrases for stem in stems_of(phrase)}

    def nearness(article: RankedArticle) -> tuple[int, float]:
        return len(wanted & set(stems_of(f"{article.title} {article.summary or ''}"))), article.relevance

    strong = [[article for article in digest.articles if not article.weak] for digest in digests]
    chosen = [article for articles in strong for article in sorted(articles, key=nearness, reverse=True)[:most]]
    return [_news_source(article, label) for article, label in zip(chosen, labels, strict=False)]


def _news_source(article: RankedArticle, label: str) -> SourceRecord:
    day = article.published_at.date().isoformat()
    return SourceRecord(
        label=label,
        kind="news",
        text=f"{article.title} ({day}). {article.summary or ''}".strip(),
        name=article.publisher or "news",
        document="",
        page=None,
        start=0,
        end=0,
        symbol=article.symbol or "",
        form="",
        fiscal_year=None,
        fiscal_quarter=None,
        item="",
        speaker="",
        url=article.url or "",
        known_at=article.published_at.isoformat(),
    )
