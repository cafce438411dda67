"""Company news: articles that lead a move, report one, come with results, or mean nothing; and their archive.

Leading articles appear on the session before the move, or in the night (or weekend) between. What an article is, and
which session it is about, is the hidden truth that tests ask for; a reader sees only its words.

The archive holds every article about every company, small enough to keep for searching them all. As objects the hundred
thousand headlines of a market take 23 megabytes, and making them again takes a third of a second: too much to keep, too
slow to repeat with each search. As columns of numbers they take four. An article is written when a window is read.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.models import Floats, NewsItem
from tradingagents.dataflows.vendors.simulated import headlines
from tradingagents.dataflows.vendors.simulated.books import Accounts, accounts_of
from tradingagents.dataflows.vendors.simulated.headlines import PUBLISHERS, Template, Tone
from tradingagents.dataflows.vendors.simulated.market import SESSIONS_A_YEAR, Seconds, Timeline, instant, stream
from tradingagents.dataflows.vendors.simulated.shares import Share, returns
from tradingagents.dataflows.vendors.simulated.world import World

Kind = Literal["earnings", "lead", "lag", "noise"]

_EVENT = 1.2  # standard deviations of a company's own shock that somebody hears of
_MOVE = 1.3  # daily standard deviations of the share that are worth an article
_LEAD_CHANCE, _LAG_CHANCE = 0.75, 0.7
_NOISE_CHANCES = (0.40, 0.15)  # of a first and a second article, a session
_IN_LINE = 0.3  # standard deviations of surprise that still pass for what was expected
_HOUR = 3600
_TEMPLATES: Mapping[Kind, Mapping[Tone, tuple[Template, ...]]] = {
    "earnings": headlines.EARNINGS,
    "lead": headlines.LEAD,
    "lag": headlines.LAG,
    "noise": headlines.NOISE,
}


class Results(NamedTuple):
    """What an article on a filing quotes."""

    quarter: str
    """Q1 … Q4."""
    eps: float
    """Diluted, USD."""
    expected_eps: float
    revenue: float
    """USD."""


@dataclass(frozen=True, slots=True)
class Headline:
    """An article before it is written."""

    published: int
    """Seconds since 1970 UTC."""
    kind: Kind
    tone: Tone
    session: int
    """Position of the session whose move it leads or reports; for earnings, the first that can react."""
    choice: float
    """In [0, 1): which template and publisher."""
    results: Results | None = None


def headlines_of(share: Share, accounts: tuple[Accounts, ...], seed: int, timeline: Timeline) -> tuple[Headline, ...]:
    """Return every article about a company, oldest first; () where nobody writes about it.

    What leads the session after the calendar's last one is not there yet.
    """
    if not share.company.covered:
        return ()
    drawn = stream(seed, share.company.symbol, "news").random((len(timeline), 13))
    drawn[: share.series.first + 1, :] = 1.0  # nothing is written before there is a move to write about
    found = [
        *_leading(share, timeline, drawn[:, 0:4]),
        *_lagging(share, timeline, drawn[:, 4:7]),
        *_noise(timeline, drawn[:, 7:10], _NOISE_CHANCES[0]),
        *_noise(timeline, drawn[:, 10:13], _NOISE_CHANCES[1]),
        *_earnings(share, accounts, seed, timeline),
    ]
    return tuple(sorted(found, key=lambda headline: headline.published))


def articles(
    share: Share, found: tuple[Headline, ...], timeline: Timeline, start: datetime, end: datetime
) -> tuple[tuple[Headline, NewsItem], ...]:
    """Write the articles published in [start, end], newest first, each with what it is about."""
    first = bisect_left(found, start.timestamp(), key=lambda headline: headline.published)
    last = bisect_right(found, end.timestamp(), key=lambda headline: headline.published)
    return tuple((headline, write(share, headline, timeline)) for headline in reversed(found[first:last]))


def _leading(share: Share, timeline: Timeline, drawn: Floats) -> Iterator[Headline]:
    """Yield hints of a company's own shock: half of them in the session before, half in the night before the move."""
    opens, closes = timeline.opens, timeline.closes
    told = np.flatnonzero((np.abs(share.own_shock) > _EVENT) & (drawn[:, 0] < _LEAD_CHANCE))
    before = told - 1
    in_session = _within(opens[before] + _HOUR // 4, closes[before] - _HOUR, drawn[told, 2])
    in_the_night = _within(closes[before] + _HOUR // 2, opens[told] - _HOUR // 2, drawn[told, 2])
    published = np.where(drawn[told, 1] < 0.5, in_session, in_the_night)
    for position, seconds in zip(told.tolist(), published.tolist(), strict=True):
        yield Headline(seconds, "lead", _sign(share.own_shock[position]), position, float(drawn[position, 3]))


def _lagging(share: Share, timeline: Timeline, drawn: Floats) -> Iterator[Headline]:
    """Yield reports of large moves in the hours after the close."""
    moves = returns(share.series.close)
    large = np.abs(moves) > _MOVE * share.traits.volatility / np.sqrt(SESSIONS_A_YEAR)
    told = np.flatnonzero(large & (drawn[:, 0] < _LAG_CHANCE))
    published = _within(timeline.closes[told] + _HOUR // 3, timeline.closes[told] + 3 * _HOUR, drawn[told, 1])
    for position, seconds in zip(told.tolist(), published.tolist(), strict=True):
        yield Headline(seconds, "lag", _sign(moves[position]), position, float(drawn[position, 2]))


def _noise(timeline: Timeline, drawn: Floats, chance: float) -> Iterator[Headline]:
    """Yield articles without meaning at any hour, weekends included; three in ten sound like something."""
    told = np.flatnonzero(drawn[:, 0] < chance)
    published = _within(timeline.closes[told - 1] + 1, timeline.closes[told], drawn[told, 1])
    for position, seconds in zip(told.tolist(), published.tolist(), strict=True):
        choice = float(drawn[position, 2]) * 40.0
        tone: Tone = -1 if choice < 6.0 else 1 if choice < 12.0 else 0
        yield Headline(seconds, "noise", tone, position, choice % 1.0)


def _earnings(share: Share, accounts: tuple[Accounts, ...], seed: int, timeline: Timeline) -> Iterator[Headline]:
    """Yield the report on each filing, minutes after it."""
    drawn = stream(seed, share.company.symbol, "results").random((len(accounts), 2))
    for (delay, choice), filed in zip(drawn.tolist(), accounts, strict=True):
        seconds = int(filed.quarter.filed_at.timestamp()) + 120 + int(delay * 1200)
        if seconds < timeline.opens[0]:
            continue
        quarter, eps = filed.quarter, filed.income["eps_diluted"]
        tone: Tone = _sign(quarter.surprise) if abs(quarter.surprise) > _IN_LINE and eps != filed.expected_eps else 0
        results = Results(quarter.label, eps, filed.expected_eps, filed.income["revenue"])
        yield Headline(seconds, "earnings", tone, timeline.first_open_after(quarter.filed_at), choice, results)


def _within(first: Seconds, last: Seconds, share: Floats) -> Seconds:
    """Return instants a share of the way from `first` to `last`."""
    return first + ((last - first) * share).astype(np.int64)


def _sign(value: float) -> Tone:
    return 1 if value > 0 else -1


def write(share: Share, headline: Headline, timeline: Timeline) -> NewsItem:
    """Fill in the template of an article about a company."""
    company = share.company
    options = _TEMPLATES[headline.kind][headline.tone]
    template = options[int(headline.choice * len(options))]
    publisher = int(headline.choice * 1000.0) % len(PUBLISHERS)
    published_at = instant(headline.published)
    words = {
        "name": company.name,
        "short": company.short_name,
        "ticker": company.symbol,
        "industry": company.industry,
        **_facts(share, headline, timeline),
    }
    return NewsItem(
        title=template.title.format_map(words),
        published_at=published_at,
        known_at=published_at,
        source=PUBLISHERS[publisher],
        summary=template.summary.format_map(words),
        url=f"https://news.example.invalid/{company.symbol.lower()}/{headline.published}" if publisher else None,
        symbol=company.symbol,
    )


def _facts(share: Share, headline: Headline, timeline: Timeline) -> dict[str, str]:
    """Return the figures an article quotes."""
    if headline.kind == "lag":
        close = share.series.close
        move = close[headline.session] / close[headline.session - 1] - 1.0
        return {"pct": f"{100.0 * abs(move):.1f}", "day": f"{timeline.days[headline.session]:%A}"}
    if headline.results is not None:
        filed = headline.results
        return {
            "quarter": filed.quarter,
            "eps": f"{filed.eps:.2f}",
            "expected": f"{filed.expected_eps:.2f}",
            "revenue": f"{filed.revenue / 1e9:.2f} billion",
        }
    return {}


_KINDS: tuple[Kind, ...] = get_args(Kind)
_COLUMNS = np.dtype(
    [
        ("published", np.int64),
        ("kind", np.int8),
        ("tone", np.int8),
        ("session", np.int32),
        ("choice", np.float64),
        ("company", np.int16),
        ("results", np.int32),
    ]
)


@dataclass(frozen=True, slots=True)
class Archive:
    """Headlines of all companies by time of publication, as columns of numbers."""

    headlines: npt.NDArray[Any]
    """`company` is a position in `symbols`; `results` one in `results`, -1 for none."""
    results: tuple[Results, ...]
    """What the articles on filings quote."""
    symbols: tuple[str, ...]


def make_archive(world: World) -> Archive:
    """File the headlines of every company away, one company after the other."""
    results: list[Results] = []
    columns = []
    for company, share in enumerate(world.shares.values()):
        accounts = accounts_of(share.company, share.traits, share.quarters)
        found = headlines_of(share, accounts, world.seed, world.timeline)
        columns.append(np.array([_row(headline, company, results) for headline in found], _COLUMNS))
    filed = np.concatenate(columns)
    # Stable: of articles of one second, the company that comes first in the roster stays first.
    ordered = filed[np.argsort(filed["published"], kind="stable")]
    ordered.flags.writeable = False
    return Archive(ordered, tuple(results), tuple(world.shares))


def _row(headline: Headline, company: int, results: list[Results]) -> tuple[float, ...]:
    """Return a headline as a row of `_COLUMNS`; what it quotes of a filing is added to `results`."""
    place = -1
    if headline.results is not None:
        place = len(results)
        results.append(headline.results)
    kind = _KINDS.index(headline.kind)
    return headline.published, kind, headline.tone, headline.session, headline.choice, company, place


def archived(archive: Archive, world: World, start: datetime, end: datetime) -> Iterator[NewsItem]:
    """Write the articles published in [start, end], newest first."""
    published = archive.headlines["published"]
    first = int(np.searchsorted(published, start.timestamp(), side="left"))
    last = int(np.searchsorted(published, end.timestamp(), side="right"))
    for seconds, kind, tone, session, choice, company, place in archive.headlines[first:last][::-1].tolist():
        results = archive.results[place] if place >= 0 else None
        headline = Headline(seconds, _KINDS[kind], tone, session, choice, results)
        yield write(world.shares[archive.symbols[company]], headline, world.timeline)
