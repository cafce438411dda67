"""A text read for its figures: each number with what the words near it say of it.

What a run was given and what a model wrote are read in the same way, prose and Markdown tables alike. In a table the
words of a number are its own cell, its row's label and its column's heading; in prose they are those of its part of the
sentence, and where that says nothing, of what came before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from tradingagents.provenance.context_rules import DERIVED, JUDGED, WAY, Around
from tradingagents.provenance.numbers import Number, is_number, read_numbers
from tradingagents.provenance.phrases import (
    Mark,
    Phrases,
    Word,
    common_phrases,
    content_words,
    marks,
    tokens,
)

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')*_]*\s+(?=[\"'(*_A-Z\d$€£])")
_PART_END = re.compile(
    r",(?=\s)|;|:(?=\s)|\s(?:and|but|while|whereas|with|followed by|against|so|where|though|after)\s"
)
_CELL_END = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
_DATED = re.compile(r"^\s*(\d{4}-\d{2}-\d{2})")
_DAY = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_YEAR_OF_BOOKS = re.compile(r"\bfiscal year to \d{4}-\d{2}-\d{2}")
"""What a figure of the books is over, see `trailing.year_span`: it is the newest there is, no earlier day's."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NAMED_MONTH = (
    "(?P<{0}>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    "|Nov(?:ember)?|Dec(?:ember)?)"
)
_MONTH = re.compile(
    rf"(?:\b(?P<before>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?\b{_NAMED_MONTH.format('month')}\b\.?"
    r"(?: (?P<after>\d{1,2})\b(?![.,]?\d|\s?%))?"
)
_ALONE = re.compile(r"^[\s*]*\([^()]*\)[\s*]*$")
_LONGEST = 2000
"""Characters of a sentence that are read together."""
_DIGIT = re.compile(r"\d")
_BYLINE = re.compile(r"\s*\([^()]*\d{4}-\d{2}-\d{2}[^()]*\)\s*$")


@dataclass(frozen=True, slots=True)
class Reading:
    """A number with what the words near it tell."""

    number: Number
    start: int
    end: int
    """Characters [start, end) of the text."""
    concepts: tuple[str, ...] = ()
    """What it measures, by the nearest words; two where it could be either, none where no word says."""
    firm: bool = False
    """Whether the words that name the concept stand right beside it."""
    nearby: frozenset[str] = frozenset()
    """Every concept of the sentence or row."""
    periods: frozenset[str] = frozenset()
    months: frozenset[str] = frozenset()
    """Months (`05`) and days (`05-10`) that the sentence or row names."""
    subjects: frozenset[str] = frozenset()
    others: frozenset[str] = frozenset()
    """Subjects of the whole sentence."""
    words: frozenset[str] = frozenset()
    """Words of the sentence or row that say something."""
    way: int = 0
    """-1 where the words say that something fell or was less, 1 where it rose or was more, 0 for neither."""
    way_before: int = 0
    """The same of an earlier part of the sentence, where its own part says nothing: `fell 11.0% and TAQZ 11.8%`."""
    own: bool = False
    """Whether it is the writer's own: a proposal, a condition, a judgement, something marked as derived."""
    claim: bool = False
    past: bool = False
    """Whether the sentence looks back, so that older values may be meant."""
    pair: bool = False
    """Whether the sentence speaks of a difference, sum or ratio."""
    tabled: bool = False
    sentence: int = 0
    """Number of the sentence or row within the text."""


@dataclass(slots=True)
class _Here:
    """Where reading has come to in a text."""

    names: Phrases
    continental: bool = False
    sentence: int = 0
    heading: frozenset[str] = frozenset()
    """Subjects of the heading above."""
    title: frozenset[str] = frozenset()
    """Words of the heading above: a piece of news and its headline belong together."""
    header: list[str] = field(default_factory=list)
    header_marks: list[list[Mark]] = field(default_factory=list)
    csv: list[str] = field(default_factory=list)


def read(text: str, names: Phrases | None = None, *, continental: bool = False) -> list[Reading]:
    """Return the figures of a text, in order.

    Args:
        text: Markdown.
        names: Names of companies, sectors and indices, with what they stand for.
        continental: Read numbers as `1.234,5`.
    """
    here = _Here(names if names is not None else common_phrases(), continental)
    found: list[Reading] = []
    lines = text.split("\n")
    start = 0
    for at, line in enumerate(lines):
        if "|" in line or _DIGIT.search(line) or line.startswith(("#", "Date,")):
            following = lines[at + 1] if at + 1 < len(lines) else ""
            found += _line(line, following, here, start)
        elif not line.strip():
            here.header = []
        start += len(line) + 1
    return found


