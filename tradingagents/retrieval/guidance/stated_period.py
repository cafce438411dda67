"""Of which coming period a figure is: the one that its sentence, or a heading before it, names without a doubt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from tradingagents.retrieval.guidance.guided_items import item_mentions
from tradingagents.retrieval.guidance.periods import GuidedPeriod, PeriodMention
from tradingagents.retrieval.guidance.sentences.amounts import Amount
from tradingagents.retrieval.text_figures import MONTHS

_ELSEWHERE = re.compile(
    r"\b(?:reflect\w*|driven|due|which|inclu[ds]\w*|with|compared|versus|led by|because|benefit\w*|support\w*"
    r"|partially|as"
    r"|from|that|where|while|and|but|after|before|than|relative|over|assum\w*|based|given|since)\b|;",
    re.IGNORECASE,
)
"""Words behind which a period belongs to something else than the figure before them."""
_ASIDE_BEHIND = re.compile(r", (?:[\w-]+ of )?which\b|\bdriven by\b|\bcompared (?:to|with)\b", re.IGNORECASE)
"""Words behind which a sentence says more of a figure, and may name another period."""
_WHY = re.compile(
    r", with\b|\bas (?:the|we|our|it|higher|lower|a)\b|\b(?:because|due to|reflecting|supported by|despite"
    r"|although|given)\b",
    re.IGNORECASE,
)
"""Words behind which a sentence says why: of parts of the period too."""
_TWO_NAMES = re.compile(r"\b([A-Z][\w.]*) and ([A-Z]\w+)")
_JOINED = re.compile(
    r"(?: (?!(?:and|or|versus|compared|from|to|reflect\w*|up|down|than|over|as|with|which|that|above|below"
    r"|includ\w+|due"
    r"|based|given|since|before|after)\b)[\w&\u2019'.-]+){0,9}? ?",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"(?P<year>\b(?:for|in|of|during|over) (?:the|this) (?:fiscal )?year\b)"
    r"|(?P<quarter>\b(?:for|in|of|during|over) (?:the|this) quarter\b)"
    r"|\b(?:in|for|by|of|during|and) the (?:first|second|third|fourth|back"
    r"|front)\b(?![ -](?:fiscal )?(?:quarter|half|time))"
    r"|\b(?:end|ends|ending|enter|entering|exit|exiting|finish|finishing|close|closing)\b(?: out)? (?:of |in |at )?"
    r"(?:the |this |our )?(?:fiscal |calendar )?(?:year|quarter|half|20\d\d|q[1-4])\b"
    r"|\bnext (?:\d+|twelve|two|three|four|five|several|few|couple)\b|\b(?<!last )(?<!past )(?:months?|weeks|decade)\b"
    r"|\b(?:rest|remainder|balance) of\b(?! the P&L| (?:the |our )?world)"
    r"|\bremaining (?:\w+ )?(?:quarters?|months|year|half)\b"
    r"|\byear[- ]end\b"
    rf"|\b(?:early|mid|late|in|by|of|through) ?-?(?:early |mid-|late )?(?:{'|'.join(MONTHS)})\b(?! quarter| \d|-)"
    r"|\b(?:early|late|mid)[ -](?:in )?(?:next|this|the) (?:fiscal |calendar )?year\b|\bover time\b|\bmidyear\b",
    re.IGNORECASE,
)
"""Words for a time that name no fiscal period, or name it only loosely."""


_AND_ALSO = re.compile(r",? (?:and|or)(?: (?:in|into|for|the|early|late|mid))*[ -]", re.IGNORECASE)
"""Words between two periods of which both are meant: `the fourth quarter and early next year`."""
NO_PERIOD = "no words near it say for which period it is"


class PeriodReading(NamedTuple):
    """The period of a figure, or why none is given."""

    period: GuidedPeriod | None
    doubt: str = ""
    """Why it is not certain; empty where it is, and where the figure is of a period that is past or far."""
    is_held: bool = False
    """Whether its sentence names none, and the one that holds is taken."""


def stated_period(
    text: str, amount: Amount, mentions: Sequence[PeriodMention], around: tuple[int, int], held: GuidedPeriod | None
) -> PeriodReading:
    """Return the period of a figure.

    Args:
        text: Its sentence.
        amount: The figure.
        mentions: The periods that the sentence names.
        around: Characters between the figure before it and the one behind it.
        held: The coming period that a heading or the sentences before name; None without one.
    """
    named = [mention for mention in mentions if not mention.is_comparison]
    chosen, is_joined = _chosen(text, amount, named)
    if chosen is None:
        aside = _ASIDE_BEHIND.search(text, amount.end)
        end = aside.start() if aside else len(text)
        why = _WHY.search(text, amount.end)
        later = {
            one.period
            for one in named
            if amount.end <= one.start < end
            and not one.is_past
            and not (why is not None and why.end() <= one.start and _is_within(one.period, held))
        }
        if held is None or later - {held}:
            return PeriodReading(None, NO_PERIOD)
        cut = _ELSEWHERE.search(text, amount.end, around[1])
        last = cut.start() if cut else around[1]
        compared = (one for one in mentions if one.is_comparison and not one.is_past and one.start < last)
        if any(one.period not in (None, held) for one in compared):
            return PeriodReading(None, "its sentence names another coming period")
        ahead = [found.end() for found in _WE_EXPECT.finditer(text, 0, amount.start)]
        first = ahead[-1] if ahead else 0  # what stands before is why it is expected
        shifted = [replace(one, start=one.start - first, end=one.end - first) for one in mentions]
        loose = _loose(text[first:last], held, shifted)
        return PeriodReading(None, f"{loose!r} leaves the period open") if loose else PeriodReading(held, is_held=True)
    if chosen.is_past or chosen.horizon:
        return PeriodReading(None)
    if chosen.period is None:
        return PeriodReading(None, "which period its words mean is not clear")
    if not is_joined and any(
        _AND_ALSO.fullmatch(text[one.end : chosen.start]) for one in named if one.end <= chosen.start
    ):
        return PeriodReading(None, "its sentence names more than one period")
    start, end = around[0], around[1]
    cut = _ELSEWHERE.search(text, amount.end, end)
    ahead = [found.end() for found in _WE_EXPECT.finditer(text, 0, amount.start)]
    first = min(start, chosen.start) if not is_joined else start
    region = (max([first, *ahead[-1:]]), cut.start() if cut else end)  # what stands before is why it is expected
    others = {one.period for one in named if region[0] <= one.start < region[1] and not one.is_past} - {chosen.period}
    if others and not (is_joined and all(one.end <= amount.start for one in named if one.period in others)):
        return PeriodReading(None, "its sentence names more than one period")
    plain = _without(text, mentions)[region[0] : region[1]]
    loose = _loose(plain, chosen.period, ())
    return PeriodReading(None, f"{loose!r} leaves the period open") if loose else PeriodReading(chosen.period)


def _is_within(period: GuidedPeriod | None, whole: GuidedPeriod | None) -> bool:
    """Tell whether a period is a quarter or a half of a year."""
    if period is None or whole is None or whole.quarter or whole.half:
        return False
    return period.year == whole.year and (period.quarter or period.half) is not None


def _chosen(text: str, amount: Amount, named: Sequence[PeriodMention]) -> tuple[PeriodMention | None, bool]:
    """Return the period that the words of a figure name, and whether it stands right behind the figure."""
    behind = next((mention for mention in named if mention.start >= amount.end), None)
    if behind is not None and _is_joined(text[amount.end : behind.start]):
        return behind, True
    left = [mention for mention in named if mention.end <= amount.start]
    if left and not (left[-1].is_past and _WE_EXPECT.search(text, left[-1].end, amount.start)):
        return left[-1], False
    text = _TWO_NAMES.sub(lambda names: f"{names[1]} ... {names[2]}", text)
    near = [mention for mention in named if not _ELSEWHERE.search(text[amount.end : mention.start])]
    if near and len({mention.period for mention in near}) == 1 and near[0].start - amount.end <= _NEAR:
        return near[0], False
    return None, False


_WE_EXPECT = re.compile(
    r",[^,]* we (?:now |still |continue to |currently )?(?:expect|project|anticipate|forecast)\b", re.IGNORECASE
)
"""What stands before these words, behind a comma, is why it is expected: of a past period, the figure is not."""


def _is_joined(between: str) -> bool:
    """Tell whether the words between a figure and a period join them: only what is counted stands there."""
    named = item_mentions(between) if re.match(r" (?:of|in) ", between) else []
    if len(named) == 1:
        between = re.sub(r"\band\b", "...", between[: named[0].end]) + between[named[0].end :]
    return _JOINED.fullmatch(between) is not None


_NEAR = 80
"""Characters behind a figure within which the only period of a sentence is taken to be its own."""


def _without(text: str, mentions: Sequence[PeriodMention]) -> str:
    """Return a sentence with blanks in place of the quarters and halves that it names: `back half of the year`."""
    for mention in mentions:
        if mention.period is not None and (mention.period.quarter or mention.period.half):
            text = text[: mention.start] + " " * (mention.end - mention.start) + text[mention.end :]
    return text


_AT_ITS_END = re.compile(r"\b(?:by|at) (?:the )?end of (?:the |this )?(?:fiscal )?(?:year|20\d\d)$", re.IGNORECASE)
"""What stands at the end of a year is guided to for that year."""


def _loose(text: str, period: GuidedPeriod, mentions: Sequence[PeriodMention]) -> str:
    """Return words for a time that may be another than a period; empty without any."""
    is_year = period.quarter is None and period.half is None
    for match in _LOOSE.finditer(text):
        if (match["year"] and is_year) or (match["quarter"] and period.quarter is not None):
            continue
        if is_year and _AT_ITS_END.search(text, 0, match.end()):
            continue
        if any(one.start <= match.start() and match.end() <= one.end for one in mentions):
            continue
        return match[0]
    return ""
