"""Validity of vendor rows: each field of its declared type, numbers finite and plausible.

The checks follow from the declarations in `dataflows.models`, so new row types are checked automatically. The bounds of
market value and multiples are what no company ever had, and say why: one table for everybody.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from tradingagents.dataflows.gateway.faults import Fault, quoted
from tradingagents.dataflows.models import (
    EarningsEvent,
    InstrumentKind,
    Mover,
    NewsItem,
    Profile,
    Ratios,
    Statement,
)
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.currencies import HUNDREDTHS, NOT_STATED, major_unit, quoted_in
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import SECTORS
from tradingagents.dataflows.reference.symbols import LISTINGS

LARGEST_COMPANY = 12e12
"""USD: twice the value of the largest company there was by 2026, about 6 trillion."""
UNITS_OF_A_DOLLAR: Mapping[str, float] = {
    "USD": 1.0,
    **dict.fromkeys(("EUR", "GBP", "CHF", "KWD", "BHD"), 1.2),
    **dict.fromkeys(("CAD", "AUD", "SGD", "NZD"), 2.0),
    **dict.fromkeys(("PLN", "ILS", "SAR", "AED", "QAR", "MYR"), 5.0),
    **dict.fromkeys(("CNY", "CNH", "HKD", "DKK", "BRL"), 9.0),
    **dict.fromkeys(("SEK", "NOK"), 13.0),
    **dict.fromkeys(("MXN", "ZAR", "CZK"), 28.0),
    **dict.fromkeys(("TWD", "THB"), 48.0),
    **dict.fromkeys(("INR", "TRY", "PHP", "EGP"), 110.0),
    **dict.fromkeys(("JPY", "RUB"), 200.0),
    **dict.fromkeys(("HUF", "ISK", "PKR"), 500.0),
    **dict.fromkeys(("KRW", "CLP", "ARS", "NGN"), 2_000.0),
    "COP": 6_000.0,
    **dict.fromkeys(("IDR", "VND"), 30_000.0),
}
"""At most so many units of a currency were one US dollar, rounded up: the bound in USD is wide, so this may be too."""


@dataclass(frozen=True, slots=True)
class Bound:
    """Between what a figure of any company lay."""

    low: float
    high: float
    why: str
    """Why nothing lies beyond, as a clause."""


BOUNDS: Mapping[str, Bound] = {
    "market_cap": Bound(0.0, LARGEST_COMPANY, "no company was worth half as much by 2026"),
    "ps_ttm": Bound(0.0005, 10_000.0, "companies cost between a thousandth and a few thousand times their sales"),
    "pb": Bound(0.001, 10_000.0, "companies cost between a hundredth and a few thousand times their equity"),
    "pe_ttm": Bound(0.005, 20_000.0, "a year's earnings are neither 200 times the price nor lost in its rounding"),
    "forward_pe": Bound(0.005, 20_000.0, "a year's earnings are neither 200 times the price nor lost in its rounding"),
    "ev_ebitda": Bound(-10_000.0, 10_000.0, "a year's EBITDA is not lost in the value of the company"),
    "fcf_yield": Bound(-20_000.0, 20_000.0, "no company makes 200 times its price in a year"),
    "dividend_yield": Bound(0.0, 100.0, "no company pays more than its price within a year, but for winding up"),
    "earnings_yield": Bound(-20_000.0, 20_000.0, "no company makes 200 times its price in a year"),
}
"""By the names of `analytics.company.fundamentals`. Yields in percent, market value in USD."""
LABELS: Mapping[str, str] = {
    "market_cap": "the market value",
    "ps_ttm": "P/S",
    "pb": "P/B",
    "pe_ttm": "P/E",
    "forward_pe": "the forward P/E",
    "ev_ebitda": "EV/EBITDA",
    "fcf_yield": "the free cash flow yield",
    "dividend_yield": "the dividend yield",
    "earnings_yield": "the earnings yield",
}
"""Each figure as the subject of a sentence. The value that cannot be is never told: it would be quoted."""
SUSPECTS = "a receipt ratio, a share count or an amount in another unit, or another currency or unit of the price"
"""What such figures are made of."""


def beyond_bounds(name: str, value: float | None, currency: str | None = None) -> str | None:
    """Return why a figure cannot be, as a clause; None where it can, or has no bound.

    Args:
        value: Yields in percent; None is no fault.
        currency: Currency of a market value; None, or one whose worth is not listed: there is no bound.
    """
    bound = BOUNDS.get(name)
    if bound is None or value is None:
        return None
    low, high = bound.low, bound.high
    if name == "market_cap":
        units = UNITS_OF_A_DOLLAR.get(currency or "")
        if units is None:
            return None
        high *= units
    if low <= value <= high:
        return None
    unit = currency or "" if name == "market_cap" else "%" if "yield" in name else "x"
    side, limit = ("above", high) if value > high else ("below", low)
    return f"{LABELS.get(name, name)} would lie {side} {Figure(name, limit, unit).text}, and {bound.why}"


LARGEST = 1e18
"""Maximum amount, count or figure of a company or an economy, in any currency."""
FIRST_YEAR = 1900
"""Earliest valid day; no source reaches back further."""
_CURRENCY = re.compile(r"[A-Za-z]{3}")
"""An ISO 4217 code, or one of a fractional unit: GBp is a penny."""
_ROW = "the row is left out"
NO_TITLES = frozenset({"removed", "deleted", "withdrawn", "no title", "untitled", "none", "null", "nan", "n/a"})
"""What interfaces write in the place of a title, in lower case and without brackets."""
_AROUND = " \t\r\n\u00a0[]()<>{}.-_\"'"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    holds: Callable[[Any], bool]
    optional: bool


def is_currency(code: object) -> bool:
    """Return whether a text is a valid currency code."""
    return isinstance(code, str) and _CURRENCY.fullmatch(code) is not None


def check_row(row: T) -> tuple[T | None, list[Fault]]:
    """Return a valid row, or None, and its faults.

    An invalid optional field is set to its empty value; a row with an invalid required field is left out. In a
    statement, single items are left out.
    """
    if isinstance(row, Profile):
        return _checked_profile(row)  # type: ignore[return-value]
    faults: list[Fault] = []
    emptied: dict[str, Any] = {}
    kind: Any = type(row)
    for declared in _fields_of(kind):
        value = getattr(row, declared.name)
        if declared.holds(value):
            continue
        what = f"{declared.name} is {quoted(value)}"
        if not declared.optional:
            return None, [_fault(row, what, _ROW)]
        emptied[declared.name] = None
        faults.append(_fault(row, what, f"the row is used without its {declared.name}"))
    if isinstance(row, Mover) and row.currency in HUNDREDTHS:
        currency, value = major_unit(row.currency)
        emptied |= {"currency": currency, "price": row.price * value}
    if isinstance(row, (Statement, Ratios)):
        emptied |= _sound_items(row, faults)
    emptied |= _within_bounds(row, emptied, faults)
    impossible = _impossible(row)
    if impossible is not None:
        return None, [_fault(row, impossible, _ROW)]
    return (replace(row, **emptied) if emptied else row), faults  # type: ignore[type-var]


def _impossible(row: Any) -> str | None:
    """Return why a row is invalid although each field is valid."""
    if isinstance(row, Statement) and row.known_at.date() < row.period_end - timedelta(days=1):
        return f"it was filed on {row.known_at:%Y-%m-%d}, before its period ended"
    if isinstance(row, EarningsEvent) and row.eps is not None and row.period_end is not None:
        if _is_day(row.period_end) and (row.period_end - row.day).days > 1:
            return f"it was filed on {row.day}, before its period to {row.period_end} ended"
        return None
    if isinstance(row, Mover) and not row.price > 0:
        return f"price is {row.price:g}"
    if isinstance(row, NewsItem) and not has_title(row.title):
        return f"an article of {row.published_at:%H:%M} UTC has no title, {quoted(row.title)!r}"
    return None


def has_title(title: str) -> bool:
    """Return whether a title says anything: a withdrawn article stays in lists under none, or under a placeholder."""
    return any(map(str.isalnum, title)) and title.strip(_AROUND).casefold() not in NO_TITLES


def _sound_items(row: Statement | Ratios, faults: list[Fault]) -> dict[str, Any]:
    name = "items" if isinstance(row, Statement) else "values"
    items: Mapping[str, Any] = getattr(row, name)
    bad = [item for item, value in items.items() if not _is_number(value)]
    faults += [_fault(row, f"{quoted(item)} is {quoted(items[item])}", "the item is left out") for item in bad]
    return {name: {item: value for item, value in items.items() if item not in bad}} if bad else {}


def _within_bounds(row: Any, emptied: Mapping[str, Any], faults: list[Fault]) -> dict[str, Any]:
    """Return a vendor's own ratios, and the market value of a mover, without what no company ever had."""
    if isinstance(row, Mover):
        value = emptied.get("market_cap", row.market_cap)
        beyond = beyond_bounds("market_cap", value, emptied.get("currency", row.currency))
        if beyond is None:
            return {}
        faults.append(_beyond(row, beyond, "the row is used without it"))
        return {"market_cap": None}
    if not isinstance(row, Ratios):
        return {}
    values: Mapping[str, float] = emptied.get("values", row.values)
    if not isinstance(values, Mapping):
        return {}
    found = {name: beyond_bounds(name, value, row.currency) for name, value in values.items()}
    gone = {name: beyond for name, beyond in found.items() if beyond is not None}
    faults += [_beyond(row, beyond, "it is left out") for beyond in gone.values()]
    return {"values": {name: value for name, value in values.items() if name not in gone}} if gone else {}


