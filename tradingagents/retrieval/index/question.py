"""What a question asks for: its words, line items, statements, subjects, periods, dates and forms."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from tradingagents.retrieval.index.lexicon import FilingTopic, LexiconEntry, LexiconItem, finance_lexicon
from tradingagents.retrieval.index.words import STOP_WORDS, term_number, word_list, words_of
from tradingagents.retrieval.page_kinds import StatementPage

RULES: Mapping[str, str] = {
    "cleaning": "Instructions of a question (`Answer in USD millions`) are left out of its words.",
    "stemming": "Words are compared by their stems.",
    "line_items": "Terms of finance are expanded to the line items of their formula, as printed in tables.",
    "statements": "Pages of the statements that a question names, or that print its line items, rank higher.",
    "topics": "Subjects of a question are expanded to the headings that filings use for them.",
    "passages": "A page counts by its best passage too, not only as a whole.",
    "headings": "Words in headings count more than words in the text.",
    "kinds": "Contents, exhibits and signatures rank lower.",
    "rows": "Row labels count where they are the line item's as printed.",
    "periods": "Pages that name the question's fiscal year, quarter or date rank higher.",
    "company": "Only documents of a company that the question names are searched.",
    "document_period": "Documents of the question's period and form rank higher.",
    "spread": "After the tenth page: statements, segments, the next document, and pages that continue the best ones.",
}
"""What each rule does; a search can be made without any of them."""


StatementWish = Literal["named", "of_measure", "of_item"]
"""By what a primary statement is wanted: it is named; a measure is computed from it; or it prints a line item that is
asked."""


@dataclass(frozen=True, slots=True)
class QuestionPeriod:
    """A fiscal year, or a quarter of one."""

    year: int
    quarter: int | None = None


@dataclass(frozen=True, slots=True)
class SearchQuestion:
    """A question, read."""

    text: str
    terms: Mapping[int, float]
    """Weight of each term."""
    items: Mapping[str, float] = field(default_factory=dict)
    """Weight of each line item."""
    statements: Mapping[StatementPage, StatementWish] = field(default_factory=dict)
    """The primary statements that are wanted, and by what."""
    topics: tuple[str, ...] = ()
    named_topics: tuple[str, ...] = ()
    """Those of `topics` that a term of finance names, not ordinary words alone."""
    periods: tuple[QuestionPeriod, ...] = ()
    """Periods in the order of the text."""
    dates: tuple[date, ...] = ()
    forms: tuple[str, ...] = ()
    """Forms that the question names, such as 8-K; `earnings` for a release of earnings."""
    latest: int = 0
    """For `latest` or `last three quarters`: how many periods, per company; 0 if not asked for."""
    names: tuple[str, ...] = ()
    """Capitalised words that may name a company."""

    @property
    def period(self) -> QuestionPeriod | None:
        """The period that a document answering the question is about: the latest that is named."""
        return max(self.periods, key=lambda period: (period.year, period.quarter or 0), default=None)


_INSTRUCTION = re.compile(
    r"^(?:please |kindly )?(?:answer|round|give|provide|state|calculate|compute|base|address|express|use|utili[sz]e|"
    r"respond|show|report|assume|suppose|pretend|imagine|you are|you have|we need|your only|do not)\b"
    r"|\b(?:is|are) (?:not|n't) (?:a )?(?:useful|relevant|meaningful|something|explicitly)\b"
    r"|^if\b.*\b(?:then|please)\b.*\bstate\b",
    re.IGNORECASE,
)
_DEFINITION = re.compile(r"\bdefine[ds]?\b|\bhere is\b|\bis defined\b", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?P<lead>[^?]*?\b(?:information|details?|data|line items|resources?|judge?ments?|based|basing|"
    r"according|considering|using|use|given|account|agreement|following question|metric)\b[^?]*?)[,:]\s*"
    r"(?:here's the question:\s*)?"
    r"(?P<question>(?:roughly |by )?(?:what|how|is|does|do|has|have|which|did|was|were|are|who|when|"
    r"why|among|of|in)\b.*)$",
    re.IGNORECASE | re.DOTALL,
)
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z(])")
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
           "december")  # fmt: skip
_MONTH = "|".join(f"{month[:3]}(?:{month[3:]})?\\.?" for month in _MONTHS)
_DATES = re.compile(
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH}),?\s+(?P<year>(?:19|20)\d\d)\b"
    rf"|(?P<month2>{_MONTH})\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year2>(?:19|20)\d\d)\b"
    r"|(?P<year3>(?:19|20)\d\d)-(?P<month3>\d\d)-(?P<day3>\d\d)",
    re.IGNORECASE,
)
_YEAR = r"(?:(?:fy|fiscal(?: year)?|financial year|year)\s*'?\s*)?'?(?P<y{0}>(?:19|20)\d\d)\b"
_QUARTER = r"(?:(?:q(?P<q{0}>[1-4])|(?P<w{0}>first|second|third|fourth|1st|2nd|3rd|4th)(?: fiscal)? quarter))"
_PERIODS = re.compile(
    r"\b(?P<q4>[1-4])q\s*(?:fy)?\s*'?(?P<y4>(?:20)?\d\d)\b"
    r"|\bq(?P<q5>[1-4])\s*(?:of\s*)?(?:(?:fy|fiscal)\s*'?|')(?P<y5>\d\d)\b"
    rf"|\b{_QUARTER.format(1)}(?:\s*(?:of|in|for|,|'|-|the|fiscal|year)\s*)*\s*{_YEAR.format(1)}"
    rf"|\b{_YEAR.format(2)[:-2]}\s*[-,]?\s*{_QUARTER.format(2)}"
    r"|\b(?:fy|fiscal(?: year)?)\s*'?(?P<short>\d\d)\b"
    rf"|\b{_YEAR.format(3)}",
    re.IGNORECASE,
)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_FORMS = re.compile(
    r"\b(10-?[kq]|8-?k|20-?f|6-?k|s-?1|def ?14a)(/a)?(?!\w)|\b(earnings (?:release|report|call))", re.IGNORECASE
)
_LATEST = re.compile(
    r"\b(?:last|latest|past|previous|recent|most recent)\s+(?:(?P<count>\d+|two|three|four|five|six|eight)\s+)?"
    r"(?:(?:fiscal|reported)\s+)?(?:quarters?|years?|filings?|calls?|reports?|10-?[kq]s?)|\b(?:latest|most recent)\b",
    re.IGNORECASE,
)
_LEADING = (
    "in|for|of|from|to|at|during|as|between|since|over|and|until|through|by|on|the|end|year-end|its|compared|with"
)
"""Words that lead to a period."""
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8}
_NAME = re.compile(r"\$?[A-Z0-9][\w&.'\u2019-]*")
_ELSEWHERE = (
    "drivers",
    "segments",
    "geography",
    "adjusted_measures",
    "guidance",
    "unusual_events",
    "officers",
    "products",
)
"""Subjects whose answers stand in words or in other tables, even where the question names a line item."""


def read_search_question(text: str, *, without: Collection[str] = ()) -> SearchQuestion:
    """Read a question.

    Args:
        text: The question.
        without: Rules (`RULES`) to leave out.
    """
    sentences = _SENTENCE_END.split(text.strip())
    asked = text if "cleaning" in without else clean_question(text)
    words = words_of(asked)
    lexicon = finance_lexicon()
    entries = lexicon.find(words)
    defined = lexicon.find(words_of(" ".join(sentence for sentence in sentences if _DEFINITION.search(sentence))))
    everything = lexicon.find(words_of(text))
    named = {entry.name for entry in everything if entry.kind == "statement"}
    topics = tuple(dict.fromkeys(entry.name for entry in entries if entry.kind == "topic"))
    named_topics = tuple(name for name in topics if any(e.name == name and not e.ordinary for e in entries))
    # A measure may stand in an instruction alone: "Calculate the inventory turnover ratio".
    defined = [*defined, *(entry for entry in everything if entry.kind == "measure")]
    items = _items(entries, defined)
    hidden = {position for entry in entries if entry.kind == "statement" for position in _positions(entry)}
    terms: dict[int, float] = {}
    for position, word in enumerate(words):
        number = term_number(word) if "stemming" not in without else _unstemmed(word)
        if number >= 0 and position not in hidden and word not in _PLAIN:
            terms[number] = max(terms.get(number, 0.0), _YEAR_WEIGHT if word.isdigit() and len(word) == 4 else 1.0)
    return SearchQuestion(
        text=text,
        terms=terms,
        items=items if "line_items" not in without else {},
        statements=_statements(named, items, entries, defined, topics) if "statements" not in without else {},
        topics=topics if "topics" not in without else (),
        named_topics=named_topics if "topics" not in without else (),
        periods=_periods(text),
        dates=_dates(text),
        forms=_forms(text),
        latest=_latest(text),
        names=tuple(dict.fromkeys(_NAME.findall(asked))),
    )


_YEAR_WEIGHT = 0.3
_PLAIN = word_list("of_questions")


def clean_question(text: str) -> str:
    """Return a question without instructions to whoever answers it; the whole where nothing else is left."""
    kept = []
    for sentence in _SENTENCE_END.split(text.strip()):
        lead = _LEAD.match(sentence)
        plain = lead["question"] if lead else sentence
        if lead is None and (_INSTRUCTION.search(plain) or _DEFINITION.search(plain)):
            continue
        kept.append(plain)
    return " ".join(kept) or text


def without_periods(text: str) -> str:
    """Return a question without its periods and dates, and without the words that lead to them, such as `in fiscal`."""
    for rule in (_DATES, _PERIODS, _LATEST):
        text = re.sub(rf"(?:\b(?:{_LEADING})\s+)*(?:{rule.pattern})", " ", text, flags=re.IGNORECASE)
    return " ".join(text.replace("()", " ").split())


def period_words(question: SearchQuestion) -> str:
    """Return the periods that a question names, in words that `read_search_question` reads again; empty for none."""
    named = [
        f"Q{period.quarter} fiscal {period.year}" if period.quarter else f"fiscal {period.year}"
        for period in question.periods
    ]
    if not named and question.latest and (latest := _LATEST.search(question.text)):
        return latest.group()
    return " and ".join(named)


def item_of(name: str) -> LexiconItem:
    """Return a line item of the lexicon."""
    return finance_lexicon().items[name]


def topic_of(name: str) -> FilingTopic:
    """Return a subject of the lexicon."""
    return finance_lexicon().topics[name]


def _positions(entry: LexiconEntry) -> range:
    return range(entry.first, entry.first + entry.length)


def _unstemmed(word: str) -> int:
    from zlib import crc32

    return -1 if word in STOP_WORDS else crc32(word.encode())


def _items(entries: list[LexiconEntry], defined: list[LexiconEntry]) -> dict[str, float]:
    """Return the line items that are named, or that a measure's formula needs."""
    measures = finance_lexicon().measures
    items: dict[str, float] = {}
    for entry in (*entries, *defined):
        if entry.kind == "item":
            items[entry.name] = 1.0
        elif entry.kind == "measure":
            for name in measures[entry.name]:
                items.setdefault(name, 0.8)
    return items


