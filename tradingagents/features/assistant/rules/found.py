"""What the calls of a turn found, by capability and company, as sentences are written from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tradingagents.features.assistant.rules.texts import label, say, sector_name
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.names import names_table


@dataclass(frozen=True, slots=True)
class TurnAnswers:
    """The answers of a turn, and the language in which they are told."""

    results: Sequence[ToolFact]
    language: str
    frame: QuestionFrame

    def say(self, key: str, **given: object) -> str:
        """Return a sentence in the language of the question."""
        return say(self.language, key, **given)

    def label(self, name: str) -> str:
        """Return what a figure is called in that language."""
        return label(self.language, name)

    def sector(self, sector: str) -> str:
        """Return what a sector is called in that language."""
        return sector_name(self.language, sector)

    def industry(self, industry: str) -> str:
        """Return what an industry is called in that language; empty for none."""
        called: Mapping[str, str] = names_table()["industries"][industry]["called"] if industry else {}
        return called.get(self.language, called.get("en", ""))

    def all(self, capability: str, symbol: str = "") -> list[ToolFact]:
        """Return the answers of a capability, of one company where it is named, those that failed too."""
        return [
            fact
            for fact in self.results
            if fact.answered_by == capability and (not symbol or symbol in (fact.subject, fact.given.get("symbol")))
        ]

    def one(self, capability: str, symbol: str = "") -> ToolFact | None:
        """Return the first answer that did not fail."""
        return next((fact for fact in self.all(capability, symbol) if not fact.failed), None)

    def who(self, symbol: str) -> str:
        """Return a company with its name, where any of the answers names it."""
        for fact in self.results:
            if fact.subject == symbol and fact.facts.get("name"):
                return who(fact, symbol)
            named = next(
                (place for place, text in fact.facts.items() if place.endswith(".symbol") and text == symbol), ""
            )
            if name := fact.facts.get(f"{named.removesuffix('.symbol')}.name", ""):
                return f"{name} ({symbol})"
        return who(None, symbol)

    def reason(self, capability: str, symbol: str = "") -> str:
        """Return why a capability gave no answer."""
        return next((fact.reason for fact in self.all(capability, symbol) if fact.failed), "")

    def missing(self, capability: str, symbol: str) -> str:
        """Return that what a capability tells of a company is not in the data, and why."""
        return f"{symbol}: {self.say('not_held', reason=self.reason(capability, symbol) or 'n/a')}"

    def changes(self, symbol: str) -> list[ToolFact]:
        """Return what a price did over each window that was asked for, the shortest first."""
        own = [fact for fact in self.all("get_price_change", symbol) if not fact.failed]
        return sorted(own, key=lambda fact: str(fact.given.get("start_date")), reverse=True)

    def failed_changes(self, symbol: str) -> list[ToolFact]:
        """Return the windows over which what a price did was asked for and is not known."""
        return [fact for fact in self.all("get_price_change", symbol) if fact.failed]

    def asked_change(self, symbol: str, other: NamedDays | None = None) -> ToolFact | None:
        """Return what a price did over the days of a question; None where that is not known.

        The shortest window that is known where the days are those of none that was looked up.

        Args:
            symbol: Whose price it is.
            other: The second days of a question that names two; None: its first ones.
        """
        days = other or self.frame.days
        start, end = str(days.base or days.start or ""), str(days.end or "")
        own = self.all("get_price_change", symbol)
        named = [  # days that are named to a later one than the present are looked up to the present
            fact
            for fact in own
            if str(fact.given.get("start_date")) == start and str(fact.given.get("end_date")) <= end
        ]
        known = [fact for fact in named if not fact.failed] if named else self.changes(symbol)
        return next(iter(known), None)

    def longest(self, symbol: str, *closes: str) -> ToolFact | None:
        """Return what a price did over the longest window, where it states the closes: its highest, its lowest."""
        year = next(reversed(self.changes(symbol)), None)
        return year if year is not None and set(closes) <= year.figures.keys() else None

    def ranged(self, symbol: str, *closes: str) -> ToolFact | None:
        """Return what a price did from the first day of a question on, where it states the closes; else `longest`."""
        start = str(self.frame.days.start or next(iter(self.frame.days.days), ""))
        own = (fact for fact in self.changes(symbol) if str(fact.given.get("start_date")) == start)
        return next((fact for fact in own if set(closes) <= fact.figures.keys()), None) or self.longest(symbol, *closes)

    def no_range(self, symbol: str) -> str:
        """Return why there is no highest or lowest close: no prices, or a session among them without a sound one."""
        return self.say("not_held", reason=self.reason("get_price_change", symbol) or self.say("no_sound_close"))


def who(fact: ToolFact | None, symbol: str) -> str:
    """Return a company with its name where it is known."""
    name = _INDICES.get(symbol) or (fact.facts.get("name", "") if fact is not None else "")
    return name if symbol in _INDICES else f"{name} ({symbol})" if name else symbol


_INDICES: Mapping[str, str] = {
    "^GSPC": "S&P 500",
    "^DJI": "Dow Jones",
    "^IXIC": "Nasdaq Composite",
    "^RUT": "Russell 2000",
    "^VIX": "VIX",
}


def shown(fact: ToolFact, name: str) -> str:
    """Return a figure as it is written, with a plus sign where it is a rise."""
    text = fact.shown.get(name, "n/a")
    rises = (
        name.startswith(("change", "return", "price_change", "total_return", "revenue_", "upside", "dividend_yoy"))
        or "growth" in name
    )
    return f"+{text}" if rises and fact.figures.get(name, 0.0) > 0 and not text.startswith("+") else text


def close_day(fact: ToolFact) -> str:
    """Return the day of the last close that an answer on prices knows: before its own on a day without trading."""
    return fact.facts.get("end") or fact.as_of


def percent(value: float) -> str:
    """Return a percentage without its sign."""
    return f"{abs(value):.1f}%"


def places(fact: ToolFact, group: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield the rows of a list in a typed result: the place of each and its texts."""
    rows: dict[str, dict[str, str]] = {}
    for place, text in fact.facts.items():
        if place.startswith(f"{group}."):
            number, _, name = place[len(group) + 1 :].partition(".")
            if number.isdigit():
                rows.setdefault(number, {})[name] = text
    yield from rows.items()


