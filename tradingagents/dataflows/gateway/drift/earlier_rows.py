"""Articles, posts, trades, filings, events, economic series and ratios against the vendor's earlier answer.

Rows are the same where what identifies them is: a title, an accession number, an insider with day and kind. Rows of the
window that were there and are not any more are told. Those at the old end are excused where the list is as long as
before, since a feed of the newest lets the oldest go, and by the days since, where no window was asked for. Times that
have all moved, and numbers that changed by a hundred, a thousand or a million, are of another zone or unit.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import UTC, date, datetime, time, timedelta
from statistics import median
from typing import Any

from tradingagents.dataflows.models import (
    EarningsEvent,
    EconomicEvent,
    Filing,
    InsiderTransaction,
    MacroSeries,
    Mover,
    NewsItem,
    Ratios,
    SectorMember,
    SocialPost,
)

POWERS = (2, 3, 6)
NEAR_POWER = 0.1
"""How near, in powers of ten, a change lies to one of a unit: ratios follow the market meanwhile."""
SAME_VALUE = 0.01
SAME_FACTOR = 0.005
"""How far the ratios of past values may lie apart to be one factor."""
MOVED = timedelta(minutes=29)
"""Zones lie half an hour apart at least; a publisher updates single articles."""
MOST_MOVED = 0.5
LEAST_ROWS = 3
MOST_ALIKE = 0.8
"""Part of the ratios that must be one factor."""
LEAST_FILLED = 0.2
"""Part of the earlier rows that had a field which no row has now."""
_KEYS: Mapping[type, Callable[[Any], tuple[object, ...]]] = {
    NewsItem: lambda row: (row.title,),
    SocialPost: lambda row: (row.author, row.text),
    Filing: lambda row: (row.accession,),
    InsiderTransaction: lambda row: (row.insider, row.transaction_date, row.kind),
    EarningsEvent: lambda row: (row.symbol, row.fiscal_period or row.day),
    EconomicEvent: lambda row: (row.name, row.day),
    Mover: lambda row: (row.symbol,),
    SectorMember: lambda row: (row.symbol,),
}
"""What identifies a row."""
_TIMES: Mapping[type, str] = {NewsItem: "published_at", SocialPost: "posted_at", Filing: "known_at"}
"""When a row is of, to the minute."""
_DAYS: Mapping[type, str] = {InsiderTransaction: "transaction_date", EarningsEvent: "day", EconomicEvent: "day"}
_NUMBERS: Mapping[type, tuple[str, ...]] = {
    InsiderTransaction: ("shares", "value"),
    EarningsEvent: ("eps", "eps_estimate", "revenue"),
    EconomicEvent: ("value", "previous", "estimate"),
    Mover: ("price", "market_cap"),
    SectorMember: ("weight",),
}
_PUBLISHED = ("value", "previous")
"""Numbers of a release that are as published on its day, where the source says so."""
_LISTED = (NewsItem, SocialPost, Filing, InsiderTransaction, EarningsEvent, EconomicEvent)
"""Rows that stay where they are; a screen of movers has others every hour."""
_DELETED = (NewsItem, SocialPost)
MOST_DELETED = 0.1
"""Part of articles and posts up to which their authors have withdrawn them."""
Window = Sequence[date | datetime]


def compare_rows(
    answer: tuple[Any, ...], earlier: Sequence[Any], window: Window, elapsed: timedelta, *, is_search: bool
) -> tuple[tuple[Any, ...], tuple[str, ...], str]:
    """Return rows without numbers in another unit, what disagrees or is missing, and why none can be used."""
    kind = type(earlier[0])
    if kind not in _KEYS or any(type(row) is not kind for row in (*answer, *earlier)):
        return answer, (), ""
    now, before = _by_key(answer), _by_key(earlier)
    if (moved := _moved(now, before, kind)) is not None:
        return answer, (), moved
    told: list[str] = []
    rows = _in_known_units(answer, now, before, kind, told)
    if kind in _LISTED and not is_search:
        _tell_missing(answer, now, before, kind, window, elapsed, told)
    if kind is SectorMember and len(now) < len(before):
        told.append(f"{len(before.keys() - now.keys())} of {len(before)} companies of before are missing")
    told += _other_offices(now, before)
    told += [f"{name} is given for no {_word(kind)} any more" for name in _fields_gone(answer, earlier)]
    return rows, tuple(told), ""


def _by_key(rows: Iterable[Any]) -> dict[tuple[object, ...], Any]:
    """Return rows by what identifies them; several of one insider and day by their place among these."""
    found: dict[tuple[object, ...], Any] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    for row in sorted(rows, key=lambda row: getattr(row, "shares", 0.0)):
        key = _KEYS[type(row)](row)
        found[(*key, seen[key])] = row
        seen[key] += 1
    return found


def _moved(now: Mapping[Any, Any], before: Mapping[Any, Any], kind: type) -> str | None:
    name = _TIMES.get(kind)
    apart = [getattr(now[key], name) - getattr(before[key], name) for key in now.keys() & before.keys()] if name else []
    others = [one for one in apart if abs(one) > MOVED]
    if not apart or len(others) <= MOST_MOVED * len(apart):
        return None
    hours = median(one.total_seconds() for one in others) / 3600
    return f"{name} of {len(others)} of {len(apart)} rows has moved by {hours:+.4g} hours"


def _in_known_units(
    answer: tuple[Any, ...], now: Mapping[Any, Any], before: Mapping[Any, Any], kind: type, told: list[str]
) -> tuple[Any, ...]:
    """Return rows without the numbers that are in another unit, or differ though they cannot."""
    wrong: dict[int, list[str]] = {}
    for name in _NUMBERS.get(kind, ()):
        odd = [now[key] for key in now.keys() & before.keys() if _is_other(now[key], before[key], name)]
        odd += _new_of_odd_figures(odd, name, now, before)
        odd = _of_one_factor(name, now, before) or odd
        if odd:
            told.append(f"{name} of {len(odd)} of {len(now)} {_word(kind)}s is another one and is withheld")
        for row in odd:
            wrong.setdefault(id(row), []).append(name)
    kept = (row for row in answer if "price" not in wrong.get(id(row), ()))  # without it a mover says nothing
    return tuple(_without(row, wrong[id(row)]) if id(row) in wrong else row for row in kept)


def _of_one_factor(name: str, now: Mapping[Any, Any], before: Mapping[Any, Any]) -> list[Any]:
    """Return every row with a number where those of before are all multiplied by one factor: another currency."""
    given = {key: value for key, row in now.items() if (value := getattr(row, name))}
    former = {key: getattr(before[key], name) for key in given.keys() & before.keys()}
    ratios = [given[key] / value for key, value in former.items() if value]
    factor = median(ratios) if len(ratios) >= LEAST_ROWS else 1.0
    alike = sum(abs(ratio - factor) <= SAME_FACTOR * abs(factor) for ratio in ratios)
    if abs(factor - 1) <= SAME_VALUE or alike < MOST_ALIKE * len(ratios) or _is_split(factor):
        return []
    return [now[key] for key in given]


def _other_offices(now: Mapping[Any, Any], before: Mapping[Any, Any]) -> list[str]:
    """Return how many insiders' offices at a past trade, which stay what they were, are others now or not given."""
    shared = [key for key in now.keys() & before.keys() if isinstance(now[key], InsiderTransaction)]
    other = sum(bool(before[key].relation) and now[key].relation != before[key].relation for key in shared)
    return [f"relation of {other} of {len(now)} insider trades is another one"] if other else []


