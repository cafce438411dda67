"""Market and world news: recaps of the session, hints before it, the mood of a regime, themes such as rates and oil.

World news is geopolitical tension that rises and eases; only the topic search reads it. It names no country and nobody,
has a random stream of its own, and moves no price.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.models import Floats, NewsItem
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTOR_ETF
from tradingagents.dataflows.vendors.simulated import headlines
from tradingagents.dataflows.vendors.simulated.headlines import PUBLISHERS, Template, Tone
from tradingagents.dataflows.vendors.simulated.market import Seconds, decaying_sum, instant, stream
from tradingagents.dataflows.vendors.simulated.shares import returns
from tradingagents.dataflows.vendors.simulated.world import World

Theme = Literal["recap", "preview", "mood", "rates", "oil", "trade", "world"]
Tones = npt.NDArray[np.int64]

_TEMPLATES: Mapping[Theme, Mapping[Tone, tuple[Template, ...]]] = {
    "recap": headlines.RECAP,
    "preview": headlines.PREVIEW,
    "mood": headlines.MOOD,
    "rates": headlines.RATES,
    "oil": headlines.OIL,
    "trade": headlines.TRADE,
    "world": headlines.WORLD,
}
_FLAT = 0.003  # a session's move of the index that passes for none
_PREVIEWED = 0.01  # a session's move of the index that is felt before the open
_MOOD_OF_REGIME = np.array([1, 0, -1])
_CHANCES: Mapping[Theme, float] = {"recap": 0.95, "preview": 0.6, "mood": 0.3, "rates": 0.7, "oil": 0.6, "trade": 0.9}
"""Of an article on a session with something to tell."""
_HOUR = 3600


@dataclass(frozen=True, slots=True)
class MarketHeadline:
    """A market article before it is written."""

    published: int
    """Seconds since 1970 UTC."""
    theme: Theme
    tone: Tone
    session: int
    """Position of the session it is about."""
    choice: float
    """In [0, 1): which template and publisher."""


def market_headlines(world: World) -> tuple[MarketHeadline, ...]:
    """Return every article of `get_global_news`, oldest first: of all themes but the world, see `world_headlines`."""
    return tuple(sorted(_all(world), key=lambda headline: headline.published))


def market_articles(
    world: World, found: tuple[MarketHeadline, ...], start: datetime, end: datetime
) -> tuple[NewsItem, ...]:
    """Write the articles published in [start, end], newest first."""
    first = bisect_left(found, start.timestamp(), key=lambda headline: headline.published)
    last = bisect_right(found, end.timestamp(), key=lambda headline: headline.published)
    return tuple(_write(world, headline) for headline in reversed(found[first:last]))


def articles_on(
    theme: Theme, tones: Tones, when: npt.NDArray[np.bool_], published: Seconds, choice: Floats
) -> Iterator[MarketHeadline]:
    """Yield one article of a theme for each session marked in `when`, up to twenty minutes after `published`."""
    for position in np.flatnonzero(when).tolist():
        delay = int(choice[position] * 1200.0)
        tone: Tone = 1 if tones[position] > 0 else -1 if tones[position] < 0 else 0
        yield MarketHeadline(int(published[position]) + delay, theme, tone, position, float(choice[position]))


def _all(world: World) -> Iterator[MarketHeadline]:
    opens, closes = world.timeline.opens, world.timeline.closes
    drawn = stream(world.seed, "global-news").random((len(world.timeline), 14))
    drawn[0, :] = 1.0  # the first session has no move to write about
    told = {theme: drawn[:, 2 * column] < chance for column, (theme, chance) in enumerate(_CHANCES.items())}
    index, energy = (returns(world.series[symbol].close) for symbol in ("^GSPC", "XLE"))
    yields = np.diff(world.market.long_rate, prepend=world.market.long_rate[0])
    moods = _MOOD_OF_REGIME[world.market.regime]
    turned = np.diff(moods, prepend=moods[0]) != 0
    trade = np.where(drawn[:, 12] < 0.25, 1, np.where(drawn[:, 12] < 0.5, -1, 0))
    any_time = closes.copy()
    any_time[1:] -= ((closes[1:] - closes[:-1]) * drawn[1:, 13]).astype(np.int64)
    previewed = told["preview"] & (np.abs(index) >= _PREVIEWED)
    yield from articles_on("recap", _tones(index, _FLAT), told["recap"], closes + _HOUR // 3, drawn[:, 1])
    yield from articles_on("preview", _tones(index, _PREVIEWED), previewed, opens - 2 * _HOUR, drawn[:, 3])
    yield from articles_on("mood", moods, told["mood"] | turned, opens + _HOUR, drawn[:, 5])
    # Falling yields read as good news.
    yield from articles_on(
        "rates", _tones(-yields, 0.0), told["rates"] & (np.abs(yields) > 2e-4), closes + _HOUR, drawn[:, 7]
    )
    yield from articles_on(
        "oil", _tones(energy, 0.0), told["oil"] & (np.abs(energy) > _FLAT), closes + _HOUR, drawn[:, 9]
    )
    yield from articles_on("trade", trade, told["trade"], any_time, drawn[:, 11])


def _tones(moves: Floats, flat: float) -> Tones:
    return np.where(np.abs(moves) < flat, 0, np.sign(moves)).astype(np.int64)


def _write(world: World, headline: MarketHeadline) -> NewsItem:
    """Fill in the template of an article."""
    options = _TEMPLATES[headline.theme][headline.tone]
    template = options[int(headline.choice * len(options))]
    words = _facts(world, headline)
    published_at = instant(headline.published)
    return NewsItem(
        title=template.title.format_map(words),
        published_at=published_at,
        known_at=published_at,
        source=PUBLISHERS[int(headline.choice * 1000.0) % len(PUBLISHERS)],
        summary=template.summary.format_map(words),
        url=f"https://news.example.invalid/markets/{headline.theme}/{headline.published}",
    )


def _facts(world: World, headline: MarketHeadline) -> dict[str, str]:
    """Return the figures an article quotes; those of the mood are the evening's before, which it can know."""
    day, market = headline.session, world.market
    facts = {"day": f"{world.timeline.days[day]:%A}"}
    if headline.theme == "recap":
        by_sector = {sector: _move(world, fund, day) for sector, fund in SECTOR_ETF.items()}
        facts |= {
            "pct": f"{100.0 * abs(_move(world, '^GSPC', day)):.1f}",
            "best": DISPLAY[max(by_sector, key=by_sector.__getitem__)],
            "worst": DISPLAY[min(by_sector, key=by_sector.__getitem__)],
        }
    elif headline.theme == "oil":
        facts["pct"] = f"{100.0 * abs(_move(world, 'XLE', day)):.1f}"
    elif headline.theme == "rates":
        change = market.long_rate[day] - market.long_rate[day - 1]
        facts |= {"level": f"{100.0 * market.long_rate[day]:.2f}", "points": f"{1e4 * abs(change):.0f}"}
    elif headline.theme == "mood":
        facts["level"] = f"{world.series['^VIX'].close[day - 1]:.1f}"
    return facts


