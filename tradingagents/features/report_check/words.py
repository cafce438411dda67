# ruff: noqa: RUF001
"""The words of reports: names of figures and of companies, directions, views; which words leave a name what it is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from tradingagents.provenance.wording import NONE, Book, Mark, Wording, aliases, book_of, union
from tradingagents.retrieval.line_items import line_items, metrics

_SLASH = re.compile(r"(?<=[A-Za-z&]{3})/(?=[A-Za-z&]{3})")
"""Between two names, as in `EBITDA/EBIT`; ratios of short names such as `P/E` are one name."""
UNKNOWN = "unknown"
"""Metric of figures that the data do not have, such as bookings: their names are not those of others."""
SHORTEST_NAME = 4
PEERS = "@peers"
OWN = "@own"
_SUBJECTS = {
    OWN: ("the company", "the group", "the firm", "management"),
    PEERS: (
        *("peers", "peer", "rivals", "rival", "competitors", "competitor", "peer group"),
        *(
            "industry average",
            "sector average",
            "peer average",
            "peer median",
            "sector median",
        ),
    ),
}
_UNKNOWN_ITEMS = frozenset({"net_debt", "working_capital", "cash_conversion_cycle"})


@cache
def tables() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the tables of `vocabulary.toml`."""
    read = tomllib.loads(files(__package__).joinpath("vocabulary.toml").read_text("utf-8"))
    return {name: {what: tuple(said.split(", ")) for what, said in table.items()} for name, table in read.items()}


@cache
def word_list(name: str) -> frozenset[str]:
    """Return a list of `[words]`: `plain`, `parts`, `sections`, `unnamed` or `legal_forms`."""
    return frozenset(tables()["words"][name])


@cache
def _common() -> Book:
    """Return the phrases that hold for every report."""
    said = tables()
    unknown = frozenset(said["metric"][UNKNOWN])
    named = {key: item.names for key, item in line_items().items()} | {
        key: metric.names for key, metric in metrics().items()
    }
    pairs = [
        (name, "metric", UNKNOWN if key in _UNKNOWN_ITEMS else key)
        for key, names in named.items()
        for name in names
        if name not in unknown
    ]
    for kind in ("metric", "way", "basis", "view"):
        pairs += [(phrase, kind, what) for what, phrases in said[kind].items() for phrase in phrases]
    pairs += [(phrase, "subject", what) for what, phrases in _SUBJECTS.items() for phrase in phrases]
    return book_of(pairs, {})


def book_for(companies: Iterable[tuple[str, str]]) -> Book:
    """Return the phrases of reports on companies, given as pairs of symbol and name."""
    return book_of((phrase for company in companies for phrase in (*aliases(company), *_short(*company))), _common())


def _short(symbol: str, name: str) -> Iterator[tuple[str, str, str]]:
    """Yield the name without its legal form: `Meta Platforms`, `Coca-Cola Company (The)`, `Visa Inc.`."""
    words = name.partition("(")[0].replace(",", " ").split()
    while len(words) > 1 and words[-1].lower().rstrip(".") in word_list("legal_forms"):
        words.pop()
    short = " ".join(words)
    if len(short) >= SHORTEST_NAME:
        yield short, "name", symbol.lower()


def without_unknown(book: Book) -> Book:
    """Return a book without the names of figures that the statements do not have: their words name parts of them."""
    return {
        first: [(phrase, told) for phrase, told in entries if dict(told).get("metric") != frozenset((UNKNOWN,))]
        for first, entries in book.items()
    }


class ReportLexicon:
    """Finds the phrases of a book; remembers what it read of sentences, labels and headings."""

    def __init__(self, book: Book) -> None:
        """Set the phrases."""
        self._book = book
        self._known: dict[str, Wording] = {}

    def of(self, text: str) -> Wording:
        """Return what the words of a text say."""
        if text not in self._known:
            self._known[text] = Wording(_SLASH.sub(" ", text.replace("’", "'")), self._book)
        return self._known[text]

    def marks(self, text: str, kind: str) -> list[Mark]:
        """Return the phrases of a kind in order."""
        return self.of(text).marks.get(kind, [])

    def metrics(self, text: str) -> frozenset[str]:
        """Return every figure that a text names."""
        return union(self.marks(text, "metric"))

    def subjects(self, text: str) -> frozenset[str]:
        """Return every company that a text names, and `@peers` for companies without a name."""
        return union(self.marks(text, "subject"))


def named_companies(subjects: frozenset[str]) -> frozenset[str]:
    """Return the companies that have a name."""
    return frozenset(subject for subject in subjects if not subject.startswith("@")) or NONE
