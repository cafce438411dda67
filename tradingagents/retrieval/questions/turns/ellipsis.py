"""A question that names only what differs from the one before, written out in full: `and yesterday?`, `same for 2023`.

    in_full_words("and the year before?", "how did apple do in 2024?", today)  # "how did apple do in 2023?"

What the new message names takes the place of its kind in the question before: days, an index, a company. It is written
out only where it names nothing else and both questions hold one of that kind at most, so that one reading is possible.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from tradingagents.retrieval.questions.companies import Instruments
from tradingagents.retrieval.questions.names import in_english, names_table
from tradingagents.retrieval.questions.plain_words import plain_words, spaced
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.retrieval.questions.slips import in_full
from tradingagents.retrieval.questions.wording import day_spans
from tradingagents.retrieval.text_figures import MONTHS

_FOLLOWS = frozenset(
    {
        *(
            "and",
            "what",
            "about",
            "how",
            "hows",
            "same",
            "the",
            "for",
            "in",
            "then",
            "now",
            "ok",
            "okay",
            "so",
            "but",
            "of",
        ),
        *(
            "again",
            "was",
            "did",
            "it",
            "do",
            "over",
            "is",
            "s",
            "that",
            "thing",
            "question",
            "on",
            "with",
            "please",
            "a",
        ),
        *("und", "wie", "sieht", "es", "aus", "mit", "dann", "im", "am", "das", "gleiche", "dasselbe", "war", "denn"),
        *("für", "fur", "bei", "der", "die", "den", "dem", "ist", "lief", "an", "i"),
        *("那", "呢", "那么", "怎么样", "如何", "同样", "又", "在", "的"),
    }
)
"""Words of which a message consists that names one thing, besides that thing."""
_SHIFTS = (
    re.compile(r"\b(?:the |a |an |one )?(year|month|week|day) (?:before that|before|earlier|prior)\b"),
    re.compile(r"\bthe (?:previous|prior|preceding) (year|month|week|day)\b"),
    re.compile(r"\b(?:das |ein |der |die )?(jahr|monat|woche|tag) (?:davor|zuvor|vorher)\b|\b(vorjahr)\b"),
    re.compile(r"再?[前上]一?(年|个月|周|天)"),
)
_UNITS = {
    **dict.fromkeys(("year", "jahr", "vorjahr", "年"), "year"),
    **dict.fromkeys(("month", "monat", "个月"), "month"),
    **dict.fromkeys(("week", "woche", "周"), "week"),
    **dict.fromkeys(("day", "tag", "天"), "day"),
}
_BEFORE = {"this month": ("month", "last month"), "this week": ("week", "last week"), "today": ("day", "yesterday")}
"""What stands before a window: its unit, and the words for the one before it."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_PLACES = (
    re.compile(r"\b(?:the )?(?:first|1st)(?: one)?\b|\b(?:der|die|das|den|dem) erste[nrs]?\b|第一[个只家]"),
    re.compile(r"\b(?:the )?(?:second|2nd)(?: one)?\b|\b(?:der|die|das|den|dem) zweite[nrs]?\b|第二[个只家]"),
    re.compile(r"\b(?:the )?(?:third|3rd)(?: one)?\b|\b(?:der|die|das|den|dem) dritte[nrs]?\b|第三[个只家]"),
)


_ONLY_WHY = re.compile(
    r"^(?:(?:ok|okay|and|but|so|hm+|aber|und|那|但是?)[\s,]+)*"
    r"(?:why|how come|why is that|why s that|warum|wieso|weshalb|为什么|为何)$"
)
_OF_ONE = re.compile(
    r"\b(?:which|what|welche) (?:\w+ )?(?:stock|share|company|name|aktie|firma)\b|哪[只家个支](?:股票|公司)"
)


