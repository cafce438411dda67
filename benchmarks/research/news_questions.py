"""Questions on how much was written about a company in a window; the answers are counted off the rows of the source."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

from benchmarks.research.cases import ExpectedValue, ResearchCase

DAY = date(2025, 3, 14)
SAME_ARTICLE = timedelta(days=3)
"""A title that another publisher repeats within this time is one article."""
WORDS = (
    "How many articles on {} were published from {} to {}?",
    "How many news articles were there about {} from {} to {}?",
    "Number of articles on {} from {} to {}?",
)
CountOf = Callable[[str, date, date], int]
"""Counts the articles on a symbol from one day to another, both included, by days of UTC."""


def news_questions(symbols: Iterable[str], count_of: CountOf, seed: int, count: int) -> list[ResearchCase]:
    """Return so many questions, each with a count above zero; the same seed gives the same ones."""
    drawn, named = random.Random(seed), sorted(symbols)  # noqa: S311 - questions, no secrets
    found: dict[str, ResearchCase] = {}
    for _ in range(50 * count):
        if len(found) == count:
            break
        first = DAY - timedelta(days=drawn.randrange(20, 400))
        last = min(first + timedelta(days=drawn.randrange(5, 120)), DAY - timedelta(days=3))
        symbol = drawn.choice(named)
        counted = count_of(symbol, first, last)
        question = drawn.choice(WORDS).format(symbol, first, last)
        if counted:
            name, values = f"n{len(found) + 1:03}", (ExpectedValue(counted, tolerance=0.0),)
            case = ResearchCase(name, "research", question, DAY, values, derivation="rows of the window")
            found.setdefault(question, case)
    return list(found.values())


def simulated_count(seed: int = 7) -> CountOf:
    """Return what counts the articles of the simulated market."""
    from tradingagents.dataflows.vendors.simulated import SimulatedVendor

    vendor = SimulatedVendor(seed)
    return lambda symbol, first, last: len(vendor.get_news(symbol, *_instants(first, last)))


def recorded_count(folder: Path) -> CountOf:
    """Return what counts the articles of a folder of recorded data whose hour is known."""
    with gzip.open(folder / "news.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    dated = [(one["symbol"], datetime.fromisoformat(one["published_at"].replace("Z", "+00:00")), one) for one in rows]
    dated.sort(key=lambda each: (each[1].replace(tzinfo=UTC), each[2]["title"]))

    def count(symbol: str, first: date, last: date) -> int:
        begin, end = _instants(first, last)
        written: dict[str, datetime] = {}
        counted = 0
        for name, moment, row in dated:
            if name != symbol or moment.tzinfo is None:
                continue
            title = row["title"].casefold()
            if title not in written or moment - written[title] > SAME_ARTICLE:
                counted += begin <= moment <= end
                written[title] = moment
        return counted

    return count


def _instants(first: date, last: date) -> tuple[datetime, datetime]:
    return datetime.combine(first, time.min, UTC), datetime.combine(last, time.max, UTC)