def _line(line: str, following: str, here: _Here, offset: int) -> Iterator[Reading]:
    stripped = line.strip()
    if stripped.startswith("|") or (here.header and stripped.count("|") > 1):
        yield from _row(line, following, here, offset)
        return
    here.header = []
    if stripped.startswith("Date,"):
        here.csv = stripped.lower().split(",")
        return
    dated = _DATED.match(line)
    if dated and here.csv and line.count(",") == len(here.csv) - 1:
        yield from _bar(line, dated[1], here, offset)
        return
    if stripped.startswith("#"):
        found = marks(tokens(line), here.names)
        here.heading = frozenset(what for what in _told(found, "subject") if what[0] != "@")
        here.title = _said(tokens(_BYLINE.sub("", line)), found)
        line = _BYLINE.sub("", line)
    yield from _prose(line, offset, here)


# Tables


def _row(line: str, following: str, here: _Here, offset: int) -> Iterator[Reading]:
    if _RULE.match(line):
        return
    spans = _cells(line)
    texts = [line[start:end] for start, end in spans]
    if not here.header and _RULE.match(following) and "-" in following:
        here.header = texts
        here.header_marks = [marks(tokens(text), here.names) for text in texts]
        return
    here.sentence += 1
    words = [() if is_number(text) else tokens(text) for text in texts]
    labels = [marks(cell, here.names) if cell else [] for cell in words]
    headers = here.header_marks if here.header else []
    days, past = _days(line), bool(_days(_YEAR_OF_BOOKS.sub("", line)))
    said = frozenset().union(*map(_said, words, labels))
    label = next(
        (found for found in labels if any(mark.kind in ("concept", "subject", "period") for mark in found)), []
    )
    concepts = _told(label, "concept")
    for at, (start, end) in enumerate(spans):
        if not _DIGIT.search(texts[at]):
            continue
        own, numbers = labels[at], read_numbers(texts[at], continental=here.continental)
        if len(words[at]) > 2 * len(numbers) + 4 and _told(own, "concept"):  # a cell of prose
            yield from _prose(line[start:end], offset + start, here, row=True)
            continue
        header = headers[at] if at < len(headers) else []
        heading_text = here.header[at] if at < len(here.header) else ""
        unit = "%" if "%" in heading_text or "(%" in texts[0] else ""
        of_column = content_words(tokens(heading_text)) if numbers else frozenset()
        mine = _told(own, "concept") or _told(header, "concept")
        periods = frozenset(_told(own, "period") or _told(header, "period") or _told(label, "period"))
        for number in numbers:
            named = tuple(dict.fromkeys((*mine, *concepts)))[:2]
            if not named and periods and (number.unit or unit) == "%":
                named = ("return",)
            judged = JUDGED.search(texts[at][: number.start]) or DERIVED.match(texts[at][number.end :])
            yield Reading(
                number=_of_cell(number, unit, texts[at]),
                start=offset + start + number.start,
                end=offset + start + number.end,
                concepts=named,
                firm=bool(named),
                nearby=frozenset((*concepts, *_told(header, "concept"), *mine)),
                periods=periods,
                months=days | _days(heading_text),
                subjects=frozenset(
                    _told(own, "subject")
                    or _told(header, "subject")
                    or [what for found in labels[:2] for what in _told(found, "subject")]
                )
                or here.heading,
                words=said | of_column,
                way=_way_of_row(own, header),
                own=bool(judged),
                past=past,
                tabled=True,
                sentence=here.sentence,
            )


def _of_cell(number: Number, unit: str, cell: str) -> Number:
    """Return a number with the unit of its column; one that stands alone in brackets is negative, as in accounting."""
    if not (unit and not number.unit) and not number.bracketed:
        return number
    negative = number.bracketed and _ALONE.match(cell)
    return replace(
        number,
        unit=number.unit or unit,
        whole=number.whole and not unit,
        value=-number.value if negative else number.value,
        signed=number.signed or bool(negative),
        bracketed=number.bracketed and not negative,
    )


def _cells(line: str) -> list[tuple[int, int]]:
    ends = [match.start() for match in _CELL_END.finditer(line)]
    if line.lstrip().startswith("|"):
        ends = ends[1:]
        first = line.index("|") + 1
    else:
        first = 0
    if not ends or line[ends[-1] + 1 :].strip():
        ends.append(len(line))
    starts = [first, *(end + 1 for end in ends[:-1])]
    return list(zip(starts, ends, strict=True))


