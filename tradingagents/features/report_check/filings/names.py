# ruff: noqa: RUF001
"""The words by which a figure is named: in a report, in the row of a filing's table, in the name of a tag."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from functools import cache
from typing import NamedTuple

from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES
from tradingagents.features.report_check.facts import SHARES_OF_REVENUE
from tradingagents.features.report_check.measures import ITEMS, SAME_FIGURE
from tradingagents.features.report_check.periods import named_periods
from tradingagents.features.report_check.words import ReportLexicon, word_list
from tradingagents.provenance.wording import Mark

_WORD = re.compile(r"[A-Za-z][A-Za-z']*(?:\.[A-Za-z]\b)*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TAG_WORDS = re.compile(
    r"(?<=Income)Loss|(?<=Gain)Loss|(?<=Profit)Loss|FromContractWithCustomer(?:Ex|In)cludingAssessedTax"
)
"""Parts of the names of tags that nobody says."""
_NOTE = re.compile(r"\(\w{1,3}\)|\((?:[Ll]oss(?:es)?|LOSS)\)|\([A-Z&]{2,6}\)|[®™*†‡]|\(Note[^)]*\)")
_IS_NO_ITEM = re.compile(r"margins?|earned", re.IGNORECASE)
"""Phrases that go with more than one item: `it earned operating income of $5bn`."""
_NAMED = ITEMS | PER_SHARE | SHARES
_SAME_WORD = {"US": "u.s", "States": "u.s"}
_COSTS = frozenset({"cost", "expense"})
REVENUE, COST = "#revenue", "~cost"
"""`~cost` stands for the words cost and expense, which a row may leave out."""
_NO_COSTS = frozenset({REVENUE, "#operating_income", "#net_income", "#gross_profit"})


class FigureName(NamedTuple):
    """What a report calls a figure."""

    near: frozenset[str]
    """The words that name it: a filing must have all of them."""
    around: frozenset[str]
    """Every word of its sentence, or of its row and what stands above: a row of a filing may have no others."""
    dated: bool
    """Whether the text right around it says the period."""
    is_change: bool


class Token(NamedTuple):
    """A word of a name at its place."""

    start: int
    end: int
    word: str
    """In small letters without plural; `#revenue` where words name an item of the statements."""


class NameReader:
    """Reads names as words. Not safe for several threads."""

    def __init__(self, lexicon: ReportLexicon) -> None:
        """Set what finds the phrases of a report."""
        self._lexicon = lexicon
        self._known: dict[str, frozenset[str]] = {}
        self._read: tuple[str, list[Token]] = ("", [])

    def words(self, text: str) -> frozenset[str]:
        """Return the words of a label, a heading or a title that say what a figure is of."""
        if text not in self._known:
            self._known[text] = frozenset(token.word for token in self.tokens(text))
        return self._known[text]

    def words_of_tag(self, name: str) -> frozenset[str]:
        """Return the words of the name of a concept or a member: `jnj:MedTechMember`."""
        plain = name.rpartition(":")[2].removesuffix("Member").removesuffix("Segment")
        return self.words(_CAMEL.sub(" ", _TAG_WORDS.sub("", plain)))

    def tokens(self, text: str) -> list[Token]:
        """Return the words of a text that name a figure, in order; not periods, companies, and plain words."""
        if self._read[0] != text:  # each figure of a sentence asks
            self._read = (text, self._tokens(text))
        return self._read[1]

    def _tokens(self, text: str) -> list[Token]:
        text = text.replace("’", "'")
        marks = self._lexicon.of(text).marks
        out = [(period.start, period.end) for period in named_periods(text)]
        out += [(one.start, one.end) for kind in ("subject", "basis", "way") for one in marks.get(kind, ())]
        out += [match.span() for match in _NOTE.finditer(text)]
        items = [Token(one.start, one.end, _item(text, one)) for one in marks.get("metric", ())]
        found = [one for one in items if one.word and not _is_inside(one.start, out)]
        out += [(one.start, one.end) for one in found]
        for match in _WORD.finditer(text):
            word = _SAME_WORD.get(match[0], _stem(match[0].lower()))
            if _is_inside(match.start(), out):
                continue
            if word in _COSTS:
                found.append(Token(*match.span(), COST))
            elif word not in _skipped():
                found.append(Token(*match.span(), word))
        return sorted(found)

    def phrases(self, text: str, known: Container[str], whole: Iterable[str]) -> list[Mark]:
        """Return the names in a sentence: words that filings use, joined where only plain words stand between them.

        Args:
            text: The sentence.
            known: Words of the names in filings.
            whole: Names in small letters with a comma or an `and` in them, which is no limit there.
        """
        tokens = [token for token in self.tokens(text) if token.word in known or token.word.startswith(("#", COST))]
        low = text.lower().replace("’", "'")
        spans = [(at, at + len(one)) for one in whole if (at := low.find(one)) >= 0]
        runs: list[list[Token]] = []
        for token in tokens:
            if runs and (
                _is_gap(text[runs[-1][-1].end : token.start])
                or any(start <= runs[-1][-1].start and token.end <= end for start, end in spans)
            ):
                runs[-1].append(token)
            else:
                runs.append([token])
        return [Mark(run[0].start, run[-1].end, frozenset(one.word for one in run)) for run in runs]


def has_item(words: Iterable[str]) -> bool:
    """Tell whether words name an item of the statements."""
    return any(one.startswith("#") for one in words)


def is_part(word: str) -> bool:
    """Tell whether a word of a name is no item of the statements, and more than cost or expense."""
    return not word.startswith(("#", COST))


def agree_on_cost(words: frozenset[str], near: frozenset[str]) -> bool:
    """Tell whether a row and a report both speak of a cost, or neither of a part of revenue or profit."""
    return (COST in words) == (COST in near) or not (words | near) & _NO_COSTS


@cache
def _skipped() -> frozenset[str]:
    return frozenset(map(_stem, word_list("plain") | word_list("unnamed"))) | word_list("plain") | word_list("unnamed")


def _item(text: str, mark: Mark) -> str:
    """Return the item of the statements that a phrase names; empty where it names none."""
    named = {SHARES_OF_REVENUE.get(same, same) for mean in mark.means for same in SAME_FIGURE.get(mean, (mean,))}
    items = {"eps" if one in PER_SHARE else "shares" if one in SHARES else one for one in named if one in _NAMED}
    return f"#{min(items)}" if items and not _IS_NO_ITEM.fullmatch(text, mark.start, mark.end) else ""


def _stem(word: str) -> str:
    word = word.removesuffix("'s").rstrip("'")
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _is_gap(text: str) -> bool:
    """Tell whether between two words of one name stand plain words only, and no limit."""
    if any(one in text for one in ",;:()|") or any(map(str.isdigit, text)):
        return False
    words = [one.lower() for one in _WORD.findall(text)]
    return "and" not in words and "or" not in words and all(_stem(one) in _skipped() for one in words)


def _is_inside(place: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)
