"""What is traded elsewhere and followed by a fund that the data hold: `gold` is read as GLD, and the reply says so."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from tradingagents.retrieval.questions.companies import Instruments
from tradingagents.retrieval.questions.names import names_table, words_of_questions
from tradingagents.retrieval.questions.plain_words import plain_words, spaced
from tradingagents.retrieval.questions.vocabulary import is_known


@cache
def fund_symbols() -> tuple[str, ...]:
    """Return the funds that a question may name, by ticker or by what they follow."""
    funds: Mapping[str, Mapping[str, Sequence[str]]] = names_table()["funds"]
    return tuple(dict.fromkeys(symbol for fund in funds.values() for symbol in fund["symbols"]))


def with_funds(text: str, instruments: Instruments | None) -> tuple[str, tuple[str, ...]]:
    """Return a question with funds for what they follow, as far as the source has them, and what was read as what."""
    if instruments is None:
        return text, ()
    remarks: list[str] = []
    for names, symbols in _groups():
        found = names.search(text)
        if found is not None and all(map(instruments.knows, symbols)):
            text = f"{text[: found.start()]} {', '.join(f'${symbol}' for symbol in symbols)} {text[found.end() :]}"
            remarks.append(f"{found[0].strip()} is read as {', '.join(symbols)}.")
    for names, symbols in _patterns():
        symbol = next((each for each in symbols if instruments.knows(each)), "")
        found = names.search(text) if symbol else None
        if found is None or _is_of_company(found, text, instruments):
            continue
        text = f"{text[: found.start()]} ${symbol} {text[found.end() :]}"
        remarks.append(f"{found[0].strip()} is read as {symbol}, a fund that follows it.")
    return (" ".join(text.split()), tuple(remarks)) if remarks else (text, ())


def _is_of_company(found: re.Match[str], text: str, instruments: Instruments) -> bool:
    """Tell whether the word is a part of a company's name."""
    before = plain_words(text[: found.start()].rsplit(",", 1)[-1]).split()[-1:]
    if before and before[0].isascii() and before[0].isalpha() and not is_known(before[0]):
        return before[0] not in words_of_questions()  # a name that is misspelt
    return spaced(text) == text and any(
        mention.start < found.end() and found.start() < mention.end for mention in instruments.mentions(text)
    )


@cache
def _groups() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    """Return the names of groups of companies, such as the magnificent seven, with the companies of each."""
    found = []
    for group in names_table()["groups"].values():
        names = "|".join(re.escape(name) for name in sorted(group["names"], key=len, reverse=True) if name.isascii())
        signs = [re.escape(name) for name in group["names"] if not name.isascii()]
        worded = rf"(?<![\w$-])(?:the )?(?:{names})(?: stocks| companies| aktien)?(?![\w-])"
        found.append((re.compile("|".join([worded, *signs]), re.IGNORECASE), tuple(group["symbols"])))
    return tuple(found)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    table = names_table()
    after = "|".join(table["fund_is_none_before"])
    found = []
    for fund in table["funds"].values():
        names = sorted(fund["names"], key=len, reverse=True)
        latin = "|".join(re.escape(name) for name in names if name.isascii())
        signs = [re.escape(name) for name in names if not name.isascii()]
        worded = [rf"(?<![\w$-])(?:{latin})(?![\w-])(?!\s(?:{after})\b)"] if latin else []
        if names:
            found.append((re.compile("|".join([*worded, *signs]), re.IGNORECASE), tuple(fund["symbols"])))
    return tuple(found)
