"""Read what a question says of its writer's own holdings: `I own 100 AAPL at 150: add, hold or trim?`.

The words of each language stand in `holdings.yaml`. What is held is read by `analytics.holdings.holdings_text`, the
reader of every such line, which reads English: sentences in other languages are put into its form by `stated_holdings`.
Where that cannot be done for sure, the question is declined.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from tradingagents.analytics.holdings.holdings_text import read_holdings
from tradingagents.dataflows.reference.currencies import CODES
from tradingagents.errors import UsageError
from tradingagents.files.yaml_file import packaged_table
from tradingagents.retrieval.questions.positions.position_tokens import may_state_positions, without_amounts
from tradingagents.retrieval.questions.stated_holdings import HoldingsSentence

About = Literal["risk", "results", "decision", "value", "unread"]
WEEK, FORTNIGHT, MONTH = 7, 14, 30
UNREAD_HOLDINGS = "What you hold was not understood; write it like: I own 100 AAPL at 150, or: 60% AAPL, 40% MSFT."
_ENDS = r"[?!;:]|\.\s|\.$|\s[-\u2013\u2014]\s"
"""Where a statement ends, besides a comma before a word that asks."""
_NUMBER = re.compile(r"(?<![A-Za-z\d.])(?!(?:19|20)\d\d(?!\d))\d[\d.,]*")
_CAPITALS = re.compile(r"(?<![A-Za-z])[A-Z]{2,5}(?![A-Za-z])")
_DIGITS = re.compile(r"\d(?:[\d.,]*\d)?")
_NEAR = 20
"""Characters between a number and a ticker that may be about each other."""


@dataclass(frozen=True, slots=True)
class HoldingsQuestion:
    """A question about what its writer holds."""

    about: About
    """`unread` where it states holdings that are not understood."""
    stated: str = ""
    """What is held, as a line in English; empty for the stored book."""
    symbols: tuple[str, ...] = ()
    """Of what is stated."""
    days_ahead: int = WEEK
    """Days within which results are asked for."""


class _Language:
    """How one language asks."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = words
        self._own = re.compile(words["own"], re.IGNORECASE)
        self._mine = re.compile(words["mine"], re.IGNORECASE)

    def read(self, text: str) -> HoldingsQuestion | None:
        """Return what a question asks of its writer's holdings; None where it is about none, or in another language."""
        sentence = HoldingsSentence(text, self._words)
        owned, mine = self._own.search(text), self._mine.search(text)
        asked = text if owned is None else f"{text[: owned.start()]} {text[owned.end() :]}"
        about, ahead = self._about(asked), self._days_ahead(text)
        supposed = about in ("risk", "decision") and re.search(self._words["folio"], text, re.IGNORECASE)
        if (owned or mine or supposed) and sentence.has_numbers:
            if symbols := _symbols(sentence.line):
                return HoldingsQuestion(about, sentence.line, symbols, ahead)
            if sentence.names_holdings or (owned and re.search(self._words["surely"], text, re.IGNORECASE)):
                return HoldingsQuestion("unread")
        return None if mine is None else HoldingsQuestion(about, days_ahead=ahead)

    def _about(self, rest: str) -> About:
        """Return what is asked, from a question without what it states."""
        asked: tuple[About, ...] = ("results", "decision", "risk")
        return next((about for about in asked if re.search(self._words[about], rest, re.IGNORECASE)), "value")

    def _days_ahead(self, rest: str) -> int:
        if found := re.search(self._words["days"], rest, re.IGNORECASE):
            return max(1, min(int(found[1]), 60))
        if re.search(self._words["month"], rest, re.IGNORECASE):
            return MONTH
        return FORTNIGHT if re.search(self._words["next_week"], rest, re.IGNORECASE) else WEEK


class _English(_Language):
    """How English asks: what is held stands behind what says so, up to where a question begins."""

    def __init__(self, words: Mapping[str, str]) -> None:
        super().__init__(words)
        self._stated = re.compile(
            rf"{words['mine']}(?:\s*(?:(?:{words['is']})(?![a-z])|:|=)\s*(?P<rest>.*))?", re.IGNORECASE | re.DOTALL
        )
        self._end = re.compile(
            rf"{_ENDS}|,\s*(?=(?:{words['asks']})(?![a-z]))|,?\s+(?=(?:{words['begins']})(?![a-z]))", re.IGNORECASE
        )

    def read(self, text: str) -> HoldingsQuestion | None:
        own, mine = self._own.search(text), self._stated.search(text)
        leads = [(own.start(), own.end())] if own else []
        leads += [(mine.start(), mine.start("rest"))] if mine and mine["rest"] else []
        for begin, start in leads:
            end = self._end.search(text, start)
            stop = end.start() if end else len(text)
            line = " ".join(text[start:stop].split())
            rest = f"{text[:begin]} {text[stop:]}"
            if symbols := _symbols(line):
                return HoldingsQuestion(self._about(rest), line, symbols, self._days_ahead(rest))
            if _names_holdings(text[start:stop]):
                return HoldingsQuestion("unread")
        return None if mine is None else HoldingsQuestion(self._about(text), days_ahead=self._days_ahead(text))


def read_holdings_question(text: str) -> HoldingsQuestion | None:
    """Return what a question asks of its writer's holdings; None where it is about none.

    Full-width signs, as Chinese and Japanese write them, are read as plain ones.
    """
    plain = unicodedata.normalize("NFKC", text) if re.search(r"[\uff01-\uff5e]", text) else text
    return next((found for language in _languages() if (found := language.read(plain)) is not None), None)


def without_holdings(text: str) -> str:
    """Return a text without its numbers where it states what its writer holds: for titles, logs and labels."""
    found = read_holdings_question(text)
    if found is not None and (found.stated or found.about == "unread"):
        return _DIGITS.sub("…", text)
    return _DIGITS.sub("…", without_amounts(text)) if may_state_positions(text) else text


def without_stated_amounts(text: str, said: Iterable[str]) -> str:
    """Return a text without the numbers by which holdings are stated, in it or in what was said before.

    Args:
        text: What is handed on.
        said: What its writer, or who it is written for, said.
    """
    stated = [*said, text]
    held = {_bare(number) for line in stated if without_holdings(line) != line for number in _DIGITS.findall(line)}
    return _DIGITS.sub(lambda found: "…" if _bare(found[0]) in held else found[0], text)


def _bare(number: str) -> str:
    return number.replace(",", "").replace(".", "")


@cache
def _languages() -> tuple[_Language, ...]:
    words: Mapping[str, Mapping[str, str]] = packaged_table(__package__, "holdings.yaml")
    return tuple(_English(of) if name == "en" else _Language(of) for name, of in words.items())


def _symbols(line: str) -> tuple[str, ...]:
    """Return the symbols of a line of holdings; none where it cannot be read."""
    try:
        return read_holdings(line).symbols if line else ()
    except UsageError:
        return ()


def _names_holdings(line: str) -> bool:
    """Return whether a number that is no year stands near capitals that may be a ticker: holdings in other words."""
    numbers = [found.span() for found in _NUMBER.finditer(line)]
    tickers = [found.span() for found in _CAPITALS.finditer(line) if found[0] not in CODES]
    return any(max(first[0], other[0]) - min(first[1], other[1]) <= _NEAR for first in numbers for other in tickers)
