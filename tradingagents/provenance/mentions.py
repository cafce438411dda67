"""What a text says of each of its numbers: metric, period, company, day and direction.

In a table the words of a number are those of its row's label and its column; in prose those nearest to it in its
clause, else in its sentence. A sentence that names no metric or company takes those of the sentence before.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from tradingagents.provenance.numbers import SCALES, Number, read_numbers
from tradingagents.provenance.wording import NONE, Mark, Wording, common_book, common_wording, more_of, tables, union

_DIGIT = re.compile(r"\d")
_DECIMALS = re.compile(r"(?<!\d)\d[\d,]{0,30}\.\d+")
_SENTENCE_END = re.compile(r"[.!?](?<!\b[A-Za-z]\.)[\"')*_]*\s+(?=[\"'(*_A-Z\d$€£])")
_CLAUSE_END = re.compile(
    r",(?=\s)|;|:(?=\s)|\s(?:and|but|while|whereas|with|followed by|against|vs\.?|versus|than|beats|so|where|though"
    r"|after)\s"
)
_JUDGED = re.compile(r"[( *](?:bullish|bearish|neutral)[^\w,;]{1,4}$", re.IGNORECASE)
_SURENESS = re.compile(r"(?:\(|\*\*)(?:strength|confidence):?[* ]{1,4}$", re.IGNORECASE)
_DERIVED = re.compile(r"[\s\w%]{0,10}\W{0,3}(?:derived|counted)\b")
_OF_BOOK = re.compile(
    r"\W{0,3}(?:(?:of|in) (?:the |our |my )?(?:equity|portfolio|capital|book|fund|position)\b"
    r"|position\b|probability|confidence|chance)"
)
_AT_THRESHOLD = re.compile(
    r"(?:over|under|above|below|line|level|near|threshold|neutral|than|past|beyond|territory|mark)"
    r"(?: of| at| the)?\s*\W?$"
)
_ON = re.compile(
    r"[ (]{1,2}(?:(?:on|in|for) )?(?:the )?(?:quarter (?:to|ended|ending) )?(\d{4}-\d\d-\d\d|\d\d?/\d\d?\b"
    r"|(?:\d\d? )?[A-Z][a-z]{2,8}\b\.?(?: \d\d?\b)?(?: quarter)?(?:,? (?:of )?\d{4}\b)?)"
)
_WINDOW = re.compile(r".*(?:\b(\d+)[- ](?:session|day|d)\b[^,;]*|\bof (\d+)(?: sessions)? )$")
_COUNTED = re.compile(r"\((?:derived|counted)\)")
_RIGHT_BEHIND = re.compile(r"[\s*_`)]*(?:(?:of|in|a|the|its|trailing|annual|per|net|new|were|was|are)\s+)*$")
_SCALE = re.compile(r"\((?:in )?(?:USD|US\$|[$€£])? ?([BbMm])(?:n|illions?|io|m)?\)")
_LISTED = frozenset((",", "→", "and", ", and", "/", "then", ", then", "through", "to"))
_UNSCALED = 1e5
_CLOSE_WITHIN, _BESIDE, _SOON = 45, 25, 12
_LABELS = 4
"""Cells at the beginning of a row in which the words stand that say what it is."""
_LONGEST = 1000
"""Characters of a sentence that are read together."""


class Mention(NamedTuple):
    """A number of a text, which begins at `start`, and what the words near it say.

    `said` is the wording of the whole sentence or row; `above` what the heading says. `named` tells whether its company
    is named near it, `close_by` whether the words that name the metric stand right beside it; `days` are those right
    behind it. `way` is -1 where the words say that something fell, 1 where it rose; `own` marks what the writer
    proposes, makes a condition or judges; `label` is that of a table's row. `timed` tells whether words
    beside it speak of another time than the latest.
    """

    number: Number
    start: int
    said: Wording
    metrics: frozenset[str] = NONE
    close_by: bool = True
    periods: frozenset[str] = NONE
    subjects: frozenset[str] = NONE
    named: bool = True
    days: frozenset[str] = NONE
    window: str = ""
    back: int = 0
    way: int = 0
    way_before: int = 0
    own: bool = False
    label: str = ""
    sentence: int = 0
    timed: bool = False


class TextLine(NamedTuple):
    """A line of a Markdown text with what stands above it; `header` names the columns of a table or of price bars."""

    text: str
    start: int
    heading: str = ""
    header: str = ""

    @property
    def mark(self) -> str:
        """What parts the cells of a row; empty for prose."""
        return "|" if "|" in self.header or self.text.startswith("|") else self.header and ","


def lines_of(text: str) -> Iterator[TextLine]:
    """Yield the lines of a text that hold a number."""
    heading = header = ""
    start = 0
    lines = text.split("\n")
    for at, line in enumerate(lines):
        first = line[:1]
        if first == "|" or ("|" in header and line.count("|") > 1):
            if "|" not in header and at + 1 < len(lines) and "--" in lines[at + 1]:
                header = line
        elif first == "D" and line.startswith("Date,"):
            header = line
        elif header and not (first.isdigit() and "," in header):
            header = ""
        heading = line if first == "#" else heading
        if _DIGIT.search(line) and not line.startswith(("(source ", "http")):
            yield TextLine(line, start, heading, header)
        start += len(line) + 1


class Reader:
    """Reads what lines say of their numbers; remembers what it read of labels and headings."""

    def __init__(self, names: Iterable[tuple[str, str, str]]) -> None:
        """Prepare to read with a run's names, as `aliases` gives them, and the phrases that hold for every run."""
        named = more_of(names, common_book())
        self._book, self._own = {**common_book(), **named}, frozenset(named)
        self._known: dict[str, Wording] = {}
        self._read: dict[str, Wording] = {}
        self._numbers: dict[str, Sequence[Number]] = {}

    def wording(self, text: str) -> Wording:
        """Return what the words of a sentence say; texts repeat sentences."""
        if (known := self._read.get(text)) is None:
            known = self._read[text] = Wording(text, self._book)
        return known

    def numbers(self, text: str) -> Sequence[Number]:
        """Return the numbers of a sentence; texts repeat them, and those of the data are read for each value sought."""
        if (known := self._numbers.get(text)) is None:
            known = self._numbers[text] = read_numbers(text)
        return known

    def label(self, text: str) -> Wording:
        """Return what the words of a label, a title or a heading say; places in it are not those of the text.

        What every run would read is read once a process: the values are not.
        """
        if (known := self._known.get(text)) is None:
            plain = _DECIMALS.sub("0.0", text) if "." in text else text
            shared = common_wording(plain)
            common = self._own.isdisjoint(shared.first_words)
            known = self._known[text] = shared if common else self.wording(plain)
        return known

    def mentions(self, line: TextLine) -> Iterator[Mention]:
        """Yield the numbers of a line in order, with their places within it."""
        if not line.mark:
            yield from self.prose(line.text, 0, line.heading)
        if not line.mark or line.text == line.header:
            return
        start, cells = 0, line.text.split(line.mark)
        titles = (*line.header.split(line.mark), *[""] * len(cells))
        for at, cell in enumerate(cells):
            if _DIGIT.search(cell):
                yield from self._cell(line, start, cells, at, titles[at])
            start += len(cell) + 1

    def _cell(self, line: TextLine, start: int, cells: list[str], at: int, title: str) -> Iterator[Mention]:
        """Yield the numbers of a cell of a row."""
        cell, label = cells[at], cells[line.mark == "|" and len(cells) > 1].strip()
        words = [one for one in cells[2:at] if not _DIGIT.search(one)]
        said = self.label(" | ".join((*cells[1:2], *words[:_LABELS], title, cell)))
        here = self.label(f"{title} | {cell}")
        subjects = here.subjects or said.subjects or self.label(line.heading).subjects
        for number in read_numbers(cell):
            if is_judgement(cell, number):
                continue
            if ("%" in title or "(%" in label) and not number.unit:
                number = number._replace(unit="%", whole=False)  # noqa: PLW2901 - the column says it
            if not number.unit and number.value < _UNSCALED and (scale := _SCALE.search(f"{label} {title}")):
                factor = SCALES[scale[1][0].lower()]
                number = number._replace(value=number.value * factor, half=number.half * factor)  # noqa: PLW2901
            metrics = said.metrics or (frozenset(("return",)) if said.periods and number.unit == "%" else NONE)
            yield Mention(
                number, start + number.start, said, metrics, bool(said.metrics), said.periods, subjects,
                days=said.days, back=way_of(here.marks.get("back", [])), timed=bool(here.days),
                way=way_of(here.marks.get("way") or said.marks.get("way", [])),
                label=label if at == 2 and label else "-",
            )  # fmt: skip

    def prose(
        self, line: str, offset: int, heading: str, only: tuple[float, float] = (0.0, math.inf)
    ) -> Iterator[Mention]:
        """Yield the numbers of the sentences of a line whose value, of either sign, is between two."""
        before, start = "", 0
        for at, end in enumerate(sentence_ends(line)):
            text, begin, start = line[start:end], start + offset, end
            numbers = self.numbers(text)
            found = () if not numbers else _places(text, numbers, *only)
            if found:
                said, earlier, above = self.wording(text), self.wording(before), self.label(heading)
                for near in _near(text, said, numbers, found):
                    yield self._mention(near, earlier, above, begin, at)
            before = text

    def _mention(self, near: _Near, earlier: Wording, above: Wording, begin: int, sentence: int) -> Mention:
        """Return what is said of a number by its sentence, the one before, and the heading."""
        text, said, number = near.text, near.said, near.number
        on, low = _ON.match(text, number.end), max(0, near.left)
        counted = _DIGIT.search(text, low, number.start)
        window = _WINDOW.match(text, low, number.start) if counted else None
        metrics, close_by = near.metrics()
        subjects, named = near.subjects()
        periods = near.of("period") or ([] if said.periods else earlier.marks.get("period", [])[-1:])
        return Mention(
            number,
            number.start + begin,
            said,
            metrics or union(earlier.marks.get("metric", [])[-1:]),
            close_by,
            union(periods),
            subjects or union(earlier.marks.get("subject", [])[-1:]) - {"@median"} or above.subjects,
            named,
            days=self.wording(on[1]).days if on else NONE,
            window="".join(window.groups("")) if window else "",
            back=near.back(),
            way=way_of(near.of("way", within=near.left)),
            way_before=way_of(near.marks("way")[0]),
            own=near.is_own(close_by),
            sentence=sentence,
            timed=near.is_timed(),
        )


