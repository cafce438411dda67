"""The clauses of a question that ask nothing, told from those that ask: `my brother says`, `just asking for a friend`.

    without_asides("my wife says i am nuts, how did Apple do this year?", today, instruments).text
    # "how did Apple do this year?"

A clause is left out as a whole or not at all, never word by word: where it is on its writer or on other people, asks
nothing, and holds no instrument, measure, day, number, wish or condition.

Of `my uncle swears Apple fell` the first words are left out, so that what is taken for granted is checked. Every other
clause stays, and an unknown word in it is seen by the reading of the whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from itertools import pairwise

from tradingagents.files.yaml_file import packaged_table
from tradingagents.retrieval.line_items import line_items, metrics
from tradingagents.retrieval.questions.aspects import AskedAspects, read_aspects, spoken_language
from tradingagents.retrieval.questions.companies import CompanyMention, Instruments, listed_instruments, tickers_by_form
from tradingagents.retrieval.questions.names import (
    any_stands,
    group_names,
    in_english,
    in_plain_letters,
    measures_named,
    names_table,
)
from tradingagents.retrieval.questions.periods.unclear_days import unclear_days
from tradingagents.retrieval.questions.plain_words import plain_words, spaced
from tradingagents.retrieval.questions.spans import completed
from tradingagents.retrieval.questions.wording import has_digits, without_days

MOST_OF_LEAD = 9
"""Words before what is said, such as `my boss at work keeps asking me`."""
MOST_BEFORE = 4
"""Words that may stand before the subject of a clause."""
_THAT = {"en": "that", "de": "dass"}
_SIGNS_OF_LEAD = 14
"""The same in Chinese signs."""
_ENDS = re.compile(
    r"[.!?;:\u2026](?=\s|$)|,(?=\D)|\s[-\u2013\u2014]+\s|[()\n\uff0c\u3002\uff01\uff1f\uff1b\uff1a\u3001]"
    r"|\s(?=(?:because|cuz|but|weil|aber)\s)|\s(?=and (?:i|my|we)\s)"
    r"|\s(?=so (?:i|my|we|how|what|is|are|did|does|should)\s)",
    re.IGNORECASE,
)
_MARKS = " ,;:-\u2013\u2014\uff0c\uff1b\uff1a\u3001"
_WORD = re.compile(r"[^\W_](?:[\w'\u2019&/-]|\.(?=\w))*")
_OF_WRITER = re.compile(r"\b(?:my|our|mein\w{0,2}|unser\w{0,2}) (?:own )?[\w-]+")
"""Whom a writer speaks of: `my boss` is no manager of a company."""
_ASKED_FOR = frozenset(
    {
        *("know", "ask", "asks", "asked", "asking", "wonder", "wonders", "wondered", "wondering", "curious"),
        *("frage", "fragt", "fragte", "gefragt", "wissen", "问", "想知道", "好奇"),
    }
)
"""By which a clause is a question all the same: `my dad wants to know about Apple`."""
_OF_SIDE = frozenset({"compare", "first", "second"})
"""What small words such as `or` and `than` say in a clause that asks nothing."""
_VERBS_OF_QUESTIONS = frozenset({"haben", "hat", "ist", "sind", "gibt", "war", "waren"})
_THANKS = frozenset({"ty", "thx", "thanks", "you", "cheers", "danke"})
"""Before `for` in a clause of thanks, as in `thank you for yesterday`."""
_OF_TALK = frozenset({"recap", "opinion", "thanks", "real", "mood", "social", "people"})
_OF_TRADE = frozenset({"bought", "sold"})
"""What people speak of who name nothing: stocks, the market, to buy and to sell."""


@dataclass(frozen=True, slots=True)
class WithoutAsides:
    """A question without the clauses that ask nothing."""

    text: str
    asides: tuple[str, ...] = ()
    """The clauses that were left out and hold words that no table knows."""


def without_asides(text: str, today: date, instruments: Instruments | None) -> WithoutAsides:
    """Return a question without its clauses that ask nothing; as it is where nothing would be left.

    Args:
        text: The question.
        today: Its day.
        instruments: What the source knows; None: the companies of the reference list.
    """
    language = spoken_language(text) or "en"
    clauses = [
        _Clause.of(part, end, language, today, instruments or listed_instruments()) for part, end in _parts(text)
    ]
    if len(clauses) == 1 and not clauses[0].before:
        return WithoutAsides(text)
    kept = [clause for clause in clauses if not clause.is_aside]
    if not any(clause.says_something for clause in kept):
        return WithoutAsides(text)
    left: list[_Clause] = []
    said: list[str] = []
    for clause in clauses:
        rest = _reduced(clause, [other for other in kept if other is not clause])
        if rest is clause and clause.is_aside:  # it may speak of what it alone says
            return WithoutAsides(text)
        if rest is None and clause.asked.left and not (clause.begins("standing") or clause.has("says")):
            said.append(clause.text.strip(_MARKS))
        left += [rest] if rest is not None else []
    blank = "" if language == "zh" else " "
    written = blank.join(f"{clause.text.strip()}{clause.end.rstrip()}" for clause in left).strip(_MARKS)
    return WithoutAsides(written or text, tuple(said) if written else ())


def _parts(text: str) -> list[tuple[str, str]]:
    """Return the clauses of a text, each with what ends it."""
    found, at = [], 0
    for end in _ENDS.finditer(text):
        if text[at : end.start()].strip():
            found.append((text[at : end.start()], end[0]))
            at = end.end()
    return [*found, (text[at:], "")] if text[at:].strip() else found


@cache
def _tables() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    read = packaged_table(__package__, "clauses.yaml")
    return {
        language: {name: tuple(str(each) for each in words) for name, words in groups.items()}
        for language, groups in read.items()
    }


@cache
def _figure_names() -> frozenset[str]:
    items = [name for item in line_items().values() for name in item.names]
    return frozenset([*items, *(name for metric in metrics().values() for name in metric.names)])


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause with what it names."""

    text: str
    end: str
    language: str
    words: tuple[str, ...]
    companies: tuple[CompanyMention, ...]
    asked: AskedAspects
    names_market: bool
    """Whether it names an index, a sector, or what is traded elsewhere."""
    names_more: bool
    """Whether it names a measure, a day or a number."""
    before: tuple[str, ...] = ()
    """Words before what somebody says, thinks or asks, as in `my uncle swears …`."""

    @classmethod
    def of(cls, text: str, end: str, language: str, today: date, instruments: Instruments) -> _Clause:
        """Read a clause; the words before what somebody says are no part of what it names."""
        lead = _lead_of(text, language, instruments)
        own = text[lead:]
        mentions = instruments.mentions(spaced(own))
        rest = spaced(own)
        for mention in reversed(mentions):
            rest = f"{rest[: mention.start]} {rest[mention.end :]}"
        english = _OF_WRITER.sub(" ", completed(in_english(rest), today).lower())
        without, span = without_days(english)
        said = in_plain_letters(english)
        named = any(
            any_stands((name,), said) if name.isascii() else name in own
            for name in (*group_names(), *names_table()["other_markets"])
        )
        more = bool(span) or has_digits(without) or bool(unclear_days(english, today))
        more = more or bool(measures_named(said)) or any_stands(_figure_names(), said)
        more = more or bool(set(tickers_by_form(rest)) - {"I", "A"})
        words, before = (tuple(map(_plain, _WORD.findall(part))) for part in (own, text[:lead]))
        return cls(own, end, language, words, mentions, read_aspects(without), named, more, before)

    @property
    def is_asked(self) -> bool:
        """Tell whether somebody asks what it says, so that it is a question all the same."""
        told = "".join(self.before) if self.language == "zh" else self.before
        return any(word in told for word in _ASKED_FOR)

    def has(self, *groups: str) -> bool:
        """Tell whether a word of some groups stands in it."""
        table = _tables()[self.language]
        words = [word for group in groups for word in table.get(group, ())]
        if self.language == "zh":
            return any(word in self.text for word in words)
        return bool(set(words) & set(self.words))

    def begins(self, group: str, *, at: int = 0) -> bool:
        """Tell whether it begins with one of a group."""
        words = _tables()[self.language].get(group, ())
        if self.language == "zh":
            return self.text.strip().startswith(words)
        said = f"{' '.join(self.words[at:])} "
        return any(said.startswith(f"{word} ") for word in words)

    @property
    def is_on_people(self) -> bool:
        """Tell whether its subject is its writer, or other people."""
        if self.language != "en":
            return self.has("self") or self.begins("people") or (self.language == "zh" and self.has("people"))
        subject = next((at for at in range(MOST_BEFORE + 1) if not self.begins("before", at=at)), 0)
        first = self.words[subject : subject + 1]
        if self.begins("people", at=subject) or (first and first[0] in _tables()["en"]["self"]):
            return True
        of_writer = len(self.words) > 1 and self.words[1] in ("me", "us") and self.words[0].endswith("s")
        told = len(self.words) < MOST_OF_LEAD and self.has("self") and self.has("says") and not self.begins("requests")
        return of_writer or told

    @property
    def names_something(self) -> bool:
        """Tell whether it names a measure, a day, a number or what a question takes for granted."""
        asked = self.asked
        aspects, asks = set(asked.aspects), asked.asks - _OF_SIDE
        if self.is_on_people or self.before or self.begins("standing"):
            aspects, asks = aspects - _OF_TALK, asks - _OF_TRADE
        claims = asked.claims if self.before or not self.is_on_people else ()  # of people: `i am losing sleep`
        return self.names_market or self.names_more or bool(aspects or claims or asked.unheld or asks)

    @property
    def says_something(self) -> bool:
        """Tell whether it can be a question, or a part of one."""
        return bool(self.companies) or self.names_something

    @property
    def is_aside(self) -> bool:
        """Tell whether it asks nothing and names nothing."""
        if not self.text.strip():
            return True
        if self._is_thanks:
            return True
        if self.language == "de" and "?" in self.end and set(self.words[:2]) & _VERBS_OF_QUESTIONS:
            return False  # `haben wir gerade eine?`
        if self.companies or self.names_something or self.has("asks") or self._names_own:
            return False
        if self.begins("standing"):
            return True
        if self._wants_something or self.has("under") or self.begins("requests"):
            return False
        if self.before:
            return self.has("self") or not self.asked.left
        return self.is_on_people or self.begins("busy") or self._is_manner

    @property
    def _is_thanks(self) -> bool:
        """Tell whether it says thanks for something, of whatever day, and asks nothing, as `thanks for yesterday`."""
        if self.companies or self.asked.claims or self.has("asks"):
            return False
        return any(word in _THANKS and behind in ("for", "für") for word, behind in pairwise(self.words))

    @property
    def _names_own(self) -> bool:
        """Tell whether it names what its writer has and a question may be about, such as `my tech stocks`."""
        table = _tables()[self.language]
        if self.language == "zh":
            owned = (f"{own}{of}{name}" for own in table["self"] for of in ("", "的") for name in table["kept"])
            return any(name in self.text for name in owned)
        near = (self.words[at + 1 : at + 3] for at, word in enumerate(self.words) if word in table["self"])
        return any(set(words) & set(table["kept"]) for words in near)

    @property
    def _wants_something(self) -> bool:
        """Tell whether it says what the answer is to be: `i want green ones`, and not `i want to understand it`."""
        table = _tables()[self.language]
        free = frozenset(table.get("free", ()))
        if self.language == "zh":
            rest = self.text
            for words in free:
                rest = rest.replace(words, "")
            return any(word in rest for word in table["wants"])
        if _ASKED_FOR & set(self.words):
            return False  # `my grandfather wants to know`
        pairs = tuple(pairwise((*self.words, "")))
        wanted = (
            word in table["wants"] and behind != "to" and f"{word} {behind}" not in free for word, behind in pairs
        )
        return any(wanted) or any(f"{word} {behind}" in table["wants"] for word, behind in pairs)

    @property
    def _is_manner(self) -> bool:
        """Tell whether it is one adverb of its writer, such as `frankly`."""
        return self.language == "en" and len(self.words) == 1 and self.words[0].endswith("ly") and bool(self.asked.left)

    @property
    def is_occasion(self) -> bool:
        """Tell whether it says of companies only that people own or want them, such as `my dad works at Apple`."""
        asked = self.asked
        asks = asked.asks - _OF_SIDE - _OF_TRADE
        bought = frozenset({"opinion"}) if self.language == "de" else frozenset[str]()  # `kaufen`
        named = self.names_market or self.names_more or bool(set(asked.aspects) - bought)
        silent = not (
            named or self.is_asked or asked.claims or asked.unheld or asks or asked.negated or self.has("asks", "under")
        )
        return bool(self.companies) and silent and (self.is_on_people or self.begins("busy") or bool(self.before))