def _without(row: Any, names: Sequence[str]) -> Any:
    if isinstance(row, InsiderTransaction):
        why = f"{' and '.join(names)} differ from what was given before, and no sum counts them"
        return replace(row, withheld=why, value=None if "value" in names else row.value)
    return replace(row, **dict.fromkeys(names))


def _new_of_odd_figures(odd: Sequence[Any], name: str, now: Mapping[Any, Any], before: Mapping[Any, Any]) -> list[Any]:
    """Return releases that are new since, of figures whose earlier ones are mostly other numbers now."""
    counted = Counter(row.name for row in odd if isinstance(row, EconomicEvent))
    if not counted:
        return []
    given = {key: row for key, row in now.items() if getattr(row, name) is not None}
    known = Counter(row.name for key, row in given.items() if key in before)
    doubted = {figure for figure, count in counted.items() if 2 * count > known[figure]}
    return [row for key, row in given.items() if key not in before and row.name in doubted]


def _is_other(row: Any, former: Any, name: str) -> bool:
    """Return whether a number is another one; of estimates, and of what is revised or of the day, in another unit."""
    new, old = getattr(row, name), getattr(former, name)
    if not isinstance(new, (int, float)) or not isinstance(old, (int, float)):
        return False
    if isinstance(row, EconomicEvent) and name in _PUBLISHED and row.read_at is None and former.read_at is None:
        return not math.isclose(new, old, rel_tol=SAME_VALUE, abs_tol=1e-9)
    if not new or not old:
        return False
    if isinstance(row, InsiderTransaction):
        return not math.isclose(new, old, rel_tol=SAME_VALUE) and not _is_split(new / old)
    return new / old > 0 and _is_unit(new / old)


def _is_unit(ratio: float) -> bool:
    return any(abs(abs(math.log10(ratio)) - power) <= NEAR_POWER for power in POWERS)


def _is_split(ratio: float) -> bool:
    """Return whether a source may have restated shares for a split meanwhile: by a small whole number."""
    size = max(ratio, 1 / ratio) if ratio > 0 else 0.0
    return 1.5 <= size <= 50 and abs(size * 2 - round(size * 2)) <= 0.01