def sentence_ends(line: str) -> Iterator[int]:
    """Yield where sentences end; a long one is cut, so that time grows with a text's length only."""
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(line)), len(line)]:
        while end - start > _LONGEST:
            start = line.rfind(" ", start + 1, start + _LONGEST) + 1 or start + _LONGEST
            yield start
        yield end
        start = end


def _places(text: str, numbers: Sequence[Number], least: float, most: float) -> Sequence[int]:
    """Return which numbers of a sentence have a value, of either sign, between two and are not a judgement."""
    fits = [at for at, one in enumerate(numbers) if least <= abs(one.value) <= most]
    return [at for at in fits if not is_judgement(text, numbers[at])]


def _near(text: str, said: Wording, numbers: Sequence[Number], places: Sequence[int]) -> Iterator[_Near]:
    """Yield the numbers of a sentence at some places among them, with what lies around them."""
    ends = [0, *(match.start() for match in _CLAUSE_END.finditer(text)), len(text)]
    for at in places:
        number = numbers[at]
        left = ends[bisect_right(ends, number.start) - 1] - 1
        right = ends[min(bisect_left(ends, number.end), len(ends) - 1)]
        other, further = numbers[at - 1] if at else None, numbers[at + 1] if at + 1 < len(numbers) else None
        high = min(right, further.start if further else right)
        yield _Near(text, said, number, other, further, left, max(left, other.end if other else 0), high)


