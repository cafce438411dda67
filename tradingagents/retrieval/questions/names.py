"""What a question names: measures by their names in `names.yaml`, bounds, sides, and what no source holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

from tradingagents.files.yaml_file import packaged_table
from tradingagents.retrieval.line_items import line_items, metrics
from tradingagents.retrieval.questions.kinds import phrasings_as_written, question_kinds
from tradingagents.retrieval.questions.plain_words import plain_words


class Threshold(NamedTuple):
    """A bound that a question sets, such as `at least 7`."""

    value: float
    above: bool
    inclusive: bool
    words: str

    def met(self, value: float) -> bool:
        """Tell whether a value is on the side that is asked for."""
        if value == self.value:
            return self.inclusive
        return value > self.value if self.above else value < self.value


@dataclass(frozen=True, slots=True)
class NamedMeasure:
    """A measure that a question names, and the words by which it does."""

    key: str
    """Its key in `names.yaml`."""
    words: str


@cache
def names_table() -> Mapping[str, Any]:
    """Return the tables of `names.yaml`."""
    read: Mapping[str, Any] = packaged_table(__package__, "names.yaml")
    return read


@cache
def words_of_questions() -> frozenset[str]:
    """Return the words, without accents, of names, phrasings and questions: by themselves they name no company."""
    phrasings = (phrasing for kind in question_kinds().values() for phrasing in kind.phrasings)
    return words_of_figures() | frozenset(word for phrasing in phrasings for word in phrasing.split())


@cache
def words_of_figures() -> frozenset[str]:
    """Return the words, without accents, of names of figures and of questions for them: they end a company's name."""
    table = names_table()
    texts: list[str] = [*table["no_companies"], *table["unheld"], *table["ahead"], *table["translations"]]
    texts += [name for names in (*table["measures"].values(), *table["translations"].values()) for name in names]
    texts += [name for item in line_items().values() for name in item.names]
    texts += [name for metric in metrics().values() for name in metric.names]
    return frozenset(word for text in texts for word in plain_words(text).split())


_SAID_EVERYWHERE = 6
"""Kinds of question from which on a word in their phrasings tells nothing about the kind."""


@cache
def filler_words() -> frozenset[str]:
    """Return the words that say nothing of what is asked: those of many kinds of question, and others of none."""
    counts = Counter(word for kind in question_kinds().values() for word in kind.words())
    often = {word for word, count in counts.items() if count >= _SAID_EVERYWHERE}
    never = {word for said in names_table()["no_companies"] for word in plain_words(said).split() if word not in counts}
    return frozenset(often | never | {word for said in names_table()["polite"] for word in plain_words(said).split()})


@cache
def market_words() -> frozenset[str]:
    """Return the words of indices, sectors and other markets: they name no company."""
    return frozenset(word for name in (*group_names(), *names_table()["other_markets"]) for word in name.split())


@cache
def group_names() -> tuple[str, ...]:
    """Return the names of indices, sectors and industries."""
    table = names_table()
    own = (name for key in ("indices", "sectors") for names in table[key].values() for name in names)
    return (*own, *(name for industry in table["industries"].values() for name in industry["names"]))


_MARKS = str.maketrans(dict.fromkeys('?!,;:()"\u00bf\u00a1\uff1f\u3002\uff0c\u3001', " "))


def in_plain_letters(question: str) -> str:
    """Return a question in small letters, without the marks that end a sentence or part of one."""
    return " ".join(question.lower().replace("\u2019", "'").translate(_MARKS).split()).rstrip(".")


_NO_BANK = re.compile(r"\b(?:central|investment|world|blood|food|data|power|piggy) banks?\b", re.IGNORECASE)


def without_other_banks(text: str) -> str:
    """Return a text without banks that take no deposits, such as the central bank: they are not of the industry."""
    return _NO_BANK.sub(" ", text)


def stands(words: str, said: str) -> bool:
    """Tell whether words stand in a text as such, or in one without `'s`."""
    return f" {words} " in f" {said.replace(chr(39) + 's', ' ')} " or f" {words} " in f" {said} "


def any_stands(words: Iterable[str], said: str) -> bool:
    """Tell whether any of some words stand in a text."""
    return any(stands(each, said) for each in words)


def named_in(table: str, said: str) -> str:
    """Return the first words of a list of `names.yaml` that stand in a text; empty for none."""
    return next((words for words in names_table()[table] if stands(words, said)), "")


def measures_named(said: str) -> tuple[NamedMeasure, ...]:
    """Return the measures that a text names, those of the longest name first, then in the order of the table."""
    longest = [
        (max((len(name) for name in names if stands(name, said)), default=0), -number, key)
        for number, (key, names) in enumerate(names_table()["measures"].items())
    ]
    found = sorted((each for each in longest if each[0]), reverse=True)
    table: Mapping[str, Sequence[str]] = names_table()["measures"]
    return tuple(
        NamedMeasure(key, next(name for name in table[key] if len(name) == length and stands(name, said)))
        for length, _, key in found
    )