def _tell_missing(
    answer: Sequence[Any],
    now: Mapping[Any, Any],
    before: Mapping[Any, Any],
    kind: type,
    window: Window,
    elapsed: timedelta,
    told: list[str],
) -> None:
    asked = {key: row for key, row in before.items() if _is_within(row, window)}
    if not window and asked:  # of a source that gives the last months, so many days have gone since
        first = min(map(_instant, asked.values())) + elapsed
        asked = {key: row for key, row in asked.items() if _instant(row) > first}
    gone = [row for key, row in asked.items() if key not in now]
    if answer and len(answer) >= len(asked):
        oldest = min(map(_instant, answer))
        gone = [row for row in gone if _instant(row) > oldest]
    if len(gone) > (MOST_DELETED if kind in _DELETED else 0) * len(asked):
        told.append(f"{len(gone)} of {len(asked)} {_word(kind)}s of before are missing")


def _is_within(row: Any, window: Window) -> bool:
    if len(window) != 2:
        return True
    at = _instant(row)
    return _start(window[0]) <= at <= _end(window[1])


def _instant(row: Any) -> datetime:
    name = _TIMES.get(type(row))
    found: datetime = getattr(row, name) if name else _start(getattr(row, _DAYS[type(row)]))
    return found


def _start(when: date | datetime) -> datetime:
    return when if isinstance(when, datetime) else datetime.combine(when, time.min, tzinfo=UTC)


def _end(when: date | datetime) -> datetime:
    return when if isinstance(when, datetime) else datetime.combine(when, time.max, tzinfo=UTC)


def _fields_gone(answer: Sequence[Any], earlier: Sequence[Any]) -> list[str]:
    """Return the optional fields that earlier rows had and no row has now."""
    if len(answer) < LEAST_ROWS or len(earlier) < LEAST_ROWS:
        return []
    found = []
    for field in fields(earlier[0]):
        filled = sum(getattr(row, field.name) not in (None, "") for row in earlier)
        if filled >= LEAST_FILLED * len(earlier) and all(getattr(row, field.name) in (None, "") for row in answer):
            found.append(field.name)
    return found


def _word(kind: type) -> str:
    return {
        NewsItem: "article",
        SocialPost: "post",
        Filing: "filing",
        InsiderTransaction: "insider trade",
        Mover: "mover",
        SectorMember: "company",
    }.get(kind, "event")


def compare_series(series: MacroSeries, earlier: MacroSeries, window: Window) -> tuple[tuple[str, ...], str]:
    """Return what is missing of an economic series, and why none of it can be used; "" where it can."""
    now, before = _values(series), _values(earlier)
    shared = sorted(now.keys() & before.keys())
    if not now or not before or len(shared) < LEAST_ROWS or series.unit != earlier.unit:
        return (), ""
    ratios = [now[day] / before[day] for day in shared if before[day]]
    factor = median(ratios) if ratios else 1.0
    alike = sum(abs(ratio - factor) <= SAME_FACTOR * abs(factor) for ratio in ratios)
    if abs(factor - 1) > SAME_VALUE and alike >= MOST_ALIKE * len(ratios):
        return (), f"values are {factor:.4g} times what they were"
    changed = [day for day in shared if not math.isclose(now[day], before[day], rel_tol=SAME_VALUE, abs_tol=1e-9)]
    if len(changed) > LEAST_ROWS and 2 * len(changed) > len(shared) and _has_shifted(now, before, shared):
        return (), "values stand at other days than before"
    gone = [day for day in before if day not in now and _is_day_within(day, window)]
    gone = [day for day in gone if day > min(now) or len(now) < len(before)]
    told = (f"values of {len(gone)} of {len(before)} periods are missing",) if gone else ()
    return told, ""


def _is_day_within(day: date, window: Window) -> bool:
    """Whether a period lies in a window; the earlier answer may be of a later one, and one bound is the first day."""
    first = not window or day >= _start(window[0]).date()
    return first and (len(window) != 2 or day <= _start(window[1]).date())


def _values(series: MacroSeries) -> dict[date, float]:
    return {row.day: row.value for row in sorted(series.observations, key=lambda row: row.known_at)}


def _has_shifted(now: Mapping[date, float], before: Mapping[date, float], shared: Sequence[date]) -> bool:
    new, old = [now[day] for day in shared], [before[day] for day in shared]
    return any(
        sum(math.isclose(one, other, rel_tol=1e-9) for one, other in pairs) >= 0.8 * (len(shared) - 1)
        for pairs in (
            list(zip(new[1:], old[:-1], strict=True)),
            list(zip(new[:-1], old[1:], strict=True)),
        )
    )


def compare_ratios(ratios: Ratios, earlier: Ratios) -> tuple[Ratios, tuple[str, ...]]:
    """Return a company's ratios without those in another unit, and what disagrees or is no longer given."""
    told, wrong = [], set()
    for name, old in earlier.values.items():
        new = ratios.values.get(name)
        if new is None:
            told.append(f"{name} is no longer given")
        elif new and old and new / old > 0 and _is_unit(new / old):
            wrong.add(name)
            told.append(f"{name} is {new:.6g} and was {old:.6g}, in another unit, and is withheld")
    if not told:
        return ratios, ()
    values = {name: value for name, value in ratios.values.items() if name not in wrong}
    return replace(ratios, values=values), tuple(told)
