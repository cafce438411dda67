"""`read_guidance`: what a document says about coming periods, each statement with its exact words and their place."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from tradingagents.dataflows.reference.company_names import known_names
from tradingagents.retrieval.guidance.guided_items import Basis, guided_items
from tradingagents.retrieval.guidance.periods import FiscalClock, GuidedPeriod, PeriodMention
from tradingagents.retrieval.guidance.sentences.again import said_again
from tradingagents.retrieval.guidance.sentences.amounts import read_amounts
from tradingagents.retrieval.guidance.sentences.cues import AHEAD, looks_ahead, with_its_verb
from tradingagents.retrieval.guidance.sentences.measure import SEQUENTIAL, YEARLY
from tradingagents.retrieval.guidance.sentences.ranges import read_ranges
from tradingagents.retrieval.guidance.sentences.segments import (
    OF_SEGMENTS,
    THE_SEGMENT,
    called_parts,
    segment_of,
    speaks_of_a_part,
)
from tradingagents.retrieval.guidance.sentences.window import Measure, SaidRange, SentenceContext
from tradingagents.retrieval.guidance.speech import SpokenSentence, company_sentences
from tradingagents.retrieval.guidance.stated_period import NO_PERIOD, PeriodReading, stated_period
from tradingagents.retrieval.models import DocumentInfo, SourceDocument, TextPlace

if TYPE_CHECKING:
    from pydantic import TypeAdapter

READER, GUIDANCE_VERSION = "guidance", 2
"""Under which name and version a store holds what documents guide to; the version is raised with the rules."""
SENTENCES_ON = 10
"""Sentences for which a period that a heading or a statement names goes on to hold, within one turn."""
SEGMENT_ON = 5
"""The same for a segment."""
BASE_ON = 8
"""Sentences for which a growth may be counted from the quarter before, as one that names it is."""
LAST_ON = 2
"""Sentences within which a growth may be said of the last figure, where they name no other money."""
ENOUGH = 3
"""Statements for a year, and for nothing else, from which on a document guides for that year alone."""
PART_ON = 40
"""Sentences after one about a part of the company in which an item of segments may be of that part."""
_NEW_SLIDE = re.compile(
    r"\b(?:turn(?:ing)?|mov(?:e|ing)|go(?:ing)?|flip(?:ping)?|skip(?:ping)?) (?:now )?(?:ahead )?(?:on )?(?:to|onto) "
    r"(?:slide|page)\b",
    re.IGNORECASE,
)
_OF_ALL = frozenset({"eps", "tax_rate", "share_count"})
"""Items of the whole company: what follows them is of it too."""
_OUR_OUTLOOK = re.compile(
    r"\b(?:rais|lower|updat|increas|narrow|reaffirm|reiterat|maintain|improv)\w* (?:our )?(?:[\w\u2019'-]+ ){0,4}"
    r"(?:outlook|guidance|expectations?)\b|\bour (?:[\w\u2019'-]+ ){0,3}(?:outlook|guidance|expectations?)\b",
    re.IGNORECASE,
)
"""Words for the outlook of the company: that of a part is named with it."""
_HEADS = re.compile(
    r"\b(?:outlook|guidance|expectations?|modeling|look(?:ing)? (?:ahead|forward|at)|turn(?:ing)? to"
    r"|moving (?:on )?to|assumptions?"
    r"|commentary|update)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class GuidanceStatement:
    """A range or a figure that a company names for a coming period."""

    company: str
    """Ticker; empty if unknown."""
    item: str
    """Key of the item, or the company's own words for a key figure."""
    part: str
    """The segment, product or region that it is of; empty for the company."""
    period: GuidedPeriod
    measure: Measure
    unit: str
    """Currency code, `USD/share`, `percent`, `basis points`, `shares`, `ratio` or `count`."""
    low: float | None
    """Unscaled; None where only the other end is named."""
    high: float | None
    basis: Basis
    words: str
    """The sentence as it stands."""
    place: TextPlace
    document: str
    """Short name of the document."""
    form: str
    speaker: str
    role: str
    known_at: datetime
    since: int | None = None
    """The year that a growth is counted from where it is none of the year before."""
    by_model: bool = False
    """Whether a model read it, held to the words that it quoted, in place of a rule."""

    @property
    def key(self) -> tuple[str, str, GuidedPeriod, str, str, str, int | None]:
        """What two statements have in common that revise each other."""
        basis = "" if self.basis == "constant currency" and self.measure == "level" else self.basis
        return (self.item, self.part, self.period, self.measure, self.unit, basis, self.since)

    @property
    def middle(self) -> float | None:
        """The middle of the range; None where an end is open."""
        return None if self.low is None or self.high is None else (self.low + self.high) / 2