def _move(world: World, symbol: str, day: int) -> float:
    close = world.series[symbol].close
    return float(close[day] / close[day - 1] - 1.0)


_CHANCE = 0.5  # of an article, a session: hardly a week goes by without one
_TENSION_KEEP = 0.97  # a session: tension lasts for weeks
_WEEK = 5  # sessions
_TURN = 1.0
"""Change of tension over a week, in standard deviations of a session's, that reads as rising or easing."""


def world_headlines(world: World) -> tuple[MarketHeadline, ...]:
    """Return every article about the world, oldest first.

    They stand beside those of `market_headlines`, never among them: runs on the simulated market that were made before
    there was world news can be made again, to the letter, because `get_global_news` and all that is drawn for it stay
    as they were.
    """
    drawn = stream(world.seed, "world-news").random((len(world.timeline), 3))
    drawn[: _WEEK + 1] = 1.0  # the first week has none before it to compare with
    shocks = stream(world.seed, "world-tension").standard_normal((len(world.timeline), 1))
    tension = decaying_sum(shocks, _TENSION_KEEP)[:, 0]
    change = tension - np.concatenate([tension[:_WEEK], tension[:-_WEEK]])
    tones = np.where(np.abs(change) < _TURN, 0, -np.sign(change)).astype(np.int64)
    closes = world.timeline.closes
    published = closes.copy()
    published[1:] -= ((closes[1:] - closes[:-1]) * drawn[1:, 1]).astype(np.int64)
    found = articles_on("world", tones, drawn[:, 0] < _CHANCE, published, drawn[:, 2])
    return tuple(sorted(found, key=lambda headline: headline.published))
