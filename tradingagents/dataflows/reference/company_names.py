"""Names of a company in headlines: its ticker, its name without the legal form, and common short names.

`companies.csv` lists companies, coins, funds and indices that texts name most, to tell one from another.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from tradingagents.dataflows.reference.topics import Terms, folded, folded_terms, read_words

KNOWN_AS: Mapping[str, tuple[str, ...]] = {
    "AMZN": ("AWS", "Amazon Web Services"),
    "AXP": ("AmEx",),
    "BAC": ("BofA",),
    "BRK-A": ("Berkshire",),
    "BRK-B": ("Berkshire",),
    "BMY": ("Bristol Myers",),
    "C": ("Citi", "Citigroup"),
    "CVX": ("Chevron",),
    "DIS": ("Disney",),
    "F": ("Ford",),
    "GM": ("General Motors",),
    "GE": ("General Electric", "GE Aerospace"),
    "GOOG": ("Google", "Alphabet", "YouTube"),
    "GOOGL": ("Google", "Alphabet", "YouTube"),
    "GS": ("Goldman",),
    "IBM": ("International Business Machines",),
    "JNJ": ("J&J",),
    "JPM": ("JPMorganChase", "J.P. Morgan"),
    "KO": ("Coke",),
    "LLY": ("Eli Lilly",),
    "META": ("Facebook", "Instagram", "WhatsApp"),
    "MRK": ("Merck",),
    "PG": ("P&G",),
    "PM": ("Philip Morris",),
    "RTX": ("Raytheon",),
    "TMUS": ("T-Mobile",),
    "UNH": ("UnitedHealthcare", "Optum"),
    "UPS": ("United Parcel Service",),
    "VZ": ("Verizon",),
    "XOM": ("Exxon", "Exxon Mobil"),
}
"""Common names in headlines, in addition to a company's registered name."""

_LEGAL = frozenset(
    (
        *("the", "inc", "incorporated", "corp", "corporation", "company", "companies", "co", "ltd", "limited", "plc"),
        *("group", "holding", "holdings", "sa", "ag", "nv", "se", "spa", "llc", "lp", "trust", "class", "cl", "common"),
        *("stock", "ordinary", "shares", "share", "adr", "ads"),
    )
)
_ORDINARY = frozenset(
    (
        *(
            "advanced",
            "allied",
            "american",
            "applied",
            "bank",
            "best",
            "block",
            "boston",
            "capital",
            "dollar",
            "eastern",
        ),
        *("first", "general", "genuine", "global", "grand", "home", "international", "king", "key", "match", "mid"),
        *("monster", "national", "new", "newmont", "news", "norfolk", "northern", "old", "on", "pacific", "public"),
        *("philip", "quest", "regions", "republic", "royal", "simon", "southern", "southwest", "state", "target"),
        *("texas", "t", "united", "universal", "us", "visa", "west", "western", "ford", "constellation", "expand"),
    )
)
"""First words of company names with other meanings: they don't identify the company by themselves."""
_PARENTHESES = re.compile(r"\([^)]{0,200}\)")
_CLASS = re.compile(r"[A-Z]+-[A-Z]")
_SHORTEST_FIRST_WORD = 4
_TICKER_WORDS = frozenset({"IT", "ON", "ALL", "NOW", "ARE", "SO", "A", "CAN", "KEY", "LOW", "BIG", "DAY", "IPO", "CEO"})
"""Tickers that are also words in headlines."""


@dataclass(frozen=True, slots=True)
class KnownCompany:
    """A company, coin, fund or index of the list."""

    symbols: tuple[str, ...]
    """Its tickers: share classes and listings."""
    name: str
    """As texts write it, without the legal form where that tells nothing."""
    also: tuple[str, ...] = ()
    """Other names, those of `KNOWN_AS` and of what it owns included: Instagram of Meta."""
    products: tuple[str, ...] = ()
    """What texts on it name instead of it; in texts on others they stand for no company."""


@dataclass(frozen=True, slots=True)
class CompanyNames:
    """How an article names a company."""

    terms: Terms
    """Folded names."""
    ticker: re.Pattern[str]
    """The ticker as written in headlines: in brackets, after the exchange, or in capitals if it isn't a word."""


