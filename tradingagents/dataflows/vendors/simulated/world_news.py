"""World news: geopolitical tension that rises and eases. Only the topic search reads it.

It names no country and nobody, has a random stream of its own, and moves no price.
"""

from __future__ import annotations

import numpy as np

from tradingagents.dataflows.vendors.simulated.global_news import MarketHeadline, articles_on
from tradingagents.dataflows.vendors.simulated.streams import decaying_sum, stream
from tradingagents.dataflows.vendors.simulated.world import World

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
