"""Posts in the sentiment report: the tags make one reading, their words none."""

from __future__ import annotations

import pytest

from tests.offline.briefs import GOOD_NEWS, analyst, digest, result, rows
from tradingagents.dataflows.results import Result
from tradingagents.llm_clients.offline_model import answer
from tradingagents.offline.brief import Brief
from tradingagents.offline.readings import Row
from tradingagents.offline.rules import weight_of

ROLE = "Social Media Analyst"


def posts(bullish: int, bearish: int, untagged: int = 3) -> Result:
    tagged, count = bullish + bearish, bullish + bearish + untagged
    share = f"{100 * bullish / tagged:.2f}%" if tagged >= 5 else "n/a"
    figures = {
        "posts": f"{count} posts",
        "bullish": str(bullish),
        "bearish": str(bearish),
        "tagged": str(tagged),
        "untagged": str(untagged),
        "bullish_share": share,
    }
    return result(figures)


def asked(social: Result | Exception | None, *, news: bool = True) -> Brief:
    given: dict[str, Result | Exception] = {"get_news": digest(GOOD_NEWS)} if news else {}
    if social is not None:
        given["get_social_sentiment"] = social
    return analyst(ROLE, given)


@pytest.mark.parametrize(
    ("bullish", "bearish", "score", "words"),
    [
        (8, 2, 0.6, "tagged posts clearly more bullish than bearish"),
        (1, 4, -0.6, "tagged posts clearly more bearish than bullish"),
        (5, 0, 1.0, "tagged posts far more bullish than bearish"),
        (3, 3, 0.0, "tagged posts as bullish as bearish"),
    ],
)
def test_the_score_is_bullish_less_bearish_over_both(bullish: int, bearish: int, score: float, words: str):
    brief = asked(posts(bullish, bearish))
    text, share = answer(brief).text, 100 * bullish / (bullish + bearish)
    row = {row.metric: row for row in rows(brief)}["bullish_share"]
    assert row == Row("bullish_share", f"{share:.2f}%", score, words, "get_social_sentiment", share, "%")
    assert weight_of(row) == 0.3
    assert (
        f"{bullish + bearish + 3} posts, bullish posts {bullish}, bearish posts {bearish}, posts without a tag 3."
        in text
    )
    assert "No social posts were available" not in text


def test_fewer_than_five_tags_are_told_and_not_scored():
    text = answer(asked(posts(4, 0))).text
    assert "bullish share" not in text
    assert "7 posts, bullish posts 4, bearish posts 0, posts without a tag 3; too few are tagged to be scored." in text


@pytest.mark.parametrize("social", [None, posts(0, 0, 0), RuntimeError("Every vendor failed; try later.")])
def test_without_posts_it_says_so_and_reads_headlines(social):
    brief = asked(social)
    text = answer(brief).text
    assert "No social posts were available: mood is read from the company's headlines alone." in text
    assert {row.metric for row in rows(brief)} == {"articles", "tone_change", "attention", "tone_dispersion"}
    assert ("get_social_sentiment failed (Every vendor failed; try later)" in text) == isinstance(social, Exception)


def test_without_news_the_posts_are_read_alone():
    brief = asked(posts(8, 2), news=False)
    assert [row.metric for row in rows(brief)] == ["bullish_share"]
    assert "Not available: articles (get_news)." in answer(brief).text
