"""What the words around one number of a sentence say of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tradingagents.provenance.lexicon import RATIO_OF
from tradingagents.provenance.numbers import Number
from tradingagents.provenance.phrases import Mark

WAY = {"down": -1, "up": 1}
JUDGED = re.compile(r"(?:bullish|bearish|neutral)\W{1,4}$", re.IGNORECASE)
DERIVED = re.compile(r"^[\s\w%]{0,10}\W{0,3}(?:derived|counted)\b", re.IGNORECASE)
_LEVEL = re.compile(r"\b(?:to|at|from|of)\s+[$\u20ac\u00a3]?$")
"""What stands before a level that something moved to: `fell to 3.41%` is no fall of 3.41 %."""
_MOVE_OF = re.compile(
    r"\b(?:drop|decline|fall|loss|gain|rise|increase|decrease|drawdown|return)s?\s+of\s+(?:about |some |roughly )?"
    r"[$\u20ac\u00a3]?$"
)
_GAP = r"[\s*_`:=(\[\"'~|-]*"
_JOINING = re.compile(
    rf"^{_GAP}(?:(?:of|is|was|at|to|stands|stood|came|in|a|an|the|about|around|roughly|some|nearly|almost|just|currently"
    r"|now|only|modest|low|high|thin|trailing|USD|US|approximately|reached|hit|are|were|by|goes|for|its|from|near|remains"
    r"|sits|lies|values?|company(?:'s)?|index|it|over|under|well|still|fell|rose|below|above|span|spans)\b"
    rf"{_GAP})*$",
    re.IGNORECASE,
)
_BACK_JOINING = re.compile(
    r"^[\s*_`)]*(?:(?:of|in|a|the|an|its|trailing|annual|per|net|x|times|were|was|are|new)\b[\s*_`]*)*$", re.IGNORECASE
)
_JOINED_WITHIN = 80
"""Characters that may lie between a number and the words that say what it is."""
_RANGE = re.compile(r"^\s?(?:-|\u2013|\u2014|to|and)\s?[$\u20ac\u00a3]?$")
_RANGE_WITHIN = 6
_NAMED_BEHIND = re.compile(r"^\s*[*_]*\(\s*$")
_OF_OWN = re.compile(
    r"^\W{0,3}(?:of (?:equity|the portfolio|portfolio|capital|nav|our))|^\W{0,3}(?:probability|confidence|chance)", re.I
)
_DERIVED_LATER = re.compile(r"\((?:derived|counted)\)")
_LINES_OF = {
    "rsi": (20, 30, 40, 50, 60, 70, 80),
    "mfi": (20, 80),
    "macd": (0,),
    "macdh": (0,),
    "peg": (1, 2),
    "pb": (1,),
}
_VIX_LINES = (12, 15, 16, 20, 25, 30)


_ASIDE = re.compile(r"\([^()]*\)")
_SUBSET = re.compile(r"^ of (?:the|its|these|those|all) $")


@dataclass(slots=True)
class Around:
    """What stands around one number of a sentence."""

    text: str
    at: int
    """Which of the numbers it is."""
    numbers: Sequence[Number]
    found: Sequence[Mark]
    left: int
    """Where its part of the sentence begins."""
    right: int
    """Where it ends."""
    number: Number = field(init=False)
    _before_it: Number | None = field(init=False)
    _behind_it: Number | None = field(init=False)
    begin: int = field(init=False)
    end: int = field(init=False)
    """Where the range that the number belongs to begins and ends; the number itself where there is none."""

    def __post_init__(self) -> None:
        """Take a range for one number: what stands before its first or behind its last speaks of both."""
        self.number = self.numbers[self.at]
        self.begin, self.end = self.number.start, self.number.end
        numbers, first, last = self.numbers, self.at, self.at
        if last + 1 < len(numbers) and _joins(self.text, self.end, numbers[last + 1].start):
            last += 1
            self.end = numbers[last].end
        if first and _joins(self.text, numbers[first - 1].end, self.begin):
            first -= 1
            self.begin = numbers[first].start
        self._before_it = numbers[first - 1] if first else None
        self._behind_it = numbers[last + 1] if last + 1 < len(numbers) else None
        self.right = max(self.right, self.end)

    def _before(self, kind: str, end: int | None = None) -> Mark | None:
        end = self.begin if end is None else end
        return next((mark for mark in reversed(self.found) if mark.kind == kind and mark.end <= end), None)

    def _after(self, kind: str) -> Mark | None:
        return next((mark for mark in self.found if mark.kind == kind and mark.start >= self.end), None)

    def _parted(self, start: int, end: int) -> bool:
        """Tell whether another number stands in a stretch before or behind this one."""
        return any(
            one is not None and start <= one.start and one.end <= end for one in (self._before_it, self._behind_it)
        )

    def concepts(self) -> tuple[tuple[str, ...], bool]:
        """Return what the number measures, and whether the words stand right beside it."""
        text = self.text
        before, after = self._before("concept"), self._after("concept")
        if after and _SUBSET.match(text[self.end : after.start]):  # 10 of the posts carry no tag
            after = next((mark for mark in self.found if mark.kind == "concept" and mark.start >= after.end), None)
        while before and self._taken(before):
            before = self._before("concept", before.start)
        joined = [before] if before and self._joined(_JOINING, before.end, self.begin) else []
        joined += [after] if after and self._joined(_BACK_JOINING, self.end, after.start) else []
        if joined:
            return self._measured(joined), True
        here = [before] if before and before.start >= self.left - 1 else []
        if after and after.end <= self.right and not self._parted(self.end, after.start):
            here.append(after)
        return self._measured(here or [mark for mark in (before,) if mark]), False

    def _joined(self, words: re.Pattern[str], start: int, end: int) -> bool:
        return end - start <= _JOINED_WITHIN and bool(words.match(self.text[start:end]))

    def _measured(self, marks: Sequence[Mark]) -> tuple[str, ...]:
        """Return what phrases say that is measured; of a multiple, `11.5x sales`, the ratio that is meant."""
        found = list(dict.fromkeys(mark.what for mark in marks))
        if self.number.unit == "x":
            found = [ratio for what in found for ratio in RATIO_OF.get(what, ())] + found
        return tuple(found)

    def _taken(self, mark: Mark) -> bool:
        """Tell whether a phrase belongs to a number before it: in `13 posts at 2.5` nothing says what 2.5 is."""
        owner = next((one for one in reversed(self.numbers) if one.end <= mark.start), None)
        return (
            owner is not None
            and bool(_BACK_JOINING.match(self.text[owner.end : mark.start]))
            and not re.match(r"\s*[:(=]", self.text[mark.end : self.begin])
        )

    def periods(self) -> frozenset[str]:
        """Return the nearest periods: of this part of the sentence, else of what came before, else of what follows."""
        before, after = self._before("period"), self._after("period")
        near = [before] if before and before.start >= self.left - 1 and not self._parted(before.end, self.begin) else []
        if after and after.end <= self.right and not self._parted(self.end, after.start):
            near.append(after)
        near = near or [mark for mark in (before or after,) if mark]
        return frozenset(mark.what for mark in near)

    def subjects(self) -> frozenset[str]:
        """Return whom the number is of: all named in this part with no other number between, else the last before."""
        asides = [match.span() for match in _ASIDE.finditer(self.text)]
        behind = self._after("subject")
        if behind and _NAMED_BEHIND.match(self.text[self.end : behind.start]):
            return frozenset((behind.what,))
        asides = [(start, end) for start, end in asides if not start < self.begin < end]
        found = [
            mark
            for mark in self.found
            if mark.kind == "subject" and not any(start < mark.start < end for start, end in asides)
        ]
        if any(mark.what[0] != "@" for mark in found):
            found = [mark for mark in found if mark.what != "@peers"]
        near = [
            mark.what
            for mark in found
            if (self.left - 1 <= mark.start and mark.end <= self.begin and not self._parted(mark.end, self.begin))
            or (self.end <= mark.start and mark.end <= self.right and not self._parted(self.end, mark.start))
        ]
        near = [what for what in near if what[0] != "@"] or near
        earlier = [mark.what for mark in found if mark.end <= self.begin]
        return frozenset(near or [*earlier[:1], *earlier[-1:]])

    def way(self) -> int:
        """Return which way the nearest word of direction points, where it speaks of this number."""
        if _LEVEL.search(self.text, max(0, self.begin - 8), self.begin) and not _MOVE_OF.search(
            self.text, max(0, self.begin - 30), self.begin
        ):
            return 0
        before, after = self._before("way"), self._after("way")
        if after and after.start - self.end <= 2 and after.end <= self.right + 1:
            return WAY[after.what]
        if before and before.start >= self.left - 1 and not self._parted(before.end, self.begin):
            return WAY[before.what]
        if after and after.end <= self.right and not self._parted(self.end, after.start):
            return WAY[after.what]
        if before and before.start >= self.left - 1:
            return WAY[before.what]
        return 0

    def way_before(self) -> int:
        """Return which way the last word of direction before the number points, whatever it speaks of."""
        before = self._before("way")
        return WAY[before.what] if before else 0

    def own(self, concepts: tuple[str, ...], firm: bool, subjects: frozenset[str]) -> bool:
        """Tell whether the number is the writer's own: a proposal, a condition, a convention, a judgement."""
        text, number = self.text, self.number
        if (
            JUDGED.search(text[: number.start])
            or DERIVED.match(text[number.end :])
            or _OF_OWN.match(text[number.end :])
        ):
            return True
        if not firm and _DERIVED_LATER.search(text, number.end):
            return True
        if number.whole or number.value == int(number.value):
            lines = [line for concept in concepts for line in _LINES_OF.get(concept, ())]
            lines += _VIX_LINES if "^vix" in subjects else ()
            if (
                number.value in lines
                and re.search(
                    r"(?:over|under|above|below|line|level|near|threshold|of|neutral|than|the|mark|one|between|and|past|beyond|to)"
                    r"\s*\W?$",
                    text[: number.start],
                )
                and not re.search(r"(?:at|is|stands|of)\s*$", text[: number.start])
            ):
                return True
            if number.value in lines and re.search(
                r"(?:line|territory|threshold|level|mark|oversold|overbought)", text[: number.start]
            ):
                return True
        condition = self._before("if")
        if condition is not None and (condition.what == "if"):
            return True
        if firm:
            return False
        mine, theirs = self._before("own"), self._before("claim") or self._after("claim")
        if mine is None or theirs is not None:
            return False
        concept = self._before("concept")
        return concept is None or concept.end <= mine.end or mine.start >= self.left - 1


def _joins(text: str, start: int, end: int) -> bool:
    """Tell whether what stands between two numbers makes them a range."""
    return end - start <= _RANGE_WITHIN and bool(_RANGE.match(text[start:end]))
