"""The sentences of answers by fixed rules in the languages of `texts/`: one table each, with the same keys."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.features.assistant.period_words import with_periods
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


def in_language(language: str, text: str) -> str:
    """Return a value of a sentence with its names, periods and units in a language; what is not known stays."""
    text = str(text_table(language)["words"].get(text, text))
    return with_periods(language, text)


def examples_of(language: str, symbols: tuple[str, ...] = ()) -> str:
    """Return three questions that can be asked, about the companies of a question where it names some."""
    symbols = tuple(symbol for symbol in symbols if not symbol.startswith("^"))  # codes of indices nobody types
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
