"""`read_guidance`: what a document says about coming periods, each statement with its exact words and their place."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from tradingagents.dataflows.reference.company_names import known_names
from tradingagents.dataflows.reference.currencies import UNSTATED_UNIT
from tradingagents.retrieval.guidance.guided_items import Basis, guided_items
from tradingagents.retrieval.guidance.periods import FiscalClock, GuidedPeriod
from tradingagents.retrieval.guidance.said_before import (
    REFERS_BACK,
    SaidBefore,
    hold,
    is_coming,
    of_a_part,
    on_its_base,
)
from tradingagents.retrieval.guidance.sentences.again import said_again
from tradingagents.retrieval.guidance.sentences.amounts import read_amounts
from tradingagents.retrieval.guidance.sentences.cues import looks_ahead, with_its_verb
from tradingagents.retrieval.guidance.sentences.measure import SEQUENTIAL, YEARLY
from tradingagents.retrieval.guidance.sentences.ranges import read_ranges
from tradingagents.retrieval.guidance.sentences.segments import OF_SEGMENTS, THE_SEGMENT, called_parts
from tradingagents.retrieval.guidance.sentences.window import Measure, SaidRange, SentenceContext, clause_behind
from tradingagents.retrieval.guidance.speech import SpokenSentence, company_sentences
from tradingagents.retrieval.guidance.stated_period import NO_PERIOD, PeriodReading, stated_period
from tradingagents.retrieval.models import DocumentInfo, SourceDocument, TextPlace

if TYPE_CHECKING:
    from pydantic import TypeAdapter

READER, GUIDANCE_VERSION = "guidance", 15
"""Under which name and version a store holds what documents guide to; the version is raised with the rules."""
NO_BASE = "whether it is counted from the quarter before or the year before is not certain"
LAST_ON = 2
"""Sentences within which a growth may be said of the last figure, where they name no other money."""
_PART_OF_A_YEAR = re.compile(r"\b(?:quarter|half|weeks|months)\b", re.IGNORECASE)
"""Words of a sentence that is hardly of the one year that a document guides for."""
ENOUGH = 3
"""Statements for a year, and for nothing else, from which on a document guides for that year alone."""


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
        self.has_operating_margin = re.search(r"\boperating margins?\b", text, re.IGNORECASE) is not None
        self.in_dollars = "$" in text and not re.search(r"[\u20ac\u00a3\u00a5]", text)
        self.context = SaidBefore()
        self.found: list[GuidanceStatement] = []
        self.withheld: list[WithheldRange] = []
        self.unread: list[SpokenSentence] = []
        self.no_period: list[tuple[SpokenSentence, SaidRange, WithheldRange, int]] = []
        """What is prepared and names no period, with what is withheld of it, and how many periods are named before."""
        self.named: list[GuidedPeriod] = []
        """The coming periods that the prepared sentences name, in their order."""

    def read(self, sentence: SpokenSentence) -> None:
        """Read the next sentence."""
        context = self.context
        context.step(sentence)
        is_headed = self.document.info.kind == "call" and self._held(sentence) is not None
        text = sentence.read_as
        if context.given or is_headed:
            text = with_its_verb(text, goes_on=context.given, before=context.words_before)
        mentions = self.clock.mentions(text)
        plain = (context.is_turn_plain and context.segment_age <= 1) or THE_SEGMENT.search(text) is not None
        before = SentenceContext(
            subject=context.held_segment,
            is_turn_plain=plain,
            turn_items=context.given_items,
            company=self.names,
            parts=self.parts,
            before=context.words_before,
            margin="operating_margin" if self.has_operating_margin else "",
            per_share=self.per_share,
        )
        ranges = read_ranges(text, before)
        for said, around in zip(ranges, _gaps(text, ranges), strict=True):
            self._enter(sentence, text, said, stated_period(text, said.amount, mentions, around, self._held(sentence)))
        again = said_again(text, context.last[0]) if context.last and not ranges else None
        if again is not None and context.last is not None:
            self.found.append(_statement(self.document, sentence, again, context.last[1]))
        here = [statement for statement in self.found if statement.place == sentence.place]
        given = {statement.period for statement in here}
        if not given and looks_ahead(text) and read_amounts(text):
            self.unread.append(sentence)
        if not (sentence.is_answer or REFERS_BACK.match(text)):
            self.named += [mention.period for mention in mentions if mention.period is not None and is_coming(mention)]
        hold(context, sentence, mentions, ranges, given)
        context.given, context.words_before = bool(given) or text != sentence.read_as, text
        context.given_items = frozenset(statement.item for statement in here)
        if len({(said.item, said.part) for said in ranges}) == 1 == len(given):
            context.last, context.last_age = (ranges[0], self.found[-1].period), 0
        elif ranges or context.last_age >= LAST_ON or any(one.kind == "money" for one in read_amounts(text)):
            context.last = None

    def _held(self, sentence: SpokenSentence) -> GuidedPeriod | None:
        return None if sentence.is_answer else self.context.held_period

    def _enter(self, sentence: SpokenSentence, text: str, said: SaidRange, reading: PeriodReading) -> None:
        """Enter a range as a statement, or as withheld with the reason; one of a past period is passed over."""
        if said.amount.currency == UNSTATED_UNIT:
            said = self._in_currency(said)
        reason = said.doubt or of_a_part(said, self.context, text)
        clause = text[: said.amount.end] + clause_behind(text, said.amount.end)
        if reading.period is not None and reading.period.quarter is None and SEQUENTIAL.search(clause):
            reason = reason or "it is counted from the quarter before, and for which quarter is not said"
        if reading.period is not None and self.clock.is_past(reading.period):
            return
        if reading.is_held and reading.period is not None:
            reason = reason or self._doubt_of_held(said, reading.period)
        if not reason and reading.period is not None:
            based = on_its_base(said, reading.period, self.context, text)
            if based is not None:
                self.found.append(_statement(self.document, sentence, based, reading.period))
                return
            reason = NO_BASE
        if reason or reading.doubt:
            figure = text[said.amount.start : said.amount.end]
            dropped = WithheldRange(sentence.text, figure, reason or reading.doubt, sentence.place)
            self.withheld.append(dropped)
            if not reason and reading.doubt == NO_PERIOD and not sentence.is_answer:
                self.no_period.append((sentence, said, dropped, len(self.named)))

    def _doubt_of_held(self, said: SaidRange, period: GuidedPeriod) -> str:
        """Return why a figure is hardly of the period that only a sentence before it names."""
        guided = self.clock.guided_year
        if guided is not None and period.year > guided.year + 1:
            return "the period that the sentences before it name is the end of several years"
        if said.amount.kind == "ratio" and not said.amount.is_range:
            return "whether it is a standing goal or of the period that is guided for is not certain"
        return ""

    def _in_currency(self, said: SaidRange) -> SaidRange:
        """Return money whose sign a speaker leaves out in dollars, where the document names no other money."""
        if not self.in_dollars:
            return replace(said, doubt=said.doubt or "in which currency it is, is not said")
        return replace(said, amount=replace(said.amount, currency="USD"))

    def result(self) -> GuidanceReading:
        """Return what was read."""
        only = self._only_period()
        for sentence, said, dropped, place in self.no_period:
            of_all = said.part or said.is_whole or said.amount.is_range or said.item not in OF_SEGMENTS
            period = only or (self._named_around(place) if of_all else None)
            if period is None or self._is_of_another(sentence, period) or self._doubt_of_held(said, period):
                continue
            if said.item in guided_items() and said.measure != "sequential":
                self.withheld.remove(dropped)
                self.found.append(_statement(self.document, sentence, said, period))
        self._withhold_without_base()
        found = sorted(self.found, key=lambda one: (one.place.page, one.place.start))
        given = {one.place for one in found}
        withheld = tuple(self.withheld)
        unread = tuple(sentence for sentence in self.unread if sentence.place not in given)
        return GuidanceReading(self.document.info, tuple(_once(found)), withheld, unread)

    def _named_around(self, place: int) -> GuidedPeriod | None:
        """Return the guided year where sentences before and behind name it; None where they name another period."""
        if self.document.info.kind != "call" or not 0 < place < len(self.named):
            return None
        before, behind = self.named[place - 1], self.named[place]
        return before if before == behind == self.clock.guided_year else None

    def _is_of_another(self, sentence: SpokenSentence, period: GuidedPeriod) -> bool:
        """Tell whether a sentence speaks of a part of the year, or counts from the quarter before."""
        named = {mention.period for mention in self.clock.mentions(sentence.read_as)} - {period}
        in_parts = any(one is None or one.quarter or one.half for one in named)
        is_part = period.quarter is None and _PART_OF_A_YEAR.search(sentence.read_as) is not None
        return in_parts or is_part or SEQUENTIAL.search(sentence.read_as) is not None

    def _withhold_without_base(self) -> None:
        """Withhold growths of a quarter that name no base, where the document counts others from the quarter before."""
        counted_so = {one.period for one in self.found if one.measure == "sequential"}
        for one in list(self.found):
            if one.measure == "growth" and one.period in counted_so and not YEARLY.search(one.words):
                self.found.remove(one)
                self.withheld.append(WithheldRange(one.words, _printed(one), NO_BASE, one.place))

    def _only_period(self) -> GuidedPeriod | None:
        """Return the year for which alone a document guides; None where it guides for less than a year too."""
        if self.document.info.kind != "call":
            return None  # a filing speaks of plans and programmes too
        periods = {statement.period for statement in self.found}
        only = periods.pop() if len(periods) == 1 else None
        return only if only == self.clock.guided_year and len(self.found) >= ENOUGH else None


def _printed(statement: GuidanceStatement) -> str:
    """Return the percentages of a growth."""
    ends = dict.fromkeys(f"{end:g}%" for end in (statement.low, statement.high) if end is not None)
    return " to ".join(ends)


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


def _item_per_share(text: str) -> str:
    """Return by which item a company guides by share: funds from operations where it speaks of them more often."""
    operations = len(re.findall(r"\bFFO\b|\bfunds from operations\b", text))
    return "ffo" if operations > len(re.findall(r"\bEPS\b|\bearnings per (?:\w+ )?share\b", text)) else "eps"


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
    own = re.sub(r"^(?:legacy|base|standalone|stand-alone) |[\u2019']s\b", "", part).strip()
    names = {re.sub(r"[\u2019']s$", "", name.lower()) for name in known_names(info.symbol, info.company) if info.symbol}
    if own in names or own == info.symbol.lower():
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
