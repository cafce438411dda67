"""The item of a figure whose own words name none: it stands in the sentence before, or at the head of its own.

Such as `For 2025, we expect it to be $3.35 to $3.60`, `our full-year outlook, which remains around 16%`, and the
headline of a company's guidance, `our guidance is $9.50 to $9.75 per share`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tradingagents.retrieval.guidance.guided_items import ItemMention, basis_of, item_mentions
from tradingagents.retrieval.guidance.periods import PERIOD_MENTION
from tradingagents.retrieval.guidance.sentences.cues import AHEAD
from tradingagents.retrieval.guidance.sentences.measure import measured
from tradingagents.retrieval.guidance.sentences.named_item import fits, is_filled
from tradingagents.retrieval.guidance.sentences.window import FigureWindow, SaidRange, SentenceContext

_ABOUT = (
    r"(?:(?:somewhere|an?|the|about|approximately|roughly|around|nearly|between|in|of|at|to|range|new|from|be)\s+){0,6}"
)
_PERIOD = (
    r"(?:(?:the )?(?:full[- ])?(?:fiscal |calendar )?(?:year|quarter|20\d\d|[\u2018\u2019']\d\d|q[1-4])(?: 20\d\d)?)"
)
_IT = re.compile(
    rf"^(?:and |so |but |then )?(?:(?:for|in) {_PERIOD},? )?(?:(?:this|it|that)(?: now)?(?: translates? (?:in)?to"
    rf"| equates to| rolls up to| works out to| should be| will be"
    rf"|(?: rate| ratio| figure| amount)? is (?:now |still )?(?:expected|estimated|projected|anticipated"
    rf"|forecast) to be)"
    rf"|we(?: now| still| continue to|[\u2019']re)* (?:expect(?:ing)?|anticipat(?:e|ing)"
    rf"|project(?:ing)?) (?:that|it|this)"
    rf" to (?:be|remain|stay|range|decrease to|increase to|grow to|come in at|average|total)|are|is)\s+{_ABOUT}$",
    re.IGNORECASE,
)
"""A sentence that goes on about what the one before speaks of."""
_OUTLOOK = re.compile(
    rf"\b(?:no change to )?(?:our|the) (?:[\w-]+ ){{0,2}}(?:outlook|expectation|guidance|forecast"
    rf"|target)(?: for {_PERIOD})?"
    rf"(?:,? which)?(?: (?:remains?|is|of|continues to be|stays|remains unchanged at))\s+{_ABOUT}$",
    re.IGNORECASE,
)
"""An outlook of which the words just before say what it is for."""
_REACHES = re.compile(
    rf"^(?:on|as for|with respect to|regarding|in terms of) (?:the |our )?[^,]{{3,60}}, .*\b(?:and"
    rf"|but)(?: we)?(?: now| still)* "
    rf"expect(?: that| it)?(?: to)? (?:reach|be|total|decrease to|increase to|spend|to be)\s+{_ABOUT}$",
    re.IGNORECASE,
)
_TOPIC = re.compile(
    r"^(?:and |now |then )?(?:as it relates to|relat(?:ed|ing) to|with (?:respect|regards?) to|on|as for|for|regarding"
    r"|in terms of"
    r"|(?:turning|moving|looking|shifting)(?: now)?(?: on)? (?:to|at)|from an?) (?P<topic>[^,;$%]{3,60}),"
    r"(?P<rest> [^;$%]{3,90})$",
    re.IGNORECASE,
)
"""A sentence that opens with what it is about: `As it relates to capital spending, our guidance assumes a range of`."""
_HEADLINE = re.compile(
    r"\b(?:guidance|outlook|guidance range)(?: (?:for (?:the )?(?:full[- ])?(?:fiscal "
    r"|calendar )?(?:year )?(?:20\d\d)?))? ?"
    r"(?:is|of|to|at|remains|is now|range of)(?: now)?(?: an?| between| from| the)?(?: new"
    r"| range)?(?: range)?(?: of)? $",
    re.IGNORECASE,
)
_HEAD = 60
"""Characters within which a sentence says what it is about."""


def said_of_item_before(window: FigureWindow, context: SentenceContext) -> SaidRange | None:
    """Return a range as one of the item that the words before it speak of; None where they leave a doubt.

    Args:
        window: The figure; none of its own words names an item.
        context: What the sentences before it say.
    """
    headline = _headline(window, context)
    if headline is not None:
        return headline
    named = _named_before(window, context)
    if named is None:
        return None
    mention, words = named
    at = window.amount.start
    said = measured(window, ItemMention(mention.key, mention.part, at, at, at), context.subject)
    if said is None or said.measure == "change":
        return None
    return said if said.basis else replace(said, basis=basis_of(words[mention.phrase_start : mention.end]))


def _named_before(window: FigureWindow, context: SentenceContext) -> tuple[ItemMention, str] | None:
    """Return the one item that the figure is of, with the text in which it stands."""
    own = [mention for mention in item_mentions(window.lead) if fits(mention, window.amount)]
    if own and (_OUTLOOK.search(window.lead) or _REACHES.search(window.lead)):
        return (own[0], window.lead) if len({mention.key for mention in own}) == 1 else None
    topic = _TOPIC.match(window.lead)
    if topic is not None and own and own == item_mentions(window.lead) and _is_topic(topic, own):
        return own[0], window.lead
    if item_mentions(window.lead) or not (_IT.match(window.lead) or _OUTLOOK.search(window.lead)):
        return None
    before = item_mentions(context.before)
    fitting = [mention for mention in before if fits(mention, window.amount)]
    if len({mention.key for mention in before}) != 1 or not fitting or fitting[0].start > _HEAD:
        return None
    return fitting[0], context.before


def _is_topic(topic: re.Match[str], named: Sequence[ItemMention]) -> bool:
    """Tell whether the one item that is named ends the topic, and only words that look ahead lead from it on."""
    plain = _TIME_NAMED.sub(" ", topic["topic"])
    rest = PERIOD_MENTION.sub(" ", AHEAD.sub(" ", topic["rest"]))
    ends = topic.start("topic") + len(plain.rstrip())
    return len(named) == 1 and named[0].end == ends and is_filled(rest)


_TIME_NAMED = re.compile(
    rf"(?: (?:perspective|standpoint|side|guidance|outlook))?(?: (?:for|in) {_PERIOD})?$", re.IGNORECASE
)


def _headline(window: FigureWindow, context: SentenceContext) -> SaidRange | None:
    """Return a range per share that is called the guidance itself: earnings, or funds from operations."""
    amount = window.amount
    if not (context.per_share and amount.kind == "money" and amount.per == "share" and amount.is_range):
        return None
    if item_mentions(window.lead) or not _HEADLINE.search(window.lead):
        return None
    at = amount.start
    return measured(window, ItemMention(context.per_share, "", at, at, at), context.subject)