@dataclass(frozen=True, slots=True)
class GuidanceReading:
    """What a document guides to, and what is withheld of it."""

    info: DocumentInfo

    statements: tuple[GuidanceStatement, ...]
    withheld: tuple[WithheldRange, ...]
    unread: tuple[SpokenSentence, ...] = ()
    """Sentences that look ahead and have a figure, of which nothing is given out."""


@dataclass(frozen=True, slots=True)
class WithheldRange:
    """A figure that seems to be guided to and is not given out."""

    words: str
    """The sentence as it stands."""
    figure: str
    """The figure as printed."""
    reason: str
    """Why, in words."""
    place: TextPlace


@dataclass(slots=True)
class _SaidBefore:
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
    """Whether the sentence just before gives a statement."""
    words_before: str = ""
    """The sentence just before."""
    turn: int = -1

    def step(self, sentence: SpokenSentence) -> None:
        if sentence.turn != self.turn:
            self.period, self.period_age, self.segment, self.segment_age, self.turn = None, 99, "", 99, sentence.turn
            self.part_age = self.quarter_base_age = self.quarter_head_age = 99
            self.last, self.given, self.words_before = None, False, ""
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
        return self.period if self.period_age <= SENTENCES_ON else None

    @property
    def held_segment(self) -> str:
        return self.segment if self.segment_age <= SEGMENT_ON else ""


def read_guidance(document: SourceDocument) -> GuidanceReading:
    """Return what a document guides to, in its order; a figure said again for the same period is returned once.

    A figure whose period is not named, neither by its sentence nor by those before it, is withheld, as is one of which
    it is not plain what it is of.
    """
    reader = _GuidanceReader(document)
    for sentence in company_sentences(document):
        reader.read(sentence)
    return reader.result()


