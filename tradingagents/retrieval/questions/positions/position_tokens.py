"""The words of a question that states holdings, each with its role: a number, a price, a company, a verb.

    tokens_of("40 \ue000 at 180, how am i doing")  # roles "NSaN,W"

Roles are letters, explained in `position_words.yaml`; besides these: S a company, N a number, P a percentage, M a sum
of money, D days, `.` and `,` what ends a sentence and a part of it, q a word that says nothing, x any other word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from tradingagents.files.yaml_file import packaged_table
from tradingagents.retrieval.questions.aspects import words_of_aspects
from tradingagents.retrieval.questions.plain_words import plain_words
from tradingagents.retrieval.questions.wording import day_spans

FIRST_MARK = 0xE000
"""The sign that stands for the first company that a text names; those of the next ones follow it."""
_MARK = re.compile("[\ue000-\uf8ff]")
_NUMBER = re.compile(r"\d+(?:[.,']\d{3}(?!\d))*(?:[.,]\d+)?")
_YEAR_OR_COUNT = re.compile(
    r"\d{4}(?=\s?(?:(?:(?:in|into)\s)?[\ue000-\uf8ff]|each in\b|of\b"
    r"|shares?\b|aktien?\b|stück|股|dollars?\b|usd|euros?\b|eur\b|[$€]|元|美元))"
)
"""Four digits that are no year: a number of shares, or a sum."""
_TIMES = re.compile(r"\s?(k|tsd|thousand|grand|tausend|mio|million|万|千|百)(?![a-z])")
_FACTORS: Mapping[str, float] = {
    **dict.fromkeys(("k", "tsd", "thousand", "grand", "tausend", "千"), 1_000.0),
    **dict.fromkeys(("mio", "million"), 1_000_000.0),
    "万": 10_000.0,
    "百": 100.0,
}
_PERCENT = re.compile(r"\s?(?:%|percent\b|per cent\b|pct\b|prozent\b|个百分点|个点)")
_CURRENCIES: Mapping[str, str] = {
    "$": "", "dollars": "", "dollar": "", "bucks": "", "usd": "USD", "美元": "USD", "美金": "USD", "元": "", "块": "",
    "€": "EUR", "eur": "EUR", "euros": "EUR", "euro": "EUR", "欧元": "EUR", "£": "GBP", "gbp": "GBP", "pounds": "GBP",
    "chf": "CHF", "franken": "CHF", "人民币": "CNY",
}  # fmt: skip
"""Currencies by their words; empty for one of several countries, where the instrument's own is meant."""
_MONEY_BEHIND = re.compile(
    rf"\s?({'|'.join(sorted(map(re.escape, _CURRENCIES), key=len, reverse=True))})(?![a-z])", re.IGNORECASE
)
_MONEY_BEFORE = re.compile(r"([$€£])\s?$")
_SPELLED: Mapping[str, float] = {
    **{word: float(at) for at, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"), 1)},
    **{word: float(at) for at, word in enumerate(
        ("eine", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf"), 1)},
    "fifteen": 15.0, "twenty": 20.0, "thirty": 30.0, "forty": 40.0, "fifty": 50.0, "sixty": 60.0, "eighty": 80.0,
    "a hundred": 100.0, "one hundred": 100.0, "hundred": 100.0, "two hundred": 200.0, "five hundred": 500.0,
    "a thousand": 1000.0, "one thousand": 1000.0, "two thousand": 2000.0, "a dozen": 12.0, "two dozen": 24.0,
    "fünfzehn": 15.0, "zwanzig": 20.0, "dreißig": 30.0, "vierzig": 40.0, "fünfzig": 50.0, "hundert": 100.0,
    "einhundert": 100.0, "zweihundert": 200.0, "fünfhundert": 500.0, "tausend": 1000.0, "eintausend": 1000.0,
    "十": 10.0, "二十": 20.0, "三十": 30.0, "五十": 50.0, "一百": 100.0, "两百": 200.0, "五百": 500.0, "一千": 1000.0,
}  # fmt: skip
_FRACTIONS: Mapping[str, float] = {
    **dict.fromkeys(("two thirds", "zwei drittel", "三分之二"), 200 / 3),
    **dict.fromkeys(("one third", "a third", "third", "ein drittel", "三分之一"), 100 / 3),
    **dict.fromkeys(("one quarter", "a quarter", "ein viertel", "四分之一"), 25.0),
    **dict.fromkeys(("three quarters", "drei viertel", "四分之三"), 75.0),
}
_HALF = 50.0
_DROP = re.compile(r"(?<![\w.])-\s?(?=\d[\d.,]*\s?%)")
_RISE = re.compile(r"(?<![\w.])\+\s?(?=\d[\d.,]*\s?%)")
_ENDS = ".?!;:\uff1f\uff01\u3002\uff1b\uff1a\n"
_COMMAS = ",\u3001\uff0c("
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|')*")
_CJK = re.compile("[\u3400-\u9fff]")
NO_NUMBER = -1.0
"""Value of a number that may mean two."""


_SUPPOSED = frozenset({"would", "wäre", "wären", "waere", "waeren"})


@dataclass(frozen=True, slots=True)
class PositionToken:
    """A word of a question, and its role."""

    role: str
    said: str
    start: int
    end: int
    number: float = 0.0
    """Of a number; of a company, which mention it is."""
    currency: str = ""

    @property
    def is_supposed(self) -> bool:
        """Tell whether it is of what is not held, as in `was wären 2500 Dollar in GLD von vor einem Jahr`."""
        return bool(_SUPPOSED & set(self.said.split()))


def tokens_of(text: str, language: str) -> tuple[PositionToken, ...]:
    """Return the words of a text in small letters, in which companies stand as marks.

    Args:
        text: The question, its periods in English.
        language: By which `1.250` and `1,250` are told apart.
    """
    found: list[PositionToken] = []
    days = dict(day_spans(text))
    at = 0
    while at < len(text):
        token = _token_at(text, at, days, language)
        if token is not None and token.role == "D" and found and found[-1].role == "D":
            found[-1] = PositionToken("D", f"{found[-1].said} {token.said}", found[-1].start, token.end)
        elif token is not None:
            found.append(token)
        at = token.end if token is not None else at + 1
    return tuple(_days_behind(found))


_DATED_PRICE = re.compile(r"(?<=[Su])D,?aq?[NM]e?")


def _days_behind(tokens: list[PositionToken]) -> list[PositionToken]:
    """Return tokens with a day of buying behind the price: `10 nvda on 2024-01-16 at 563` as `10 nvda at 563 on …`."""
    for found in _DATED_PRICE.finditer("".join(token.role for token in tokens)):
        start, end = found.span()
        tokens[start:end] = [*tokens[start + 1 : end], tokens[start]]
    return tokens


def _token_at(text: str, at: int, days: Mapping[int, int], language: str) -> PositionToken | None:
    if text[at].isspace():
        return None
    if at in days and not _YEAR_OR_COUNT.match(text, at) and text[at - 1 : at] not in ("$", "€", "£"):
        return PositionToken("D", text[at : days[at]], at, days[at])
    if _MARK.match(text[at]):
        return PositionToken("S", text[at], at, at + 1, float(ord(text[at]) - FIRST_MARK))
    for sign, role in ((_DROP, "l"), (_RISE, "g")):
        if moved := sign.match(text, at):
            return PositionToken(role, moved[0], at, moved.end())
    if number := _NUMBER.match(text, at):
        return _number(text, number, language)
    if text[at] in _ENDS:
        return PositionToken(".", text[at], at, at + 1)
    if text[at] in _COMMAS:
        return PositionToken(",", text[at], at, at + 1)
    return _word_at(text, at)


def _number(text: str, found: re.Match[str], language: str) -> PositionToken:
    value, end = plain_value(found[0], language), found.end()
    times = _TIMES.match(text, end)
    if times:
        value, end = value * _FACTORS[times[1]], times.end()
    if percent := _PERCENT.match(text, end):
        return PositionToken("P", text[found.start() : percent.end()], found.start(), percent.end(), value)
    before, behind = _MONEY_BEFORE.search(text[: found.start()]), _MONEY_BEHIND.match(text, end)
    if before or behind:
        word = behind[1].lower() if behind else before[1] if before else ""
        end = behind.end() if behind else end
        return PositionToken("M", text[found.start() : end], found.start(), end, value, _CURRENCIES[word])
    role = "M" if times and times[1] in ("k", "tsd", "grand") else "N"
    return PositionToken(role, text[found.start() : end], found.start(), end, value)


def plain_value(written: str, language: str) -> float:
    """Return the value of a number; `NO_NUMBER` where it may mean two, as `1,250` in German."""
    thousands, point = (".", ",") if language == "de" else (",", ".")
    bare = written.replace("'", "")
    if re.fullmatch(rf"\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+(?:{re.escape(point)}\d+)?", bare):
        return float(bare.replace(thousands, "").replace(point, "."))
    if re.fullmatch(rf"\d+(?:{re.escape(point)}\d+)?", bare) and not re.search(rf"{re.escape(point)}\d{{3}}$", bare):
        return float(bare.replace(point, "."))
    if re.fullmatch(r"\d+\.(?:\d{1,2}|\d{4,})", bare):
        return float(bare)
    return NO_NUMBER


def _word_at(text: str, at: int) -> PositionToken | None:
    for table in (_roles(), _spelled()):
        if found := table.match(text, at):
            said = " ".join(found[0].split())
            role, value = _meaning(said)
            return PositionToken(role, said, at, found.end(), value)
    if _CJK.match(text[at]):
        length = next((size for size in (4, 3, 2, 1) if _is_quiet(text[at : at + size])), 0)
        return PositionToken("q" if length else "x", text[at : at + (length or 1)], at, at + (length or 1))
    if word := _WORD.match(text, at):
        plain = plain_words(word[0])
        quiet = all(_is_quiet(part) for part in plain.split())
        return PositionToken("q" if quiet else "x", word[0], at, word.end())
    return PositionToken(",", text[at], at, at + 1) if text[at] in "-\u2013\u2014/)" else None


def says_something(word: str) -> bool:
    """Tell whether a word has a role beside companies."""
    return word in _words() or word in _spelled_values()


def _is_quiet(word: str) -> bool:
    return words_of_aspects().get(word) == "quiet"


def _meaning(said: str) -> tuple[str, float]:
    if said in _spelled_values():
        return "N", _spelled_values()[said]
    role = _words()[said]
    return ("P", _FRACTIONS.get(said, _HALF)) if role == "F" else (role, 0.0)


@cache
def _words() -> Mapping[str, str]:
    """Return the words of the table, each with its role; of two roles, the one that stands first."""
    table: Mapping[str, list[str]] = packaged_table(__package__, "position_words.yaml")
    found: dict[str, str] = {}
    for role, words in table.items():
        for word in words:
            found.setdefault(str(word), str(role))
    return found


@cache
def _spelled_values() -> Mapping[str, float]:
    return {word: value for word, value in _SPELLED.items() if word not in _words()}


@cache
def _roles() -> re.Pattern[str]:
    return _any_of(_words())


@cache
def _spelled() -> re.Pattern[str]:
    return _any_of(_spelled_values())


def _any_of(words: Mapping[str, object]) -> re.Pattern[str]:
    """Return the pattern of any of some words, the longest first; of letters, whole words alone."""
    longest = sorted(words, key=len, reverse=True)
    parts = []
    for word in longest:
        written = r"\s".join(map(re.escape, word.split()))
        whole = word[-1].isalnum() and not _CJK.match(word[-1])
        parts.append(rf"{written}(?![a-zà-ÿ'])" if whole else written)
    return re.compile("|".join(parts))


_FIRST_PERSON = re.compile(r"(?<![^\W\d_])(?:i|i'\w+|id|ive|im|my|we|our|ich|mein\w*|wir|unser\w*)(?![^\W\d_])|我|咱")
_OF_HOLDING = frozenset("hbIyf")
_AMOUNTS = frozenset("NMP")


def may_state_positions(text: str) -> bool:
    """Tell whether a text may state what its writer holds, whatever it names: for what is written to logs and titles.

    So it is where somebody speaks of buying or holding, with a number, in the first person or with the verb in front.
    """
    lower = text.lower().replace("\u2019", "'")
    roles = "".join(token.role for token in tokens_of(lower, "en"))
    if not (_OF_HOLDING & set(roles) and _AMOUNTS & set(roles)):
        return False
    return roles[0] in _OF_HOLDING or _FIRST_PERSON.search(lower) is not None


def without_amounts(text: str) -> str:
    """Return a text without its numbers, those in words too."""
    for token in reversed(tokens_of(text.lower(), "en")):
        if token.role in _AMOUNTS:
            text = f"{text[: token.start]}\u2026{text[token.end :]}"
    return text


def marked(text: str, places: Iterator[tuple[int, int]]) -> str:
    """Return a text in which what stands at some places, in order, is a mark each."""
    parts, at = [], 0
    for number, (start, end) in enumerate(places):
        parts += [text[at:start], f" {chr(FIRST_MARK + number)} "]
        at = end
    return "".join((*parts, text[at:]))
