"""What a made-up crowd posts about a company: it follows the last session's move and headlines, and chats in between.

It knows nothing that prices and press do not: most of it agrees with what has just happened, and is a little too
hopeful. Of two made-up places one lets authors tag their posts and counts likes, the other counts votes and comments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import numpy as np

from tradingagents.dataflows.models import Floats, SocialPost
from tradingagents.dataflows.vendors.simulated.companies import COMPANIES
from tradingagents.dataflows.vendors.simulated.headlines import Tone
from tradingagents.dataflows.vendors.simulated.market import SESSIONS_A_YEAR, Seconds, Timeline, instant, stream
from tradingagents.dataflows.vendors.simulated.news import Headline
from tradingagents.dataflows.vendors.simulated.shares import Share, returns

TAPECHATTER, BULLPEN = "tapechatter", "bullpen"
COMMUNITIES = ("longterm", "daytrade")
MIN_CAP = 15.0
"""Billions of USD: of smaller companies nobody posts."""
NO_POSTS = tuple(symbol for symbol, company in COMPANIES.items() if not company.covered or company.cap < MIN_CAP)
"""Companies without any posts."""

_PLACES = 8  # most posts between two closes
_CHANCE, _PER_DECADE, _PER_MOVE, _PER_NEWS = 0.05, 0.06, 0.10, 0.08  # of each place; the second a tenfold of MIN_CAP
_HOPE, _FOLLOWS_MOVE, _FOLLOWS_NEWS = 0.4, 0.9, 0.6  # log odds of a hopeful post
_NO_SIDE, _TAGGED, _ON_TAPECHATTER = 0.25, 0.8, 0.7
_WORTH_NAMING = 1.0  # daily standard deviations

_ABOUT_MOVE: Mapping[Tone, tuple[str, ...]] = {
    1: ("${ticker} {way} {pct}% on {day}. This is only the start.", "Added ${ticker} after {day}, {pct}% {way}."),
    0: ("Can anybody explain why ${ticker} went {way} {pct}% on {day}?",),
    -1: ("${ticker} {way} {pct}% on {day}. I sold mine.", "{day}: ${ticker} {pct}% {way}. Not touching this one."),
}  # fmt: skip
_ABOUT_NEWS: Mapping[Tone, tuple[str, ...]] = {
    1: ("Did you read the news on ${ticker}? I like it.", "The headlines on ${ticker} read well to me. Long."),
    0: ("What do you make of the news on ${ticker}?",),
    -1: ("The news on ${ticker} worries me.", "Nobody should be surprised by these headlines on ${ticker}. Short."),
}
_CHATTER: Mapping[Tone, tuple[str, ...]] = {
    1: ("Still holding ${ticker}.", "${ticker} is my largest position.", "Buying ${ticker} every month."),
    0: ("Who else follows ${ticker}?", "Looking for a good primer on {industry}, ${ticker} among them."),
    -1: ("${ticker} is too expensive.", "Waiting for ${ticker} to come down.", "What is the case for ${ticker}?"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Crowd:
    """The posts about a company before they are written, oldest first, as columns."""

    posted: Seconds
    session: Seconds
    """Position of the session whose close they follow."""
    drawn: Floats
    """For each post: presence, hour, side, tag, words, likes, in [0, 1)."""
    move: Floats
    """By session: its move in daily standard deviations, -3 to 3."""
    news: Floats
    """By session: the tone of the headlines from the close before to its own, -1 to 1."""


def crowd_of(share: Share, written: Sequence[Headline], seed: int, timeline: Timeline) -> Crowd | None:
    """Return who posts about a company; None where nobody does.

    Args:
        share: The company.
        written: Its headlines, oldest first.
        seed: Of the market.
        timeline: Its sessions.
    """
    if share.company.symbol in NO_POSTS:
        return None
    move = np.clip(returns(share.series.close) / (share.traits.volatility / np.sqrt(SESSIONS_A_YEAR)), -3.0, 3.0)
    news = _tone_by_session(written, timeline)
    # The last session's followers post after the calendar has ended, as those of the first would before a move.
    drawn = stream(seed, share.company.symbol, "posts").random((len(timeline), _PLACES, 6))[: len(timeline) - 1]
    drawn[: share.series.first + 1] = 1.0
    size = _CHANCE + _PER_DECADE * np.log10(share.company.cap / MIN_CAP)
    chance = size + _PER_MOVE * np.abs(move[:-1]) + _PER_NEWS * np.abs(news[:-1])
    session, place = np.nonzero(drawn[:, :, 0] < chance[:, None])
    found = drawn[session, place]
    since, until = timeline.closes[session], timeline.closes[session + 1]
    posted = since + 1 + ((until - since - 1) * found[:, 1]).astype(np.int64)
    order = np.argsort(posted, kind="stable")
    return Crowd(posted[order], session[order], found[order], move, news)


def posts(share: Share, crowd: Crowd, timeline: Timeline, start: datetime, end: datetime) -> tuple[SocialPost, ...]:
    """Write the posts made in [start, end], newest first."""
    first = int(np.searchsorted(crowd.posted, start.timestamp(), side="left"))
    last = int(np.searchsorted(crowd.posted, end.timestamp(), side="right"))
    return tuple(_write(share, crowd, index, timeline) for index in reversed(range(first, last)))


def _tone_by_session(written: Sequence[Headline], timeline: Timeline) -> Floats:
    """Return the tone of what was published from the close before each session to its own, -1 to 1."""
    tone = np.zeros(len(timeline))
    sessions = np.searchsorted(timeline.closes, [headline.published for headline in written], side="left")
    for session, headline in zip(sessions.tolist(), written, strict=True):
        if session < len(timeline):
            tone[session] += headline.tone
    return np.clip(tone, -1.0, 1.0)


def _write(share: Share, crowd: Crowd, index: int, timeline: Timeline) -> SocialPost:
    session = int(crowd.session[index])
    _, _, side, tag, choice, likes = crowd.drawn[index].tolist()
    move, news = float(crowd.move[session]), float(crowd.news[session])
    tone = _side(side, move, news)
    tape = choice < _ON_TAPECHATTER
    tagged: Literal["bullish", "bearish"] | None = None
    if tape and tone and tag < _TAGGED:
        tagged = "bullish" if tone > 0 else "bearish"
    kind = choice * 100.0 % 1.0
    about = _ABOUT_NEWS if news and kind < 0.5 else _ABOUT_MOVE if abs(move) > _WORTH_NAMING else _CHATTER
    options = about[tone]
    close = share.series.close
    posted_at = instant(int(crowd.posted[index]))
    score = int(np.exp(likes * (2.5 + abs(move))))
    place = TAPECHATTER if tape else BULLPEN
    return SocialPost(
        symbol=share.company.symbol,
        text=options[int(choice * 10000.0 % 1.0 * len(options))].format(
            ticker=share.company.symbol,
            industry=share.company.industry,
            day=f"{timeline.days[session]:%A}",
            way="up" if move > 0 else "down",
            pct=f"{100.0 * abs(close[session] / close[max(session - 1, 0)] - 1.0):.1f}",
        ),
        posted_at=posted_at,
        known_at=posted_at,
        source=place,
        author=f"made-up-{int(tag * 1e6) % 500}",
        community=None if tape else COMMUNITIES[int(choice * 1000.0) % len(COMMUNITIES)],
        sentiment=tagged,
        score=score,
        comments=None if tape else score // 3,
        url=f"https://{place}.example.invalid/{share.company.symbol.lower()}/{int(crowd.posted[index])}-{index}",
        counted_at=posted_at,
    )


def _side(drawn: float, move: float, news: float) -> Tone:
    """Return whether a post is hopeful, the opposite, or takes no side."""
    if drawn < _NO_SIDE:
        return 0
    hopeful = 1.0 / (1.0 + np.exp(-(_HOPE + _FOLLOWS_MOVE * move + _FOLLOWS_NEWS * news)))
    return 1 if (drawn - _NO_SIDE) / (1.0 - _NO_SIDE) < hopeful else -1
