"""The sentences of a document in which the company itself speaks, each with its place and its speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tradingagents.retrieval.guidance.release_rows import outlook_lines
from tradingagents.retrieval.guidance.sentences.cues import AHEAD
from tradingagents.retrieval.models import CallTurn, SourceDocument, TextPlace
from tradingagents.retrieval.text_sentences import split_sentences

_ANALYST = re.compile(r"\banalyst\b", re.IGNORECASE)
_OPERATOR = re.compile(r"^(?:operator|unknown speaker|conference call participant)$", re.IGNORECASE)
_QUESTIONS = re.compile(
    r"\b(?:first question|(?:begin|start|conduct) (?:the |our )?question|question comes from|press star)\b",
    re.IGNORECASE,
)
_BULLET = re.compile(r"(?:^|\n)\s{0,60}(?:[•●▪■◦*·-])\s{1,60}")
_HEADING = re.compile(
    r"^[^\n]{0,150}\b(?:outlook|guidance|expectations|expects?|anticipates?|plans to)\b[^\n]{0,100}:[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line such as `Outlook for the second quarter is as follows:`, under which bullets stand."""
_EXPECTS = re.compile(
    r"\b(?:expects?|continues to expect|anticipates?|plans to|projects|forecasts|guidance|outlook)\b[^.]{0,120}:$",
    re.IGNORECASE,
)
"""A sentence that says what the bullets below it are."""
_LINES_BELOW, _LONG = 15, 250
"""Lines below such a line that are items of it, up to one without a figure, and characters of an item at most."""
_BULLET_END = re.compile(r"(?P<words>[^;]{5,300}?)(?:;| and\n|\.(?=\s|$)|\n(?![a-z])|$)")
"""A bullet ends with its line, unless the next one begins with a small letter."""
_CELLS = re.compile(r"\d%?\s{2,}[$(\d]")
"""Two figures in cells of their own: a row of a table, of which the heads of its columns say what each is."""
_NO_BULLET = re.compile(r"(?:the company|we|our|if|in|for|on|this|these|that|as|assum\w+|includ\w+)\b", re.IGNORECASE)
"""A bullet that is a sentence, or an aside to the one above it."""
_CALL_END = re.compile(
    r"(?<=[.?!])\s+(?=[A-Z\"“(\[$]|i[A-Z])|(?<=\d)\s+(?=(?:This|We|These|Our|It) [a-z])|(?<=\.)(?=GAAP )"
    r"|(?<=[a-z]\.)\s+(?=20\d\d [A-Za-z])"
)
"""Where a sentence ends; behind a figure also where a transcript lost the full stop."""


@dataclass(frozen=True, slots=True)
class SpokenSentence:
    """A sentence of the company."""

    text: str
    """On one line."""
    place: TextPlace
    speaker: str = ""
    """Who says it, in a call; empty for a filing."""
    role: str = ""
    turn: int = 0
    """Counts turns of a call, or pages of a filing: what was said before goes on within one."""
    is_answer: bool = False
    """Whether it answers a question rather than being prepared."""
    stands_for: str = ""
    """The sentence that a row of a table or a bullet stands for; empty where it is a sentence itself."""

    @property
    def read_as(self) -> str:
        """The words in which it is read."""
        return self.stands_for or self.text


def company_sentences(document: SourceDocument) -> Iterator[SpokenSentence]:
    """Yield what the company says: of a call without the operator's and the analysts' words, all prose of a filing."""
    if document.info.kind == "call":
        yield from _call_sentences(document)
        return
    for page in document.pages:
        parts = [*_prose(page.text), *((row.start, row.end, row.words, row.text) for row in outlook_lines(page.text))]
        for start, end, words, stands_for in sorted(parts):
            place = TextPlace(document.info.key, page.number, start, end)
            yield SpokenSentence(words, place, turn=page.number, stands_for=stands_for)


