"""Numbers of a text, each with what its sentence or its table row says of it: metric, period, company, direction.

Tool results and texts of models are read in the same way. In a table the words of a number are those of its cell, its
row's label and its column; in prose the nearest of its clause, else of its sentence.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tradingagents.provenance.numbers import Number, read_numbers
from tradingagents.provenance.wording import NONE, Mark, Wording, book_of, common_book, common_wording, union

_DIGIT = re.compile(r"\d")
_DECIMALS = re.compile(r"\d[\d,]*\.\d+")
_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[A-Za-z]\.)[\"')*_]*\s+(?=[\"'(*_A-Z\d$€£])")
_CLAUSE_END = re.compile(
    r",(?=\s)|;|:(?=\s)|\s(?:and|but|while|whereas|with|followed by|against|vs\.?|versus|than|beats|so|where|though"
    r"|after)\s"
)
_JUDGED = re.compile(r"[( *](?:bullish|bearish|neutral)\W{1,4}$", re.IGNORECASE)
_DERIVED = re.compile(
    r"[\s\w%]{0,10}\W{0,3}(?:derived|counted)\b"
    r"|\W{0,3}(?:of (?:equity|the portfolio|portfolio|capital)|probability|confidence|chance)"
)
_AT_THRESHOLD = re.compile(
    r"(?:over|under|above|below|line|level|near|threshold|neutral|than|past|beyond|territory|mark)(?: of| at)?\s*\W?$"
)
_LINE = re.compile(r" (?:line|threshold|level|mark)\b")
_ON = re.compile(
    r"[ (]{1,2}(?:(?:on|in|for) )?(?:the )?(?:quarter (?:to|ended|ending) )?(\d{4}-\d\d-\d\d|\d\d?/\d\d?\b"
    r"|(?:\d\d? )?[A-Z][a-z]{2,8}\b\.?(?: \d\d?\b)?(?: quarter)?(?:,? (?:of )?\d{4}\b)?)"
)
_WINDOW = re.compile(r"(\d+)[- ](?:session|day|d)\b[^,;]*$|\bof (\d+)(?: sessions)? $")
_COUNTED = re.compile(r"\((?:derived|counted)\)")
_RIGHT_BEHIND = re.compile(r"[\s*_`)]*(?:(?:of|in|a|the|its|trailing|annual|per|net|new|were|was|are)\s+)*$")
_CLOSE_WITHIN, _PROSE, _BESIDE, _SOON = 45, 42, 25, 12
_LONGEST = 1000
"""Characters of a sentence that are read together."""


class Mention(NamedTuple):
    """A number and what the words near it say.

    `said` is the wording of the whole sentence, or of a cell with its row's label and its column; `above` that of the
    heading. `named` tells whether its company is named near it, `close_by` whether the words that name the metric stand
    right beside it; `days` are those right behind it. `way` is -1 where the words say that something fell, 1 where it
    rose; `own` marks what the writer proposes, makes a condition or judges; `label` is that of a table's row.
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
    row: int = -1
    way: int = 0
    way_before: int = 0
    own: bool = False
    label: str = ""
    above: Wording | None = None
    sentence: int = 0


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
    """Reads the numbers of lines; remembers what it read of sentences, labels and headings."""

    def __init__(self, names: Iterable[tuple[str, str, str]]) -> None:
        """Prepare to read with a run's names, as `aliases` gives them, and the phrases that hold for every run."""
        self._book = book_of(names, common_book())
        self._own = frozenset(word for word, said in self._book.items() if said is not common_book().get(word))
        """First words of names."""
        self._known: dict[str, Wording] = {}

    def wording(self, text: str) -> Wording:
        """Return what the words of a sentence or a heading say."""
        return self._known.get(text) or self._known.setdefault(text, Wording(text, self._book))

    def label(self, text: str) -> Wording:
        """Return what the words of a cell, a label or a title say; places in it are not those of the text.

        What every run would read is read once a process: the values are not.
        """
        plain = _DECIMALS.sub("0.0", text)
        shared = common_wording(plain)
        return self.wording(plain) if shared.first_words & self._own else shared

    def mentions(self, line: TextLine) -> Iterator[Mention]:
        """Yield the numbers of a line in order, with their places within it."""
        if not line.mark:
            yield from self._prose(line.text, 0, line.heading)
        start = 0
        for cell in line.text.split(line.mark) if line.mark else ():
            if _DIGIT.search(cell):
                yield from self.cell(line, start)
            start += len(cell) + 1

    def cell(self, line: TextLine, start: int) -> Iterator[Mention]:
        """Yield the numbers of the cell that begins at a place of a row."""
        cells, at = line.text.split(line.mark), line.text.count(line.mark, 0, start)
        cell, title = cells[at], (*line.header.split(line.mark), *[""] * len(cells))[at]
        label = cells[line.mark == "|" and len(cells) > 1].strip()
        if len(cell) > _PROSE and self.label(cell).metrics:
            yield from self._prose(cell, start, f"{label} {line.heading}")
            return
        said = self.label(" | ".join((*(one for one in cells[:5] if one != cell), title, cell)))
        here = self.label(f"{title} | {cell}")
        subjects = here.subjects or said.subjects or self.wording(line.heading).subjects
        for number in read_numbers(cell):
            if is_judgement(cell, number):
                continue
            if ("%" in title or "(%" in label) and not number.unit:
                number = number._replace(unit="%", whole=False)  # noqa: PLW2901 - the column says it
            if number.bracketed and cell.strip(" *")[0] == "(":
                number = number._replace(value=-number.value, signed=True, bracketed=False)  # noqa: PLW2901
            metrics = said.metrics or (frozenset(("return",)) if said.periods and number.unit == "%" else NONE)
            yield Mention(
                number, start + number.start, said, metrics, bool(said.metrics), said.periods, subjects,
                way=_way(here.marks.get("way") or said.marks.get("way", [])), label=label if at == 2 and label else "-",
            )  # fmt: skip

    def _prose(self, line: str, offset: int, heading: str) -> Iterator[Mention]:
        """Read the sentences of a line; one that names no metric or company takes those of the sentence before."""
        above, before = self.wording(heading), self.wording("")
        start = 0
        for at, end in enumerate(sentence_ends(line)):
            said = self.wording(line[start:end])
            for near in _numbers(line[start:end], said):
                number, text = near.number, near.text
                on, window = _ON.match(text, number.end), _WINDOW.search(text, max(0, near.left), number.start)
                metrics, close_by = near.metrics()
                subjects, named = near.subjects()
                yield Mention(
                    number,
                    number.start + offset + start,
                    said,
                    metrics or union(before.marks.get("metric", [])[-1:]),
                    close_by,
                    union(near.of("period")),
                    subjects or union(before.marks.get("subject", [])[-1:]) or above.subjects,
                    named,
                    days=self.wording(on[1]).days if on else NONE,
                    window="".join(window.groups("")) if window else "",
                    back=_way([mark for mark in near.of("back", within=near.left) if near.is_beside(mark)]),
                    way=_way(near.of("way", within=near.left)),
                    way_before=_way(near.marks("way")[0]),
                    own=near.is_own(close_by),
                    above=above,
                    sentence=at,
                )
            before, start = said, end


