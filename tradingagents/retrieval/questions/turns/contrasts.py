"""What a question says that it does not ask for: `the highest close, not the intraday high`.

    without_contrasts("Its highest close, not the intraday high, and when?")
    # "Its highest close, and when?"

A contrast is left out where the rest names what is wanted in its place: a close for the high of a day, a year for a
quarter. Every other `not` stays, as in `which bank, not counting JPM` and `its margin, not gross`.
"""

from __future__ import annotations

import re

_CONTRAST = re.compile(
    r"(?:[,;(]|(?<= )[-\u2013\u2014]) ?(?:and |but |und |aber )?(?:not|rather than|instead of|nicht|statt) "
    r"(?P<words>[\w%'][\w%' -]{1,47}?)(?:\)|(?=[,;:.!?\u2026]| [-\u2013\u2014] |$))(?: [-\u2013\u2014](?= ))?",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w%']+")
_KINDS: tuple[tuple[frozenset[str], ...], ...] = (
    (
        frozenset({"close", "closes", "closed", "closing", "schlusskurs", "schluss"}),
        frozenset({"intraday", "during the day", "tageshoch", "tagestief"}),
    ),
    (
        frozenset({"bought", "buy", "buys", "buying", "purchase", "purchases", "gekauft"}),
        frozenset({"sold", "sell", "sells", "selling", "sale", "sales", "verkauft"}),
    ),
    (
        frozenset({"year", "years", "annual", "yearly", "jahr"}),
        frozenset({"quarter", "quarters", "quarterly", "quartal"}),
        frozenset({"month", "months", "monthly", "monat"}),
        frozenset({"week", "weeks", "weekly", "woche"}),
        frozenset({"day", "days", "daily", "tag"}),
    ),
    (frozenset({"operating"}), frozenset({"free"}), frozenset({"gross"}), frozenset({"net"})),
    (frozenset({"trailing"}), frozenset({"forward", "expected"})),
    (frozenset({"officer", "officers"}), frozenset({"director", "directors"})),
    (frozenset({"percent", "%", "prozent"}), frozenset({"points", "punkte"}), frozenset({"dollar", "dollars"})),
)
"""Ways to say which of several is meant; of a kind, one excludes the others."""
_SMALL = frozenset(
    {
        *("the", "a", "an", "one", "ones", "its", "it", "where", "what", "in", "on", "over", "of", "at", "by", "to"),
        *("as", "that", "is", "was", "were", "just", "only", "high", "low", "highs", "lows", "last", "latest", "full"),
        *("single", "cash", "flow", "margin", "outside", "das", "die", "der", "den", "dem", "ein", "eine", "im", "am"),
        *("auf", "vom", "von", "zum"),
    }
)
"""Words that may stand beside them in a contrast."""


def without_contrasts(text: str) -> str:
    """Return a question without the clauses that only say what is not meant.

    Args:
        text: The question.
    """
    left = " ".join(text.split())
    for found in reversed([*_CONTRAST.finditer(left)]):
        before, behind = left[: found.start()].rstrip(), left[found.end() :]
        if _says_what_instead(found["words"], f"{before} {behind}"):
            left = f"{before}{behind}"
    return left


def _says_what_instead(words: str, rest: str) -> bool:
    """Return whether all that a contrast names has its counterpart in the rest of the question."""
    named = [word for word in words.casefold().split() if word not in _SMALL]
    others = f" {' '.join(_WORD.findall(rest.casefold()))} "
    return bool(named) and all(_has_counterpart(word, others) for word in named)


def _has_counterpart(word: str, others: str) -> bool:
    for kind in _KINDS:
        excluded = next((way for way in kind if word in way), None)
        if excluded is not None:
            return any(f" {said} " in others for way in kind if way is not excluded for said in way)
    return False