def of_industry(fact: ToolFact, industry: str) -> list[Mapping[str, str]]:
    """Return the rows of a sector's companies, those of one industry where it is named."""
    rows = [row for _, row in places(fact, "companies") if row.get("symbol")]
    if not industry:
        return rows
    listed = tuple(names_table()["industries"][industry]["listed"])
    return [row for row in rows if row.get("industry", "").lower().startswith(listed)]


MOST_ARTICLES, MOST_RANKED = 6, 10
"""Titles that are told, and articles of the most relevant ones of which they are the newest."""


def articles_told(fact: ToolFact, words: Sequence[str] = ()) -> list[str]:
    """Return the titles of articles, each with its day and publisher, the newest first.

    Args:
        fact: The articles.
        words: One of which each title is to hold; none: any title.
    """
    found, ranked = [], list(places(fact, "articles"))
    for _, row in ranked if words else ranked[:MOST_RANKED]:
        day, title = row.get("published_at", "")[:10], row.get("title", "")
        if title and (not words or any(word in title.lower() for word in words)):
            found.append((day, f"- {day}, {row.get('publisher', 'unknown publisher')}: {title}"))
    return [line for _, line in sorted(found, key=lambda row: row[0], reverse=True)[:MOST_ARTICLES]]


def currency_of(fact: ToolFact, figure: str) -> str:
    """Return the currency in which a figure is shown, such as USD; empty for one that is no amount."""
    unit = fact.shown.get(figure, "").rpartition(" ")[2]
    return unit if len(unit) == 3 and unit.isalpha() and unit.isupper() else ""


MOST_COUNTED = 16
_NUMBERS: Mapping[str, int] = {
    **dict.fromkeys(("three", "drei", "前三", "三个", "三只"), 3),
    **dict.fromkeys(("four", "vier"), 4),
    **dict.fromkeys(("five", "fünf", "前五", "五个", "五只"), 5),
    **dict.fromkeys(("six", "sechs"), 6),
    **dict.fromkeys(("ten", "zehn", "前十"), 10),
}
_OF_TIME = (
    "day",
    "week",
    "month",
    "quarter",
    "year",
    "session",
    "tag",
    "woche",
    "monat",
    "quartal",
    "jahr",
    "月",
    "年",
)


def count_asked(frame: QuestionFrame) -> int:
    """Return how many rows a list is to have, as in `top 3`; 0 where a question does not say."""
    words = frame.days.text.lower().split()
    of_days = {word for word, behind in pairwise(words) if behind.startswith(_OF_TIME)}
    named = [number for word, number in _NUMBERS.items() if word in frame.words and word not in of_days]
    counts = [int(number) for number in frame.asked.numbers if number.isdigit()] or named
    counts = [frame.rows] if frame.rows else counts
    return counts[0] if len(counts) == 1 and 0 < counts[0] <= MOST_COUNTED else 0
