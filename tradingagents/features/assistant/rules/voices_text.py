"""Sentences on what others say of a company: posts, and articles that name analysts or brokers."""

from __future__ import annotations

from tradingagents.features.assistant.rules.found import TurnAnswers, articles_told

_OF_ANALYSTS = ("analyst", "upgrade", "downgrade", "broker", "rating", "price target", "outperform", "underperform")
"""Words of a title by which an article is on what analysts think."""


def social_text(found: TurnAnswers, symbol: str) -> str:
    """Return how many posts on a company were counted, and how their authors tagged them."""
    fact = found.one("get_social_sentiment", symbol)
    if fact is None:
        return f"{symbol}: {found.say('not_held', reason=found.reason('get_social_sentiment', symbol) or 'n/a')}"
    return found.say(
        "social",
        who=found.who(symbol),
        start=fact.facts.get("start", ""),
        end=fact.facts.get("end", fact.as_of),
        **{name: fact.shown.get(name, "0") for name in ("posts", "bullish", "bearish", "untagged")},
    )


def analysts_text(found: TurnAnswers, symbol: str) -> str:
    """Return the titles of articles that name analysts or brokers, and that no ratings and targets are known."""
    asked, fact = found.all("get_news", symbol), found.one("get_news", symbol)
    given = {
        "who": found.who(symbol),
        "start": asked[0].given.get("start_date", "") if asked else "",
        "end": asked[0].given.get("end_date", "") if asked else "",
    }
    told = articles_told(fact, _OF_ANALYSTS) if fact is not None else []
    return "\n".join([found.say("analysts", **given), *told]) if told else found.say("analysts_none", **given)