class _GuidanceReader:
    """Reads the sentences of one document, in its order."""

    def __init__(self, document: SourceDocument) -> None:
        self.document = document
        self.clock = FiscalClock(document.info)
        text = "\n".join(page.text for page in document.pages)
        self.names, self.parts, self.per_share = _own_names(document.info), called_parts(text), _item_per_share(text)
        self.context = _SaidBefore()
        self.found: list[GuidanceStatement] = []
        self.withheld: list[WithheldRange] = []
        self.unread: list[SpokenSentence] = []
        self.no_period: list[tuple[SpokenSentence, SaidRange, WithheldRange]] = []
        """What is prepared and names no period, with what is withheld of it."""

    def read(self, sentence: SpokenSentence) -> None:
        """Read the next sentence."""
        context = self.context
        context.step(sentence)
        text = with_its_verb(sentence.read_as) if context.given else sentence.read_as
        mentions = self.clock.mentions(text)
        plain = (context.is_turn_plain and context.segment_age <= 1) or THE_SEGMENT.search(text) is not None
        before = SentenceContext(
            context.held_segment, plain, self.names, self.parts, context.words_before, self.per_share
        )
        ranges = read_ranges(text, before)
        for said, around in zip(ranges, _gaps(text, ranges), strict=True):
            self._enter(sentence, text, said, stated_period(text, said.amount, mentions, around, self._held(sentence)))
        again = said_again(text, context.last[0]) if context.last and not ranges else None
        if again is not None and context.last is not None:
            self.found.append(_statement(self.document, sentence, again, context.last[1]))
        given = {statement.period for statement in self.found if statement.place == sentence.place}
        if not given and looks_ahead(text) and read_amounts(text):
            self.unread.append(sentence)
        _hold(context, sentence, mentions, ranges, given)
        context.given, context.words_before = bool(given), text
        if len(ranges) == 1 == len(given):
            context.last, context.last_age = (ranges[0], self.found[-1].period), 0
        elif ranges or context.last_age >= LAST_ON or any(one.kind == "money" for one in read_amounts(text)):
            context.last = None

    def _held(self, sentence: SpokenSentence) -> GuidedPeriod | None:
        return None if sentence.is_answer else self.context.held_period

    def _enter(self, sentence: SpokenSentence, text: str, said: SaidRange, reading: PeriodReading) -> None:
        """Enter a range as a statement, or as withheld with the reason; one of a past period is passed over."""
        reason = said.doubt or _of_a_part(said, self.context, text)
        if reading.period is not None and self.clock.is_past(reading.period):
            return
        if not reason and reading.period is not None:
            based = _on_its_base(said, reading.period, self.context, text)
            if based is not None:
                self.found.append(_statement(self.document, sentence, based, reading.period))
                return
            reason = "whether it is counted from the quarter before or the year before is not certain"
        if reason or reading.doubt:
            figure = text[said.amount.start : said.amount.end]
            dropped = WithheldRange(sentence.text, figure, reason or reading.doubt, sentence.place)
            self.withheld.append(dropped)
            if not reason and reading.doubt == NO_PERIOD and not sentence.is_answer:
                self.no_period.append((sentence, said, dropped))

    def result(self) -> GuidanceReading:
        """Return what was read."""
        only = self._only_period()
        for sentence, said, dropped in self.no_period if only is not None else ():
            named = {mention.period for mention in self.clock.mentions(sentence.read_as)}
            in_parts = any(period is None or period.quarter or period.half for period in named)
            if only is not None and not in_parts and said.item in guided_items() and said.measure != "sequential":
                self.withheld.remove(dropped)
                self.found.append(_statement(self.document, sentence, said, only))
        found = sorted(self.found, key=lambda one: (one.place.page, one.place.start))
        withheld, unread = tuple(self.withheld), tuple(self.unread)
        return GuidanceReading(self.document.info, tuple(_once(found)), withheld, unread)

    def _only_period(self) -> GuidedPeriod | None:
        """Return the year for which alone a document guides; None where it guides for less than a year too."""
        if self.document.info.kind != "call":
            return None  # a filing speaks of plans and programmes too
        periods = {statement.period for statement in self.found}
        only = periods.pop() if len(periods) == 1 else None
        return only if only == self.clock.guided_year and len(self.found) >= ENOUGH else None


def encode_reading(document: SourceDocument) -> bytes:
    """Read a document and return what it guides to, compressed."""
    return zlib.compress(_readings().dump_json(read_guidance(document)), 6)


def decode_reading(content: bytes) -> GuidanceReading:
    """Return the reading that `encode_reading` made this of."""
    reading: GuidanceReading = _readings().validate_json(zlib.decompress(content))
    return reading


@cache
def _readings() -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(GuidanceReading)


def _gaps(text: str, ranges: Sequence[SaidRange]) -> list[tuple[int, int]]:
    """Return for each range the characters between the figure before it and the one behind it."""
    amounts = read_amounts(text) if ranges else []
    return [
        (
            max((one.end for one in amounts if one.end <= said.amount.start), default=0),
            min((one.start for one in amounts if one.start >= said.amount.end), default=len(text)),
        )
        for said in ranges
    ]


def _of_a_part(said: SaidRange, context: _SaidBefore, text: str) -> str:
    """Return why a figure without a part is doubted: the sentences before it speak of one."""
    if not said.part and said.item not in guided_items() and context.held_segment and context.segment_age <= 2:
        return f"whether it is of {context.held_segment!r} or of the whole company is not certain"
    if said.part or said.is_whole or said.item not in OF_SEGMENTS or context.part_age > PART_ON:
        return ""
    if _OUR_OUTLOOK.search(text):
        return ""
    return "the sentences before it speak of a part of the company"


def _counts_from_quarter(text: str) -> bool:
    """Tell whether a sentence begins with the quarter before as the base of what it, or the next ones, expect."""
    base, ahead = SEQUENTIAL.search(text), AHEAD.search(text)
    return base is not None and ahead is not None and base.start() < ahead.start()


def _on_its_base(said: SaidRange, period: GuidedPeriod, context: _SaidBefore, text: str) -> SaidRange | None:
    """Return a growth with its base; None where it may be counted from the quarter before or from the year before.

    One that opens with the quarter before, as in `Looking at the fourth quarter compared to the third`, counts from it
    what the next sentences expect of that quarter.
    """
    if said.measure != "growth" or YEARLY.search(text) or period.quarter is None:
        return said
    if context.quarter_head_age <= BASE_ON:
        return replace(said, measure="sequential")
    return None if context.quarter_base_age <= BASE_ON else said