def _beyond(row: Mover | Ratios, beyond: str, done: str) -> Fault:
    what = f"{beyond}; suspected is {SUSPECTS}"
    return replace(_fault(row, what, done), kind="out-of-range", withholds=True)


def _checked_profile(row: Profile) -> tuple[Profile, list[Fault]]:
    """Return a profile with its valid fields; a run needs a profile, so faults never remove it."""
    usual: dict[str, tuple[bool, Any]] = {
        "name": (isinstance(row.name, str) and bool(row.name), str(row.symbol)),
        "kind": (row.kind in get_args(InstrumentKind), "stock"),
        "sector": (row.sector is None or row.sector in SECTORS, None),
        "industry": (row.industry is None or isinstance(row.industry, str), None),
        "exchange": (row.exchange is None or _is_exchange(row.exchange), exchange_of(str(row.symbol))),
        "currency": (is_currency(row.currency), quoted_in(str(row.symbol))),
        "withheld": (isinstance(row.withheld, str), ""),
        "listing": (row.listing is None or row.listing in LISTINGS or _is_exchange(row.listing), None),
    }
    changed = {name: stand_in for name, (good, stand_in) in usual.items() if not good}
    faults = [
        Fault(
            row.symbol,
            None,
            f"{name} of its profile is {quoted(getattr(row, name))}",
            "it counts as not stated" if stand_in == NOT_STATED else f"{stand_in or 'none'} is taken",
            row,
            "currency-unknown" if stand_in == NOT_STATED else "invalid-value",
        )
        for name, stand_in in changed.items()
    ]
    return (replace(row, **changed) if changed else row), faults


