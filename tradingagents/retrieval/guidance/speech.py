"""The sentences of a document in which the company itself speaks, each with its place and its speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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
    r"^[^\n]{0,150}\b(?:outlook|guidance|expectations)\b[^\n]{0,100}:[ \t]*$", re.IGNORECASE | re.MULTILINE
)
"""A line such as `Outlook for the second quarter is as follows:`, under which bullets stand."""
_CALL_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z\"“(\[$]|i[A-Z])|(?<=\.)(?=GAAP )")


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


def company_sentences(document: SourceDocument) -> Iterator[SpokenSentence]:
    """Yield what the company says: of a call without the operator's and the analysts' words, all prose of a filing."""
    if document.info.kind == "call":
        yield from _call_sentences(document)
        return
    for page in document.pages:
        for first, last in _blocks(page.text):
            block = page.text[first:last]
            parts = [(one.start, one.end, one.text) for one in split_sentences(block, first)]
            heads = _HEADING.finditer(block)
            parts += [(first + head.start(), first + head.end(), " ".join(head[0].split())) for head in heads]
            for start, end, words in sorted(parts):
                yield SpokenSentence(words, TextPlace(document.info.key, page.number, start, end), turn=page.number)


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
