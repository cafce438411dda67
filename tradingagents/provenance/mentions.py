"""Numbers of a text, each with what its sentence or its table row says of it: metric, period, company, direction.

Tool results and texts of models are read in the same way. In a table the words of a number are those of its cell, its
row's label and its column; in prose the nearest of its clause, else of its sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tradingagents.provenance.numbers import Number, read_numbers
from tradingagents.provenance.wording import NONE, Book, Mark, Wording, union

_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[A-Z]\.)[\"')*_]*\s+(?=[\"'(*_A-Z\d$€£])")
_CLAUSE_END = re.compile(
    r",(?=\s)|;|:(?=\s)|\s(?:and|but|while|whereas|with|followed by|against|vs\.?|versus|than|beats|so|where|though"
    r"|after)\s"
)
_DIGIT = re.compile(r"\d")
_BYLINE = re.compile(r"\s*\([^()]*\d{4}-\d{2}-\d{2}[^()]*\)\s*$")
_JUDGED = re.compile(r"(?:bullish|bearish|neutral)\W{1,4}$", re.IGNORECASE)
_DERIVED = re.compile(
    r"[\s\w%]{0,10}\W{0,3}(?:derived|counted)\b"
    r"|\W{0,3}(?:of (?:equity|the portfolio|portfolio|capital)|probability|confidence|chance)"
)
_AT_THRESHOLD = re.compile(
    r"(?:over|under|above|below|line|level|near|threshold|neutral|than|past|beyond|territory|mark)(?: of| at)?\s*\W?$"
)
_ON = re.compile(r"[ (]{1,2}(?:on )?((?:\d{4}-\d\d-\d\d|\d\d?/\d\d?\b|(?:\d\d? )?[A-Z][a-z]{2,8}\b\.?(?: \d\d?\b)?))")
_WINDOW = re.compile(r"(\d+)[- ](?:session|day|d)\b[^,;]*$|\bof (\d+)(?: sessions)? $")
_COUNTED = re.compile(r"\((?:derived|counted)\)")
_LINE = re.compile(r" (?:line|threshold|level|mark)\b")
_RIGHT_BEHIND = re.compile(r"[\s*_`)]*(?:(?:of|in|a|the|its|trailing|annual|per|net|new|were|was|are)\s+)*$")
_ALREADY_NAMED = re.compile(r"\s*[:(=]")
_STRANGER = re.compile(r"(?<![.!?:] )\b[A-Z][a-z]+(?:'s)? \((?:about |nearly |roughly )?$")
"""A name that the data does not have, right before a number: `than Apple (34 times)`."""
_LEVEL = re.compile(r"(?<!drop )(?<!fall )(?<!gain )(?<!rise )(?<!loss )\b(?:to|at|from|of)\s+[$€£]?$")
_CLOSE_WITHIN, _CLOSE_WORDS, _SOON = 45, 7, 12
_LONGEST = 1000
"""Characters of a sentence that are read together."""


class Mention(NamedTuple):
    """A number and what the words near it say.

    `wording` is that of the whole sentence, or of a cell with its row's label and its column; `above` that of the
    heading. `named` tells whether its company is named near it, `close_by` whether the words that name the metric stand
    right beside it; `days` are those right behind it. `way` is -1 where the words say that something fell, 1 where it
    rose; `own` marks what the writer proposes, makes a condition or judges. Numbers that are `quoted` with their label
    as the data shows them are not looked at further.
    """

    number: Number
    start: int
    wording: Wording
    metrics: frozenset[str] = NONE
    close_by: bool = True
    periods: frozenset[str] = NONE
    subjects: frozenset[str] = NONE
    named: bool = True
    days: frozenset[str] = NONE
    window: str = ""
    way: int = 0
    way_before: int = 0
    own: bool = False
    label: str = ""
    above: Wording | None = None
    sentence: int = 0
    quoted: bool = False


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
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        in_table = line.startswith("|") or ("|" in header and line.count("|") > 1)
        if line.startswith("Date,") or (in_table and "|" not in header and "--" in following):
            header = line
        else:
            header = header if in_table or ("," in header and line[:2].isdigit()) else ""
            heading = line if line.startswith("#") else heading
            if _DIGIT.search(line) and not line.startswith(("(source ", "http")):
                yield TextLine(line, start, heading, header)
        start += len(line) + 1


class Reader:
    """Reads the numbers of lines; remembers what it read of sentences, labels and headings."""

    def __init__(self, book: Book, is_quoted: Callable[[str, str, Number], bool] = lambda *_: False) -> None:
        """Prepare to read with a run's phrases; `is_quoted` tells what stands with its label as in the data."""
        self._book, self._is_quoted = book, is_quoted
        self._known: dict[str, Wording] = {}

    def wording(self, text: str) -> Wording:
        """Return what the words of a sentence, a label or a heading say."""
        return self._known.get(text) or self._known.setdefault(text, Wording(text, self._book))

    def mentions(self, line: TextLine) -> Iterator[Mention]:
        """Yield the numbers of a line in order, with their places within it."""
        if not line.mark:
            yield from self._prose(_BYLINE.sub("", line.text) if line.text[:1] == "#" else line.text, 0, line.heading)
        start = 0
        for cell in line.text.split(line.mark) if line.mark else ():
            if _DIGIT.search(cell):
                yield from self.cell(line, start)
            start += len(cell) + 1

    def cell(self, line: TextLine, start: int) -> Iterator[Mention]:
        """Yield the numbers of the cell that begins at a place of a row."""
        cells, at = line.text.split(line.mark), line.text.count(line.mark, 0, start)
        cell, title = cells[at], (*line.header.split(line.mark), *[""] * len(cells))[at]
        numbers = [number for number in read_numbers(cell) if not _is_judgement(cell, number)]
        label = cells[line.mark == "|" and len(cells) > 1].strip()
        said = self.wording(" | ".join((*(one for one in cells[:4] if one != cell), title, cell)))
        if at > 1 and numbers and self._is_quoted(line.text[: start + numbers[0].start], cell, numbers[0]):
            yield Mention(numbers[0], start + numbers[0].start, said, quoted=True)
        elif len(cell) > _CLOSE_WITHIN and self.wording(cell).metrics:
            yield from self._prose(cell, start, line.heading)
        else:
            subjects = (
                self.wording(f"{title} | {cell}").subjects or said.subjects or self.wording(line.heading).subjects
            )
            for number in numbers:
                if ("%" in title or "(%" in label) and not number.unit:
                    number = number._replace(unit="%", whole=False)  # noqa: PLW2901 - the column says it
                if number.bracketed and cell.strip(" *")[0] == "(":
                    number = number._replace(value=-number.value, signed=True, bracketed=False)  # noqa: PLW2901
                metrics = said.metrics or (frozenset(("return",)) if said.periods and number.unit == "%" else NONE)
                yield Mention(
                    number, start + number.start, said, metrics, bool(said.metrics), said.periods, subjects,
                    way=_way(self.wording(f"{title} | {cell}").marks.get("way", [])),
                    label=label if at == 2 and label else "-",
                )  # fmt: skip

    def _prose(self, line: str, offset: int, heading: str) -> Iterator[Mention]:
        """Read the sentences of a line; one that names no metric or company takes those of the sentence before."""
        above, before = self.wording(heading), self.wording("")
        start = 0
        for at, end in enumerate(sentence_ends(line)):
            told = self.wording(line[start:end])
            for found in self._sentence(line[start:end], told):
                if found.quoted:
                    yield found._replace(start=found.start + offset + start, sentence=at)
                    continue
                yield found._replace(
                    start=found.start + offset + start,
                    sentence=at,
                    metrics=found.metrics or union(before.marks.get("metric", [])[-1:]),
                    subjects=found.subjects or union(before.marks.get("subject", [])[-1:]) or above.subjects,
                    above=above,
                )
            before, start = told, end

    def _sentence(self, text: str, told: Wording) -> Iterator[Mention]:
        """Yield the numbers of a sentence with the words nearest to them."""
        numbers = read_numbers(text)
        ends: list[int] = []
        for at, number in enumerate(numbers):
            begin, end = number.start, number.end
            if _is_judgement(text, number):
                continue
            if self._is_quoted(text[:begin], text, number):
                yield Mention(number, begin, told, quoted=True)
                continue
            ends = ends or [0, *(match.start() for match in _CLAUSE_END.finditer(text)), len(text)]
            left, right = ends[bisect_right(ends, begin) - 1] - 1, ends[min(bisect_left(ends, end), len(ends) - 1)]
            low = max(left, numbers[at - 1].end if at else 0)
            high = min(right, numbers[at + 1].start if at + 1 < len(numbers) else right)
            near = _Near(text, told, begin, end, left, low, high)
            metrics, close_by = near.metrics(numbers[at - 1] if at else None)
            metrics = metrics - {"price", "net_income"} if number.unit == "x" else metrics
            way = 0 if _LEVEL.search(text, max(0, begin - 16), begin) else _way(near.of("way", within=left))
            on, window = _ON.match(text, end), _WINDOW.search(text[max(0, low) : begin])
            yield Mention(
                number, begin, told, metrics, close_by, union(near.of("period")), *near.subjects(),
                self.wording(on[1]).days if on else NONE, "".join(window.groups("")) if window else "",
                way, _way(near.marks("way")[0]), near.own(number, close_by),
            )  # fmt: skip


