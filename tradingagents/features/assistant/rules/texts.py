"""The sentences of answers by fixed rules in the languages of `texts/`: one table each, with the same keys."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.files.yaml_file import packaged_table
from tradingagents.retrieval.questions.terms import asked_term, term_in

TEXT_LANGUAGES = ("en", "de", "zh")


@cache
def text_table(language: str) -> Mapping[str, Any]:
    """Return the table of a language; the English one where there is none."""
    name = language if language in TEXT_LANGUAGES else "en"
    read: Mapping[str, Any] = packaged_table(__package__, "texts", f"{name}.yaml")
    return read


def say(language: str, key: str, **given: Any) -> str:
    """Return a sentence with its values in it.

    Args:
        language: In which it is written; English where there is no table of it.
        key: Of the table.
        given: The values that the sentence names in braces.
    """
    own = {name: in_language(language, value) if isinstance(value, str) else value for name, value in given.items()}
    return str(text_table(language)[key]).format(**own)


_ENGLISH: Mapping[str, tuple[tuple[re.Pattern[str], str], ...]] = {
    "de": (
        (re.compile(r"\bQ(\d) of fiscal (\d{4}) \(to ([\d-]{10})\)"), r"Q\1 des Geschäftsjahrs \2 (bis \3)"),
        (re.compile(r"\bfiscal year (\d{4}) \((?:four quarters )?to ([\d-]{10})\)"), r"Geschäftsjahr \1 (bis \2)"),
        (re.compile(r"(?<=[\d)]) to (?=\d{4}-|Geschäftsjahr|Q\d)"), " bis "),
        (re.compile(r"(?<=\d) points\b"), " Punkte"),
        (re.compile(r"(?<=\d) thousand\b"), " Tausend"),
    ),
    "zh": (
        (re.compile(r"\bQ(\d) of fiscal (\d{4}) \(to ([\d-]{10})\)"), "\\2财年第\\1季度\uff08至\\3\uff09"),
        (re.compile(r"\bfiscal year (\d{4}) \((?:four quarters )?to ([\d-]{10})\)"), "\\1财年\uff08至\\2\uff09"),
        (re.compile("(?<=[\\d\uff09]) to (?=\\d{4})"), " 至 "),
        (re.compile(r"(?<=\d) points\b"), " 个百分点"),
        (re.compile(r"(?<=\d) thousand\b"), " 千"),
    ),
}
"""How tools write periods and units, and how each language does."""


def in_language(language: str, text: str) -> str:
    """Return a value of a sentence with its names, periods and units in a language; what is not known stays."""
    text = str(text_table(language)["words"].get(text, text))
    for pattern, own in _ENGLISH.get(language, ()):
        text = pattern.sub(own, text)
    return text


def examples_of(language: str, symbols: tuple[str, ...] = ()) -> str:
    """Return three questions that can be asked, about the companies of a question where it names some."""
    key = "example_two" if len(symbols) > 1 else "example_company" if symbols else "example_market"
    given = {"symbol": symbols[0] if symbols else "", "other": symbols[1] if len(symbols) > 1 else ""}
    quoted = [f"\u201c{example.format(**given)}\u201d" for example in text_table(language)[key]]
    return " · ".join(quoted)


def label(language: str, name: str) -> str:
    """Return what a figure is called."""
    return str(text_table(language)["labels"].get(name) or metric_label(name))


def sector_name(language: str, sector: str) -> str:
    """Return what a sector is called."""
    return str(text_table(language)["sector_names"].get(sector, sector))


@cache
def _terms() -> Mapping[str, Mapping[str, Any]]:
    read: Mapping[str, Mapping[str, Any]] = packaged_table(__package__, "texts", "terms.yaml")
    return read


def asked_term_name(question: str) -> str:
    """Return the first name of the term of which a question asks the meaning; empty where it asks for none."""
    key = _asked_key(question)
    return str(_terms()[key]["names"][0]) if key else ""


def explained(question: str, language: str) -> str:
    """Return what the term means that a question asks for; empty where it asks for none, or for one not known."""
    key = _asked_key(question)
    return str(_terms()[key][language if language in TEXT_LANGUAGES else "en"]) if key else ""


def _asked_key(question: str) -> str:
    asked = asked_term(question)
    names = [(str(name), key) for key, term in _terms().items() for name in term["names"]]
    return term_in(asked, names) if asked else ""
