"""Which companies a question names: tickers and names of known instruments, and words that may be names of others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from tradingagents.dataflows.reference.company_names import known_companies, plain_name
from tradingagents.retrieval.questions.names import names_table, words_of_figures, words_of_questions
from tradingagents.retrieval.questions.plain_words import plain_words, spaced

_WORD = re.compile(r"[$^]?[^\W_](?:[\w&'\u2019\-/]|\.(?=\w))*|&")
_POSSESSIVE = re.compile(r"['\u2019]s?$")
_OWNER = re.compile(r"['\u2019]s\b")
_TICKER = re.compile(r"[A-Z][A-Z0-9]{0,5}(?:[.\-][A-Z0-9]{1,3})?|\d{4,6}\.[A-Z]{1,3}")
_NO_WORD = re.compile(
    r"(?=.*(?:[^aeiouy]{3}|[aiou]{2}p|[^aeiouys][qzxj]$|[^aeiou][^aeiouy]f$|[bm]m$|md$|qz?$|pf|^x|^mzn|vl|v[dx]|nh$))[a-z]{3,5}"
)
_PERIOD = re.compile(r"fy\d*|[qh][1-4]", re.IGNORECASE)
_JOINS = ("&", "of", "and")
_LONGEST_NAME = 5
_FEWEST_LETTERS = 4
"""Letters from which on a name in small letters is one."""
_FEWEST_FOR_TWO = 8
"""Letters from which on a name is recognised in spite of two slips."""
_FEWEST_TO_MEND = 5
"""Letters from which on a name is recognised in spite of a slip."""


@dataclass(frozen=True, slots=True)
class CompanyMention:
    """Where a question names a known company, characters [start, end)."""

    symbol: str
    start: int
    end: int
    written: str
    by_ticker: bool


class Instruments:
    """The instruments that a source knows, by symbol and name."""

    def __init__(self, companies: Iterable[tuple[str, Iterable[str]]], *, source: str = "") -> None:
        """Take the symbol of each company and its names.

        Args:
            companies: By symbol.
            source: Vendor that lists them; empty for the reference list.
        """
        self.source = source
        self._symbols: dict[str, str] = {}
        self._names: dict[str, str] = {}
        for symbol, names in companies:
            self._symbols.setdefault(symbol, symbol)
            self._symbols.setdefault(symbol.replace("-", "."), symbol)
            for name in names:
                joined = _OWNER.sub("s", name)  # `lowes` for Lowe's
                for key in filter(None, (plain_words(plain_name(name)), plain_words(plain_name(joined)))):
                    self._names.setdefault(key, symbol)
        self._long_names: dict[str, list[tuple[str, str]]] = {}
        """By their first letter, which is never the wrong one."""
        for name, symbol in self._names.items():
            if len(name) >= _FEWEST_TO_MEND:
                self._long_names.setdefault(name[0], []).append((name, symbol))
        self._other_scripts = {
            name: symbol
            for symbol, names in names_table()["companies"].items()
            if symbol in self._symbols
            for name in names
        }

    def __len__(self) -> int:
        """Return how many instruments there are."""
        return len(set(self._symbols.values()))

    def __bool__(self) -> bool:
        """Return True: a source that lists nothing has none of these."""
        return True

    @property
    def named(self) -> bool:
        """Whether it knows names, not tickers alone."""
        return bool(self._names)

    def knows(self, written: str) -> bool:
        """Tell whether a word, in any letters, is a ticker or a name."""
        return written.upper() in self._symbols or plain_words(plain_name(written)) in self._names

    def near(self, written: str) -> dict[str, str]:
        """Return the names, by symbol, of the companies whose name is one slip of the keyboard away from a word.

        Names of fewer than `_FEWEST_TO_MEND` letters, and tickers, are not mended: too many others lie as near.
        """
        plain = plain_words(_POSSESSIVE.sub("", written))
        if len(plain) < _FEWEST_TO_MEND - 1:
            return {}
        long_names = self._long_names.get(plain[0], ())
        near = {symbol: name.title() for name, symbol in long_names if one_slip(plain, name)}
        if near or len(plain) < _FEWEST_FOR_TWO:
            return near
        return {symbol: name.title() for name, symbol in long_names if two_slips(plain, name)}

    def words_of(self, symbols: Iterable[str]) -> frozenset[str]:
        """Return the words of the names of some companies."""
        wanted = set(symbols)
        return frozenset(word for name, symbol in self._names.items() if symbol in wanted for word in name.split())

    def mentions(self, text: str) -> tuple[CompanyMention, ...]:
        """Return where a text, spaced between scripts, names known companies, in order."""
        words, found, at = list(_WORD.finditer(text)), self._in_other_scripts(text), 0
        shouted = _is_shouted(text)
        while at < len(words):
            mention = self._name_at(text, words, at, shouted=shouted) or self._ticker_at(words, at, shouted=shouted)
            if mention is None:
                at += 1
                continue
            found.append(mention)
            while at < len(words) and words[at].start() < mention.end:
                at += 1
        return tuple(sorted(found, key=lambda mention: mention.start))

    def _in_other_scripts(self, text: str) -> list[CompanyMention]:
        """Return where a text names companies in Chinese or Japanese, the longest names first."""
        found: list[CompanyMention] = []
        for name in sorted(self._other_scripts, key=len, reverse=True):
            start = text.find(name)
            if start < 0 or any(start < mention.end and mention.start < start + len(name) for mention in found):
                continue
            found.append(CompanyMention(self._other_scripts[name], start, start + len(name), name, by_ticker=False))
        return found

    def _name_at(self, text: str, words: Sequence[re.Match[str]], at: int, *, shouted: bool) -> CompanyMention | None:
        """Return the company whose name begins with a word; a part before a hyphen is a name too (`Siemens-Aktie`)."""
        first, start = words[at][0], words[at].start()
        for count in range(min(_LONGEST_NAME, len(words) - at), -1, -1):
            end = words[at + count - 1].end() if count else start + len(first.partition("-")[0])
            bare = _POSSESSIVE.sub("", text[start:end])
            symbol = self._names.get(plain_words(plain_name(bare)))
            if symbol is None or (bare.isupper() and count <= 1 and bare in names_table()["no_tickers"]):
                continue
            ordinary = all(word in words_of_questions() for word in plain_words(bare).split())
            if ordinary and (at == 0 or not first[0].isupper() or shouted):
                continue
            small = not (first[0].isupper() or first[0].isdigit())
            if small and (len(bare) < _FEWEST_LETTERS or plain_words(bare) in names_table()["ordinary_names"]):
                continue
            if bare.islower() and bare == text[start:end] and _is_common(bare, words[at + max(count, 1) :]):
                continue
            return CompanyMention(symbol, start, start + len(bare), bare, by_ticker=False)
        return None

    def _ticker_at(self, words: Sequence[re.Match[str]], at: int, *, shouted: bool) -> CompanyMention | None:
        written = _POSSESSIVE.sub("", words[at][0])
        bare = written.lstrip("$")
        small = _is_small_ticker(bare)
        symbol = self._symbols.get(bare.upper() if small or written.startswith("$") else bare)
        if symbol is None or not (small or written.startswith(("$", "^")) or _may_be_ticker(bare, shouted=shouted)):
            return None
        start = words[at].start()
        return CompanyMention(symbol, start, start + len(written), bare.upper(), by_ticker=True)


def _is_common(name: str, after: Sequence[re.Match[str]]) -> bool:
    """Tell whether a name in small letters is a common word: what follows is said of a visa, and not of Visa."""
    following = names_table()["common_before"].get(plain_words(name).removeprefix("the "), ())
    return bool(after) and _POSSESSIVE.sub("", after[0][0]).lower() in following


@cache
def listed_instruments() -> Instruments:
    """Return the companies of the reference list: what is known where a source lists none itself."""
    companies = known_companies()
    return Instruments(
        (symbol, (company.name, *company.also) if symbol == company.symbols[0] else ())
        for company in companies
        for symbol in company.symbols
    )


def one_slip(written: str, right: str) -> bool:
    """Tell whether one slip lies between two words: a letter too many, too few, another, or two swapped.

    The first letter is never the wrong one.
    """
    if written == right or not written or written[0] != right[0] or abs(len(written) - len(right)) > 1:
        return False
    same = next((at for at, (one, other) in enumerate(zip(written, right, strict=False)) if one != other), None)
    at = min(len(written), len(right)) if same is None else same
    rest, wanted = written[at:], right[at:]
    swapped = rest[:2] == wanted[:2][::-1] and rest[2:] == wanted[2:] and len(rest) > 1
    return swapped or rest[1:] == wanted[1:] or rest == wanted[1:] or rest[1:] == wanted


def two_slips(written: str, right: str) -> bool:
    """Tell whether two slips lie between two long words that begin and end alike."""
    if len(right) < _FEWEST_FOR_TWO or written[:2] != right[:2] or written[-1] != right[-1]:
        return False
    shorter = (right[:at] + right[at + 1 :] for at in range(2, len(right)))
    others = (right[:at] + written[at] + right[at + 1 :] for at in range(2, min(len(right), len(written))))
    return any(one_slip(written, near) for near in (*shorter, *others))


def _is_shouted(text: str) -> bool:
    """Tell whether a text is written in capitals, so that they mark no ticker."""
    return text.upper() == text and len(re.findall(r"[A-Z]+", text)) > 2


def _is_small_ticker(word: str) -> bool:
    """Tell whether small letters are no word of a language, as `msft` and `velq`, so that they may be a ticker."""
    return bool(_NO_WORD.fullmatch(word)) and plain_words(word) not in words_of_questions()


def _may_be_ticker(word: str, *, shouted: bool) -> bool:
    """Tell whether a word is written as a ticker: in capitals where the text is not."""
    return bool(_TICKER.fullmatch(word)) and word not in names_table()["no_tickers"] and not shouted


def tickers_by_form(text: str) -> tuple[str, ...]:
    """Return the words that are written as tickers, known or not: in capitals, or with a dollar sign."""
    words = [_POSSESSIVE.sub("", word) for word in _WORD.findall(spaced(text))]
    shouted = _is_shouted(text)
    found = (
        word.lstrip("$").upper()
        for word in words
        if word[0] in "$^" or (len(word) > 1 and _may_be_ticker(word, shouted=shouted) and not _PERIOD.fullmatch(word))
    )
    return tuple(dict.fromkeys(found))


def unknown_words(text: str) -> tuple[str, ...]:
    """Return the runs of words that are no words of questions, and no tickers: they may name companies."""
    common, tickers = words_of_questions(), set(tickers_by_form(text))
    runs: list[list[str]] = [[]]
    for word, ends in _spoken(text):
        plain = plain_words(word)
        if plain and not set(plain.split()) <= common and any(map(str.isalpha, word)) and word.upper() not in tickers:
            runs[-1].append(word)
        else:
            runs.append([])
        if ends:
            runs.append([])
    return tuple(dict.fromkeys(" ".join(run) for run in runs if run))


def capital_runs(text: str) -> list[str]:
    """Return the runs of words of a text that are written with a capital, without words of figures and questions."""
    runs: list[list[str]] = [[]]
    for word, ends in _spoken(text):
        common = words_of_figures() if runs[-1] else words_of_questions()  # `Modista Lane Stores` is one name
        ordinary = set(plain_words(word).split()) <= common or bool(_PERIOD.fullmatch(word)) or word in ("A", "I")
        if (word in _JOINS and runs[-1]) or (word[:1].isupper() and not ordinary):
            runs[-1].append(word)
        else:
            runs.append([])
        if ends:
            runs.append([])
    return [name for run in runs for name in _names_in(run)]


def _spoken(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the words of a text without marks, and whether a part of a sentence ends with each."""
    for raw in spaced(text).replace("\u2019", "'").split():
        if not raw.startswith("/"):
            yield raw.strip("?!.,;:()[]{}\"'`\u00bf\u00a1").removesuffix("'s"), raw[-1:] in ",;?!:."


def _names_in(run: Sequence[str]) -> list[str]:
    """Return the names of a run of words: `Procter & Gamble and Boeing of` are two."""
    names, words = [], list(run)
    while words and words[-1] in _JOINS:
        words.pop()
    at = [number for number, word in enumerate(words) if word == "and"]
    begin = 0
    for number in (*at, len(words)):
        names.append(" ".join(words[begin:number]))
        begin = number + 1
    return [name for name in names if name]