def why_of_one(text: str, before: str, listed: Sequence[str]) -> str:
    """Return `but why?` behind a list that answered `which stock rose most` as why its first one did; else the text."""
    plain = " ".join(text.lower().replace("'", " ").split()).rstrip("?!. \uff1f\u3002")
    if not listed or not _ONLY_WHY.match(plain) or not _OF_ONE.search(before.lower()):
        return text
    return f"why did {listed[0]} move {_days_of(in_english(before.lower()))[0]}".rstrip()


def in_full_words(text: str, before: str, today: date, instruments: Instruments | None) -> str:
    """Return a message as a question of its own, by the one before; as it is where more than one thing differs."""
    own = " ".join(in_full(in_english(spaced(text))).split())
    lower = own.lower().rstrip("?!. \uff1f\u3002")
    if lower in _BY_HOW_MUCH:
        return ", ".join((before.rstrip("?!. \uff1f\u3002"), text))
    days, rest = _days_of(lower)
    written = spaced(in_full(text)).lower()  # in English, a shift may read as days
    if shift := _shift_of(written):
        days, rest = "", _without_shift(written).rstrip("?!. \uff1f\u3002")
    index, rest = _index_of(rest)
    if not set(plain_words(rest).split()) <= _FOLLOWS or not (days or shift or index):
        return text
    asked = in_english(spaced(before))
    if shift or days:
        named = _days_of(asked.lower())[0]
        new = _shifted(named, shift, today) if shift else _of_calendar(days, named, today)
        if not new or (named and _is_of_a_date(named, asked.lower())):
            return text
        asked = _replaced(asked, named, new) if named else f"{asked.rstrip('?!. ')} {new}"
    if index:
        asked = _with_index(asked, index, today, instruments)
    return asked or text


_BY_HOW_MUCH = frozenset(
    {
        "by how much",
        "and by how much",
        "how much exactly",
        "um wie viel",
        "und um wie viel",
        "um wieviel",
        "相差多少",
        "差多少",
    }
)
"""Messages that ask for the difference in what was asked before, and for nothing else."""


def with_place(text: str, before: str, listed: Sequence[str], today: date, instruments: Instruments | None) -> str:
    """Return a message on `the second one` with the ticker of that row, where one list was shown before it."""
    lower = text.lower()
    found = [(number, place) for number, pattern in enumerate(_PLACES) if (place := pattern.search(lower))]
    if len(found) != 1 or len(listed) <= found[0][0] or QuestionReading(text, today, instruments=instruments).mentions:
        return text
    number, place = found[0]
    named = "" if day_spans(in_english(lower)) else _days_of(in_english(before.lower()))[0]
    return f"{text[: place.start()]}{listed[number]}{text[place.end() :].rstrip('?!. ')} {named}".rstrip()


def _days_of(lower: str) -> tuple[str, str]:
    """Return the one run of words for days of a text, and the text without it; nothing where there are several."""
    spans: list[tuple[int, int]] = []
    for start, end in day_spans(lower):
        if spans and not lower[spans[-1][1] : start].strip():
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    if len(spans) != 1:
        return "", lower
    start, end = spans[0]
    return lower[start:end], f"{lower[:start]} {lower[end:]}"


def _shift_of(lower: str) -> str:
    """Return the unit by which a text goes back from the days before it; empty for none."""
    for pattern in _SHIFTS:
        if found := pattern.search(lower):
            return _UNITS[next(group for group in found.groups() if group)]
    return ""


def _without_shift(lower: str) -> str:
    for pattern in _SHIFTS:
        lower = pattern.sub(" ", lower)
    return lower


def _is_of_a_date(named: str, asked: str) -> bool:
    """Tell whether words for days are only a part of those that a text names, as the month of `on 3 february`."""
    return re.search(rf"\d\.? {re.escape(named)}|{re.escape(named)} \d\d?(?!\d)", asked) is not None


