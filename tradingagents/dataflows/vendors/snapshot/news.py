"""News of a snapshot: by company, and all articles together for market news and topics."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tradingagents.dataflows.models import NewsItem, Profile
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.vendors.snapshot.folder import (
    MadeWhenAsked,
    Once,
    Unreadable,
    check_texts,
    known_from,
    moment,
    open_after,
    read_lines,
    spelled,
)

REPEATED_WITHIN = timedelta(days=3)
"""The same title within this time is a duplicate; later it is a new article, such as a daily column."""


class News:
    """All articles of a folder without duplicates, newest first. Only what is requested is sorted."""

    def __init__(self, read: Sequence[tuple[NewsItem, bool]], profiles: Mapping[str, Profile]) -> None:
        """Group the rows of a folder by symbol.

        Args:
            read: Each row, and whether it is used unchanged.
            profiles: Tell which symbols are companies.
        """
        rows: dict[str | None, list[NewsItem]] = defaultdict(list)
        exact: dict[str | None, list[NewsItem]] = defaultdict(list)
        for row, as_it_is in read:
            (exact if as_it_is else rows)[row.symbol].append(row)
        given = [*exact[None], *rows[None]]
        self.as_recorded = bool(given)
        """Whether `market` is the market news of another vendor."""
        self.by_symbol: Mapping[str, tuple[NewsItem, ...]] = MadeWhenAsked(
            [symbol for symbol in dict.fromkeys((*rows, *exact)) if symbol is not None],
            lambda symbol: _newest_first([*_once_each(rows.get(symbol, ())), *exact.get(symbol, ())]),
        )
        self._market = Once(lambda: _newest_first(given) if given else _once_each(_as_filed(row) for row, _ in read))
        self._everything = Once(lambda: _everything([row for row, _ in read], profiles))

    @property
    def market(self) -> tuple[NewsItem, ...]:
        """Every article once, as candidates for market news; articles filed under an index have no symbol."""
        return self._market()

    @property
    def everything(self) -> tuple[NewsItem, ...]:
        """Every article once per company it is filed under; `best_of_each` merges them.

        No symbol if that isn't a company of a known sector.
        """
        return self._everything()


def load_news(path: Path, profiles: Mapping[str, Profile], exchange: str, unreadable: Unreadable | None = None) -> News:
    """Read news.jsonl.gz; nothing if it doesn't exist.

    All articles are candidates for market news; articles filed under an index have no symbol. If the folder has rows
    without a symbol, only these are the market news, as given by the source.

    Rows with their own `known_at` are used unchanged, duplicates included.

    Args:
        profiles: Tell which symbols are companies, and which are the same.
        exchange: Calendar of rows filed under an index.
        unreadable: Collects the unreadable lines; None: the first is an error.

    Raises:
        VendorDown: The file is corrupt, or too many rows lack a field; names the line.
    """
    return News(read_lines(path, lambda row: (article_of(row, exchange), "known_at" in row), unreadable), profiles)


def in_window(items: Iterable[NewsItem], start: datetime, end: datetime) -> tuple[NewsItem, ...]:
    """Return the articles published in [start, end]; those with a day only count by their day."""
    return tuple(
        item
        for item in items
        if (
            start.date() <= item.published_at.date() <= end.date()
            if item.day_only
            else start <= item.published_at <= end
        )
    )


def best_of_each(items: Iterable[NewsItem]) -> tuple[NewsItem, ...]:
    """Return the first row of every article, in order."""
    kept: dict[tuple[datetime, str], NewsItem] = {}
    for item in items:
        kept.setdefault(_article(item), item)
    return tuple(kept.values())


def article_of(row: dict[str, Any], exchange: str) -> NewsItem:
    """Convert a line to a row; raises one of `folder.UNREADABLE` if it is unreadable."""
    symbol = spelled(row["symbol"]) if row["symbol"] else None
    check_texts(row, "title", "source", "summary", "url")
    published, day_only = moment(row["published_at"])
    calendar = exchange if symbol is None or _is_index(symbol) else exchange_of(symbol)
    known_at = known_from(row["known_at"], calendar) if row.get("known_at") else None
    return NewsItem(
        title=row["title"].strip(),
        published_at=published,
        known_at=known_at or (open_after(published.date(), calendar) if day_only else published),
        source=row.get("source"),
        summary=row.get("summary"),
        url=row.get("url"),
        symbol=symbol,
        day_only=bool(row.get("day_only", day_only)),
    )


def _is_index(symbol: str | None) -> bool:
    return symbol is not None and symbol.startswith("^")


def _as_filed(row: NewsItem) -> NewsItem:
    """Return a row as market news: articles filed under an index have no company."""
    return replace(row, symbol=None) if _is_index(row.symbol) else row


def _everything(rows: Iterable[NewsItem], profiles: Mapping[str, Profile]) -> tuple[NewsItem, ...]:
    """Return every article as first known, under each of its companies."""
    articles = _by_article(sorted(rows, key=lambda row: (row.known_at, row.title, row.symbol or "")))
    first = _once_each(found[0] for found in articles.values())
    return tuple(
        row if _has_sector(row.symbol, profiles) else replace(row, symbol=None)
        for article in first
        for row in articles[_article(article)]
        if row.known_at == article.known_at
    )


def _by_article(rows: Iterable[NewsItem]) -> dict[tuple[datetime, str], list[NewsItem]]:
    """Group the rows of one article; the instant is part of the key, so that later rows are a new article."""
    articles: dict[tuple[datetime, str], list[NewsItem]] = defaultdict(list)
    for row in rows:
        articles[_article(row)].append(row)
    return articles


def _article(row: NewsItem) -> tuple[datetime, str]:
    return row.published_at, row.url or row.title.casefold()


def _has_sector(symbol: str | None, profiles: Mapping[str, Profile]) -> bool:
    profile = profiles.get(symbol or "")
    return profile is not None and profile.sector is not None


def _once_each(rows: Iterable[NewsItem]) -> tuple[NewsItem, ...]:
    """Drop duplicates and return the rest newest first.

    The earliest known row is used, so later rows change nothing: a row with a day only comes after a timed one of that
    day.
    """
    kept: list[NewsItem] = []
    urls: set[str] = set()
    titles: dict[str, datetime] = {}
    for row in sorted(rows, key=lambda row: (row.known_at, row.published_at, row.title, row.symbol or "")):
        title = row.title.casefold()
        if row.url in urls or (title in titles and row.published_at - titles[title] <= REPEATED_WITHIN):
            continue
        if row.url:
            urls.add(row.url)
        titles[title] = row.published_at
        kept.append(row)
    return _newest_first(kept)


def _newest_first(rows: Iterable[NewsItem]) -> tuple[NewsItem, ...]:
    return tuple(sorted(rows, key=lambda row: (row.published_at, row.title), reverse=True))
