"""Slips of the keyboard in a question, mended where one word alone can be meant: `Microsft` is Microsoft."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise

from tradingagents.retrieval.questions.aspects import spoken_language
from tradingagents.retrieval.questions.companies import CompanyMention, Instruments, listed_instruments
from tradingagents.retrieval.questions.names import market_words, names_table, words_of_questions
from tradingagents.retrieval.questions.plain_words import plain_words
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.questions.vocabulary import is_known, parts_of_word, right_word

FEWEST_LETTERS = 5
"""Letters from which on a word of a question is mended."""
FEWEST_OF_FIRST = 3
"""Letters from which on a word written in haste is told at the beginning of a sentence, where it has a capital."""
MOST_NAMED = 4
"""Companies that are named where a slip may mean several."""
_HASTY = re.compile(r"(?<![\w$&.\-])[a-z0-9]+(?:['\u2019][a-z]*)?(?![\w&\-])")
_SMALL_TICKER = re.compile(r"(?<![\w$&.\-])[a-z]{2,5}(?![\w&\-])")
_THEN_FOR_THAN = re.compile(
    r"\b(better|worse|more|less|fewer|higher|lower|bigger|larger|smaller|cheaper|dearer|faster|slower|stronger|weaker)"
    r" then\b"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z'\u2019]*")


@dataclass(frozen=True, slots=True)
class Mended:
    """A question without slips that can be mended."""

    text: str
    remarks: tuple[str, ...] = ()
    """What was read as what."""
    doubtful: str = ""
    """What is to be said where a slip may mean several companies; empty where none does."""


def mended(text: str, today: date, instruments: Instruments | None) -> Mended:
    """Return a question with slips mended, each with a remark; names of companies first, then words of questions.

    Args:
        text: The question.
        today: Its day.
        instruments: What the source knows; None: the companies of the reference list.
    """
    text, german = in_full(text), spoken_language(text) == "de"
    reading = QuestionReading(text, today, instruments=instruments)
    listed = instruments or listed_instruments()
    table = names_table()
    common = (
        words_of_questions()
        | set(table["no_companies"])
        | set(table["polite"])
        | set(table["of_figures"])
        | market_words()
    )
    taken = {word.lower() for mention in reading.mentions for word in _WORD.findall(mention.written)}
    text, remarks = _joined(text, listed, reading.mentions)
    for word in dict.fromkeys(_SMALL_TICKER.findall(text)) if reading.mentions else ():
        ticker = word not in common and not is_known(word) and word not in taken and listed.knows(word)
        if ticker and _is_joined(word, text):  # `ford and gm`
            text = _replaced(text, word, f"${word.upper()}")
            remarks.append(f"{word} is read as {word.upper()}.")
    for word in dict.fromkeys(_WORD.findall(text)):
        bare = re.sub(r"['\u2019]s?$", "", word)
        plain = plain_words(bare)
        if len(plain) < FEWEST_LETTERS - 1 or plain in common or is_known(plain) or plain in taken or " " in plain:
            continue
        near = {} if listed.knows(bare) else listed.near(bare)
        free = not reading.mentions or bare[0].isupper() or _is_joined(word, text)
        if len(near) == 1 and free:
            (symbol, name) = next(iter(near.items()))
            text = _replaced(text, bare, f"${symbol}")
            if plain != f"{plain_words(name)}s":  # as German writes the genitive: `Apples Umsatz`
                remarks.append(f"{bare} is read as {name} ({symbol}).")
        elif near and free:
            return Mended(text, doubtful=f"{bare} may mean {' or '.join(list(near)[:MOST_NAMED])}; name the ticker.")
        elif (bare == bare.lower() or text.startswith(word)) and (meant := right_word(plain)):
            text = _replaced(text, bare, meant)
            if meant.rstrip("s") != plain.rstrip("s"):
                remarks.append(f"{bare} is read as {meant}.")
        elif german and (parts := parts_of_word(plain)):
            text = _replaced(text, bare, " ".join(parts))
    return Mended(text, tuple(remarks))


_JOINS = r"(?:and|or|vs|versus|und|oder|gegen|n)"


def _is_joined(word: str, text: str) -> bool:
    """Tell whether a word stands beside what joins companies, as in `nvida vs AMD`."""
    own = re.escape(word)
    return re.search(rf"(?:\b{_JOINS}\s+|,\s*){own}\b|\b{own}(?:\s+{_JOINS}\b|\s*,)", text) is not None


def _joined(text: str, listed: Instruments, mentions: Sequence[CompanyMention]) -> tuple[str, list[str]]:
    """Return a question with names written in two words, such as `united health`, and what was read as what."""
    words, taken = _WORD.findall(text), {part for mention in mentions for part in mention.written.split()}
    for first, second in pairwise(words):
        pair = f"{first} {second}"
        if (
            {first, second} & taken
            or pair not in text
            or len(first) < FEWEST_LETTERS - 1
            or len(second) < FEWEST_LETTERS - 1
        ):
            continue
        near = listed.near(first + second)
        if listed.knows(first + second) or len(near) == 1:
            symbol, name = next(iter(near.items())) if near else (first + second, first + second)
            return _replaced(text, pair, f"${symbol}" if near else name), [f"{pair} is read as {name}."]
    return text, []


def in_full(text: str) -> str:
    """Return a question with what is written in haste (`whats`, `rn`, `teh`) in full; capitals are left as they are."""
    table = names_table()["shorthand"]
    first = text.split(maxsplit=1)[0] if text.strip() else ""
    if len(first) >= FEWEST_OF_FIRST and first[1:].islower() and first.lower().replace("\u2019", "'") in table:
        text = text.replace(first, first.lower(), 1)
    text = _THEN_FOR_THAN.sub(r"\1 than", text)
    return _HASTY.sub(lambda found: str(table.get(found[0].replace("\u2019", "'"), found[0])), text)


def _replaced(text: str, word: str, by: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", by.replace("\\", r"\\"), text)
