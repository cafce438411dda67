"""A question, read: companies, periods, days, figures, the kind of question, and what was not understood.

    QuestionReading("Wie hoch war der Umsatz von SAP 2023?", today).figure.years  # (2023,)

Everything is read by rules from names (`names.yaml`, `line_items.toml`, `metrics.toml`) and examples
(`phrasings.yaml`), in English, German, French, Spanish, Chinese and Japanese. No part is read before it is needed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from functools import cached_property

from tradingagents.retrieval.questions.companies import (
    CompanyMention,
    Instruments,
    capital_runs,
    listed_instruments,
    tickers_by_form,
    unknown_words,
)
from tradingagents.retrieval.questions.days import NamedDays, read_days
from tradingagents.retrieval.questions.figures import FigureQuestion, read_figure_question
from tradingagents.retrieval.questions.kinds import KindMatch, KindReader, kind_reader, question_kinds
from tradingagents.retrieval.questions.names import (
    NamedMeasure,
    filler_words,
    in_english,
    in_plain_letters,
    leads_of,
    measures_named,
    named_in,
    names_table,
)
from tradingagents.retrieval.questions.plain_words import plain_words, spaced

SURE = 0.6
"""Nearness from which on a question that names a figure is of a kind that is declined all the same, or a follow-up."""
FOLLOW_UP = "follow_up"
"""The kind of a question that leaves out what is wanted."""
MOST_LEADING_WORDS = 3
"""Words before the ones that a request begins with, such as `can you please`."""
_OF_FIGURES = ("figure", "price")
"""Kinds that ask for a figure: of what lies ahead, and of what no source holds, there is none."""
_CALENDAR = re.compile(
    r"\b\d{4}-\d\d-\d\d\b|\b(?:fy|fiscal(?: year)?|q[1-4])?\s?'?(?:19|20)\d\d\b"
    r"|\bfy\s?'?\d\d\b|\bfiscal year\b|\bq[1-4]\b"
    r"|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b",
    re.IGNORECASE,
)


class QuestionReading:
    """What a question says."""

    def __init__(
        self,
        text: str,
        today: date | None = None,
        *,
        instruments: Instruments | None = None,
        kinds: KindReader | None = None,
    ) -> None:
        """Take a question; it is read as its parts are asked for.

        Args:
            text: The question, in any of the languages of `phrasings.yaml`.
            today: Its day, on which windows such as `the last three months` end; None where no days are read from it.
            instruments: What the source knows; None: the companies of the reference list.
            kinds: Finds the kind; None: the reader of this installation.
        """
        self.text = text
        self._today = today
        self._spaced = spaced(text)
        self._instruments = instruments
        self._kinds = kinds

    @property
    def today(self) -> date:
        """The day of the question.

        Raises:
            ValueError: It was read without one: the clock of this machine is none, since a run may be of a past day.
        """
        if self._today is None:
            raise ValueError("the question was read without its day")
        return self._today

    @cached_property
    def mentions(self) -> tuple[CompanyMention, ...]:
        """The known companies that are named, in order."""
        return (self._instruments or listed_instruments()).mentions(self._spaced)

    def before(self, mention: CompanyMention) -> str:
        """Return what stands before a company that is named."""
        return self._spaced[: mention.start]

    @cached_property
    def tickers(self) -> tuple[str, ...]:
        """The symbols of the known companies that are named, in order."""
        return tuple(dict.fromkeys(mention.symbol for mention in self.mentions))

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        """Words with a capital that may name companies, and that no list knows."""
        rest = self.without_companies
        return tuple(dict.fromkeys((*tickers_by_form(rest), *capital_runs(rest))))

    @cached_property
    def unknown_words(self) -> tuple[str, ...]:
        """Runs of words that are no words of questions, also in small letters: they may name companies."""
        return unknown_words(self.without_companies)

    @cached_property
    def english(self) -> str:
        """The question with names of figures and periods in English."""
        return in_english(self._spaced)

    @cached_property
    def said(self) -> str:
        """The question as names are looked for in it: in small letters, without marks."""
        return in_plain_letters(self.english)

    @cached_property
    def days(self) -> NamedDays:
        """The days and windows that are named."""
        return read_days(self.english, self.today)

    @cached_property
    def figure(self) -> FigureQuestion:
        """The figure of statements that is asked for, its fiscal periods, its unit."""
        found = read_figure_question(self.text if self.english == " ".join(self._spaced.split()) else self.english)
        other_language = found.text != self.text and bool(found.expression)
        return replace(found, text=self.text, asks_figure=found.asks_figure or other_language)

    @cached_property
    def measures(self) -> tuple[NamedMeasure, ...]:
        """The measures that are named, that of the longest name first."""
        return measures_named(self.said)

    @cached_property
    def unheld(self) -> str:
        """What is asked for that no source holds, such as the market share; empty for nothing."""
        return named_in("unheld", self.said)

    @cached_property
    def ahead(self) -> str:
        """The word that speaks of a time after the day of the question; empty for none."""
        return named_in("ahead", self.said)

    @cached_property
    def plain(self) -> str:
        """What the kind of the question is told by: its words without companies, periods and days."""
        rest = self.without_companies
        for name in sorted(self.unknown, key=len, reverse=True):
            rest = rest.replace(name, " ")
        return plain_words(_CALENDAR.sub(" ", rest))

    @cached_property
    def nearest(self) -> KindMatch:
        """The kind of question that the phrasings are nearest to."""
        about_company = bool(self.tickers or self.unknown)
        return (self._kinds or kind_reader()).match(self.plain, about_company=about_company)

    @cached_property
    def uncovered(self) -> tuple[str, ...]:
        """The words that say something, and that no phrasing of the question's kind holds: it may ask for more.

        Chinese and Japanese, which write no blanks between words, give none.
        """
        kind = question_kinds().get(self.kind)
        own = kind.words() if kind is not None else frozenset()
        named = {word for each in self.measures for word in plain_words(each.words).split()}
        if self.figure.expression or self.measures:
            named |= set(plain_words(self.figure.name).split()) | set(names_table()["of_figures"])
        known = own | named | filler_words() | {*names_table()["fell"], *names_table()["rose"]}
        spoken = (word for word in self.plain.split() if word.isascii() and word.isalpha() and len(word) > 1)
        return tuple(dict.fromkeys(word for word in spoken if word not in known))

    @cached_property
    def language(self) -> str:
        """The language of the question: that of its script, or of the phrasing that it is nearest to."""
        if re.search("[\u3040-\u30ff]", self.text):
            return "ja"
        if re.search("[\u3400-\u9fff]", self.text):
            return "zh"
        return self.nearest.language if self.nearest.near and self.plain else "en"

    @cached_property
    def kind(self) -> str:
        """The kind of question, a name of `phrasings.yaml`; empty where it is not understood."""
        nearest, named = self.nearest, bool(self.measures or self.figure.expression)
        doubtful = nearest.nearness < SURE and (named or nearest.kind.name == FOLLOW_UP)
        if nearest.near and not (doubtful and (nearest.kind.declined or nearest.kind.name == FOLLOW_UP)):
            return nearest.kind.name
        return "figure" if named and not (self.unheld or self.ahead) else ""

    @property
    def kind_is_declined(self) -> bool:
        """Whether the kind of question is understood, and gets no answer."""
        kind = question_kinds().get(self.kind)
        return kind is not None and bool(kind.declined)

    @cached_property
    def declined(self) -> str:
        """Why the question gets no answer by itself; empty where it may get one."""
        kind = question_kinds().get(self.kind)
        if kind is None:
            return not_understood()
        if kind.declined:
            return kind.declined
        if self.ahead and kind.name in _OF_FIGURES:
            return question_kinds()["forecast"].declined
        if self.unheld and kind.name in _OF_FIGURES:
            return question_kinds()["unanswered"].declined
        if kind.company and not self.tickers:
            unknown = ", ".join(self.unknown)
            return f"Nothing is known of {unknown}; name a ticker." if unknown else "Which company is meant? Name it."
        return ""

    def after_lead(self, kind: str) -> str:
        """Return what follows the words with which a request of a kind begins: the question of `look into …`."""
        words = self.text.split()
        plain = [word.strip(",.:;!").lower() for word in words]
        for at in range(min(MOST_LEADING_WORDS + 1, len(words))):
            leads = (lead.split() for lead in leads_of(kind))
            lengths = [len(lead) for lead in leads if plain[at : at + len(lead)] == lead]
            if lengths:
                return " ".join(words[at + min(lengths) :])
        return self.text

    @cached_property
    def without_companies(self) -> str:
        """The question without the companies that it names."""
        rest = self._spaced
        for mention in reversed(self.mentions):
            rest = f"{rest[: mention.start]} {rest[mention.end :]}"
        return rest


def not_understood() -> str:
    """Return what is said of a question that is not understood: what can be asked."""
    examples = " ".join(kind.example for kind in question_kinds().values() if kind.example)
    return f"The question is not understood. What can be asked: {examples}"