def _statements(
    named: Collection[str],
    items: Mapping[str, float],
    entries: list[LexiconEntry],
    defined: list[LexiconEntry],
    topics: tuple[str, ...],
) -> dict[StatementPage, StatementWish]:
    lexicon = finance_lexicon()
    if named:
        return dict.fromkeys((kind for kind in lexicon.statements if kind in named), "named")
    if any(topic in _ELSEWHERE for topic in topics):
        return {}
    measured = {
        name for entry in (*entries, *defined) if entry.kind == "measure" for name in lexicon.measures[entry.name]
    }
    found: dict[StatementPage, StatementWish] = {}
    for name in items:
        kind = lexicon.items[name].statements[0]
        if name in measured or found.get(kind) != "of_measure":
            found[kind] = "of_measure" if name in measured else "of_item"
    return found


def _periods(text: str) -> tuple[QuestionPeriod, ...]:
    found = []
    plain = _DATES.sub(" ", text)
    for match in _PERIODS.finditer(plain):
        parts = match.groupdict()
        if parts["short"]:
            found.append(QuestionPeriod(2000 + int(parts["short"])))
            continue
        year = next(int(parts[name]) for name in ("y1", "y2", "y3", "y4", "y5") if parts[name])
        year += 2000 if year < 100 else 0
        digit = parts["q1"] or parts["q2"] or parts["q4"] or parts["q5"]
        word = parts["w1"] or parts["w2"]
        quarter = int(digit) if digit else _QUARTERS[word.lower()] if word else None
        found.append(QuestionPeriod(year, quarter))
    return tuple(dict.fromkeys(found))


def _dates(text: str) -> tuple[date, ...]:
    found = []
    for match in _DATES.finditer(text):
        parts = match.groupdict()
        day, month, year = (parts[name] or parts[f"{name}2"] or parts[f"{name}3"] for name in ("day", "month", "year"))
        number = int(month) if month.isdigit() else [one[:3] for one in _MONTHS].index(month[:3].lower()) + 1
        try:
            found.append(date(int(year), number, int(day)))
        except ValueError:  # such as 31 June, which is no date
            continue
    return tuple(found)


def _forms(text: str) -> tuple[str, ...]:
    found = []
    for form, amended, release in _FORMS.findall(text):
        plain = form.upper().replace("-", "").replace(" ", "")
        name = (
            "earnings"
            if release
            else {"10K": "10-K", "10Q": "10-Q", "8K": "8-K", "20F": "20-F", "6K": "6-K", "S1": "S-1"}.get(
                plain, "DEF 14A"
            )
        )
        found.append(name + amended.upper())
    return tuple(dict.fromkeys(found))


def _latest(text: str) -> int:
    match = _LATEST.search(text)
    if match is None:
        return 0
    count = match["count"]
    return 1 if not count else int(count) if count.isdigit() else _COUNTS[count.lower()]
