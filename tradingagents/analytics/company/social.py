"""Social posts about a company: counts by source, day and the authors' own tags, and a few quoted posts.

A post without a tag from its author has no direction; its words are not interpreted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.models import SocialPost, SocialPosts
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result

LEAST_TAGGED = 5
"""Minimum number of tagged posts for a share; with fewer, a single author could change its direction."""
MOST_LIKED, QUOTED = 5, 10
"""Maximum number of most-liked posts quoted, and of all posts quoted; the newest fill the rest."""
TEXT_LENGTH = 240
MANY = 25
"""From this number of posts on, a source whose posts begin later than the window may have returned only its newest."""

Tag = Literal["bullish", "bearish", "untagged"]


class PostCount(BaseModel):
    """Number of posts of a source or a day."""

    model_config = ConfigDict(frozen=True)

    posts: int
    bullish: int
    bearish: int
    untagged: int


class SourceCount(PostCount):
    """The posts of one source."""

    source: str
    first: datetime
    """UTC, as `last`."""
    last: datetime


class DayCount(PostCount):
    """The posts of one day."""

    day: date
    """UTC."""


class Post(BaseModel):
    """One post as shown, without its author."""

    model_config = ConfigDict(frozen=True)

    text: str
    """On one line, at most 240 characters."""
    posted_at: datetime
    """UTC."""
    source: str
    community: str | None
    tag: Tag
    score: int | None
    """Likes, or upvotes minus downvotes; None if the source does not say."""
    comments: int | None


class SocialSentiment(Result):
    """Posts about a company in a window: counts, the share tagged bullish, and some quotations."""

    posts: int
    bullish: int
    """Tagged bullish by their authors; `bearish` likewise."""
    bearish: int
    untagged: int
    bullish_share: float | None
    """Percent of the tagged posts; None if fewer than five are tagged."""
    first: datetime | None
    """Time of the first post, UTC; None without posts. `last` likewise."""
    last: datetime | None
    sources: tuple[SourceCount, ...]
    """Sources with the most posts first."""
    days: tuple[DayCount, ...]
    """Days with posts, newest first."""
    quoted: tuple[Post, ...]
    """The most liked, then the newest; at most ten."""
    answered: tuple[str, ...]
    """Vendors that answered, including those without posts."""
    silent: tuple[str, ...]
    """Vendors that did not answer; the notes say why."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Social posts: {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the counts and the share."""
        return (
            Figure("posts", self.posts, "posts"),
            Figure("bullish", self.bullish),
            Figure("bearish", self.bearish),
            Figure("tagged", self.bullish + self.bearish),
            Figure("untagged", self.untagged),
            Figure("bullish_share", self.bullish_share, "%"),
        )

    def body(self) -> str:
        """Return the counts by source and by day, and the quoted posts."""
        asked = f"Sources that answered: {', '.join(self.answered)}."
        if self.silent:
            asked += f" Sources that did not answer: {', '.join(self.silent)}."
        if not self.posts:
            return f"{asked}\n\nNo post between {self.start} and {self.end}: no social posts were available."
        by_source = _table("Source", ((origin.source, origin) for origin in self.sources), dates=True)
        by_day = _table("Day", ((one.day.isoformat(), one) for one in self.days))
        return "\n\n".join((asked, by_source, by_day, *map(_shown, self.quoted)))


def social_sentiment(
    found: SocialPosts, *, as_of: date, symbol: str, start: date, fetched_at: datetime
) -> SocialSentiment:
    """Count posts and choose those to quote.

    Args:
        found: Posts by the vendors, in any order; may be empty.
        as_of: The day of the request, and the last day of the window.
        start: First day of the window.
        fetched_at: When the vendors delivered them.
    """
    posts = sorted(found.posts, key=lambda post: (post.posted_at, post.source, post.text), reverse=True)
    every = _count(posts)
    tagged = every.bullish + every.bearish
    sources = _by_source(posts)
    return SocialSentiment(
        symbol=symbol,
        as_of=as_of,
        source="+".join(found.answered),
        known_at=max((post.known_at for post in posts), default=None),
        fetched_at=fetched_at,
        start=start,
        end=as_of,
        rows=every.posts,
        notes=(*_notes(found, sources, start), *([_untagged(tagged)] if posts and tagged < LEAST_TAGGED else [])),
        **every.model_dump(),
        bullish_share=100.0 * every.bullish / tagged if tagged >= LEAST_TAGGED else None,
        first=posts[-1].posted_at if posts else None,
        last=posts[0].posted_at if posts else None,
        sources=sources,
        days=_by_day(posts),
        quoted=tuple(_post(post) for post in _telling(posts)),
        answered=found.answered,
        silent=tuple(found.silent),
    )


