# ruff: noqa: RUF001
"""Tells the figures of a company from those of its parts: `iPhone sales`, `sales in China`, `segment profit`."""

from __future__ import annotations

import re

from tradingagents.features.report_check.periods import named_periods
from tradingagents.features.report_check.words import ReportLexicon, word_list
from tradingagents.provenance.wording import Mark

_LAST_WORD = re.compile(r"[A-Za-z][\w&'-]{0,60}$")
_WORDS = re.compile(r"[A-Za-z][A-Za-z&-]*")
_NOTE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|[*†‡¹²³⁴]")
_WHERE = re.compile(r"\s+(?:from|in|of|at|for|within|across)\s+(?:the\s+|its\s+|our\s+)?(?P<word>[A-Za-z][\w&-]*)")
_CLAUSE = re.compile(r"[;:]\s|,\s(?:and\s|while\s|but\s)?|\b(?:while|but|whereas)\s")
_HAD = re.compile(
    r"\s(?:had|has|posted|reported|recorded|generated|delivered|made|booked|earned|produced|saw|contributed"
    r"|brought in)\s"
)
_ARTICLES = frozenset({"the", "its", "our", "their", "a", "an"})
LONGEST_NAME = 60
LONGEST_SUBJECT = 5
"""Words of a subject that names a part of the company or somebody else."""


class PartRule:
    """Judges the words around the name of a figure."""

    def __init__(self, lexicon: ReportLexicon) -> None:
        """Set what finds the phrases of a report."""
        self._lexicon = lexicon

    def is_whole(self, words: str) -> bool:
        """Tell whether a label names a metric of the company and nothing else: no segment, no part, no kind of it."""
        marks = self._lexicon.of(words).marks
        if not marks.get("metric"):
            return False
        spans = [
            (mark.start, mark.end) for kind in ("metric", "subject", "basis", "way") for mark in marks.get(kind, ())
        ]
        spans += [(period.start, period.end) for period in named_periods(words)]
        plain = list(words)
        for start, end in spans:
            plain[start:end] = " " * (end - start)
        rest = (word.lower() for word in _WORDS.findall(_NOTE.sub(" ", "".join(plain))))
        return all(word in word_list("plain") for word in rest)

    def is_heading(self, words: str) -> bool:
        """Tell whether a heading within a table is one of a primary statement."""
        known = word_list("plain") | word_list("sections")
        return all(word.lower() in known for word in _WORDS.findall(words))

    def is_part(self, sentence: str, mark: Mark) -> bool:
        """Tell whether the words before or behind the name of a figure make it a part of the company."""
        return (
            self._is_limited_before(sentence, mark)
            or self._is_limited_behind(sentence, mark)
            or self._is_of_another(sentence, mark)
        )

    def _is_of_another(self, sentence: str, mark: Mark) -> bool:
        """Tell whether a clause says that something else had a figure: `Cloud posted sales of $3bn`."""
        clause = sentence[: mark.start]
        clause = clause[max((match.end() for match in _CLAUSE.finditer(clause)), default=0) :]
        verb = _HAD.search(clause)
        if verb is None or any(map(str.isdigit, clause[verb.end() :])):
            return False
        subject = clause[: verb.start()]
        marks = self._lexicon.of(subject).marks
        words = {word.lower() for word in _WORDS.findall(subject)} - _ARTICLES
        plain = marks.get("subject") or marks.get("metric") or named_periods(subject) or words & word_list("plain")
        return bool(words) and not plain and len(words) <= LONGEST_SUBJECT

    def _is_limited_before(self, sentence: str, mark: Mark) -> bool:
        before = sentence[: mark.start].rstrip()
        word = _LAST_WORD.search(before)
        if word is None or word[0].lower().removesuffix("'s") in word_list("plain"):
            return False
        name = before[-LONGEST_NAME:]
        marks = self._lexicon.of(name).marks
        ends = {mark.end for kind in ("subject", "metric") for mark in marks.get(kind, ())}
        ends |= {end + 2 for end in ends}  # the company's
        if len(name) in ends or any(period.end in (len(name), len(name) - 2) for period in named_periods(name)):
            return False
        if word[0].lower() in word_list("parts"):
            return True
        if _opens(sentence, word.start()):
            return word[0][0].isupper() and not word[0].endswith(("ing", "ed", "ly"))
        return any(map(str.isupper, word[0]))

    def _is_limited_behind(self, sentence: str, mark: Mark) -> bool:
        where = _WHERE.match(sentence, mark.end)
        if where is None:
            return False
        word = where["word"]
        if word.lower() in word_list("parts") and word.lower() not in ("peer", "peers"):
            return True
        if not word[0].isupper() or any(map(str.isdigit, word)) or word.lower() in word_list("plain"):
            return False
        known = [(mark.start, mark.end) for mark in self._lexicon.marks(sentence, "subject")]
        known += [(period.start, period.end) for period in named_periods(sentence)]
        return not any(start <= where.start("word") < end for start, end in known)


def _opens(sentence: str, at: int) -> bool:
    """Tell whether a word opens a sentence, a clause behind a colon or an item of a list, where any has a capital."""
    return sentence[:at].rstrip()[-1:] in ("", ".", ":", "-", "*", "•", "–", "(", "“", '"')
