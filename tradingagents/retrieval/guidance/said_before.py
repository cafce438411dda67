"""`SaidBefore`: what the sentences before one have named, within a turn: period, segment, base, last figure."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from tradingagents.retrieval.guidance.guided_items import guided_items
from tradingagents.retrieval.guidance.periods import GuidedPeriod, PeriodMention
from tradingagents.retrieval.guidance.sentences.amounts import read_amounts
from tradingagents.retrieval.guidance.sentences.cues import AHEAD, looks_ahead
from tradingagents.retrieval.guidance.sentences.measure import SEQUENTIAL, YEARLY
from tradingagents.retrieval.guidance.sentences.segments import OF_SEGMENTS, segment_of, speaks_of_a_part
from tradingagents.retrieval.guidance.sentences.window import SaidRange
from tradingagents.retrieval.guidance.speech import SpokenSentence

SENTENCES_ON = 10
"""Sentences for which a period that a heading or a statement names goes on to hold, within one turn."""
SEGMENT_ON = 5
"""The same for a segment."""
BASE_ON = 8
"""Sentences for which a growth may be counted from the quarter before, as one that names it is."""
PART_ON = 25
"""Sentences after one about a part of the company in which an item of segments may be of that part."""
_NEW_SLIDE = re.compile(
    r"\b(?:turn(?:ing)?|mov(?:e|ing)|go(?:ing)?|flip(?:ping)?|skip(?:ping)?) (?:now )?(?:ahead )?(?:on )?(?:to|onto) "
    r"(?:slide|page)\b",
    re.IGNORECASE,
)
_OF_ALL = frozenset({"eps", "tax_rate", "share_count"})
"""Items of the whole company: what follows them is of it too."""
_OF_PARTS_TOO = frozenset({"net_income", "free_cash_flow", "operating_cash_flow", "gross_margin", "operating_expenses"})
"""Items that are of the whole company unless the sentence just before turns to a part of it."""
_OUR_OUTLOOK = re.compile(
    r"\b(?:rais|lower|updat|increas|narrow|reaffirm|reiterat|maintain|improv|initiat)\w* (?:our )?"
    r"(?:[\w\u2019'-]+ ){0,5}(?:outlook|guidance|expectations?)\b"
    r"|\bour (?:[\w\u2019'-]+ ){0,5}(?:outlook|guidance|expectations?)\b"
    r"|\bwe(?: are|[\u2019']re)(?: now)? guiding (?:to|for)\b",
    re.IGNORECASE,
)
"""Words for the outlook of the company: that of a part is named with it."""
_OF_OUTLOOK = r"(?:outlook|guidance|guide|expectations?|forecast)"
_OUTLOOK_BEHIND = re.compile(rf" (?:[\w\u2019'-]+ ){{0,2}}{_OF_OUTLOOK}\b", re.IGNORECASE)
_OUTLOOK_BEFORE = re.compile(rf"\b{_OF_OUTLOOK} for (?:the |our )?$", re.IGNORECASE)
"""Words next to a period that make it the one that a heading is about, whatever others it names."""
REFERS_BACK = re.compile(
    r"(?:this|that|these|it) (?:also )?"
    r"(?:reflects?|includes?|represents?|assumes?|compares?|incorporates?)\b",
    re.I,
)
"""A sentence about the figure before it: a period that it names is none that the guidance turns to."""
_HEADS = re.compile(
    r"\b(?:outlook|guidance|as follows|expectations?|modeling|look(?:ing)? (?:\w+ )?(?:ahead|forward|at)"
    r"|turn(?:ing)? to"
    r"|moving (?:on )?to|assumptions?"
    r"|commentary|update)\b",
    re.IGNORECASE,
)


@dataclass(slots=True)
class SaidBefore:
    """What the sentences before one have named, within a turn."""

    period: GuidedPeriod | None = None
    period_age: int = 99
    segment: str = ""
    segment_age: int = 99
    is_turn_plain: bool = False
    """Whether it is plain that what follows is of the segment."""
    part_age: int = 99
    """Sentences since any part of the company was spoken of."""
    quarter_base_age: int = 99
    """Sentences since one that counts what is expected from the quarter before."""
    quarter_head_age: int = 99
    """Sentences since one that opens with the quarter before as the base of what follows."""
    last: tuple[SaidRange, GuidedPeriod] | None = None
    """What the last sentence with a figure guides to, and for when; None where it is not one figure."""
    last_age: int = 99
    given: bool = False
    """Whether the sentence just before gives a statement, or is an entry of a list of them."""
    given_items: frozenset[str] = frozenset()
    """Items that the sentence just before gives."""
    words_before: str = ""
    """The sentence just before."""
    turn: int = -1

    def step(self, sentence: SpokenSentence) -> None:
        """Go on to the next sentence; another turn forgets what the one before named."""
        if sentence.turn != self.turn:
            self.period, self.period_age, self.segment, self.segment_age, self.turn = None, 99, "", 99, sentence.turn
            self.part_age = self.quarter_base_age = self.quarter_head_age = 99
            self.last, self.given, self.given_items, self.words_before = None, False, frozenset(), ""
        self.period_age += 1
        self.last_age += 1
        self.quarter_base_age += 1
        self.quarter_head_age = 0 if _counts_from_quarter(sentence.read_as) else self.quarter_head_age + 1
        self.segment_age += 1
        self.part_age += 1
        turned = segment_of(sentence.read_as)
        if turned is not None:
            self.turn_to(turned.words, is_plain=turned.is_plain)
        elif speaks_of_a_part(sentence.read_as):
            self.part_age = 0

    def turn_to(self, segment: str, *, is_plain: bool) -> None:
        """Go on to a segment, or with an empty one to the whole company."""
        self.segment, self.segment_age, self.is_turn_plain = segment, 0, is_plain
        self.part_age = 0 if segment else 99

    @property
    def held_period(self) -> GuidedPeriod | None:
        """The period that still holds; None without one."""
        return self.period if self.period_age <= SENTENCES_ON else None

    @property
    def held_segment(self) -> str:
        """The segment that still holds; empty for the company."""
        return self.segment if self.segment_age <= SEGMENT_ON else ""


def of_a_part(said: SaidRange, context: SaidBefore, text: str) -> str:
    """Return why a figure without a part is doubted: the sentences before it speak of one."""
    near = 2 if said.item not in guided_items() else 0
    if said.item in _OF_PARTS_TOO and not _OUR_OUTLOOK.search(text):
        near = 1
    if not (said.part or said.is_whole) and context.held_segment and context.segment_age <= near:
        return f"whether it is of {context.held_segment!r} or of the whole company is not certain"
    if said.part or said.is_whole or said.item not in OF_SEGMENTS or context.part_age > PART_ON:
        return ""
    settled = said.basis == "adjusted" and context.segment_age > SEGMENT_ON
    opens = said.amount.is_range and context.part_age > 0 and said.amount.start == read_amounts(text)[0].start
    if _OUR_OUTLOOK.search(text) or said.basis == "GAAP" or settled or opens:
        return ""  # parts of a company are not reported by accounting rules of the whole, nor guided to by a bare range
    return "the sentences before it speak of a part of the company"


def _counts_from_quarter(text: str) -> bool:
    """Tell whether a sentence begins with the quarter before as the base of what it, or the next ones, expect."""
    base, ahead = SEQUENTIAL.search(text), AHEAD.search(text)
    return base is not None and ahead is not None and base.start() < ahead.start()


def on_its_base(said: SaidRange, period: GuidedPeriod, context: SaidBefore, text: str) -> SaidRange | None:
    """Return a growth with its base; None where it may be counted from the quarter before or from the year before.

    One that opens with the quarter before, as in `Looking at the fourth quarter compared to the third`, counts from it
    what the next sentences expect of that quarter.
    """
    if said.measure != "growth" or YEARLY.search(text) or period.quarter is None:
        return said
    if context.quarter_head_age <= BASE_ON:
        return replace(said, measure="sequential")
    return None if context.quarter_base_age <= BASE_ON else said


def hold(
    context: SaidBefore,
    sentence: SpokenSentence,
    mentions: Sequence[PeriodMention],
    ranges: Sequence[SaidRange],
    given: Set[GuidedPeriod],
) -> None:
    """Keep the one coming period that a heading or a statement names; forget the last one where it names several.

    Args:
        context: What is kept.
        sentence: The sentence after which it is kept.
        mentions: The periods that the sentence names.
        ranges: What it guides to.
        given: The periods of the statements that are given out of it.
    """
    if any(said.measure == "sequential" for said in ranges):
        context.quarter_base_age = 0
    if ranges and ranges[-1].turns_to:
        context.turn_to(ranges[-1].turns_to, is_plain=bool(given))
    elif any(said.item in _OF_ALL and not said.part for said in ranges):
        context.turn_to("", is_plain=True)
    if not ranges and REFERS_BACK.match(sentence.read_as):
        return
    coming = {mention.period for mention in mentions if mention.period is not None and is_coming(mention)}
    if not ranges and len(coming) > 1:
        headed = {one.period for one in mentions if one.period in coming and _is_of_outlook(sentence.read_as, one)}
        coming = headed if len(headed) == 1 else coming
    if ranges and not coming and context.held_period is not None:
        context.period_age = 0  # the guidance goes on
    if not coming:
        if _NEW_SLIDE.search(sentence.read_as) and not _HEADS.search(_NEW_SLIDE.sub(" ", sentence.read_as)):
            context.period = None  # another subject begins, of a period that is not named yet
        return
    if coming == {context.period}:
        context.period_age = 0
        return
    if not (ranges or _HEADS.search(sentence.read_as) or sentence.read_as.endswith(":")):
        if looks_ahead(sentence.read_as) and coming != {context.period} and read_amounts(sentence.read_as):
            context.period = None  # a statement about another period, which was not read
        return
    if ranges and context.held_period in coming:
        context.period_age = 0  # the guidance goes on, and names a part of its period
        return
    if ranges and not coming & given:
        context.period = None  # what it guides to is not said to be of the period that it names
        return
    context.period = coming.pop() if len(coming) == 1 else None
    context.period_age = 0


def _is_of_outlook(text: str, mention: PeriodMention) -> bool:
    """Tell whether a sentence names a period as that of its outlook: `our full-year 2025 outlook`."""
    behind = _OUTLOOK_BEHIND.match(text, mention.end)
    return behind is not None or _OUTLOOK_BEFORE.search(text, 0, mention.start) is not None


def is_coming(mention: PeriodMention) -> bool:
    """Tell whether a period is one that a document may guide for."""
    return not (mention.is_comparison or mention.is_past or mention.horizon)
