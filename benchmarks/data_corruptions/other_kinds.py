"""Corruptions of insider trades, news and profiles. Each docstring says where such a fault comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from random import Random

from benchmarks.data_corruptions.companies import Company
from benchmarks.data_corruptions.kind import Changed, Kind, NotApplicable, named
from tradingagents.dataflows.models import InsiderTransaction, NewsItem

WINDOW = timedelta(days=150)
"""Trades of so many days before the day are counted by the product in any case."""
OTHERS = (
    *("Ford Motor", "Consumer Discretionary", "Automobile Manufacturers"),
    *("Exxon Mobil", "Energy", "Integrated Oil & Gas"),
    *("Realty Income", "Real Estate", "Retail REITs"),
)


def insider_doubled(company: Company, day: date, random: Random) -> Changed:
    """A filing and its amendment counted both, or one trade reported by each of several joint owners (Form 4)."""
    recent = _trades(company, day)
    form = random.choice(("all", "one"))
    doubled = recent if form == "all" else [random.choice(recent)]
    rows = [row for one in company.insiders for row in ([one, one] if one in doubled else [one])]
    what = f"{company.symbol}: {len(doubled)} trades of insiders are doubled"
    return Changed(replace(company, insiders=tuple(rows)), form, what, _days_of(doubled))


def insider_price(company: Company, day: date, random: Random) -> Changed:
    """A price of 1.00 or 0.00 where the filing gives a footnote, or the total in the field of the price (Form 4)."""
    recent = _trades(company, day)
    form, factor = random.choice((("1.00", 0.0), ("total", 100.0)))
    wrong = random.sample(recent, max(1, len(recent) // 2))
    rows = [
        replace(row, value=abs(row.shares) if not factor else (row.value or 0.0) * abs(row.shares) / factor)
        if row in wrong
        else row
        for row in company.insiders
    ]
    what = f"{company.symbol}: the price of {len(wrong)} trades of insiders is {form}"
    return Changed(replace(company, insiders=tuple(rows)), form, what, _days_of(wrong))


def empty_news(company: Company, day: date, random: Random) -> Changed:
    """Withdrawn articles that an interface still lists: no title, or [Removed] in its place (NewsAPI), or blanks."""
    form, title = random.choice((("empty", ""), ("blank", "  "), ("removed", "[Removed]")))
    at = datetime.combine(day - timedelta(days=1), time(random.randint(8, 20), 5), tzinfo=UTC)
    row = NewsItem(
        title=title, published_at=at, known_at=at, source="Yahoo", summary=title, url=None, symbol=company.symbol
    )
    rows = sorted((*company.news, row), key=lambda one: one.published_at, reverse=True)
    what = f"{company.symbol}: an article of {at:%Y-%m-%d %H:%M} has the title {title!r}"
    return Changed(replace(company, news=tuple(rows)), form, what, (at.date(),))


def foreign_profile(company: Company, day: date, random: Random) -> Changed:  # noqa: ARG001
    """A symbol that another company took over, or a search that returns the next best match (reused tickers)."""
    at = random.choice((0, 3, 6))
    name, _, industry = OTHERS[at : at + 3]
    sector = ("consumer-discretionary", "energy", "real-estate")[at // 3]
    if company.profile.sector == sector:
        raise NotApplicable
    other = ("F", "XOM", "O")[at // 3]
    profile = replace(company.profile, symbol=other, name=name, sector=sector, industry=industry)
    what = f"{company.symbol}: the profile is that of {name} ({other})"
    return Changed(replace(company, profile=profile), sector, what, ())


OTHER_KINDS: Mapping[str, Kind] = named(
    Kind("insider-doubled", "insiders", insider_doubled),
    Kind("insider-price", "insiders", insider_price),
    Kind("empty-news", "news", empty_news),
    Kind("foreign-profile", "prices", foreign_profile),
)


def _trades(company: Company, day: date) -> list[InsiderTransaction]:
    """Return purchases and sales with a value of the months before the day."""
    found = [
        row
        for row in company.insiders
        if row.kind in ("buy", "sell") and row.value and day - WINDOW <= row.transaction_date <= day - timedelta(days=7)
    ]
    if not found:
        raise NotApplicable
    return found


def _days_of(rows: list[InsiderTransaction]) -> tuple[date, ...]:
    return tuple(sorted({row.transaction_date for row in rows}))