def bound_of(said: str) -> Threshold | None:
    """Return the bound that a text sets; None where it sets none."""
    words, table = said.split(), names_table()
    for phrases, above in ((table["at_least"], True), (table["at_most"], False)):
        for phrase in phrases:
            length = len(phrase.split())
            for at in range(len(words) - length):
                value = _number(words[at + length]) if words[at : at + length] == phrase.split() else None
                if value is not None:
                    return Threshold(value, above, phrase in table["inclusive"], f"{phrase} {words[at + length]}")
    return None


def _number(word: str) -> float | None:
    bare = word.removeprefix("$").removesuffix("%").removesuffix("x")
    try:
        return float(bare)
    except ValueError:
        return None


def side_of(said: str) -> str:
    """Return highest or lowest, where a text asks which of several has the most or the least; else empty."""
    table = names_table()
    return "lowest" if any_stands(table["lowest"], said) else "highest" if any_stands(table["highest"], said) else ""


def with_long_names(text: str, said: str) -> str:
    """Return a text with figures called as statements call them: `cash and cash equivalents` for `cash`.

    Args:
        text: The question.
        said: The same in plain letters.
    """
    for plain, long in names_table()["plain_figures"].items():
        if stands(plain, said) and not stands(f"{plain} flow", said):
            text = re.sub(rf"\b{plain}\b", long, text)
    return text


def without_indices(text: str) -> str:
    """Return a text without the names of indices: the number in `Russell 2000` is no year."""
    names = [name for names in names_table()["indices"].values() for name in names]
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(re.escape(name), " ", text, flags=re.IGNORECASE)
    return text


_PERCENT = re.compile(r"(\d{1,9}(?:[.,]\d{1,9})?)\s?(?:%|percent\b|per cent\b|prozent\b|\uff05)", re.IGNORECASE)


def percentage_in(said: str) -> tuple[float, str] | None:
    """Return the first percentage of a text, 20.0 for `20 %`, as it is written; None where there is none."""
    found = _PERCENT.search(said)
    return None if found is None else (float(found[1].replace(",", ".")), found[0])


