"""Read the holdings out of a sentence, in whatever order its language puts numbers, instruments and prices.

`250 MSFT-Aktien, Einstand 310 Euro`, `AAPLを50株` and `以均价175买了80股AAPL` each name a number of shares, an
instrument and perhaps a price. Those three are found as marks; a sentence is understood where each instrument has
exactly one number, and no number, instrument or price is left over. Anything else is not understood, and the caller
says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from tradingagents.dataflows.reference.currencies import CODES

MarkKind = Literal["count", "weight", "price", "instrument", "other"]
_TICKER = r"[A-Z]{1,5}(?:[.-][A-Z]{1,2})?|\d{4,6}\.(?:T|HK|SS|SZ|KS|TW)"
_INSTRUMENT = re.compile(rf"(?<![A-Za-z\d.])\$?(?P<symbol>{_TICKER})(?![A-Za-z\d'’&])")
_NO_INSTRUMENTS = frozenset({"US", "USA", "EU", "ETF"}) | frozenset(CODES)
_CURRENCIES = {
    "us-dollar": "USD", "us-dollars": "USD", "dollars américains": "USD", "dólares": "USD", "美元": "USD",
    "美金": "USD", "ドル": "USD", "euro": "EUR", "euros": "EUR", "欧元": "EUR", "ユーロ": "EUR", "人民币": "CNY",
    "円": "JPY", "港元": "HKD", "港币": "HKD", "franken": "CHF", "pfund": "GBP",
    "livres": "GBP", "libras": "GBP", "€": "EUR", "£": "GBP",
    "dollar": "", "dollars": "", "元": "", "块": "", "$": "", "¥": "",
}  # fmt: skip
"""Words for currencies behind a price; empty for those of several countries, where the instrument's own is meant."""
_CURRENCY = "|".join(
    re.escape(word) + ("(?![a-zà-ÿ])" if word[-1].isascii() and word[-1].isalpha() else "")
    for word in sorted(_CURRENCIES, key=len, reverse=True)
)
_PERCENT = r"\s*(?:%|prozent|pour[ -]?cent|por ciento|パーセント)"
_YEAR = re.compile(r"(?:19|20)\d\d")
_NEAR = 20
"""Characters between a number and an instrument that may be about each other."""
_CASH = "CASH"


@dataclass(frozen=True, slots=True)
class HoldingMark:
    """A number, price or instrument of a sentence."""

    kind: MarkKind
    text: str
    """A number with a decimal point, or a symbol; empty for a number that may mean two things."""
    start: int
    end: int
    currency: str = ""
    """Of a price; empty where none is stated."""


