"""Questions that name rows by their very labels are answered by these rows alone, or declined where they differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from tradingagents.retrieval.lines.answering import answer_lines
from tradingagents.retrieval.lines.cells.cell_choice import same_value
from tradingagents.retrieval.lines.cells.found_cells import SEVERAL
from tradingagents.retrieval.lines.cells.printed_rows import is_called, labels_in, printed_words, shortens
from tradingagents.retrieval.lines.company_books import LineBooks
from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.retrieval.lines.line_questions import LineQuestion
from tradingagents.retrieval.lines.parts.share_of_whole import asks_share

_MOST_ROWS = 2
_STANDS_FOR = ("firstrow", "secondrow")
"""Words that stand for labels while the rest of a question is read: no table has them."""
_TOKEN = re.compile(r"[^\W_]+(?:[.'\u2019-][^\W_]+)*|&")


def as_printed(
    asked: LineQuestion, question: str, companies: Sequence[LineBooks], read: Callable[[str], LineQuestion]
) -> LineQuestion | None:
    """Return a question of the rows whose labels it names word for word; None where it names more, or no such row.

    Args:
        asked: The question as it is read by its words.
        question: Its text.
        companies: The only one that it names.
        read: Reads a text without those labels.
    """
    plain = bool(asked.measures) and not (asked.labels or asked.own_labels or asked.group)  # the statements give it
    if len(companies) != 1 or (plain and not asked.excluded) or asks_share(question):
        return None
    books = companies[0]
    documents = [books.readable(info) for period in asked.span.periods for info in books.filings_of(period)]
    words, tokens = _words(question)
    places = labels_in(words, documents)
    if not 0 < len(places) <= _MOST_ROWS or (len(places) > 1 and not all(bare for *_, bare in places)):
        return None
    rest = question
    for number, (start, end, _) in reversed(list(enumerate(places))):
        rest = f"{rest[: tokens[start].start()]} {_STANDS_FOR[number]} {rest[tokens[end - 1].end() :]}"
    other = read(rest)
    more = other.measures or other.own_labels or other.group or other.qualifiers or other.excluded or other.combined
    periods = other.span.periods and set(other.span.periods) <= set(asked.span.periods)
    if (
        more
        or other.unread
        or other.trailing
        or not periods
        or sorted(other.labels) != sorted(_STANDS_FOR[: len(places)])
    ):
        return None
    labels = tuple(" ".join(words[start:end]) for start, end, _ in places)
    named = dict(zip(_STANDS_FOR, labels, strict=False))
    return replace(
        other, text=asked.text, spoken=asked.spoken, printed=frozenset(labels),
        labels=tuple(named[label] for label in other.labels),
        alternatives=tuple(named[label] for label in other.alternatives),
        apart=frozenset(named[label] for label in other.apart),
    )  # fmt: skip


def _words(question: str) -> tuple[list[str], list[re.Match[str]]]:
    """Return the words of a question as those of labels are compared, and where each stands."""
    found = [
        (words[0], token)
        for token in _TOKEN.finditer(question)
        if (words := ("and",) if token.group() == "&" else printed_words(token.group()))
    ]
    return [word for word, _ in found], [token for _, token in found]


def answer_by_rows(
    answer: LineAnswer | None, printed: LineQuestion, companies: Sequence[LineBooks]
) -> LineAnswer | None:
    """Return the answer of the rows that are called so where another row was taken or none; else the one there is."""
    if answer is not None and answer.complete and _is_by_labels(answer, printed):
        return answer
    found = answer_lines(printed, companies)
    if found.complete:
        same = answer is not None and answer.complete and _gives(answer, found)
        return answer if same else found
    if answer is None or not answer.complete:
        return answer
    others = [value.row for value in answer.values if value.row and not _is_any(value.row, printed)]
    differs = SEVERAL in found.refusal and not all(_shortens_any(row, printed) for row in others)
    return found if differs or not _gives(answer, found) else answer


def _is_by_labels(answer: LineAnswer, printed: LineQuestion) -> bool:
    return all(value.row and _is_any(value.row, printed) for value in answer.values)


def _is_any(row: str, printed: LineQuestion) -> bool:
    return any(is_called(row, label) for label in printed.labels)


def _shortens_any(row: str, printed: LineQuestion) -> bool:
    return any(shortens(row, label) for label in printed.labels)


def _gives(answer: LineAnswer, found: LineAnswer) -> bool:
    """Whether an answer has every figure that another one has."""
    given = [value.value for value in answer.values if value.value is not None]
    told = [value.value for value in found.values if value.value is not None]
    return all(any(same_value(abs(one), abs(value)) for one in given) for value in told)
