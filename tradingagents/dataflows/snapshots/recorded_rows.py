"""Vendor rows in the snapshot format, with their own instants, so that nothing has to be assumed."""

from __future__ import annotations

from typing import Any

from tradingagents.dataflows.models import Filing, InsiderTransaction, NewsItem, Profile, SocialPost, Statement

Row = dict[str, Any]


def profile_row(row: Profile) -> Row:
    """Return a profile for profiles.json, with `exact` set."""
    return {
        "name": row.name,
        "kind": row.kind,
        "sector": row.sector,
        "industry": row.industry,
        "exchange": row.exchange,
        "currency": row.currency,
        "listing": row.listing,
        "exact": True,
    }


def statement_row(row: Statement, _: str) -> Row:
    """Return a statement with the library's item names."""
    return {
        "symbol": row.symbol,
        "statement": row.kind,
        "period": row.frequency,
        "fiscal_year": row.fiscal_year,
        "fiscal_period": row.fiscal_period,
        "period_start": row.period_start.isoformat() if row.period_start else None,
        "period_end": row.period_end.isoformat(),
        "known_at": row.known_at.isoformat(),
        "known_by": row.known_by,
        "currency": row.currency,
        "source": row.source,
        "shares_as_of": row.shares_as_of.isoformat() if row.shares_as_of else None,
        "items": dict(row.items),
    }


def article_row(row: NewsItem, symbol: str | None) -> Row:
    """Return an article under a symbol; None for market news."""
    return {
        "symbol": symbol,
        "published_at": row.published_at.isoformat(),
        "known_at": row.known_at.isoformat(),
        "day_only": row.day_only,
        "title": row.title,
        "summary": row.summary,
        "source": row.source,
        "url": row.url,
    }


def trade_row(row: InsiderTransaction, _: str) -> Row:
    """Return an insider's trade."""
    return {
        "symbol": row.symbol,
        "transaction_date": row.transaction_date.isoformat(),
        "filed_at": row.known_at.isoformat(),
        "known_by": row.known_by,
        "insider": row.insider,
        "relation": row.relation,
        "kind": row.kind,
        "shares": row.shares,
        "value": row.value,
        "text": row.text,
    }


def post_row(row: SocialPost, _: str) -> Row:
    """Return a post."""
    return {
        "symbol": row.symbol,
        "posted_at": row.posted_at.isoformat(),
        "known_at": row.known_at.isoformat(),
        "text": row.text,
        "source": row.source,
        "author": row.author,
        "community": row.community,
        "sentiment": row.sentiment,
        "score": row.score,
        "comments": row.comments,
        "url": row.url,
        "counted_at": row.counted_at.isoformat() if row.counted_at else None,
    }


def filing_row(row: Filing, _: str) -> Row:
    """Return a filing."""
    return {
        "symbol": row.symbol,
        "form": row.form,
        "filed_on": row.filed_on.isoformat(),
        "accepted_at": row.known_at.isoformat(),
        "accession": row.accession,
        "url": row.url,
        "title": row.title,
        "period_end": row.period_end.isoformat() if row.period_end else None,
        "items": list(row.items),
    }