def _item_per_share(text: str) -> str:
    """Return by which item a company guides by share: funds from operations where it speaks of them more often."""
    operations = len(re.findall(r"\bFFO\b|\bfunds from operations\b", text))
    return "ffo" if operations > len(re.findall(r"\bEPS\b|\bearnings per (?:\w+ )?share\b", text)) else "eps"


def _hold(
    context: _SaidBefore,
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
        context.turn_to(ranges[-1].turns_to, is_plain=False)
    elif any(said.item in _OF_ALL and not said.part for said in ranges):
        context.turn_to("", is_plain=True)
    coming = {mention.period for mention in mentions if mention.period is not None and _is_coming(mention)}
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


def _is_coming(mention: PeriodMention) -> bool:
    return not (mention.is_comparison or mention.is_past or mention.horizon)


def _statement(
    document: SourceDocument, sentence: SpokenSentence, said: SaidRange, period: GuidedPeriod
) -> GuidanceStatement:
    amount, info = said.amount, document.info
    low: float | None = amount.low
    high: float | None = amount.high
    if said.bound == "at least" and not amount.is_range:
        high = None
    if said.bound == "at most" and not amount.is_range:
        low = None
    return GuidanceStatement(
        company=info.symbol,
        item=said.item,
        part=_without_company(said.part, info),
        period=period,
        measure=said.measure,
        unit=_unit(said),
        low=low,
        high=high,
        basis=said.basis,
        words=sentence.text,
        place=sentence.place,
        document=info.name,
        form=info.form,
        speaker=sentence.speaker,
        role=sentence.role,
        known_at=info.known_at,
        since=said.since if said.since != period.year - 1 else None,
    )


def _own_names(info: DocumentInfo) -> frozenset[str]:
    """Return the words of a company's names, in lower case."""
    names = known_names(info.symbol, info.company) if info.symbol else (info.company,)
    return frozenset(word for name in (*names, info.symbol) for word in re.findall(r"[\w&]+", name.lower()))


def _without_company(part: str, info: DocumentInfo) -> str:
    """Return a part without the name of the company itself: all of it is no part."""
    own = part.replace("'s", "").replace("\u2019s", "").strip()
    names = {name.lower() for name in known_names(info.symbol, info.company)} if info.symbol else set()
    begins = bool(info.symbol) and len(info.symbol) > 2 and own.startswith(info.symbol.lower())
    if own in names or (begins and " " not in own):
        return ""
    first = next((name for name in sorted(names, key=len, reverse=True) if own.startswith(f"{name} ")), "")
    return own.removeprefix(first).strip() if first else part


def _unit(said: SaidRange) -> str:
    amount = said.amount
    if amount.kind == "money":
        item = guided_items().get(said.item)
        small = not amount.scaled and abs(amount.high) < 1000
        if amount.per and amount.per != "quarter":
            return f"{amount.currency}/{amount.per}"
        if small and item is not None and (item.unit == "per_share" or said.item == "dividends"):
            return f"{amount.currency}/share"
        return amount.currency
    if amount.kind == "count":
        item = guided_items().get(said.item)
        return (
            "shares"
            if item is not None and item.unit == "shares"
            else "ratio"
            if item and item.unit == "ratio"
            else "count"
        )
    return amount.kind


def _once(found: Iterable[GuidanceStatement]) -> list[GuidanceStatement]:
    """Return statements without those that say the same again; the one that states its basis stands for the others."""
    kept: list[GuidanceStatement] = []
    for statement in found:
        same = next((number for number, one in enumerate(kept) if _says_again(one, statement)), None)
        if same is None:
            kept.append(statement)
        elif not kept[same].basis and statement.basis:
            kept[same] = replace(kept[same], basis=statement.basis)
    return kept


def _says_again(first: GuidanceStatement, second: GuidanceStatement) -> bool:
    same = (first.item, first.part, first.period, first.measure, first.low, first.high, first.since, first.unit) == (
        second.item, second.part, second.period, second.measure, second.low, second.high, second.since, second.unit
    )  # fmt: skip
    return same and (first.basis == second.basis or not first.basis or not second.basis)
