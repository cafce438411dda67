"""`read_ranges`: what one sentence guides to, each range with its item, its basis and its unit.

Read by rule: a range counts where words that look ahead (`we expect`, `guidance`, `will be`) govern it, and where it is
a figure of an item. Left out are what was reported or guided before, the base of a comparison, what a part adds to or
takes from another figure (currency, prices, an acquisition), forecasts of markets and economies, and rates over years.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tradingagents.retrieval.guidance.guided_items import ItemMention, item_mentions
from tradingagents.retrieval.guidance.sentences.again import broken_down, carried, parallel, restated
from tradingagents.retrieval.guidance.sentences.amounts import Amount, read_amounts
from tradingagents.retrieval.guidance.sentences.cues import AHEAD, is_guided
from tradingagents.retrieval.guidance.sentences.doubts import doubt_of
from tradingagents.retrieval.guidance.sentences.item_before import said_of_item_before
from tradingagents.retrieval.guidance.sentences.measure import measured
from tradingagents.retrieval.guidance.sentences.named_item import named_item
from tradingagents.retrieval.guidance.sentences.own_items import own_item
from tradingagents.retrieval.guidance.sentences.phrases import governing_item
from tradingagents.retrieval.guidance.sentences.respectively import told_apart
from tradingagents.retrieval.guidance.sentences.subordinate import SET_APART, is_subordinate
from tradingagents.retrieval.guidance.sentences.window import FigureWindow, SaidRange, SentenceContext

_OUTSIDE = re.compile(
    r"\b(?:statutory|unrecognized|industry|industries|gdp|economy|economic|consensus|analysts?|sell[ -]side"
    r"|street|unemployment"
    r"|replacement cost"
    r"|net absorption|wood ?mac|market (?:is|to|growth|demand|will|rent)"
    r"|markets? (?:in which|where|that) we|(?:parcel|addressable|overall"
    r"|domestic b2b) market"
    r"|ihs|regulatory minimum|capital need|congress|government|enacted|customers? (?:will|to) |fed's"
    r"|barrel price|per barrel price)\b",
    re.IGNORECASE,
)


_WHICH_IMPLIES = re.compile(r"\bwhich (?:would |will )?impl(?:y|ies)\b|\bimplying\b", re.IGNORECASE)
"""Words that derive a figure of the same part of the company from the one before it."""
_FIRST = re.compile(
    r"(?P<verb>\b(?:provid|issu|initiat|introduc|establish|giv|shar)(?:e|ed|es|ing)? (?:our |an |the )?)initial ", re.I
)
"""An outlook that is given for the first time is `initial`, and no old one."""
_MOST_FIGURES = 14
"""Figures above which a sentence is a table that lost its lines."""
_NOTHING_KNOWN = SentenceContext()


def read_ranges(text: str, context: SentenceContext = _NOTHING_KNOWN) -> list[SaidRange]:
    """Return what a sentence guides to.

    Args:
        text: The sentence, on one line.
        context: What the sentences before it speak of, and the names of the company and its parts.
    """
    if not AHEAD.search(text) or not re.search(r"\d|percent", text):
        return []
    text = _FIRST.sub(lambda given: given["verb"] + " " * len("initial "), text)
    whole, text = text, SET_APART.sub(lambda aside: " " * len(aside[0]), text)
    amounts = read_amounts(text)
    if len(amounts) > _MOST_FIGURES:
        return []
    mentions = item_mentions(text) if amounts else []
    windows = {window.amount.start: window for window in _windows(text, whole, amounts)}
    said: list[SaidRange] = []
    for window in windows.values():
        turned = said[-1].turns_to if said else ""
        found = _read_one(window, mentions, said, replace(context, subject=turned) if turned else context)
        if found is not None:
            said.append(found)
    told = told_apart(text, amounts, mentions, said, context.subject)
    return [replace(one, doubt=doubt_of(one, windows[one.amount.start], context)) for one in told]


def _windows(text: str, whole: str, amounts: Sequence[Amount]) -> Iterator[FigureWindow]:
    for number, amount in enumerate(amounts):
        before = amounts[number - 1].end if number else 0
        after = amounts[number + 1].start if number + 1 < len(amounts) else len(text)
        yield FigureWindow(text, amount, before, after, amounts[number - 1] if number else None, whole)


def _read_one(
    window: FigureWindow, mentions: Sequence[ItemMention], said: Sequence[SaidRange], context: SentenceContext
) -> SaidRange | None:
    if not is_guided(window):
        return None
    again = restated(window, said) or carried(window, said) or parallel(window, said) or broken_down(window, said)
    if again is not None:
        return again
    if is_subordinate(window):
        return None
    mention = named_item(window, mentions) or own_item(window)
    if mention is None and not _OUTSIDE.search(window.left[-80:]):
        before = said_of_item_before(window, context)
        if before is not None:
            return before
        is_next = bool(said) and said[-1].amount.end == window.before
        mention = governing_item(window, mentions, in_list=is_next)
    if mention is None or _OUTSIDE.search(f"{mention.key} {mention.part} {window.left[-80:]}"):
        return None
    found = measured(window, mention, context.subject, context.margin)
    if found is None or not said or found.part or not _WHICH_IMPLIES.search(window.left):
        return found
    return replace(found, part=said[-1].part, is_inherited=said[-1].is_inherited, follows_last=True)