def _way_of_row(*found: Sequence[Mark]) -> int:
    return next((WAY[mark.what] for marked in found for mark in marked if mark.kind == "way"), 0)


def _bar(line: str, day: str, here: _Here, offset: int) -> Iterator[Reading]:
    """Read a day's prices: `2024-05-10,187.94,192.44,187.55,191.28,6647671`."""
    here.sentence += 1
    at = offset
    months = frozenset((day[5:7], day[5:]))
    for name, cell in zip(here.csv, line.split(","), strict=True):
        start, at = at, at + len(cell) + 1
        if name == "date":
            continue
        try:
            value = float(cell)
        except ValueError:
            continue
        places = len(cell.partition(".")[2])
        yield Reading(
            Number(0, len(cell), value, 0.5 * 10**-places),
            start,
            start + len(cell),
            concepts=("price" if name == "close" else name,),
            firm=True,
            months=months,
            subjects=here.heading,
            past=True,
            tabled=True,
            sentence=here.sentence,
        )


# Prose


def _prose(line: str, offset: int, here: _Here, *, row: bool = False) -> Iterator[Reading]:
    """Read the sentences of a line; what names no concept or subject of its own takes that of the sentence before."""
    concept: tuple[str, ...] = ()
    subject: frozenset[str] = frozenset()
    start = 0
    for end in _sentence_ends(line):
        text = line[start:end]
        found = [one for one in marks(tokens(text), here.names) if text[one.start : one.end] not in ("A", "I")]
        if _DIGIT.search(text):
            here.sentence += 0 if row else 1
            yield from _sentence(text, offset + start, found, here, concept, subject)
        concept = tuple(_told(found, "concept")[-1:]) or concept
        subject = frozenset(_told(found, "subject")[-1:]) or subject
        start = end


def _sentence_ends(line: str) -> Iterator[int]:
    """Yield where sentences end; a long one is cut, so that time grows with a text's length only."""
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(line)), len(line)]:
        while end - start > _LONGEST:
            start = line.rfind(" ", start + 1, start + _LONGEST) + 1 or start + _LONGEST
            yield start
        yield end
        start = end


def _sentence(
    text: str,
    offset: int,
    found: list[Mark],
    here: _Here,
    concept_before: tuple[str, ...],
    subject_before: frozenset[str],
) -> Iterator[Reading]:
    numbers = read_numbers(text, continental=here.continental)
    if not numbers:
        return
    ends = [0, *(match.start() for match in _PART_END.finditer(text)), len(text)]
    nearby = frozenset(_told(found, "concept"))
    words = _said(tokens(text), found) | here.title
    months = _days(text)
    others = frozenset(_told(found, "subject"))
    kinds = {mark.kind for mark in found}
    for at, number in enumerate(numbers):
        left = max(end for end in ends if end <= number.start)
        right = min(end for end in ends if end >= number.end) if number.end <= ends[-1] else len(text)
        around = Around(text, at, numbers, found, left, right)
        concepts, firm = around.concepts()
        if not concepts:
            concepts = concept_before if not nearby else ()
        subjects = around.subjects() or subject_before or here.heading
        yield Reading(
            number=number,
            start=number.start + offset,
            end=number.end + offset,
            concepts=concepts,
            firm=firm,
            nearby=nearby,
            periods=around.periods(),
            months=months,
            subjects=subjects,
            others=others,
            words=words,
            way=(way := around.way()),
            way_before=0 if way else around.way_before(),
            own=around.own(concepts, firm, subjects),
            claim="claim" in kinds,
            past="past" in kinds or bool(months),
            pair="pair" in kinds,
            sentence=here.sentence,
        )


def _said(words: Sequence[Word], found: Sequence[Mark]) -> frozenset[str]:
    """Return the words that say something beside the names."""
    named = [(mark.start, mark.end) for mark in found if mark.kind == "subject"]
    return content_words(word for word in words if not any(start <= word[1] < end for start, end in named))


def _told(found: Sequence[Mark], kind: str) -> list[str]:
    return [mark.what for mark in found if mark.kind == kind]


def _days(text: str) -> frozenset[str]:
    days = {part for _, month, day in _DAY.findall(text) for part in (month, f"{month}-{day}")}
    for found in _MONTH.finditer(text):
        month = f"{_MONTHS.index(found['month'][:3].lower()) + 1:02d}"
        days.add(month)
        if day := found["before"] or found["after"]:
            days.add(f"{month}-{int(day):02d}")
    return frozenset(days)
