"""The phrases by which texts name metrics, periods, companies and directions.

Names of metrics come from `metric_names.LABELS` and `line_items.ITEMS`, names of companies and sectors from the tables
of a run's tool results; `vocabulary.toml` adds what people say instead.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import NamedTuple

from tradingagents.analytics.company.metric_names import LABELS
from tradingagents.dataflows.reference.line_items import ITEMS
from tradingagents.dataflows.reference.sectors import INDICES

_PERIOD = re.compile(r"^peer_median_|(?:^|_)(?:ttm|[136]m|1[dwy]|ytd|yoy|qoq)(?=_|$)")
_PERIOD_OF_LABEL = re.compile(r"^(?:\d+-(?:day|week|month)|[a-z]+-(?:to|on)-[a-z]+) (?=\D)")
_SYMBOL = re.compile(r"\^?[A-Z][A-Z0-9]*+(?:[.-][A-Z0-9]++)?(?:=[A-Z]*)?|\d{3,6}\.[A-Z]{1,3}")
_WORD = re.compile(r"[a-z0-9&]+(?:/[a-z0-9]+)*")
_CAPITALS = re.compile(r"[A-Z](?<!\w[A-Z])[A-Za-z]{2}")
_SLASHED = re.compile(r"(?<![a-z&])[a-z&]++(?:/[a-z]++)+")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY = re.compile(
    r"(?=[\djfmasond])(?:\b(?:(?<!fiscal year to )\d{4} (\d\d) (\d\d)\b"
    rf"|(?:(\d\d?) )?\b({'|'.join(_MONTHS)})(?:r?uary|ch|il|[ey]|t|ust|(?:tem|em|o)?ber)?\b"
    r"(?: (\d\d?)\b(?![.,]?\d|\s?%))?)|(?<![\d/])(\d\d?)/(\d\d?)\b(?![/\d]))"
)
_MONTH_YEAR = re.compile(r"([A-Z](?<!\w[A-Z])[a-z]{2})[-'\u2019](\d\d)\b")
_PLAIN_WORDS = ("sessions", "level")
"""Names of figures that say nothing of what is measured."""
_YEAR = re.compile(r"((?:1(?<!\w1)9|2(?<!\w2)0)\d\d)\b(?!\.\d)")
NONE: frozenset[str] = frozenset()

Book = Mapping[str, Sequence[tuple[str, Sequence[tuple[str, frozenset[str]]]]]]
"""Phrases by their first word, longest first, each with its kinds and what it may mean."""


class Mark(NamedTuple):
    """A phrase found in a text."""

    start: int
    end: int
    means: frozenset[str]


class Wording:
    """What the words of a sentence, a row, a label or a heading say; looked up when it is first asked for."""

    def __init__(self, text: str, book: Book) -> None:
        """Prepare to find the phrases of a book in a text."""
        self._text, self._book = text, book
        plain = _plain(text)
        self._plain = _SLASHED.sub(lambda match: _parted(match[0], book), plain) if "/" in plain else plain

    @cached_property
    def marks(self) -> dict[str, list[Mark]]:
        """The phrases by their kind, in order; of two that overlap the longer one."""
        marks: dict[str, list[Mark]] = {}
        plain, text, book, free = self._plain, self._text, self._book, 0
        for word in _WORD.finditer(plain):
            if (entries := book.get(word[0])) is None or (start := word.start()) < free:
                continue
            for phrase, told in entries:
                if plain.startswith(phrase, start) and not plain[(end := start + len(phrase)) : end + 1].isalnum():
                    for kind, means in told:
                        if kind in ("symbol", "name"):  # `all`, `target` are words; ALL, Target are companies
                            if text[start].islower() or (kind == "symbol" and not _is_symbol(text, start, end, told)):
                                continue
                            kind = "subject"  # noqa: PLW2901
                        marks.setdefault(kind, []).append(Mark(start, end, means))
                        free = end
                    if free == end:
                        break
        return marks

    def __getattr__(self, name: str) -> frozenset[str]:
        """Return everything that is named as `metrics`, `periods` or `subjects`."""
        if name not in ("metrics", "periods", "subjects"):
            raise AttributeError(name)
        found = self.__dict__[name] = union(self.marks.get(name[:-1], ()))
        return found

    @cached_property
    def words(self) -> frozenset[str]:
        """Words that are no names and say something, by their first letters."""
        names, common = self.marks.get("subject", ()), tables()["words"]["say_nothing"]
        words = (word for word in _WORD.finditer(self._plain) if len(word[0]) > 2 and word[0] not in common)
        said = (word for word in words if not any(name.start <= word.start() < name.end for name in names))
        return frozenset(word[0].rstrip("s")[:5] for word in said if not word[0][0].isdigit())

    @cached_property
    def capitals(self) -> frozenset[str]:
        """The first three letters of the words that begin with a capital."""
        return frozenset(word.lower() for word in _CAPITALS.findall(self._text))

    @cached_property
    def first_words(self) -> frozenset[str]:
        """The words with which a phrase may begin."""
        return frozenset(_WORD.findall(self._plain))

    @cached_property
    def days(self) -> frozenset[str]:
        """Years (`y2024`), months (`05`) and days (`05-10`) that are named."""
        text = self._text
        if _MONTH_YEAR.search(text):
            text = _MONTH_YEAR.sub(r"\1 20\2", text)
        plain = _plain(text)
        days = {f"y{year}" for year in _YEAR.findall(plain)}
        for iso_month, iso_day, before, name, after, month, day in _DAY.findall(plain):
            month, day = iso_month or month or _MONTHS.index(name) + 1, iso_day or day or before or after  # noqa: PLW2901
            days |= {f"{int(month):02d}", f"{int(month):02d}-{int(day):02d}"} if day else set()
            days |= {f"{int(month):02d}"} if name != "may" else set()
        return frozenset(days)


def _plain(text: str) -> str:
    """Return a text in small letters, with blanks for what joins words."""
    return text.lower().replace("_", " ").replace("-", " ")


def _parted(words: str, book: Book) -> str:
    """Return words with a stroke between them as two, unless they are one name, as `ev/ebitda` is."""
    return words if words in book else words.replace("/", " ")


def _is_symbol(text: str, start: int, end: int, told: Sequence[tuple[str, frozenset[str]]]) -> bool:
    """Tell whether a word may be a symbol: it is in capitals, no `A` or `I` of a sentence, and no metric such as `NI`.

    A symbol that is a metric's name as well is one in brackets and behind `$`.
    """
    if not text[start:end].isupper():
        return False
    if any(kind == "metric" for kind, _ in told):
        return text[max(0, start - 1) : start] in ("(", "$")
    return not (text[start:end] in ("A", "I") and text[end : end + 1] == " " and text[end + 1 : end + 2].islower())


def union(marks: Iterable[Mark]) -> frozenset[str]:
    """Return what phrases mean together."""
    means = [mark.means for mark in marks]
    return means[0] if len(means) == 1 else NONE.union(*means)


@cache
def tables() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """Return the tables of `vocabulary.toml`."""
    read = tomllib.loads(files(__package__).joinpath("vocabulary.toml").read_text("utf-8"))
    return {name: {what: said.split(", ") for what, said in table.items()} for name, table in read.items()}


@cache
def common_book() -> Book:
    """Return the phrases that hold for every run."""
    pairs = [(name, "subject", symbol.lower()) for symbol, name in INDICES.items()]
    same = {name: what for what, names in tables()["same"].items() for name in names}
    for kind in ("metric", "hint", "period", "subject", "way", "back", "cue"):
        for what, phrases in tables()[kind].items():
            pairs += [(phrase, what if kind == "cue" else kind, what) for phrase in phrases]
            pairs += [(what, kind, what)] if kind in ("metric", "period", "subject") else []
    for name, label in (*LABELS.items(), *((item, item) for items in ITEMS.values() for item in items)):
        metric = _PERIOD.sub("", name).strip("_") or "return"
        said = _PERIOD_OF_LABEL.sub("", label) if _PERIOD.search(name) else label
        pairs += [
            (phrase, "metric", same.get(metric, metric)) for phrase in (said, metric) if metric not in _PLAIN_WORDS
        ]
        pairs += [(said, "subject", "@median")] if name.startswith("peer_median_") else []
    return book_of(pairs, {})


@lru_cache(maxsize=2048)
def common_wording(text: str) -> Wording:
    """Return what the phrases that hold for every run say in a text."""
    return Wording(text, common_book())


def book_of(pairs: Iterable[tuple[str, str, str]], known: Book) -> Book:
    """Return a book with further phrases, each with its kind and what it means."""
    return {**known, **more_of(pairs, known)}


def more_of(pairs: Iterable[tuple[str, str, str]], known: Book) -> Book:
    """Return what a book has to say otherwise with further phrases: all entries of their first words."""
    more: dict[str, Sequence[tuple[str, Sequence[tuple[str, frozenset[str]]]]]] = {}
    for phrase, kind, what in pairs:
        phrase = _plain(phrase).strip("^@. ")  # noqa: PLW2901
        if first := _WORD.match(phrase):
            entries = dict(more.get(first[0]) or known.get(first[0], ()))
            told = dict(entries.get(phrase, ()))
            entries[phrase] = tuple({**told, kind: told.get(kind, NONE) | {what}}.items())
            more[first[0]] = sorted(entries.items(), key=lambda entry: -len(entry[0]))
    return more


def aliases(own: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield what a company, a sector or an index is called; all of it stands for its symbol, or else its name."""
    parts = (part.strip() for name in own for part in re.split(r"[()]", name))
    names = [part for part in parts if part and part != "n/a"]
    symbol = next((name for name in names if _SYMBOL.fullmatch(name)), None)
    common, too_plain = common_book(), tables()["words"]["too_plain_to_name_a_company"]
    for name in names:
        words = _WORD.findall(name.lower())
        if name == symbol:
            yield name, "symbol", name.lower()
        elif len(words) > 1 or (words and words[0] not in common):
            yield name, "name" if symbol else "subject", (symbol or names[0]).lower()
        if symbol and name != symbol and len(words) > 1 and len(words[0]) > 4 and words[0] not in (*too_plain, *common):
            yield words[0], "name", symbol.lower()