@lru_cache(maxsize=1)
def known_companies() -> tuple[KnownCompany, ...]:
    """Return what the list holds, in its order."""
    text = files("tradingagents.dataflows.reference").joinpath("companies.csv").read_text(encoding="utf-8")
    return tuple(_known(**row) for row in csv.DictReader(text.splitlines()))


def namesake(symbol: str, name: str) -> KnownCompany | None:
    """Return the other company of the list that has a name; None where no other has, or the symbol's own company does.

    None too for a symbol that the list lacks: whose name it is cannot be told.
    """
    calls = _by_name().get(_folded_name(name), ())
    if not calls or symbol not in _listed_symbols() or any(symbol in company.symbols for company in calls):
        return None
    return calls[0]


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, tuple[KnownCompany, ...]]:
    found: dict[str, tuple[KnownCompany, ...]] = {}
    for company in known_companies():
        for name in dict.fromkeys(map(_folded_name, (company.name, *company.also))):
            found[name] = (*found.get(name, ()), company)
    return found


@lru_cache(maxsize=1)
def _listed_symbols() -> frozenset[str]:
    return frozenset(symbol for company in known_companies() for symbol in company.symbols)


def _folded_name(name: str) -> str:
    return folded(plain_name(name)).strip()


def _known(symbols: str, name: str, also: str, products: str) -> KnownCompany:
    tickers = tuple(symbols.split())
    named = [*filter(None, also.split(";")), *(alias for ticker in tickers for alias in KNOWN_AS.get(ticker, ()))]
    return KnownCompany(tickers, name, tuple(dict.fromkeys(named)), tuple(filter(None, products.split(";"))))


@lru_cache(maxsize=1024)
def company_names(symbol: str, name: str) -> CompanyNames:
    """Return the names by which a company is recognized in text.

    Args:
        symbol: Ticker.
        name: The company's name from its profile; the ticker if unknown.
    """
    names = {one for one in known_names(symbol, name) if one != symbol}
    return CompanyNames(
        folded_terms(spelling for spelling in names if folded(spelling).strip()), _ticker_pattern(symbol)
    )


def known_names(symbol: str, name: str) -> tuple[str, ...]:
    """Return the names by which texts call a company, the longest first; without the ticker's own forms.

    Args:
        name: The company's name from its profile; the ticker if unknown.
    """
    plain = plain_name(name)
    names = {plain, *KNOWN_AS.get(symbol, ())} - {"", symbol}
    first = plain.partition(" ")[0]
    if len(_bare(first)) >= _SHORTEST_FIRST_WORD and _bare(first) not in _ORDINARY:
        names.add(first)
    return tuple(sorted(names, key=lambda spelling: (-len(spelling), spelling)))


def plain_name(name: str) -> str:
    """Return a company's name without its legal form: `Apple` of `Apple Inc.`; empty where nothing is left."""
    plain = [word for word in _PARENTHESES.sub(" ", name).replace(",", " ").split() if word]
    while plain and _bare(plain[-1]) in _LEGAL:
        plain.pop()
    while plain and _bare(plain[0]) == "the":
        plain.pop(0)
    return " ".join(plain)


def is_named(names: CompanyNames, text: str) -> bool:
    """Return whether a text names the company."""
    return bool(names.terms.within(read_words(text)) or names.ticker.search(text))


def _bare(word: str) -> str:
    return word.strip(".,").lower()


def _ticker_pattern(symbol: str) -> re.Pattern[str]:
    # Headlines write a class of shares as BRK.B, BRK/B or BRKB.
    plain = r"[-./]?".join(map(re.escape, symbol.split("-"))) if _CLASS.fullmatch(symbol) else re.escape(symbol)
    marked = rf"\({plain}\)|(?:NYSE|NASDAQ|Nasdaq|NasdaqGS|AMEX)\s*:\s*{plain}\b|\${plain}\b|\b{plain}:US\b"
    if len(symbol) > 1 and symbol not in _TICKER_WORDS:
        marked += rf"|(?<![\w.&-]){plain}(?![\w&-])"
    return re.compile(marked)
