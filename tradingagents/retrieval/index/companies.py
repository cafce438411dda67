"""Which companies a question names: by name, short name, initials or ticker."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from tradingagents.retrieval.index.words import word_list

_LEGAL = word_list("of_company_names")
_COMMON = word_list("common_first_names")
_ACRONYMS = word_list("acronyms")
_WORD = re.compile(r"\$?[A-Za-z0-9][A-Za-z0-9&]*")
_POSSESSIVE = re.compile("^['\u2019]s(?![a-z])")
_LONG_ENOUGH = 5
"""Letters by which the beginning of a name stands for the whole, such as `Pepsi`."""


def company_id(symbol: str, company: str) -> str:
    """Return what identifies a company: its ticker, or its name where there is none."""
    return symbol.upper() or "".join(_name_words(company))


def aliases(company: str) -> frozenset[str]:
    """Return what a company may be called, in lower case and without spaces, such as `jnj` and `johnson&johnson`."""
    words = _name_words(company)
    plain = [word for word in words if word != "&"]
    if not plain:
        return frozenset()
    found = {"".join(words), "".join(plain)}
    if len(plain[0]) > 2 and plain[0] not in _COMMON:
        found.add(plain[0])
    initials = "".join(word[0] for word in words)
    if len(initials) > 2:
        found |= {initials, initials.replace("&", "n"), initials.replace("&", "and")}
    if len(plain) == 2:
        found.add(plain[0][:2] + plain[1][:2])
    capitals = re.match(r"[A-Z]{3,}(?=[a-z]|\b)", company)
    if capitals and company != company.upper():  # in a name that is all capitals they mark no short name
        found.add(capitals.group().lower())
    return frozenset(found)


class Companies:
    """The companies of a store, as questions may name them."""

    def __init__(self, companies: Iterable[tuple[str, str]]) -> None:
        """Take the ticker and name of each; either may be empty."""
        self._symbols: dict[str, str] = {}
        self._aliases: Mapping[str, set[str]] = defaultdict(set)
        self._names: dict[str, str] = {}
        for symbol, company in set(companies):
            known = company_id(symbol, company)
            if not known:
                continue
            if symbol:
                self._symbols[symbol.upper()] = known
            for alias in aliases(company):
                self._aliases[alias].add(known)
            self._names["".join(word for word in _name_words(company) if word != "&")] = known

    def named(self, question: str) -> frozenset[str]:
        """Return the ids (`company_id`) of the companies named; an ambiguous name gives all that it may mean."""
        return frozenset(known for found, _, _ in self._mentions(question) for known in found)

    def without_names(self, question: str, mark: str = "") -> str:
        """Return a question without the names of companies, and without `'s` after them; a mark stands for each."""
        return self.read(question, mark)[1]

    def read(self, question: str, mark: str = "") -> tuple[frozenset[str], str]:
        """Return what `named` and `without_names` return."""
        mentions = list(self._mentions(question))
        kept = question
        for _, start, end in reversed(mentions):
            kept = kept[:start] + mark + _POSSESSIVE.sub("", kept[end:], count=1)
        return frozenset(known for found, _, _ in mentions for known in found), " ".join(kept.split())

    def _mentions(self, question: str) -> Iterator[tuple[set[str], int, int]]:
        """Yield the companies that words may mean, and where those words begin and end."""
        plain = question.replace("'s", "  ").replace("\u2019s", "  ")
        places = [match.span() for match in _WORD.finditer(plain)]
        words = [plain[start:end] for start, end in places]
        covered = 0
        for at, word in enumerate(words):
            if not (word[0].isupper() or word[0].isdigit() or word[0] == "$"):
                continue
            symbol = word.lstrip("$")
            found, length = self._by_name(words, at)
            if symbol in self._symbols and (word[0] == "$" or (len(symbol) > 1 and symbol not in _ACRONYMS)):
                found = found | {self._symbols[symbol]}
            if found:
                start, end = max(places[at][0], covered), places[at + length - 1][1]
                yield found, start, max(end, start)
                covered = max(end, start)

    def _by_name(self, words: list[str], at: int) -> tuple[set[str], int]:
        """Return the companies named by the words from one on, and how many words; a longer name hides a shorter."""
        for length in (4, 3, 2, 1):
            found = self._aliases.get("".join(words[at : at + length]).lower())
            if found and len(words) >= at + length:
                return found, length
        for length in (3, 2):
            if len(words) >= at + length and words[at + length - 1][0].isupper():
                begun = "".join(words[at : at + length]).lower()
                if found := self._beginning(begun):
                    return found, length
        word = words[at].lower()
        if len(word) >= _LONG_ENOUGH and word not in _COMMON:
            return self._beginning(word), 1
        return set(), 1

    def _beginning(self, letters: str) -> set[str]:
        return {known for name, known in self._names.items() if name.startswith(letters)}


def _name_words(company: str) -> list[str]:
    words = re.findall(r"[a-z0-9]+|&", company.lower().replace("'s", "s"))
    return [word for word in words if word not in _LEGAL] or words
