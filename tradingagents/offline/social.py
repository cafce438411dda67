"""Social posts as their tool counts them: the tags authors set, as one reading; the words of a post are never read."""

from __future__ import annotations

from dataclasses import dataclass

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.offline.brief import Brief
from tradingagents.offline.readings import Row, shown_row
from tradingagents.offline.scores import say

TOOL = "get_social_sentiment"
LEAST_TAGGED = 5
"""Fewer tags than this give no score."""
_COUNTS = ("posts", "bullish", "bearish", "untagged")


@dataclass(frozen=True, slots=True)
class Crowd:
    """What the posts gave."""

    rows: tuple[Row, ...]
    """The reading; none where too few posts are tagged."""
    remark: str
    """How many posts there are, or that there are none."""


def crowd(brief: Brief) -> Crowd:
    """Read the counts of posts: those tagged bullish less those tagged bearish, over both."""
    figures = brief.figures.get(TOOL, {})
    if "posts" not in figures or not figures["posts"].value:
        return Crowd((), "No social posts were available: mood is read from the company's headlines alone.")
    told = ", ".join(_told(name, figures[name].text) for name in _COUNTS if name in figures)
    remark = f"Posts by the tags that their authors set: {told}"
    bullish, bearish = (figures[name].value if name in figures else 0.0 for name in ("bullish", "bearish"))
    if "bullish_share" not in figures or bullish + bearish < LEAST_TAGGED:
        return Crowd((), f"{remark}; too few are tagged to be scored.")
    score = say(
        (bullish - bearish) / (bullish + bearish),
        "tagged posts {} more bullish than bearish",
        "tagged posts {} more bearish than bullish",
        "tagged posts as bullish as bearish",
    )
    return Crowd((shown_row("bullish_share", figures["bullish_share"], score.value, score.words, TOOL),), f"{remark}.")


def _told(name: str, shown: str) -> str:
    return shown if shown.endswith(f" {name}") else f"{metric_label(name)} {shown}"