def sentence_ends(line: str) -> Iterator[int]:
    """Yield where sentences end; a long one is cut, so that time grows with a text's length only."""
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(line)), len(line)]:
        while end - start > _LONGEST:
            start = line.rfind(" ", start + 1, start + _LONGEST) + 1 or start + _LONGEST
            yield start
        yield end
        start = end


def _numbers(text: str, said: Wording) -> Iterator[_Near]:
    """Yield the numbers of a sentence that are not a judgement, with what lies around them."""
    numbers = read_numbers(text)
    ends = [0, *(match.start() for match in _CLAUSE_END.finditer(text)), len(text)] if numbers else []
    for at, number in enumerate(numbers):
        if not is_judgement(text, number):
            left = ends[bisect_right(ends, number.start) - 1] - 1
            right = ends[min(bisect_left(ends, number.end), len(ends) - 1)]
            other = numbers[at - 1] if at else None
            high = min(right, numbers[at + 1].start if at + 1 < len(numbers) else right)
            yield _Near(text, said, number, other, left, max(left, other.end if other else 0), high)


class _Near(NamedTuple):
    """The phrases near a number of a sentence, with the number before it.

    Its clause begins at `left`; between `low` and `high` lies the part of the clause that holds no other number.
    """

    text: str
    said: Wording
    number: Number
    other: Number | None
    left: int
    low: int
    high: int

    def marks(self, kind: str) -> tuple[list[Mark], list[Mark]]:
        """Return the last phrase of a kind before the number and the first one behind it."""
        marks = self.said.marks.get(kind, [])
        before = [mark for mark in marks if mark.end <= self.number.start]
        return before[-1:], [mark for mark in marks[len(before) :] if mark.start >= self.number.end][:1]

    def of(self, kind: str, *, within: int = -1) -> list[Mark]:
        """Return the nearest phrases of a kind: next to the number in its clause, else the last before it."""
        before, after = self.marks(kind)
        near = [mark for mark in (*before, *after) if mark.start >= self.low and mark.end <= self.high]
        return near or [mark for mark in before if mark.start >= within]

    def metrics(self) -> tuple[frozenset[str], bool]:
        """Return what the number may measure, and whether the words that say so stand right beside it."""
        before, after = self.marks("metric")
        other, begin, end = self.other, self.number.start, self.number.end
        if other and before and before[0].start >= other.end and self._joins(other.end, before[0].start):
            before = [mark for mark in self.said.marks["metric"] if mark.end <= other.start][-1:]  # `13 posts at 2.5`
        beside = [mark for mark in after if self._joins(end, mark.start)]
        beside += [mark for mark in before if mark.end >= self.low and begin - mark.end <= _CLOSE_WITHIN]
        here = [mark for mark in before if mark.start >= self.left] + [mark for mark in after if mark.end <= self.high]
        found = union(beside or here or before)
        return found - {"price", "net_income"} if self.number.unit == "x" else found, bool(beside)

    def is_beside(self, mark: Mark) -> bool:
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
        near = [mark for mark in before if mark.start >= self.low] or after
        named = bool(near) and (near != after or any(mark.start - self.number.end < _SOON for mark in after))
        chosen = union(near or [mark for mark in (*before[:1], *before[-1:]) if "@median" not in mark.means])
        return frozenset(one for one in chosen if one[0] != "@") or chosen, named

    def is_own(self, close_by: bool) -> bool:
        """Tell whether the number is the writer's own: a proposal, a condition, a usual threshold, a judgement."""
        text, number = self.text, self.number
        if self.marks("if")[0] or ((number.whole or not close_by) and _COUNTED.search(text)):
            return True
        at_line = _AT_THRESHOLD.search(text, max(0, number.start - 20), number.start)
        if number.whole and (at_line or _LINE.match(text, number.end)):
            return True
        (mine, _), (metric, behind) = self.marks("own"), self.marks("metric")
        if not mine or "claim" in self.said.marks:
            return False
        if not metric or metric[0].end <= mine[0].start:
            return not (close_by and behind)
        return not close_by and mine[0].start >= self.left


def _way(marks: list[Mark]) -> int:
    """Return the direction of the first phrase; 0 where there is none, or where it may be both."""
    return int(min(marks[0].means)) if marks and len(marks[0].means) == 1 else 0


def is_judgement(text: str, number: Number) -> bool:
    """Tell whether a number is a score that the writer gives, or marked as derived."""
    scored = _JUDGED.search(text[max(0, number.start - 12) : number.start])
    return scored is not None or _DERIVED.match(text, number.end) is not None