def _shifted(named: str, unit: str, today: date) -> str:
    """Return the words for the window before one; empty where it is not told by its words."""
    years = _YEAR.findall(named)
    if unit == "year" and len(years) == 1 and not re.search(r"\d-\d|q[1-4]", named):
        return named.replace(years[0], str(int(years[0]) - 1))
    if unit == "year" and named in ("this year", "ytd", "year to date", "this year so far"):
        return f"in {today.year - 1}"
    if unit == "month" and (month := _month_before(named, today)) is not None:
        return f"in {MONTHS[month.month - 1]} {month.year}"
    own, words = _BEFORE.get(named, ("", ""))
    if own != unit:
        return ""
    return words if unit != "day" else _session_before(today)


def _month_before(named: str, today: date) -> date | None:
    """Return the first day of the month before the one month that words name; None where they name another window."""
    written = [number for number, name in enumerate(MONTHS, start=1) if re.search(rf"\b{name}\b", named, re.IGNORECASE)]
    years = _YEAR.findall(named)
    if named == "last month":
        begins = (today.replace(day=1) - timedelta(days=1)).replace(day=1)
    elif len(written) == 1 and len(years) <= 1 and _ONLY_A_MONTH.fullmatch(named):
        year = int(years[0]) if years else today.year - (written[0] > today.month)
        begins = date(year, written[0], 1)
    else:
        return None
    return (begins - timedelta(days=1)).replace(day=1)


_ONLY_A_MONTH = re.compile(r"(?:(?:in|during|over|for) )?(?:(?:all of|the month of) )?[a-z]+(?:,? (?:19|20)\d\d)?")
"""Words for one whole month, and not for a day of it or from it on."""


_SET_AGAINST = re.compile(
    r"\b(?:vs\.?|versus|than|against|compared (?:with|to))\s+(?:a|the|one)\s+"
    r"(?:year|quarter|month|week) (?:before|earlier|ago)\b"
)
"""`vs a year before`: what is asked is set against those days, and not of them."""


def goes_back(text: str) -> bool:
    """Tell whether a message asks for the days before those of the message before it: `and the month before that?`."""
    said = spaced(in_full(text)).lower()
    return bool(_shift_of(said)) and _SET_AGAINST.search(said) is None


def _session_before(today: date) -> str:
    day = today - timedelta(days=1)
    while day.weekday() > 4:
        day -= timedelta(days=1)
    return f"on {day}"


def _of_calendar(days: str, named: str, today: date) -> str:
    """Return the words for days; of years alone the number, and `last year` behind `this year` as that year."""
    years, others = _YEAR.findall(days), _YEAR.findall(named)
    if len(years) == len(others) == 1 and not re.search(r"\d-\d|since|from", f"{days} {named}"):
        return named.replace(others[0], years[0])
    if len(years) == 1 and re.fullmatch(r"(?:for|of|about|during)?\s?\d{4}", days):
        return f"in {years[0]}"
    calendar = named in ("this year", "ytd", "this year so far") or bool(_YEAR.search(named))
    return f"in {today.year - 1}" if days.endswith("last year") and calendar and "over" not in days else days


def _index_of(lower: str) -> tuple[str, str]:
    """Return the name of the one index that a text names, and the text without it."""
    names = sorted({name for names in names_table()["indices"].values() for name in names}, key=len, reverse=True)
    found = [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", lower)]
    if not found:
        return "", lower
    return found[0], re.sub(rf"(?<!\w){re.escape(found[0])}(?!\w)", " ", lower)


def _replaced(text: str, old: str, new: str) -> str:
    at = text.lower().find(old)
    return f"{text[:at]}{new}{text[at + len(old) :]}"


def _with_index(text: str, index: str, today: date, instruments: Instruments | None) -> str:
    """Return a question on an index in place of the one company or index that it names; empty where it names none."""
    other, _ = _index_of(text.lower())
    if other:
        return _replaced(text, other, index)
    mentions = QuestionReading(text, today, instruments=instruments).mentions
    if len(mentions) != 1:
        return ""
    mention = mentions[0]
    return f"{text[: mention.start]}{index}{text[mention.end :]}"
