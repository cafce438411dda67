"""Slips in the words of a question, mended where no stored filing has the word as it is written: `headcout`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from tradingagents.retrieval.questions.vocabulary import right_word

_WORD = re.compile(r"(?<![\w'&.-])[a-z]{5,}(?![\w&-])")
"""A word in small letters: names are left as they are written."""


def mended_words(question: str, holding: Callable[[str], Collection[str]]) -> tuple[str, tuple[str, ...]]:
    """Return a question with slips mended, and what was read as what; as it is where it has none.

    Args:
        question: In plain words.
        holding: Gives the keys of the documents that hold a word.
    """
    remarks: list[str] = []
    for word in dict.fromkeys(_WORD.findall(question)):
        meant = right_word(word)
        if meant and not holding(word):
            question = re.sub(rf"(?<!\w){word}(?!\w)", meant, question)
            remarks.append(f"{word} is read as {meant}.")
    return question, tuple(remarks)