def _prose(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield the sentences of a page with their characters, and what bullets below `the company expects:` stand for."""
    expects = False
    for number, (first, last) in enumerate(_blocks(text)):
        block = text[first:last]
        sentences = split_sentences(block, first)
        if number > 0 and expects and (bullet := _BULLET_END.match(block)) is not None:
            words = " ".join(bullet["words"].split())
            if not (AHEAD.search(words) or _NO_BULLET.match(words)):
                yield first, first + bullet.end("words"), words, f"We expect {words[:1].lower()}{words[1:]}"
        for one in sentences:
            yield one.start, one.end, one.text, ""
        tail = block.rstrip(" \n\t\u2022\u25cf\u25aa\u25a0\u25e6*\u00b7-")
        goes_on = number > 0 and expects and len(sentences) <= 1 and last < len(text)
        expects = goes_on or _EXPECTS.search(tail[-200:]) is not None
    yield from _lines_below(text)
    for first, last in _blocks(text):
        block = text[first:last]
        for head in _HEADING.finditer(block):
            yield first + head.start(), first + head.end(), " ".join(head[0].split()), ""


def _lines_below(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yield what lines without a mark of a bullet stand for, below a line such as `For fiscal 2025, Acme expects:`."""
    left = 0
    for match in re.finditer(r"[^\n]+", text):
        words = " ".join(match[0].split())
        if _EXPECTS.search(words):
            left = _LINES_BELOW
            continue
        left = left - 1 if re.search(r"\d", words) else 0
        if _CELLS.search(match[0]):
            continue
        ends = re.match(r"\n\s{0,40}[a-z]", text[match.end() : match.end() + 42]) is None
        plain = re.sub(r"(?:; and|[;.])$", "", words)
        if left <= 0 or not ends or len(words) > _LONG or not re.match(r"[A-Z]", words):
            continue
        if re.search(r"\d", words) and not (AHEAD.search(words) or _NO_BULLET.match(words)):
            yield match.start(), match.end(), words, f"We expect {plain[:1].lower()}{plain[1:]}"


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield the characters of each part of a page: bullets are sentences of their own."""
    cuts = [match.end() for match in _BULLET.finditer(text)]
    yield from zip([0, *cuts], [*cuts, len(text)], strict=True)


def _call_sentences(document: SourceDocument) -> Iterator[SpokenSentence]:
    managers = _managers(document.turns)
    alone = len({turn.speaker for turn in document.turns}) == 1
    asked, number, speaker = False, -1, ""
    for turn in document.turns:
        if number < 0 or turn.speaker != speaker:  # the reader cuts a long turn at the ends of pages
            number, speaker = number + 1, turn.speaker
        if not alone and not _speaks_for_company(turn, managers):
            continue
        text = document.text(turn.place)
        lead = len(text) - len(text.split(": ", 1)[-1]) if text.startswith(turn.speaker) else 0
        for start, end in _cut(text, lead):
            words = " ".join(text[start:end].split())
            asked = asked or (alone and turn.place.page > 0 and _QUESTIONS.search(words) is not None)
            if words.endswith("?") or asked:
                continue
            place = TextPlace(document.info.key, turn.place.page, turn.place.start + start, turn.place.start + end)
            answer = turn.part == "questions"
            yield SpokenSentence(words, place, "" if alone else turn.speaker, turn.role, number, is_answer=answer)


def _cut(text: str, at: int) -> Iterator[tuple[int, int]]:
    for match in _CALL_END.finditer(text, at):
        if re.search(r"(?<![&\w])(?:[A-Z]|No|Inc|Corp|Mr|Ms|Dr|vs|St|U\.S)\.$", text[at : match.start()]):
            continue
        yield at, match.start()
        at = match.end()
    if at < len(text):
        yield at, len(text)


def _managers(turns: Sequence[CallTurn]) -> frozenset[str]:
    """Return who speaks for the company: who speaks before the questions, and who has a role other than analyst."""
    return frozenset(
        turn.speaker
        for turn in turns
        if not _OPERATOR.match(turn.speaker)
        and not _ANALYST.search(turn.role)
        and (turn.part == "prepared" or (turn.role and not _OPERATOR.match(turn.role)))
    )


def _speaks_for_company(turn: CallTurn, managers: frozenset[str]) -> bool:
    return turn.speaker in managers and not _ANALYST.search(turn.role) and not _OPERATOR.match(turn.role or "-")
