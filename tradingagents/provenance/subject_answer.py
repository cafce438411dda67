"""Which company a model says that a text is about, held against the names of the company studied.

A model is asked without being told which company the text should be about. So that it names the right one tells much,
and a wrong answer is seldom the right company by chance. Its knowledge may excuse a text (`Golden Arches` is
McDonald's); it accuses one only by a name that stands in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from tradingagents.dataflows.reference.company_names import plain_name
from tradingagents.provenance.company_mentions import MARKET, OWN, CompanyBook

_NONE_NAMED = frozenset(
    ("none", "nonenamed", "nocompany", "nocompanynamed", "notnamed", "notgiven", "notstated", "null", "na", "unknown")
)
_NO_COMPANIES = frozenset(
    (
        *("fed", "federalreserve", "usfederalreserve", "ecb", "europeancentralbank", "bankofjapan", "boj"),
        *("bankofengland", "boe", "opec", "ustreasury", "treasury", "sec", "fda", "congress", "whitehouse", "imf"),
        *("stockmarket", "market", "usmarket", "usstockmarket", "useconomy", "economy"),
    )
)
"""What a text on a market may be said to be about, as one word."""
_KINDS = frozenset(
    ("motor", "motors", "technology", "technologies", "international", "worldwide", "platforms", "systems")
)
"""Words that a name may have or lack and still be the same company's."""
_CONNECTORS = frozenset(("of", "and", "the", "for", "de", "la", "du", "di", "von", "und"))
"""Words in small letters that a name may hold."""
_LETTERS = re.compile(r"[^\W_]+")
_NOTED_TICKER = re.compile(r"\(\s?(?:[A-Za-z]{2,8}\s?:\s?)?([A-Z0-9]{1,6}(?:[.\-][A-Z]{1,3})?)\s?\)")
_EXCHANGE = re.compile(r"^[A-Za-z]{2,8}\s?:\s?")
_LAST_LATIN = 0x250
"""First letter that is none of the Latin alphabets."""


class SubjectAnswer(NamedTuple):
    """What a model says that a text is about."""

    name: str
    """As the text gives it; empty or `none named` where it names nobody."""
    ticker: str = ""
    """As the text gives it; empty where it gives none."""
    company: str = ""
    """The listed company behind the name: the owner of a brand or a subsidiary, the name of today, in Latin letters."""


def answered_subject(answer: SubjectAnswer, text: str, book: CompanyBook) -> str | None:
    """Return whom an answer says that a text is about: `OWN`, the name of another company, or None.

    None decides nothing: the answer names nobody, names a market, names what does not stand in the text, or may as
    well mean the subject.

    Args:
        answer: What a model says.
        text: The text.
        book: The names of the subject and of other companies.
    """
    noted = _NOTED_TICKER.search(answer.name)
    name, company = _given(_NOTED_TICKER.sub(" ", answer.name)), _given(answer.company)
    ticker = _ticker(answer.ticker) or (noted[1] if noted else "")
    whose = _whose(name, book) if name else None
    if whose is not None:
        return _decided(whose, text, name, ticker)
    if company and _whose(company, book) == OWN:
        return OWN
    of_ticker = book.tickers.get(ticker) if ticker else None
    if of_ticker == OWN:
        return OWN if not name or not _is_latin(name) else None  # a heading may give the ticker of another company
    if of_ticker is not None:
        return _decided(of_ticker, text, name, ticker)
    if not name or not _is_name(name, text):
        return None
    if not (ticker or company) and (not _is_latin(name) or _may_be_own(name, book)):
        return None
    return _decided(name, text, name, ticker)


def _decided(company: str, text: str, name: str, ticker: str) -> str | None:
    """Return a company; None for a market, and for another one that does not stand in the text."""
    if company == OWN:
        return OWN
    if company.startswith(MARKET) or _key(name) in _NO_COMPANIES:
        return None
    letters = "".join(_words(text))
    first = next(iter(_words(plain_name(name))), "")
    stands = bool(first and first in letters) or bool(ticker and re.search(rf"(?<!\w){re.escape(ticker)}(?!\w)", text))
    return company if stands else None


def _is_name(name: str, text: str) -> bool:
    """Tell whether words may be a name and are no sentence, as small models answer; a text may have no capitals."""
    small = [word for word in name.split() if word[0].islower() and word not in _CONNECTORS]
    return len(small) <= 1 or text == text.lower()


def _given(name: str) -> str:
    """Return a name; empty for words that say that there is none."""
    return "" if _key(name) in _NONE_NAMED else name.strip()


def _ticker(ticker: str) -> str:
    """Return a ticker without its exchange, in capitals; empty for words that say that there is none."""
    if not _given(ticker):
        return ""
    bare = _EXCHANGE.sub("", ticker.strip().strip("()").lstrip("$")).split()
    return bare[0].upper() if bare else ""


def _whose(name: str, book: CompanyBook) -> str | None:
    """Return whose name it is: `OWN`, another known company's, or None where nobody knows."""
    key = _key(name)
    known = _names(book)
    if (found := known.get(key, book.tickers.get(name.lstrip("$")))) is not None:
        return found
    words, own = set(_words(plain_name(name))), _own_words(book)
    if any(one <= words and words - one <= _KINDS for one in own):
        return OWN
    if any(words and words <= one and words & book.own_words for one in own):
        return OWN
    return None


def _may_be_own(name: str, book: CompanyBook) -> bool:
    """Tell whether a name that nobody knows shares a word with the subject's: `Walmart Connect`."""
    return bool(set(_words(name)) & book.own_words)


@lru_cache(maxsize=64)
def _names(book: CompanyBook) -> Mapping[str, str]:
    """Return whose each known name is, by its letters; what is the subject's is nobody else's."""
    phrases = [phrase for phrases in book.phrases.values() for phrase in phrases]
    found = {_key(phrase.written): phrase.company for phrase in phrases if phrase.company != OWN}
    return {**found, **{_key(phrase.written): OWN for phrase in phrases if phrase.company == OWN}}


@lru_cache(maxsize=64)
def _own_words(book: CompanyBook) -> tuple[frozenset[str], ...]:
    phrases = (phrase for phrases in book.phrases.values() for phrase in phrases if phrase.company == OWN)
    return tuple(frozenset(_words(plain_name(phrase.written))) - {""} for phrase in phrases)


def _key(name: str) -> str:
    """Return the letters of a name without its legal form: `jpmorganchase` of `JPMorgan Chase & Co.`."""
    return "".join(_words(plain_name(name) or name))


def _words(text: str) -> list[str]:
    """Return words in small letters, without accents, apostrophes and the word "and"."""
    plain = unicodedata.normalize("NFKD", text.replace("'", "").replace("\u2019", ""))
    folded = "".join(char for char in plain if not unicodedata.combining(char)).lower()
    return [word for word in _LETTERS.findall(folded) if word != "and"]


def _is_latin(name: str) -> bool:
    return not any(char.isalpha() and ord(char) >= _LAST_LATIN for char in name)