def _reduced(clause: _Clause, others: Sequence[_Clause]) -> _Clause | None:
    """Return what stays of a clause beside the others: all of it, the companies of it alone, or nothing."""
    if clause.is_aside:
        speaks_of = any(other.has("it") for other in others) and not any(other.companies for other in others)
        return clause if speaks_of and clause.asked.left and not clause.before and not clause.has("says") else None
    if not clause.is_occasion or not any(other.has("asks") or other.names_something for other in others):
        return clause
    if any(other.companies or other.names_market for other in others):
        return clause if any(other.has("it") for other in others) else None
    names = ", ".join(mention.written for mention in clause.companies)
    return replace(clause, text=names, end=", ", words=(), asked=AskedAspects())


def _lead_of(text: str, language: str, instruments: Instruments) -> int:
    """Return the characters before what somebody says, thinks or asks; 0 where a clause begins with no such words."""
    table = _tables()[language]
    if language == "zh":
        return _chinese_lead(text, table)
    words = list(_WORD.finditer(text))
    plain = [_plain(word[0]) for word in words]
    at = next((at for at in range(min(MOST_BEFORE, len(plain))) if plain[at] not in table["before"]), 0)
    begins = f"{' '.join(plain[at:])} "
    if not (
        begins.startswith(tuple(f"{name} " for name in table["people"])) or set(plain[at : at + 1]) & set(table["self"])
    ):
        return 0
    last, says, behind = 0, (*table["says"], *table["feels"]), (*table["objects"], *table["of_sentence"])
    for number in range(at + 1, min(at + MOST_OF_LEAD, len(plain))):
        if plain[number] in says or (last and plain[number] in behind):
            last = number + 1
        elif last and _THAT[language] not in plain[number : number + MOST_BEFORE]:  # `i read somewhere that`
            break
        elif plain[number] in (*table["asks"], *table["under"]):
            return 0
    if not last or last >= len(words):
        return 0
    before = text[: words[last].start()]
    denied = {"not", "dont", "doesnt", "didnt", "nicht", "kein", "keine"} & set(plain[:last])
    if denied and {"think", "believe", "glaube", "denke", "thinks", "believes"} & set(plain[:last]):
        return 0
    if instruments.mentions(spaced(before)) or has_digits(before):
        return 0
    return len(before)


def _plain(word: str) -> str:
    """Return a word in plain letters, `im` for `I'm`."""
    return plain_words(word).replace(" ", "") or word.lower()


def _chinese_lead(text: str, table: Mapping[str, tuple[str, ...]]) -> int:
    start = text[:_SIGNS_OF_LEAD]
    if not any(word in start for word in (*table["self"], *table["people"])) or not text.strip():
        return 0
    ends = [start.find(word) + len(word) for word in table["says"] if word in start]
    if not ends:
        return 0
    end = min(ends)
    if not any(word in text[:end] for word in (*table["self"], *table["people"])):
        return 0
    for word in table["of_sentence"]:
        if text.startswith(word, end):
            end += len(word)
    return end if end < len(text) else 0