class _Near(NamedTuple):
    """The phrases near a number of a sentence, with the numbers before and behind it.

    Its clause begins at `left`; between `low` and `high` lies the part of the clause that holds no other number.
    """

    text: str
    said: Wording
    number: Number
    other: Number | None
    further: Number | None
    left: int
    low: int
    high: int

    def marks(self, kind: str, found: list[Mark] | None = None) -> tuple[list[Mark], list[Mark]]:
        """Return the last phrase of a kind, or of those found, before the number and the first one behind it."""
        marks = self.said.marks.get(kind, []) if found is None else found
        if kind == "metric" and "hint" in self.said.marks:
            marks = sorted(marks + self.said.marks["hint"])
        if not marks:
            return [], []
        before = [mark for mark in marks if mark.end <= self.number.start]
        after = [mark for mark in marks[len(before) :] if mark.end > self.number.end]
        last = [mark for mark in before if mark.start == before[-1].start]
        return last, [mark for mark in after if mark.start == after[0].start]

    def of(self, kind: str, *, within: int = -1) -> list[Mark]:
        """Return the nearest phrases of a kind: next to the number in its clause, else the last before it."""
        if kind not in self.said.marks:
            return []
        before, after = self.marks(kind)
        near = [mark for mark in (*before, *after) if mark.start >= self.low and mark.end <= self.high]
        return near or [mark for mark in before if mark.start >= within]

    def metrics(self) -> tuple[frozenset[str], bool]:
        """Return what the number may measure, and whether the words that say so stand right beside it."""
        unfit = _unfit(self.number.unit)
        fits = [mark for mark in self.said.marks.get("metric", ()) if not mark.means <= unfit]
        before, after = self.marks("metric", fits)
        other, further, begin, end = self.other, self.further, self.number.start, self.number.end
        lone = before and self.text[before[0].end : begin].strip() not in ("of", "is", "(")
        gap = self.text[other.end : before[0].start] if other and lone else ""
        if other and gap and ")" not in gap and self._joins(other.end, before[0].start):
            before = [mark for mark in self.said.marks.get("metric", ()) if mark.end <= other.start][-1:]
        if further and before and after and self._joins(after[0].end, further.start):
            after = []  # `P/E 27.6) P/S 6.9`
        until = further.start if further else len(self.text)
        if after and self.text[end : after[0].start].strip() == "(" and self.text.find(")", end, until) > 0:
            return union(after), True  # `83.24 (50 SMA)`
        beside = [mark for mark in after if self._joins(end, mark.start)]
        beside += [mark for mark in before if mark.end >= self.low and begin - mark.end <= _CLOSE_WITHIN]
        if beside:
            hints = () if self.number.unit == "x" else self.said.marks.get("hint", ())
            return union(beside), not all(mark in hints for mark in beside)
        here = [mark for mark in before if mark.start >= self.left] + [mark for mark in after if mark.end <= self.high]
        return union(here or before), False

    def back(self) -> int:
        """Return how many quarters back words beside the number look."""
        return way_of([mark for mark in self.of("back", within=self.left) if self._is_beside(mark)])

    def is_timed(self) -> bool:
        """Tell whether words beside the number speak of another time, or it is one of a list."""
        other, further = self.other, self.further
        listed = (other and self.text[other.end : self.number.start].strip(" $") in _LISTED) or (
            further and self.text[self.number.end : further.start].strip(" $") in _LISTED
        )
        past = self.said.marks.get("past", ())
        return bool(listed) or any(mark.start >= self.low and mark.end <= self.high for mark in past)

    def _is_beside(self, mark: Mark) -> bool:
        """Tell whether a phrase stands within a few words of the number."""
        return max(mark.start - self.number.end, self.number.start - mark.end) < _BESIDE

    def _joins(self, start: int, end: int) -> bool:
        """Tell whether nothing but small words stands between two places."""
        return _RIGHT_BEHIND.match(self.text[start:end]) is not None

    def subjects(self) -> tuple[frozenset[str], bool]:
        """Return whom the number is of, and whether they are named near it; else they may not be meant."""
        found = self.said.marks.get("subject", [])
        before = [mark for mark in found if mark.end <= self.number.start]
        after = [mark for mark in found if mark.start >= self.number.end and mark.end <= self.high]
        near = [mark for mark in before if mark.start >= self.low]
        after = [mark for mark in after if "(" not in self.text[self.number.end : mark.start]]
        near = near or after
        named = bool(near) and (near != after or any(mark.start - self.number.end < _SOON for mark in after))
        chosen = union(near or [mark for mark in (*before[:1], *before[-1:]) if "@median" not in mark.means])
        return frozenset(one for one in chosen if one[0] != "@") or chosen, named

    def is_own(self, close_by: bool) -> bool:
        """Tell whether the number is the writer's own: a proposal, a condition, a usual threshold, a judgement."""
        text, number = self.text, self.number
        if self.marks("if")[0] or ((number.whole or not close_by) and _COUNTED.search(text)):
            return True
        if number.whole and _AT_THRESHOLD.search(text, max(0, number.start - 20), number.start):
            return True
        mine, _ = self.marks("own")
        if not mine:
            return False
        metric, behind = self.marks("metric")
        if not metric or metric[0].end <= mine[0].start:
            return not (close_by and behind)
        return not close_by and mine[0].start >= self.left


@cache
def _unfit(unit: str) -> frozenset[str]:
    """Return the metrics that have no values of a unit."""
    if not unit:
        return NONE
    return frozenset(tables()["words"]["counts"]) | (NONE if unit == "money" else frozenset(("price",)))


def way_of(marks: list[Mark]) -> int:
    """Return the direction of the first phrase; 0 where there is none, or where it may be both."""
    return int(min(marks[0].means)) if marks and len(marks[0].means) == 1 else 0


def is_judgement(text: str, number: Number) -> bool:
    """Tell whether a number is a score that the writer gives, or marked as derived."""
    before, behind = text[max(0, number.start - 16) : number.start].lower(), text[number.end : number.end + 20]
    scored = "eutral" in before or "ull" in before or "ear" in before
    derived = "derived" in behind or "counted" in behind
    return bool(
        _OF_BOOK.match(text, number.end)
        or (derived and _DERIVED.match(text, number.end))
        or (scored and _JUDGED.search(text, max(0, number.start - 12), number.start))
        or (("ength" in before or "dence" in before) and _SURENESS.search(before))
    )
