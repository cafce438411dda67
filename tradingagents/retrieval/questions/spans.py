"""Days that a question names by words such as `this week`, `since January` or `am 14. März`, with their year.

    completed("why did it fall on 14 March", date(2025, 3, 20))  # "why did it fall on 2025-03-14"

What it leaves as it is, `read_days` reads: dates with a year, months with a year, `the last three months`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.retrieval.questions.days import FEASTS, NamedDays, earlier, feast_day, month_number, read_days
from tradingagents.retrieval.questions.periods.quarters import with_quarters

_MONTHS = {
    1: ("january", "januar", "janvier", "enero"),
    2: ("february", "februar", "février", "fevrier", "febrero"),
    3: ("march", "märz", "maerz", "mars", "marzo"),
    4: ("april", "avril", "abril"),
    5: ("may", "mai", "mayo"),
    6: ("june", "juni", "juin", "junio"),
    7: ("july", "juli", "juillet", "julio"),
    8: ("august", "août", "aout", "agosto"),
    9: ("september", "septembre", "septiembre"),
    10: ("october", "oktober", "octobre", "octubre"),
    11: ("november", "novembre", "noviembre"),
    12: ("december", "dezember", "décembre", "decembre", "diciembre"),
}
MONTH_NUMBERS = {name: number for number, names in _MONTHS.items() for name in names}
_SHORT = {names[0][:3]: number for number, names in _MONTHS.items() if number != 5} | {"sept": 9}
MONTH = rf"(?:{'|'.join(sorted((*MONTH_NUMBERS, *_SHORT), key=len, reverse=True))})"
_CJK_DATE = re.compile(r"(?:((?:19|20)\d\d)\s?年\s?)?(\d{1,2})\s?月\s?(\d{1,2})\s?[日号]")
_CJK_MONTH = re.compile(r"(?:((?:19|20)\d\d)\s?年\s?)?(?<!\d)(\d{1,2})\s?月(?:份)?(?!\s?\d)")
_POINTS = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?!\d)")
SLASHES = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/((?:19|20)\d\d)(?!\d)")
DAY_MONTH = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?({MONTH})\b\.?(?:,?\s+(?:de\s+)?((?:19|20)\d\d)\b)?",
    re.IGNORECASE,
)
MONTH_DAY = re.compile(
    rf"\b({MONTH})\b\.?\s+(?:the\s+)?(\d{{1,2}})(?:st|nd|rd|th)?\b(?!\s?%)(?:,?\s+((?:19|20)\d\d)\b)?", re.IGNORECASE
)
_MONTH_YEAR = re.compile(rf"\b({MONTH})\b\.?\s+(?:de\s+|of\s+)?((?:19|20)\d\d)\b", re.IGNORECASE)
_MONTH_ALONE = re.compile(
    rf"\b((?:in|im|since|seit|during|from|over|en|depuis|desde|whole of)\s+(?:the\s+)?)({MONTH})\b(?!\s+(?:of\s+)?\d)",
    re.IGNORECASE,
)
_RELATIVE = re.compile(
    r"\b(?:(this|last|previous)\s+(week|month)|yesterday|today|month[- ]to[- ]date)\b", re.IGNORECASE
)
LISTED_AHEAD = timedelta(days=60)
"""How far ahead the calendars list what is due."""
_COMING_MONTH = re.compile(
    rf"\b(?:{'|'.join(sorted(set(MONTH_NUMBERS) - {'may', 'mars', 'march', 'mai', 'mayo'}, key=len, reverse=True))})\b"
    r"|(?<=in )(?:may|march|mai)\b|(?<=for )(?:may|march)\b|(?<=and )(?:may|march)\b|(?<=und )mai\b|(?<=im )mai\b",
    re.IGNORECASE,
)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")
_WEEKDAY = re.compile(
    rf"\b(?<!next )(?<!coming )(?<!good )(?<!black )(?:(on|since|from|after)\s+)?(?:(last|this|past)\s+)?"
    rf"({'|'.join(_WEEKDAYS)})\b(?:'?s\b)?"
    r"(?!\s+(?:next|coming))(?:\s+of (last|this) week\b)?",
    re.IGNORECASE,
)
_FEAST_NAMES = "|".join(sorted(map(re.escape, FEASTS), key=len, reverse=True))
_FEAST = re.compile(
    r"(?:(\bsince|\bfrom|\bafter|\bseit|从|自)\s*|\b(?:at|on|over|around)\s+)?(?:\blast\s+)?"
    rf"(?<!happy )(?<!merry )(?<![a-z])({_FEAST_NAMES})"
    r"(?:'?s)?(?:\s+(?:day|eve))?\b",
    re.IGNORECASE,
)
_FEW_WEEKS = re.compile(
    r"\b(?:an?|(?:the |this )?(last|past|previous)|the|this) "
    r"(?:fortnight\b|couple(?: of)?(?=\s+(?:day|week|month|year)s))",
    re.IGNORECASE,
)
_COUNT = r"an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|\d{1,3}"
_AGO = re.compile(
    rf"\b({_COUNT})\s+(day|week|month|quarter|year)s?\s+ago\b"
    rf"|\b(?:over|within|since)\s+({_COUNT})\s+(day|week|month|quarter|year)s?\b",
    re.IGNORECASE,
)
"""How far back a question looks: `a year ago`, `over three months`."""
_MOVED_WITHIN = re.compile(
    r"\b(up|down|gain(?:ed|s)?|lost|rose|risen|fell|fallen|jumped|surged|climbed|rallied|dropped|plunged|tanked|crashed|slid|"
    r"doubled|tripled|halved|moved)\b([^.,;?!]{0,40}?)\bin\s+"
    rf"(?:just\s+|only\s+|less than\s+|under\s+)?({_COUNT})\s+(week|month|quarter|year)s?\b(?!\s+of\b)",
    re.IGNORECASE,
)
"""`up 20 % in a month`: what is told of a move that was is of the last one."""
_HALF_YEAR = re.compile(
    r"\b(?:(?:over|in|for|during|within|since)\s+)?(?:the\s+)?(?:(?:last|past|previous)\s+)?half(?:\s+an?\s+|[\s-])year\b(?:\s+ago\b)?",
    re.IGNORECASE,
)
_HALF_OF = re.compile(
    r"(?:\b(?:in|during|over|for|of)\s+)?(?:\bthe\s+)?\b(?:(first|1st)|(?:second|2nd))\s+half\b(?!\s+hour)"
    r"(?:\s+(?:of\s+)?(?:the\s+|this\s+)?(?:(year)\b|((?:19|20)\d\d)\b))?",
    re.IGNORECASE,
)
"""`in the first half of 2024`; of the present year, or the latest one that has begun, where none is named."""
_LISTED = re.compile(
    r"\b(?:since|after)\s+(?:(?:it|they)\s+(?:went public|listed|ipo'?d)|(?:the|its|their)\s+(?:ipo|listing|debut))\b",
    re.IGNORECASE,
)
_HAD = re.compile(
    rf"\b(better|best|worse|worst|stronger|weaker|good|bad|rough)\s+(?=(?:{_COUNT})\s+(?:day|week|month|quarter|year)s\b)",
    re.IGNORECASE,
)
"""`the better twelve months`: the last ones."""
_YEAR_END = re.compile(
    r"(?:(\bsince|\bfrom|\bseit)\s+|\b(?:at|by|on|am|zum)\s+)?(?:\b(?:the|dem)\s+)?"
    r"\b(?:end of (?:the )?(?:last|previous) year|ende (?:des )?(?:letzten|vorigen|vergangenen) jahres)\b",
    re.IGNORECASE,
)
"""`at the end of last year`: the last day of it."""
_END_OF = re.compile(
    r"(?:\b(since|from|seit|vs|versus|against|than|gegenüber|als|compared (?:with|to))\.?\s+)?"
    r"(?:\b(?:at|by|on|am|zum|das)\s+)?(?:\b(?:the|dem|im)\s+)?\b(end|ende|start|beginning|anfang)\s+(?:of\s+|in\s+)?(?:des\s+)?"
    rf"(?:({MONTH})\b\.?(?:\s+((?:19|20)\d\d)\b)?|((?:19|20)\d\d)\b)",
    re.IGNORECASE,
)
"""`at the end of January`, `since the start of 2024`: the last or the first day of it."""
_CJK_END_OF = re.compile(
    r"(自|从|比|较|与|跟|和)?\s?(?:((?:19|20)\d\d)\s?年\s?)?(?<!\d)(\d{1,2})\s?月[底末](以来|至今)?"
)
_BESIDE_A_DAY = re.compile(
    r"\b(?:(?:on|in|am|in der|over|during) )?(?:(?:the|der|die|den) )?(?:trading )?"
    r"(day|session|week|month|tag|woche|monat)s?\s+(after|since|following|before|nach|vor)\s+(?:(?:der|dem|the)\s+)?(?:(?:since|on)\s+)?(\d{4}-\d\d-\d\d)\b",
    re.IGNORECASE,
)
"""`the day after the election`, once the election stands there as a date."""
_CJK_AFTER_A_DAY = re.compile(r"(?:on\s+)?(\d{4}-\d\d-\d\d)\s*(?:后的?第二天|后的?第一天|后一天|次日|翌日|的第二天)")
_TWO_DAYS_AGO = re.compile(r"\b(?:(?:on|the|am)\s+)?(?:day before yesterday|vorgestern)\b|大?前天|前日", re.IGNORECASE)
_LENGTHS = {"week": 7, "woche": 7, "month": 30, "monat": 30}
FIRST_DAY = date(1990, 1, 1)
"""Before the first close of every source: a window from it begins with the first one known."""
_REGULAR = re.compile(
    r"\b(daily|weekly|monthly)\s+(?=(?:price|stock|share|market|sector)?\s?(?:mov|chang|perform|gain|los|winn|return|recap|wrap|summar|review))",
    re.IGNORECASE,
)
_WINDOW_OF = {"daily": "today's", "weekly": "this week's", "monthly": "this month's"}
"""`weekly losers`: those of the present week."""
_ON_WHOLE = re.compile(
    r"\b(?:(?:on|of|over|during|through|throughout|for|in|how was|how is) the"
    r"|(?:finish|finishe[ds]|end|ends|ended|close[ds]?) the) (week|month)\b"
    r"(?! (?:of|before|that|when|after|in|to|ahead|following|prior|since|from|until|ended|ending|beginning)\b)",
    re.IGNORECASE,
)
"""`down on the week`, `finish the week`: of the present one."""
_OF_YEAR = re.compile(
    r"\b(winners?|losers?|gainers?|performers?|movers?|sectors?|stocks?|shares|companies) of the year\b(?!\s+\d)",
    re.IGNORECASE,
)
_CALENDAR_WEEK = re.compile(
    r"(?<!\bthe )(?<!\bdie )(?<!\bder )(?<!\bover )(?<!\bin )(?<!\bwithin )(?<!\bduring )\b(?:last|previous) week\b",
    re.IGNORECASE,
)
"""`last week` alone is that before the present, Monday to Friday; `the last week` the seven days to the last close."""
_CALENDAR_UNIT = re.compile(
    r"(?<!\bthe )(?<!\bover )(?<!\bin )(?<!\bwithin )(?<!\bduring )\b(?:last|previous) (month|quarter|year)\b",
    re.IGNORECASE,
)
"""`last year` alone is that of the calendar; `the last year` the twelve months to the last close."""
_SESSIONS = re.compile(
    r"\b(?:(?:over|in|for|during|within|of)\s+)?(?:the\s+)?(?:last|past|previous)\s+(\d{1,3}|three|four|five|six|seven|eight|ten|twelve)\s+"
    r"(?:(?:trading|business|market)\s+days|sessions)\b",
    re.IGNORECASE,
)
"""`the last 5 sessions`: from the close before them."""
_SESSION_COUNTS = {"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10, "twelve": 12}
_BEFORE_LAST = re.compile(
    r"\b(?:the\s+)?(week|month|quarter|year)\s+before\s+last\b(?!\s+(?:week|month|quarter|year))", re.IGNORECASE
)
"""`the week before last`: of the calendar, the one before that before the present."""
_SESSION_OF = re.compile(
    r"\b(?:on\s+)?(?:the\s+)?(first|last)\s+(?:trading|business|market)\s+day\s+of\s+(?:the\s+year\s+)?((?:19|20)\d\d)\b",
    re.IGNORECASE,
)
"""`the last trading day of 2024`: one session, and no window of days."""
_NEAR_DAY = re.compile(r"\b(?:today|yesterday)\b", re.IGNORECASE)


def completed(text: str, today: date) -> str:
    """Return a question, in English, with its dates and months written out with their year.

    A day or month without a year is the latest one that is not after the day of the question.
    """
    text = _TWO_DAYS_AGO.sub(lambda found: f" on {_two_sessions_ago(today, found[0])} ", text)
    text = _FEW_WEEKS.sub(_few_weeks, text)
    text = _REGULAR.sub(lambda found: f"{_WINDOW_OF[found[1].lower()]} ", text)
    text = _YEAR_END.sub(lambda found: f" {'since' if found[1] else 'on'} {today.year - 1}-12-31", text)
    text = _HAD.sub(r"\1 last ", text)
    text = _HALF_OF.sub(lambda found: f" {_half_of(found, today)} ", text)
    text = _HALF_YEAR.sub(" over the last 6 months ", text)
    text = _SESSION_OF.sub(_session_of, text)
    text = _SESSIONS.sub(lambda found: _last_sessions(found[1].lower(), today), text)
    text = with_quarters(text)
    text = _BEFORE_LAST.sub(lambda found: f" {_before_last(found[1].lower(), today)} ", text)
    text = _OF_YEAR.sub(r"\1 this year", text)
    text = _AGO.sub(_back, _ON_WHOLE.sub(r"this \1", text))
    text = _CJK_END_OF.sub(
        lambda found: _cjk_end_of(found, today), _END_OF.sub(lambda found: _end_of(found, today), text)
    )
    text = _MOVED_WITHIN.sub(_moved_within, text)
    text = _FEAST.sub(lambda found: f" {'since' if found[1] else 'on'} {feast_day(found[2].lower(), today)}", text)
    text = _LISTED.sub(f"since {FIRST_DAY}", text)
    text = _CJK_DATE.sub(lambda found: f" {_iso_or_same(found, found[1], found[2], found[3], today)} ", text)
    text = _CJK_MONTH.sub(lambda found: _month_text(int(found[2]), found[1], today) or found[0], text)
    text = _POINTS.sub(lambda found: _iso_or_same(found, found[3], found[2], found[1], today), text)
    text = SLASHES.sub(lambda found: _slashed(found, today), text)
    text = DAY_MONTH.sub(lambda found: _iso_or_same(found, found[3], _month(found[2]), found[1], today), text)
    text = MONTH_DAY.sub(lambda found: _iso_or_same(found, found[3], _month(found[1]), found[2], today), text)
    text = _WEEKDAY.sub(lambda found: f"{found[1] or 'on'} {_latest_weekday(found, today)}", text)
    text = _MONTH_YEAR.sub(lambda found: _month_text(_month(found[1]), found[2], today) or found[0], text)
    text = _MONTH_ALONE.sub(lambda found: f"{found[1]}{_month_text(_month(found[2]), None, today)}", text)
    text = _CJK_AFTER_A_DAY.sub(lambda found: f" on {_next_session(date.fromisoformat(found[1]))} ", text)
    return _BESIDE_A_DAY.sub(_beside_a_day, text)


def _end_of(found: re.Match[str], today: date) -> str:
    """Return the last or first day of a month or a year; of the latest one that has come where no year is named."""
    month = _month(found[3]) if found[3] else 0
    ends = found[2].lower() in ("end", "ende")
    year = int(found[4] or found[5] or 0)
    if not year:
        last = _last_of(date(today.year, month, 1))
        year = today.year - ((last if ends else date(today.year, month, 1)) > today)
    day = _last_of(date(year, month or 12, 1)) if ends else date(year, month or 1, 1)
    return f" {'since' if found[1] or not ends else 'on'} {day} "


def _cjk_end_of(found: re.Match[str], today: date) -> str:
    month = int(found[3])
    if not 1 <= month <= 12:
        return found[0]
    year = int(found[2]) if found[2] else today.year - (_last_of(date(today.year, month, 1)) > today)
    return f" {'since' if found[1] or found[4] else 'on'} {_last_of(date(year, month, 1))} "


def _beside_a_day(found: re.Match[str]) -> str:
    """Return the session, or the week or month, before or after a day."""
    unit, day = found[1].lower(), date.fromisoformat(found[3])
    length, before = _LENGTHS.get(unit, 0), found[2].lower() in ("before", "vor")
    if not length:
        return f" on {last_session(day - timedelta(days=1)) if before else _next_session(day)} "
    close = last_session(day - timedelta(days=1))
    first, last = (close - timedelta(days=length), close) if before else (day, day + timedelta(days=length))
    return f" from {first} to {last} "


def _two_sessions_ago(today: date, said: str) -> date:
    """Return the session before that of yesterday; one more back for 大前天."""
    day = last_session(today - timedelta(days=1))
    for _ in range(2 if said.startswith("大") else 1):
        day = last_session(day - timedelta(days=1))
    return day


def _next_session(day: date) -> date:
    """Return the first day after a day on which New York trades."""
    return next(later for count in range(1, 10) if last_session(later := day + timedelta(days=count)) == later)


def _few_weeks(found: re.Match[str]) -> str:
    """Return a fortnight, or a couple of units, as two of them: of the last ones unless `in a fortnight`."""
    words = found[0].lower()
    if "fortnight" not in words:
        return f"{found[1] or ''} two".strip()
    return "two weeks" if words.startswith("a ") else "the last two weeks"


def _back(found: re.Match[str]) -> str:
    count, unit = (found[1] or found[3]).lower(), found[2] or found[4]
    return f" over the last {1 if count in ('a', 'an', 'one') else count} {unit}s "


def _moved_within(found: re.Match[str]) -> str:
    one = found[3].lower() in ("a", "an", "one", "1")
    if one and found[1].lower() in ("doubled", "tripled", "halved") and found[4].lower() == "year":
        return found[0]  # which is told of twelve months
    return f"{found[1]}{found[2]}over the last {found[4] if one else f'{found[3]} {found[4]}s'}"


def named_days(text: str, today: date) -> NamedDays:
    """Return the days and windows that a question, in English, names; the base of a week is the close before it."""
    written = completed(text, today)
    found = read_days(written, today)
    week = _CALENDAR_WEEK.search(written) if (found.count, found.unit) == (1, "week") else None
    if week is not None:
        base, start, end = _week_before(today)
        return replace(found, start=start, end=end, base=base)
    if found.count == 1 and (unit := _CALENDAR_UNIT.search(written)) and unit[1].lower() == found.unit:
        base, end = _calendar_before(found.unit, today, 1)
        return replace(found, start=base + timedelta(days=1), end=end, base=base)
    if found.days or found.window or found.broken or found.as_of or found.period_end:
        return found
    relative = _RELATIVE.search(written)
    if relative is None:
        return found
    base, start, end = _relative(relative, today)
    return NamedDays(written, start=start, end=end, base=base)


_TODAY = re.compile(r"\btodays?\b(?:'s)?", re.IGNORECASE)


def without_today(text: str) -> str:
    """Return a question, in English, without the word for the present day."""
    return _TODAY.sub(" ", text)


def last_session(day: date) -> date:
    """Return the last day on or before a day on which New York trades."""
    return sessions().on_or_before(day)


def sessions_between(close: date, end: date) -> int:
    """Return how many sessions of New York lie behind a close, up to a day."""
    return len(sessions().between(close + timedelta(days=1), end))


def closed_day(days: NamedDays, today: date) -> date | None:
    """Return the one day that a question names and on which New York does not trade; None where there is none.

    A day that has not come is none of them.
    """
    if days.window:
        word = _NEAR_DAY.search(days.text) if days.start == days.end else None
        day = today - timedelta(days=word[0].lower() == "yesterday") if word else None
    else:
        day = days.days[0] if len(days.days) == 1 else None
    return day if day is not None and day <= today and last_session(day) != day else None


def to_the_day(days: NamedDays, today: date) -> NamedDays:
    """Return the days of a question to the day that it names, also where nothing is traded on it, as for news."""
    closed = closed_day(days, today)
    return replace(days, end=closed) if days.window and closed is not None else days


def _relative(found: re.Match[str], today: date) -> tuple[date, date, date]:
    """Return the day of the close before a window, the window's first day and its last one.

    Where a day is named on which nothing is traded, it is the session before.
    """
    said = found[0].lower()
    if said in ("today", "yesterday"):
        last = last_session(today if said == "today" else today - timedelta(days=1))
        return last_session(last - timedelta(days=1)), last, last
    monday = today - timedelta(days=today.weekday())
    first = today.replace(day=1)
    windows: dict[str, Callable[[], tuple[date, date]]] = {
        "this week": lambda: (monday - timedelta(days=1), today),
        "last week": lambda: (_week_before(today)[0], _week_before(today)[2]),
        "this month": lambda: (first - timedelta(days=1), today),
        "last month": lambda: (
            (first - timedelta(days=1)).replace(day=1) - timedelta(days=1),
            first - timedelta(days=1),
        ),
    }
    named = " ".join(said.replace("previous", "last").split())
    base, end = windows["this month" if "date" in named else named]()
    return base, base + timedelta(days=1), end


def _week_before(today: date) -> tuple[date, date, date]:
    """Return the close before the calendar week before that of a day, its Monday and its Friday."""
    monday = today - timedelta(days=today.weekday() + 7)
    return monday - timedelta(days=3), monday, monday + timedelta(days=4)


def _session_of(found: re.Match[str]) -> str:
    """Return the first or the last day of a year on which New York trades; as it was written where it is not known."""
    year = int(found[2])
    try:
        calendar = sessions()
        first = found[1].lower() == "first"
        day = calendar.after(date(year - 1, 12, 31)) if first else calendar.on_or_before(date(year, 12, 31))
    except ValueError:
        return found[0]
    return f" on {day} "


def _last_sessions(count: str, today: date) -> str:
    """Return so many sessions of New York as the days from the close before them to the last one."""
    last = day = last_session(today)
    for _ in range(_SESSION_COUNTS.get(count) or int(count)):
        day = last_session(day - timedelta(days=1))
    return f" from {day} to {last} "


def _before_last(unit: str, today: date) -> str:
    """Return the calendar week, month, quarter or year two before the present as the days from the close before it."""
    if unit == "week":
        base, _, end = _week_before(today - timedelta(days=7))
        return f"from {base} to {end}"
    base, end = _calendar_before(unit, today, 2)
    return f"from {base} to {end}"


def _calendar_before(unit: str, today: date, count: int) -> tuple[date, date]:
    """Return the close before the month, quarter or year so many before the present, and its last day."""
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    begun = today.replace(month=today.month - (today.month - 1) % months, day=1)
    first, after = earlier(begun, count * months, "month"), earlier(begun, (count - 1) * months, "month")
    return first - timedelta(days=1), after - timedelta(days=1)


def _half_of(found: re.Match[str], today: date) -> str:
    """Return a half of a year as the days from the close before it to its end."""
    first = bool(found[1])
    year = int(found[3]) if found[3] else today.year - (not first and today.month <= 6)
    return f"from {year - 1}-12-31 to {year}-06-30" if first else f"from {year}-06-30 to {year}-12-31"


def _latest_weekday(found: re.Match[str], today: date) -> str:
    """Return the latest day of that name that is not after the day of the question; before it for `last Friday`."""
    at = _WEEKDAYS.index(found[3].lower())
    monday = today - timedelta(days=today.weekday())
    if found[4]:
        return (monday + timedelta(days=at - (7 if found[4].lower() == "last" else 0))).isoformat()
    back = (today.weekday() - at) % 7
    return (today - timedelta(days=back or (7 if (found[2] or "").lower() in ("last", "past") else 0))).isoformat()


def _month(name: str) -> int:
    lower = name.lower()
    return MONTH_NUMBERS.get(lower) or _SHORT.get(lower) or month_number(lower)


def _iso_or_same(found: re.Match[str], year: str | None, month: str | int, day: str, today: date) -> str:
    """Return a date as YYYY-MM-DD; as it was written where there is no such day."""
    try:
        if year:
            return date(int(year), int(month), int(day)).isoformat()
        own = date(today.year, int(month), int(day))
        return (own if own <= today else date(today.year - 1, int(month), int(day))).isoformat()
    except ValueError:  # such as 31 June, which `read_days` names as broken
        return found[0]


def _slashed(found: re.Match[str], today: date) -> str:
    """Return 3/14/2025 as a date; one that could be read both ways stays as it was."""
    first, second = int(found[1]), int(found[2])
    if first <= 12 < second:
        return _iso_or_same(found, found[3], first, found[2], today)
    if second <= 12 < first:
        return _iso_or_same(found, found[3], second, found[1], today)
    return found[0]


def _month_text(month: int, year: str | None, today: date) -> str:
    """Return a month in English with its year; empty where there is no such month."""
    if not 1 <= month <= 12:
        return ""
    own = int(year) if year else today.year - (month > today.month)
    return f" {_MONTHS[month][0].capitalize()} {own} " if not year else f"{_MONTHS[month][0].capitalize()} {own}"


@dataclass(frozen=True, slots=True)
class NextDays:
    """The coming days that a question asks about."""

    start: date
    end: date


def next_days(text: str, today: date) -> NextDays:
    """Return which coming days a question, in English, asks about; the coming fortnight where it names none."""
    said = text.lower()
    monday = today - timedelta(days=today.weekday())
    if "tomorrow" in said:
        return NextDays(today + timedelta(days=1), today + timedelta(days=1))
    if "today" in said:
        return NextDays(today, today)
    if "this week" in said:
        return NextDays(today, monday + timedelta(days=6))
    if "next week" in said:
        return NextDays(monday + timedelta(days=7), monday + timedelta(days=13))
    if months := {_month(found[0]) for found in _COMING_MONTH.finditer(said)}:
        firsts = sorted(date(today.year + (month < today.month), month, 1) for month in months)
        last = today + LISTED_AHEAD
        return NextDays(min(max(firsts[0], today), last), min(_last_of(firsts[-1]), last))
    return NextDays(today, today + timedelta(days=30 if "month" in said else 14))


def _last_of(first: date) -> date:
    """Return the last day of the month that begins on a day."""
    return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
