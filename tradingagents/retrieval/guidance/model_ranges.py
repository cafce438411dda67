"""Ranges that a model reads in sentences that no rule reads, each held to the words that it quotes.

A range is entered only where its quotation stands in the sentence, word for word, and holds all of it: the item, the
figures in their unit, and the one coming period that the words name. What fails is withheld with the reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tradingagents.retrieval.guidance.claimed_range import ClaimedRange
from tradingagents.retrieval.guidance.guided_items import basis_of, item_mentions
from tradingagents.retrieval.guidance.periods import FiscalClock, GuidedPeriod
from tradingagents.retrieval.guidance.sentences.amounts import read_amounts
from tradingagents.retrieval.guidance.sentences.cues import AHEAD
from tradingagents.retrieval.guidance.sentences.doubts import repeats_what_was_said
from tradingagents.retrieval.guidance.sentences.measure import (
    SEQUENTIAL,
    base_year,
    bound_of,
    is_growth,
    moves_by,
)
from tradingagents.retrieval.guidance.sentences.subordinate import EFFECT
from tradingagents.retrieval.guidance.sentences.window import FigureWindow
from tradingagents.retrieval.guidance.speech import SpokenSentence
from tradingagents.retrieval.guidance.statements import GuidanceReading, GuidanceStatement, WithheldRange
from tradingagents.retrieval.models import DocumentInfo

_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class UnreadPassage:
    """A sentence that looks ahead and has a figure, of which no rule gives a statement."""

    info: DocumentInfo
    sentence: SpokenSentence


def unread_passages(readings: Iterable[GuidanceReading], most: int) -> list[UnreadPassage]:
    """Return what rules left unread, of the latest documents first."""
    latest = sorted(readings, key=lambda reading: (reading.info.known_at, reading.info.name), reverse=True)
    return [UnreadPassage(reading.info, sentence) for reading in latest for sentence in reading.unread][:most]


def with_claims(
    readings: Sequence[GuidanceReading], passages: Sequence[UnreadPassage], claims: Iterable[ClaimedRange]
) -> tuple[GuidanceReading, ...]:
    """Return readings with the ranges of a model that hold, and those that do not as withheld.

    Args:
        readings: What rules read of each document.
        passages: The sentences that the model was shown; the first is number 1.
        claims: What it answered.
    """
    by_document = {reading.info.key: reading for reading in readings}
    for claim in claims:
        if not 1 <= claim.sentence <= len(passages):
            continue
        passage = passages[claim.sentence - 1]
        reading = by_document[passage.info.key]
        held = held_to_words(claim, passage)
        if isinstance(held, str):
            figure = " to ".join(f"{end:g}" for end in (claim.low, claim.high) if end is not None)
            dropped = WithheldRange(passage.sentence.text, figure, f"a model's range: {held}", passage.sentence.place)
            reading = replace(reading, withheld=(*reading.withheld, dropped))
        elif held not in reading.statements:
            reading = replace(reading, statements=(*reading.statements, held))
        by_document[passage.info.key] = reading
    return tuple(by_document[reading.info.key] for reading in readings)


def held_to_words(claim: ClaimedRange, passage: UnreadPassage) -> GuidanceStatement | str:
    """Return a claimed range as a statement, or why it is none."""
    quote = " ".join(claim.quote.split())
    sentence = passage.sentence
    if quote not in sentence.text:
        return "its quotation does not stand in the sentence"
    if not AHEAD.search(quote) or repeats_what_was_said(quote):
        return "the words quoted do not say that it is expected now"
    words = re.findall(r"[a-z&]{2,}", claim.item.lower())
    if not words or not set(words) <= set(re.findall(r"[a-z&]{2,}", quote.lower())):
        return "the words quoted do not name the item"
    if EFFECT.search(claim.item):
        return "it is an effect on another figure"
    if SEQUENTIAL.search(quote):
        return "it is counted from the quarter before"
    window = _figure(claim, quote)
    if window is None:
        return "the figures, or their unit, are not those of the words quoted"
    period = _period(quote, FiscalClock(passage.info))
    if period is None:
        return "the words quoted do not name one coming period"
    return _statement(claim, passage, window, period)


def _figure(claim: ClaimedRange, quote: str) -> FigureWindow | None:
    """Return the figure of a quotation that has the ends claimed; None where none has."""
    amounts = read_amounts(quote)
    for number, amount in enumerate(amounts):
        before = amounts[number - 1].end if number else 0
        after = amounts[number + 1].start if number + 1 < len(amounts) else len(quote)
        window = FigureWindow(quote, amount, before, after, None, quote)
        bound = bound_of(window) if not amount.is_range else ""
        low, high = (None if bound == "at most" else amount.low), (None if bound == "at least" else amount.high)
        grows = amount.kind == "percent" and is_growth(window)
        is_change = amount.kind in ("basis points", "points") or (amount.kind == "money" and moves_by(window))
        same = grows == claim.is_growth and _is_end(claim.low, low) and _is_end(claim.high, high)
        if same and not is_change:
            return window
    return None


def _is_end(claimed: float | None, printed: float | None) -> bool:
    if claimed is None or printed is None:
        return claimed is printed
    return abs(claimed - printed) <= _EQUAL * max(1.0, abs(printed))


def _period(quote: str, clock: FiscalClock) -> GuidedPeriod | None:
    """Return the one coming period that a quotation names; None without one, or with more."""
    named = [mention for mention in clock.mentions(quote) if not (mention.is_comparison or mention.is_past)]
    periods = {mention.period for mention in named}
    return periods.pop() if len(periods) == 1 and not any(mention.horizon for mention in named) else None


def _statement(
    claim: ClaimedRange, passage: UnreadPassage, window: FigureWindow, period: GuidedPeriod
) -> GuidanceStatement:
    amount, base = window.amount, base_year(window) if claim.is_growth else None
    named = item_mentions(claim.item)
    whole = len(named) == 1 and named[0].end == len(claim.item.strip())
    unit = f"{amount.currency}/{amount.per}" if amount.currency and amount.per not in ("", "quarter", "year") else ""
    return GuidanceStatement(
        company=passage.info.symbol,
        item=named[0].key if whole else claim.item.strip().lower(),
        part=named[0].part if whole else "",
        period=period,
        measure="growth" if claim.is_growth else "level",
        unit=unit or amount.currency or amount.kind,
        low=claim.low,
        high=claim.high,
        basis=basis_of(claim.quote),
        words=passage.sentence.text,
        place=passage.sentence.place,
        document=passage.info.name,
        form=passage.info.form,
        speaker=passage.sentence.speaker,
        role=passage.sentence.role,
        known_at=passage.info.known_at,
        since=base if base != period.year - 1 else None,
        by_model=True,
    )