@cache
def _translations() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return patterns of the words of other languages with the English ones, the longest words first."""
    pairs = [(word, english) for english, words in names_table()["translations"].items() for word in words]
    pairs.sort(key=lambda pair: -len(pair[0]))
    return tuple(
        (re.compile(re.escape(word)), f" {english} ")
        if _is_cjk(word)
        else (re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE), english)
        for word, english in pairs
    )


def _is_cjk(word: str) -> bool:
    return "\u3040" <= word[0] <= "\u9fff"


_COUNTED = r"an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}"
_PERIODS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(rf"\b({_COUNTED}) (day|week|month|year)s? back\b", re.IGNORECASE), r"\1 \2s ago"),
    (re.compile(r"(?<!\d)((?:19|20)\d\d)\s?年度?(?!\s?\d{1,2}\s?月)"), r" \1 "),
    (re.compile(r"第?\s?([1-4一二三四])\s?(?:季度|四半期)"), r" Q\1 "),
    (re.compile(r"\b([1-4])(?:\.|er|e|º|ème)?\s?(?:Quartal|trimestre)\b", re.IGNORECASE), r"Q\1"),
    (re.compile(r"\b[TK]([1-4])\b(?=\s?(?:de\s)?(?:19|20)\d\d)"), r"Q\1"),
)
_NUMERALS = str.maketrans("一二三四", "1234")


_COUNTS = {
    "ein": 1,
    "eine": 1,
    "einem": 1,
    "zwei": 2,
    "drei": 3,
    "vier": 4,
    "fünf": 5,
    "sechs": 6,
    "sieben": 7,
    "acht": 8,
    "neun": 9,
    "zehn": 10,
    "zwölf": 12,
    "一": 1,
    "两": 2,
    "二": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
    "十二": 12,
    "半": 6,
}
_UNITS = {"t": "day", "w": "week", "m": "month", "j": "year", "天": "day", "日": "day", "周": "week", "星期": "week",
          "月": "month", "年": "year"}  # fmt: skip
_GERMAN_COUNT = r"\d{1,3}|eine?[mnrs]?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf"
_GERMAN_UNIT = r"tag\w{0,2}|woche\w?|monat\w{0,2}|jahr\w{0,2}"
_ROLLING = re.compile(
    rf"\b(?:(?:in|über|während)\s+)?(?:den|der|die|dem)?\s*\b(?:letzte[nr]?|vergangene[nr]?)\s+"
    rf"(?P<c1>{_GERMAN_COUNT})\s+(?P<u1>{_GERMAN_UNIT})\b"
    rf"|\b(?:vor|seit|binnen|innerhalb|über)\s+(?P<c2>{_GERMAN_COUNT})\s+(?P<u2>{_GERMAN_UNIT})\b"
    r"|(?:最近|过去|近|这)\s?(?:的)?(?P<c3>\d{1,3}|十二|[一两二三四五六七八九十半])\s?个?(?P<u3>天|日|周|星期|月|年)"
    r"|(?<![\d第])(?P<c4>\d{1,2}|十二|[一两二三四五六七八九十半])\s?(?:个(?P<u4>月|星期)|(?P<u5>天|周|年))"
    r"(?:以前|之前|前|以来|来|内|里)?(?![期最新国美均线])",
    re.IGNORECASE,
)
"""Windows of days such as `in den letzten vier Wochen`, `vor einem Jahr`, 最近一个月 and 一年前."""


_DAY_NAMES = {
    "monday": ("montag", "一"),
    "tuesday": ("dienstag", "二"),
    "wednesday": ("mittwoch", "三"),
    "thursday": ("donnerstag", "四"),
    "friday": ("freitag", "五"),
}
_DAY_NAME = re.compile(
    r"\b(?:(am|seit|vom|diesen|letzten|vergangenen)\s+(?:(letzten|vergangenen)\s+)?)?(montag|dienstag|mittwoch|donnerstag|freitag)s?\b"
    r"(?:\s+(?:der\s+)?(letzte[rn]|vorige[rn]|vergangene[rn]|diese[rn]?)\s+woche)?"
    r"|(从|自)?(上|这|本)?(?:周|星期|礼拜)([一二三四五])(?![个年月])(以来|起)?",
    re.IGNORECASE,
)
"""Days of the week in German and Chinese: `letzten Freitag`, 上周五."""


def _day_name_in_english(found: re.Match[str]) -> str:
    before, again, german, week, since, of, chinese, until = (text and text.lower() for text in found.groups())
    name = next(name for name, others in _DAY_NAMES.items() if (german or chinese) in others)
    begins = "since" if before == "seit" or since or until else "on"
    if chinese or week:
        last = of == "上" if chinese else not week.startswith("dies")
        return f" {begins} {name} of {'last' if last else 'this'} week "
    return f"{begins} {'last ' if {before, again} & {'letzten', 'vergangenen'} else ''}{name}"


def _rolling_in_english(found: re.Match[str]) -> str:
    count = next(text for name, text in found.groupdict().items() if name[0] == "c" and text).lower()
    unit = next(text for name, text in found.groupdict().items() if name[0] == "u" and text).lower()
    number = _COUNTS.get(count) or _COUNTS.get(count[:4]) or int(count)
    named = _UNITS.get(unit) or _UNITS[unit[0]]
    return f" over the last {number} {'month' if count == '半' else named}s "


def in_english(text: str) -> str:
    """Return a text with the names of figures and periods of other languages in English; English ones stay."""
    text = _ROLLING.sub(_rolling_in_english, _DAY_NAME.sub(_day_name_in_english, _with_maturities(text)))
    for pattern, english in _translations():
        text = pattern.sub(english, text)
    for pattern, english in _PERIODS:
        text = pattern.sub(partial(_period_in_english, english), text)
    return " ".join(text.split())


_OF_BONDS = re.compile(r"treasur|yield|bond|note|curve|spread|anleihe|rendite|国债|收益率|利差", re.IGNORECASE)
_BETWEEN_TERMS = re.compile(
    r"(?<![\w.])(?:10|ten|5|30|thirty)(?:-|\s)?(?:years?|yrs?|y)\s?(?:-|\u2013|minus|less|vs\.?|versus|over|against|and)?\s?"
    r"(?:2|two|3|5|10|ten)(?:-|\s)?(?:years?|yrs?|y)\b",
    re.IGNORECASE,
)
"""`10 year minus 2 year`: terms of bonds."""
_MATURITY = re.compile(
    r"(?<![\w.])(2|3|5|7|10|20|30|two|ten|thirty|zwei|zehn)(?:-|\s)?(?:years?|yrs?|jahres?|jährige[nr]?)\b(?!\s?(?:ago|high|low))"
    r"|(?<!\d)(2|5|10|20|30|两|十)\s?年期?(?=\s?(?:期|国债|美债|和|与|减|收益率|利差))",
    re.IGNORECASE,
)
_WRITTEN_NUMBERS = {"two": "2", "zwei": "2", "两": "2", "ten": "10", "zehn": "10", "十": "10", "thirty": "30"}


def _with_maturities(text: str) -> str:
    """Return a text on bonds with their terms as names, `10y`: they are no window of days."""
    if not _OF_BONDS.search(text) and not _BETWEEN_TERMS.search(text):
        return text
    return _MATURITY.sub(lambda found: _maturity((found[1] or found[2]).lower()), text)


def _maturity(count: str) -> str:
    return f" {_WRITTEN_NUMBERS.get(count, count)}y "


def _period_in_english(english: str, found: re.Match[str]) -> str:
    """Return a period that was found in its English form, such as `Q1`."""
    return found.expand(english).translate(_NUMERALS)


def leads_of(kind: str) -> tuple[str, ...]:
    """Return what stands before the company in the phrasings of a kind, such as `look into`; all of one without."""
    before = (phrasing.partition(" X")[0] if " X" in phrasing else phrasing for phrasing in phrasings_as_written(kind))
    return tuple(dict.fromkeys(lead.lower() for lead in before if lead and "X" not in lead))
