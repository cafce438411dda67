"""Read what a question says of its writer's own holdings: `I own 100 AAPL at 150: add, hold or trim?`.

The words of each language stand in `holdings.yaml`. What is held is read by `analytics.holdings.holdings_text`, the
reader of every such line, which reads English: lines in other languages are put into its form first. Where that cannot
be done for sure, the question is declined.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import yaml

from tradingagents.analytics.holdings.holdings_text import read_holdings
from tradingagents.dataflows.reference.currencies import CODES
from tradingagents.errors import UsageError

About = Literal["risk", "results", "decision", "value", "unread"]
WEEK, FORTNIGHT, MONTH = 7, 14, 30
UNREAD_HOLDINGS = "What you hold was not understood; write it like: I own 100 AAPL at 150, or: 60% AAPL, 40% MSFT."
_ENDS = r"[?!;:\u3002]|\.\s|\.$|\s[-\u2013\u2014]\s"
"""Where a statement ends, besides a comma before a word that asks."""
_TICKER = r"\$?[A-Za-z^][A-Za-z0-9.=^\-]{0,14}"
_LETTER = "a-zà-ÿ"
_NUMBER = re.compile(r"(?<![A-Za-z\d.])(?!(?:19|20)\d\d(?!\d))\d[\d.,]*")
_CAPITALS = re.compile(r"(?<![A-Za-z])[A-Z]{2,5}(?![A-Za-z])")
_NEAR = 20
"""Characters between a number and a ticker that may be about each other."""
_UNITS = {"us-dollar": "USD", "dollar": "USD", "dollars": "USD", "dólares": "USD", "美元": "USD", "ドル": "USD",
          "euro": "EUR", "euros": "EUR", "欧元": "EUR", "ユーロ": "EUR", "人民币": "CNY", "元": "CNY", "円": "JPY",
          "港元": "HKD", "港币": "HKD", "franken": "CHF", "pfund": "GBP", "livres": "GBP", "libras": "GBP"}  # fmt: skip
"""Words for currencies behind a price; longer ones first where one ends another."""


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
        self._cjk = re.search(r"[\u3040-\u9fff]", words["own"]) is not None
        after = "" if self._cjk else rf"(?![{_LETTER}])"
        self._own = re.compile(words["own"], re.IGNORECASE)
        self._mine = re.compile(
            rf"{words['mine']}(?:\s*(?:(?:{words['is']}){after}|:|=)\s*(?P<rest>.*))?", re.IGNORECASE | re.DOTALL
        )
        self._end = re.compile(rf"{_ENDS}|[,\u3001]\s*(?=(?:{words['asks']}){after})", re.IGNORECASE)

    def read(self, text: str) -> HoldingsQuestion | None:
        """Return what a question asks of its writer's holdings; None where it is about none, or in another language."""
        own, mine = self._own.search(text), self._mine.search(text)
        leads = [(own.start(), own.end())] if own else []
        leads += [(mine.start(), mine.start("rest"))] if mine and mine["rest"] else []
        for begin, start in leads:
            end = self._end.search(text, start)
            stop = end.start() if end else len(text)
            line = self._in_english(text[start:stop])
            rest = f"{text[:begin]} {text[stop:]}"
            try:
                symbols = read_holdings(line).symbols if line else ()
            except UsageError:
                symbols = ()
            if symbols:
                return HoldingsQuestion(self._about(rest), line, symbols, self._days_ahead(rest))
            if _names_holdings(text[start:stop]):
                return HoldingsQuestion("unread")
        return None if mine is None else HoldingsQuestion(self._about(text), days_ahead=self._days_ahead(text))

    def _in_english(self, line: str) -> str:
        """Return a stated line as `read_holdings` reads it; empty where a number of it may mean two things."""
        words, said = self._words, " ".join(line.split())
        if "joins" not in words:
            return said
        if sign := words.get("thousands"):
            if re.search(rf"\d,\d{{3}}(?!\d)|\d{re.escape('.' if sign == ' ' else ' ')}\d{{3}}(?!\d)", said):
                return ""
            said = re.sub(rf"(?<=\d)[{re.escape(sign)}\u00a0\u202f](?=\d{{3}}(?!\d))", "", said)
            said = re.sub(r"(?<=\d),(?=\d)", ".", said)
        before, after = ("", "") if self._cjk else (rf"(?<![{_LETTER}])", rf"(?![{_LETTER}])")

        def put(pattern: str, instead: str, text: str) -> str:
            return re.sub(pattern, instead, text, flags=re.IGNORECASE)

        for name in sorted(_UNITS, key=len, reverse=True):
            said = put(rf"(?<=\d)\s?{name}{after}", f" {_UNITS[name]}", said)
        said = (
            put(rf"\s*{before}(?:{words['at']})\s*(?=[$€£¥]?\d)", " at ", said) if "at" in words else _turned_all(said)
        )
        said = put(rf"{before}(?:{words['fillers']}){after}", " ", said)
        said = put(rf"(?<=\d)\s*(?:{words['units']}){after}\s*", " shares of ", said)
        said = put(rf"{before}(?:{words['joins']}){after}", " and ", said)
        return " ".join(said.strip(" ,.").split())

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


def read_holdings_question(text: str) -> HoldingsQuestion | None:
    """Return what a question asks of its writer's holdings; None where it is about none.

    Full-width signs, as Chinese and Japanese write them, are read as plain ones.
    """
    plain = unicodedata.normalize("NFKC", text) if re.search(r"[\uff01-\uff5e]", text) else text
    return next((found for language in _languages() if (found := language.read(plain)) is not None), None)


@cache
def _languages() -> tuple[_Language, ...]:
    words: Mapping[str, Mapping[str, str]] = yaml.safe_load(
        files(__package__).joinpath("holdings.yaml").read_text("utf-8")
    )
    return tuple(map(_Language, words.values()))


def _names_holdings(line: str) -> bool:
    """Return whether a number that is no year stands near capitals that may be a ticker: holdings in other words."""
    numbers = [found.span() for found in _NUMBER.finditer(line)]
    tickers = [found.span() for found in _CAPITALS.finditer(line) if found[0] not in CODES]
    return any(max(first[0], other[0]) - min(first[1], other[1]) <= _NEAR for first in numbers for other in tickers)


def _turned_all(line: str) -> str:
    """Return a Japanese line with numbers before symbols: `AAPLを100株、150ドルで` becomes `100 AAPL at 150`."""
    return " と ".join(_turned(part) for part in re.split(r"\s*(?:と|および|、(?=[A-Za-z$^]))\s*", line))


def _turned(part: str) -> str:
    found = re.search(
        rf"(?P<symbol>{_TICKER})(?:株)?を\s*(?:1株)?(?P<before>[$€£]?[\d.,]+(?: [A-Z]{{3}})?で)?\s*(?P<count>[\d.,]+)株"
        rf"(?:[を、]?\s*(?:1株)?(?P<after>[$€£]?[\d.,]+(?: [A-Z]{{3}})?)で)?",
        part,
    )
    if found is None:
        return part
    price = (found["before"] or found["after"] or "").removesuffix("で")
    turned = f"{found['count']} {found['symbol']}" + (f" at {price}" if price else "")
    return part[: found.start()] + turned + part[found.end() :]
