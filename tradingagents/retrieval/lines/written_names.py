"""Questions with the names and tickers of stored companies written as names are, which may be in small letters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from tradingagents.dataflows.reference.company_names import known_companies
from tradingagents.retrieval.index.words import word_list
from tradingagents.retrieval.lines.asked.asked_labels import words_kept
from tradingagents.retrieval.models import DocumentInfo
from tradingagents.retrieval.questions.companies import CompanyMention, listed_instruments
from tradingagents.retrieval.questions.plain_words import spaced

_FEWEST_LETTERS = 3
"""Letters of a ticker that may be written small."""
_STOCK_OF = re.compile(r"(?i)\b(?:stock|share)[- ](?:based )?comp(?:ensation)?\b")
"""After a name `stock` is a part of it, unless it is paid to people."""
_ORDINARY = frozenset(
    {"cost", "low", "snow", "all", "key", "cat", "block", "ford", "square", "gap", "target", "match", "visa"}
)
"""Names and tickers that are ordinary words in small letters."""
_ORDINARY_NAMES = frozenset({"block", "ford", "square", "gap", "target", "match", "visa"})
"""Those that are names: a question that begins with one and names no other company is of that company."""
_POSSESSED = re.compile(
    r"(?<![\w$'])(?P<article>(?:the|an?|each|this|that) )?(?P<name>[a-z]{3,20})(?P<mark>['\u2019])?s(?!\w)"
)
"""A word in small letters that may be the name of a company to which something belongs, as `teslas` or `square's`."""
_OF_CAPITALS = re.compile(r"(?<![\w$&])(?P<name>[A-Z][A-Z&]{1,5})s(?=[ ?!,.;:)])")
"""A name in capitals that owns something without a mark, as `MGMs`."""
_FIRST_WORD = re.compile(r"(?!(?:us|uk|eu|ai|tv|it|pc|hr|ev|re|op|ad|gm|cc|fx|fy|ms) )[a-z]{2}(?= )")
"""A ticker of two letters written small, with which a question begins, as `vz`; not a common word."""
_BETWEEN = "[^a-zA-Z0-9]{1,3}"
_FEWEST_OF_NAME = 2
"""Words of a name by which a company is called; those after them may be left out."""


def as_written(question: str, infos: Sequence[DocumentInfo]) -> str:
    """Return a question with the names and tickers of stored companies in capitals, which may be in small letters."""
    question = _STOCK_OF.sub("stock-based compensation", question)
    symbols = frozenset(info.symbol for info in infos)
    question = _POSSESSED.sub(partial(_owner_written, _single_names(infos), symbols), question)
    question = _OF_CAPITALS.sub(
        lambda found: f"{found['name']}'s" if _is_name(found["name"], symbols) else found.group(), question
    )
    first = _FIRST_WORD.match(question)
    if first and first.group().upper() in symbols and words_kept(first.group()):
        question = first.group().upper() + question[first.end() :]
    word = re.match(r"[a-z]{3,}(?=[ /])", question)
    if word and word.group() in _ORDINARY_NAMES & _single_names(infos) and not listed_named(question):
        question = word.group().capitalize() + question[word.end() :]
    names = {info.company for info in infos} | {info.symbol for info in infos if len(info.symbol) >= _FEWEST_LETTERS}
    for name in sorted(filter(None, names), key=len, reverse=True):
        words = [
            word for word in re.findall(r"[A-Za-z0-9&]+", name) if word.lower() not in word_list("of_company_names")
        ]
        written = " ".join(words)
        if not words or (len(words) == 1 and written.lower() in _ORDINARY):
            continue
        small = list(map(re.escape, map(str.lower, words)))
        rest = "".join(
            f"(?:{_BETWEEN}{word})?" for word in small[_FEWEST_OF_NAME:]
        )  # American Water is American Water Works
        pattern = re.compile(rf"(?<![\w$]){_BETWEEN.join(small[:_FEWEST_OF_NAME])}{rest}(?!\w)")
        question = pattern.sub(
            written if len(words) > 1 or written in {each.symbol for each in infos} else written.capitalize(), question
        )
    return question


def _is_name(written: str, symbols: frozenset[str]) -> bool:
    """Whether letters in capitals are the name or the ticker of a stored company."""
    return written in symbols or any(mention.symbol in symbols for mention in listed_instruments().mentions(written))


def _single_names(infos: Sequence[DocumentInfo]) -> frozenset[str]:
    """Return the names of one word of stored companies, and other names of them, in small letters."""
    symbols = {info.symbol for info in infos if info.symbol}
    also = {name for known in known_companies() if symbols & set(known.symbols) for name in known.also}
    also |= {symbol for symbol in symbols if len(symbol) > _FEWEST_LETTERS}
    names = {" ".join(re.findall(r"[a-z0-9&]+", info.company.lower())) for info in infos} | set(map(str.lower, also))
    kept = (
        [word for word in name.split() if word not in word_list("of_company_names") and word not in ("inc", "com")]
        for name in names
    )
    return frozenset(words[0] for words in kept if len(words) == 1)


def _owner_written(names: frozenset[str], symbols: frozenset[str], found: re.Match[str]) -> str:
    """Return a name that owns something, as `teslas` or `square's`, in capitals; other words as they are."""
    name = found["name"]
    ordinary = found["article"] or (name in _ORDINARY and not found["mark"])
    if name not in names or ordinary:
        return found.group()
    return f"{name.upper() if name.upper() in symbols else name.capitalize()}'s"


def listed_named(question: str) -> list[CompanyMention]:
    """Return the listed companies that a question names; ordinary words in small letters, as `the gap`, are none."""
    mentions = listed_instruments().mentions(spaced(question))
    return [each for each in mentions if each.written != each.written.lower() or words_kept(each.written)]
