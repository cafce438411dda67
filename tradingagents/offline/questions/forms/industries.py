"""`Which industry is strongest today?`: the industry of a company, or without one that which did best or worst."""

from __future__ import annotations

from dataclasses import replace

from tradingagents.retrieval.questions.aspects import AskedAspects

_WHICH_INDUSTRY = frozenset({"which industry", "what industry", "哪个行业", "什么行业"})
_ENDS = frozenset({"most", "least"})


def of_industries(asked: AskedAspects) -> AskedAspects:
    """Return what a question without a company asks, with the best or worst industry as one on sectors."""
    ranks = bool(_ENDS & asked.asks) or asked.has("winners", "losers")
    if asked.said_of("profile") not in _WHICH_INDUSTRY or not ranks:
        return asked
    aspects = ("sectors" if name == "profile" else name for name in asked.aspects)
    return replace(asked, aspects=tuple(dict.fromkeys(aspects)))