def _is_exchange(name: object) -> bool:
    if not isinstance(name, str):
        return False
    try:
        sessions(name)
    except ValueError:
        return False
    return True


def _fault(row: Any, what: str, done: str) -> Fault:
    subject = next((text for name in ("symbol", "name") if isinstance(text := getattr(row, name, None), str)), "")
    days = (getattr(row, name, None) for name in ("day", "period_end", "transaction_date", "filed_on"))
    instants = (getattr(row, name, None) for name in ("published_at", "posted_at", "known_at"))
    day = next((one for one in days if isinstance(one, date)), None)
    instant = next((one for one in instants if isinstance(one, datetime)), None)
    return Fault(quoted(subject), day or (instant.date() if instant else None), what, done, row)


@lru_cache(maxsize=64)
def _fields_of(kind: Any) -> tuple[_Field, ...]:
    hints = get_type_hints(kind)
    found = []
    for field in fields(kind):
        hint = hints[field.name]
        optional = _is_optional(hint)
        found.append(_Field(field.name, is_currency if field.name == "currency" else _holds(hint), optional))
    return tuple(found)


def _is_optional(hint: Any) -> bool:
    return get_origin(hint) in (Union, UnionType) and type(None) in get_args(hint)


def _holds(hint: Any) -> Callable[[Any], bool]:
    """Return the check for a declared type."""
    if _is_optional(hint):
        inner = _holds(next(arg for arg in get_args(hint) if arg is not type(None)))
        return lambda value: value is None or inner(value)
    if get_origin(hint) is Literal:
        allowed = get_args(hint)
        return lambda value: isinstance(value, str) and value in allowed
    if get_origin(hint) is tuple:
        inner = _holds(get_args(hint)[0])
        return lambda value: isinstance(value, tuple) and all(map(inner, value))
    if get_origin(hint) is Mapping:
        return lambda value: isinstance(value, Mapping)
    return _TESTS.get(hint) or _anything


def _is_number(value: Any) -> bool:
    if type(value) is float:  # nearly every one is
        return -LARGEST <= value <= LARGEST
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST


def _is_day(value: Any) -> bool:
    return isinstance(value, date) and not isinstance(value, datetime) and value.year >= FIRST_YEAR


def _is_instant(value: Any) -> bool:
    return isinstance(value, datetime) and value.tzinfo is not None and value.year >= FIRST_YEAR


def _anything(_: Any) -> bool:
    return True


_TESTS: Mapping[Any, Callable[[Any], bool]] = {
    str: lambda value: isinstance(value, str),
    bool: lambda value: isinstance(value, bool),
    int: _is_number,
    float: _is_number,
    date: _is_day,
    datetime: _is_instant,
}