class HoldingsSentence:
    """What a sentence in one language states of holdings.

    Args:
        text: The sentence.
        words: The language's words, as `holdings.yaml` explains them.
    """

    def __init__(self, text: str, words: Mapping[str, str]) -> None:
        self.text = re.sub(words["each"], "@", text) if "each" in words else text
        self._words = words

    @cached_property
    def marks(self) -> tuple[HoldingMark, ...]:
        """Return numbers and instruments, in the sentence's order; of one that is named again, the first."""
        numbers = list(self._numbers())
        seen: set[str] = set()
        instruments = []
        for mark in self._instruments():
            if mark.text not in seen:
                instruments.append(mark)
                seen.add(mark.text)
        return tuple(sorted([*numbers, *instruments], key=lambda mark: mark.start))

    @property
    def line(self) -> str:
        """Return the holdings as `read_holdings` reads them; empty where they are not understood for sure."""
        kinds = {mark.kind for mark in self.marks}
        amounts = kinds & {"count", "weight"}
        if len(amounts) != 1 or "other" in kinds or not all(mark.text for mark in self.marks):
            return ""
        if re.search(self._words["unsure"], self.text, re.IGNORECASE):
            return ""
        groups = _groups(self.marks)
        return " and ".join(map(_stated, groups)) if all(map(_is_whole, groups)) else ""

    @property
    def has_numbers(self) -> bool:
        """Return whether there are numbers that may be of holdings, in digits or in words."""
        spelled = re.search(self._words["spelled"], self.text, re.IGNORECASE)
        return spelled is not None or any(mark.kind != "instrument" for mark in self.marks)

    @property
    def names_holdings(self) -> bool:
        """Return whether holdings are stated, understood or not: shares, or a number near an instrument."""
        if re.search(self._words["spelled"], self.text, re.IGNORECASE):
            return True
        numbers = [mark for mark in self.marks if mark.kind != "instrument"]
        instruments = [mark for mark in self.marks if mark.kind == "instrument"]
        near = any(
            max(number.start, other.start) - min(number.end, other.end) <= _NEAR
            for number in numbers
            for other in instruments
        )
        return near or any(mark.kind in ("count", "weight") for mark in numbers)

    def _numbers(self) -> Iterator[HoldingMark]:
        windows = [found.span() for found in re.finditer(self._words["days"], self.text, re.IGNORECASE)]
        for found in self._number.finditer(self.text):
            start, end = found.span("number")
            if any(begin <= start < stop for begin, stop in windows):
                continue
            kind, currency = self._kind_of(start, end)
            if kind == "other" and _YEAR.fullmatch(found["number"]) and not self._is_before_instrument(end):
                continue
            yield HoldingMark(kind, _plain(found["number"], self._words["thousands"]), start, end, currency)

    @cached_property
    def _number(self) -> re.Pattern[str]:
        grouped = r"\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:,\d+)?(?!\d)|" if self._words["thousands"] == " " else ""
        return re.compile(rf"(?<![A-Za-z\d.])(?P<number>{grouped}\d[\d.,]*\d|\d)(?!\.(?:T|HK|SS|SZ|KS|TW)\b)")

    def _kind_of(self, start: int, end: int) -> tuple[MarkKind, str]:
        """Return what a number is, and the currency of a price."""
        before, after = self.text[:start], self.text[end:]
        if re.match(self._words["times"], after, re.IGNORECASE):
            return "other", ""
        if re.match(_PERCENT, after, re.IGNORECASE) or before.endswith("百分之"):
            return "weight", ""
        if money := re.match(rf"\s*(?P<word>{_CURRENCY}|[A-Z]{{3}}\b)", after, re.IGNORECASE):
            code = _CURRENCIES.get(money["word"].lower(), money["word"])
            if code in CODES or not code:
                return "price", code
        if sign := re.search(r"[$€£¥]\s*$", before):
            return "price", _CURRENCIES[sign[0].strip()]
        if re.match(rf"[\s-]*(?:{self._words['units']})", after, re.IGNORECASE):
            return "count", ""
        if re.search(rf"(?:(?<![A-Za-zÀ-ÿ])(?:{self._words['at']}))\s*[:=]?\s*$", before, re.IGNORECASE):
            return "price", ""
        if re.match(self._words["price_after"], after, re.IGNORECASE):
            return "price", ""
        if self._is_before_instrument(end):
            return "other" if _YEAR.fullmatch(self.text[start:end]) else "count", ""
        beside = re.search(rf"{_INSTRUMENT.pattern}(?:株)?(?:を|[:=(×x]|は)?\s*$", before)
        return ("count", "") if beside and beside["symbol"] not in _NO_INSTRUMENTS else ("other", "")

    def _is_before_instrument(self, end: int) -> bool:
        return re.match(rf"\s*(?:x\s*|{self._words['of']})?{_INSTRUMENT.pattern}", self.text[end:]) is not None

    def _instruments(self) -> Iterator[HoldingMark]:
        """Yield the instruments; a single letter is one beside a number of shares only."""
        for found in _INSTRUMENT.finditer(self.text):
            symbol = found["symbol"]
            before, after = self.text[: found.start()], self.text[found.end() :]
            shares_before = re.search(rf"\d[\s-]*(?:{self._words['units']})?\s*(?:{self._words['of']})?$", before, re.I)
            beside = shares_before or re.match(r"\s{0,9}[:=(]?\s{0,9}\d", after)
            if (len(symbol) > 1 or beside) and symbol not in _NO_INSTRUMENTS:
                yield HoldingMark("instrument", symbol, *found.span())
        for found in re.finditer(self._words["cash"], self.text, re.IGNORECASE):
            before, after = self.text[: found.start()], self.text[found.end() :]
            if re.search(r"%\s*(?:in|en|de|als|が|は)?\s*$", before) or re.match(
                r"\s{0,9}[:(占为はが]?\s{0,9}\d[\d.,]*\s{0,9}%", after
            ):
                yield HoldingMark("instrument", _CASH, *found.span())


def _plain(number: str, thousands: str) -> str:
    """Return a number with a decimal point and no other sign; empty where it may mean two.

    `1,250` in German may be one and a quarter, or twelve hundred and fifty as an English broker writes it.
    """
    if thousands == ",":
        return number.replace(",", "") if re.fullmatch(r"\d+(?:,\d{3})*(?:\.\d+)?", number) else ""
    sign = r"[ \u00a0\u202f]" if thousands == " " else re.escape(thousands)
    if re.fullmatch(rf"\d{{1,3}}(?:{sign}\d{{3}})+(?:,\d+)?|\d+,(?:\d{{1,2}}|\d{{4,}})|\d+", number):
        return re.sub(r"[. \u00a0\u202f]", "", number).replace(",", ".")
    return number if re.fullmatch(r"\d+\.(?:\d{1,2}|\d{4,})", number) else ""


def _groups(marks: tuple[HoldingMark, ...]) -> list[list[HoldingMark]]:
    """Return the marks in groups, each beginning with a mark of the first one's kind."""
    first = marks[0].kind
    groups: list[list[HoldingMark]] = []
    for mark in marks:
        if mark.kind == first:
            groups.append([])
        groups[-1].append(mark)
    return groups


def _is_whole(group: list[HoldingMark]) -> bool:
    """Return whether a group is one instrument with its number, and at most one price."""
    kinds = [mark.kind for mark in group]
    amounts = kinds.count("count") + kinds.count("weight")
    return amounts == kinds.count("instrument") == 1 and kinds.count("price") <= (1 if "count" in kinds else 0)


def _stated(group: list[HoldingMark]) -> str:
    by_kind = {mark.kind: mark for mark in group}
    symbol = by_kind["instrument"].text
    if "weight" in by_kind:
        return f"{by_kind['weight'].text}% {symbol}"
    price = by_kind.get("price")
    paid = "" if price is None else f" at {price.text} {price.currency}".rstrip()
    return f"{by_kind['count'].text} {symbol}{paid}"
