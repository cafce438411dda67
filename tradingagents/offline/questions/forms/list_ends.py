"""Lists that are asked for by their ends: `the three best and three worst`, `rank the tech companies by growth`."""

from __future__ import annotations

from dataclasses import replace

from tradingagents.retrieval.questions.aspects import AskedAspects

_BEST = frozenset({"best", "beste", "besten", "top", "winners", "gainers", "gewinner", "最好", "涨幅最大"})
_WORST = frozenset({"worst", "schlechteste", "schlechtesten", "bottom", "losers", "verlierer", "最差", "跌幅最大"})
_RANKS = frozenset({"rank", "ranked", "ranking", "order", "sort", "sorted", "sortiere", "rangliste", "排名", "排序"})


def names_both_ends(words: frozenset[str]) -> bool:
    """Tell whether words ask for both ends of a list: the whole of it tells them."""
    return bool(_BEST & words and _WORST & words)


def both_ends(asked: AskedAspects, words: frozenset[str]) -> AskedAspects:
    """Return what a question on the day's movers asks, with both ends of the list where it names both.

    Args:
        asked: What the question says.
        words: Its words.
    """
    one_end = asked.has("winners") != asked.has("losers")
    if not (one_end and names_both_ends(words)):
        return asked
    others = (name for name in asked.aspects if name not in ("winners", "losers"))
    return replace(asked, aspects=("winners", "losers", *others))


def ranked(asked: AskedAspects, words: frozenset[str], sector: str) -> AskedAspects:
    """Return a question that ranks the companies of a sector as one for those with the most of what is named first.

    Args:
        asked: What the question says.
        words: Its words.
        sector: The sector that it names; empty for none.
    """
    if not (sector and _RANKS & words and asked.aspects) or asked.asks & {"most", "least"}:
        return asked
    left = tuple(word for word in asked.left if word not in _RANKS)
    return replace(asked, asks=(asked.asks - {"compare"}) | {"most"}, left=left)