def sentence_ends(line: str) -> Iterator[int]:
    """Yield where sentences end; a long one is cut, so that time grows with a text's length only."""
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(line)), len(line)]:
        while end - start > _LONGEST:
            start = line.rfind(" ", start + 1, start + _LONGEST) + 1 or start + _LONGEST
            yield start
        yield end
        start = end


class _Near(NamedTuple):
    """The phrases near a number [begin, end) of a sentence.

    Its clause begins at `left`; between `low` and `high` lies the part of the clause that holds no other number.
    """

    text: str
    told: Wording
    begin: int
    end: int
    left: int
    low: int
    high: int

    def marks(self, kind: str) -> tuple[list[Mark], list[Mark]]:
        """Return the last phrase of a kind before the number and the first one behind it."""
        marks = self.told.marks.get(kind, [])
        before = [mark for mark in marks if mark.end <= self.begin]
        return before[-1:], [mark for mark in marks[len(before) :] if mark.start >= self.end][:1]

    def of(self, kind: str, *, within: int = -1) -> list[Mark]:
        """Return the nearest phrases of a kind: next to the number in its clause, else the last before it."""
        before, after = self.marks(kind)
        near = [mark for mark in (*before, *after) if mark.start >= self.low and mark.end <= self.high]
        return near or [mark for mark in before if mark.start >= within]

    def metrics(self, other: Number | None) -> tuple[frozenset[str], bool]:
        """Return what the number may measure, and whether the words that say so stand right beside it."""
        before, after = self.marks("metric")
        start, end = (before[0].start, before[0].end) if before and other else (0, 0)
        if (
            other
            and start >= other.end
            and _RIGHT_BEHIND.match(self.text[other.end : start])
            and not _ALREADY_NAMED.match(self.text[end : self.begin])
        ):
            before = [mark for mark in self.told.marks["metric"] if mark.end <= other.start][-1:]  # `13 posts at 2.5`
        beside = [mark for mark in after if _RIGHT_BEHIND.match(self.text[self.end : mark.start])]
        for mark in before:
            gap = self.text[mark.end : self.begin]
            if mark.end >= self.low and len(gap) <= _CLOSE_WITHIN and gap.count(" ") <= _CLOSE_WORDS:
                beside.append(mark)
        here = [mark for mark in before if mark.start >= self.left] + [mark for mark in after if mark.end <= self.high]
        return union(beside or here or before), bool(beside)

    def subjects(self) -> tuple[frozenset[str], bool]:
        """Return whom the number is of, and whether they are named near it; else they may not be meant."""
        found = self.told.marks.get("subject", [])
        before = [mark for mark in found if mark.end <= self.begin]
        after = [mark for mark in found if mark.start >= self.end and mark.end <= self.high]
        after = [mark for mark in after if "@median" not in mark.means or mark.start - self.end < _SOON]
        near = [mark for mark in before if mark.start >= self.low] or after
        soon = near != after or any(mark.start - self.end < _SOON for mark in after)
        if not near and (name := _STRANGER.search(self.text, max(0, self.begin - 30), self.begin)) and name.start():
            return frozenset(("@peers",)), True
        chosen = union(near or [mark for mark in (*before[:1], *before[-1:]) if "@median" not in mark.means])
        return frozenset(one for one in chosen if one[0] != "@") or chosen, bool(near) and soon

    def own(self, number: Number, close_by: bool) -> bool:
        """Tell whether the number is the writer's own: a proposal, a condition, a usual threshold, a judgement."""
        if self.marks("if")[0] or ((number.whole or not close_by) and _COUNTED.search(self.text)):
            return True
        at_line = _AT_THRESHOLD.search(self.text, max(0, self.begin - 20), self.begin)
        if number.whole and (at_line or _LINE.match(self.text, self.end)):
            return True
        (mine, _), (metric, behind) = self.marks("own"), self.marks("metric")
        if not mine or "claim" in self.told.marks:
            return False
        if not metric or metric[0].end <= mine[0].start:
            return not (close_by and behind)
        return not close_by and mine[0].start >= self.left


def _is_judgement(text: str, number: Number) -> bool:
    """Tell whether a number is a score that the writer gives, or marked as derived."""
    before = text[max(0, number.start - 12) : number.start]
    return bool(before[-1:] in "( *" and _JUDGED.search(before)) or _DERIVED.match(text, number.end) is not None


def _way(marks: Sequence[Mark]) -> int:
    return int(min(marks[0].means)) if marks else 0