def _count(posts: Sequence[SocialPost]) -> PostCount:
    tags = Counter(_tag(post) for post in posts)
    return PostCount(posts=len(posts), bullish=tags["bullish"], bearish=tags["bearish"], untagged=tags["untagged"])


def _by_source(posts: Sequence[SocialPost]) -> tuple[SourceCount, ...]:
    """Count the posts of each source; `posts` are the newest first."""
    names = Counter(post.source for post in posts)
    counted = []
    for name, _ in sorted(names.items(), key=lambda item: (-item[1], item[0])):
        own = [post for post in posts if post.source == name]
        counted.append(
            SourceCount(
                **_count(own).model_dump(),
                source=cut(one_line(name), 40),
                first=own[-1].posted_at,
                last=own[0].posted_at,
            )
        )
    return tuple(counted)


def _by_day(posts: Sequence[SocialPost]) -> tuple[DayCount, ...]:
    days = sorted({post.posted_at.date() for post in posts}, reverse=True)
    return tuple(
        DayCount(**_count([post for post in posts if post.posted_at.date() == day]).model_dump(), day=day)
        for day in days
    )


def _telling(posts: Sequence[SocialPost]) -> list[SocialPost]:
    """Return the most liked posts, then the newest of the others; `posts` are the newest first."""
    liked = sorted((post for post in posts if post.score), key=lambda post: -(post.score or 0))
    chosen = [post for post in liked if (post.score or 0) > 0][:MOST_LIKED]
    return [*chosen, *(post for post in posts if post not in chosen)][:QUOTED]


def _notes(found: SocialPosts, sources: Iterable[SourceCount], start: date) -> list[str]:
    notes = [f"{name} did not answer: {one_line(reason)}" for name, reason in found.silent.items()]
    notes += [
        f"The {origin.posts} posts of {origin.source} begin {origin.first:%Y-%m-%d %H:%M} UTC: it may have given its "
        f"newest only, so earlier days show too few."
        for origin in sources
        if origin.posts >= MANY and origin.first.date() > start + timedelta(days=1)
    ]
    return notes


def _untagged(tagged: int) -> str:
    return f"{tagged} posts are tagged, too few for a share; untagged posts are counted, not read."


def _tag(post: SocialPost) -> Tag:
    return post.sentiment or "untagged"


def _post(post: SocialPost) -> Post:
    return Post(
        text=cut(one_line(post.text), TEXT_LENGTH) or "(no text)",
        posted_at=post.posted_at,
        source=cut(one_line(post.source), 40),
        community=cut(one_line(post.community), 40) if post.community else None,
        tag=_tag(post),
        score=post.score,
        comments=post.comments,
    )


def _table(head: str, rows: Iterable[tuple[str, PostCount]], *, dates: bool = False) -> str:
    lines = [f"| {head} | Posts | Bullish | Bearish | Untagged |{' First | Last |' if dates else ''}"]
    lines.append("|---" * (7 if dates else 5) + "|")
    for name, counts in rows:
        line = f"| {name} | {counts.posts} | {counts.bullish} | {counts.bearish} | {counts.untagged} |"
        if isinstance(counts, SourceCount):
            line += f" {counts.first:%Y-%m-%d %H:%M} | {counts.last:%Y-%m-%d %H:%M} |"
        lines.append(line)
    return "\n".join(lines)


def _shown(post: Post) -> str:
    counts = (
        "" if post.score is None else f"score {post.score}",
        "" if post.comments is None else f"{post.comments} comments",
    )
    where = f"{post.source} {post.community}" if post.community else post.source
    facts = ", ".join(part for part in (where, f"{post.posted_at:%Y-%m-%d %H:%M} UTC", post.tag, *counts) if part)
    return f'### Post ({facts})\n"{post.text}"'
