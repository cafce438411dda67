"""Texts in vendors' rows, bounded before anything keeps or shows them: no field is long enough to flood a prompt."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from tradingagents.dataflows.reference.currencies import NOT_STATED
from tradingagents.files.redaction import KnownSecrets

LONGEST = 300
"""Characters of a field that is not named below: a publisher, an author, a form, the title of a release."""
LONGEST_BY_FIELD: Mapping[str, int] = {
    "title": 500,
    "summary": 4_000,
    "text": 4_000,
    "business": 1_200,
    "name": 120,
    "industry": 120,
    "exchange": 60,
    "listing": 60,
    "sector": 60,
    "insider": 120,
    "relation": 120,
    "url": 2_000,
}
"""Characters of a field by its name. A longer text is cut; a longer address is left out, since a cut one is wrong."""
_CURRENCY = re.compile(r"[A-Za-z]{3}")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_SPLITS = frozenset({"summary", "text"})
"""Fields that may have several lines."""
_CONTROL_BUT_BREAKS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


def cleaned(answer: Any, secrets: KnownSecrets) -> Any:
    """Return a vendor's answer with its texts bounded, on one line where they belong there, and without secrets.

    Args:
        answer: A row, or rows; what needs no change is returned as it is.
        secrets: Keys and passwords of this process, which a source may quote.
    """
    return secrets.value(_bounded(answer))


def _bounded(value: Any) -> Any:
    if type(value) in (tuple, list):
        if all(map(_is_textless, set(map(type, value)))):
            return value
        items = [_bounded(one) for one in value]
        return type(value)(items) if any(new is not old for new, old in zip(items, value, strict=True)) else value
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changed: dict[str, Any] = {}
    for name in _text_fields(type(value)):
        held = getattr(value, name)
        if isinstance(held, str):
            if (text := _field(name, held)) != held:
                changed[name] = text
        elif isinstance(held, tuple) and held and (new := _bounded(held)) is not held:
            changed[name] = new
    return replace(value, **changed) if changed else value


@lru_cache(maxsize=64)
def _is_textless(kind: type) -> bool:
    """Tell whether values of a type are rows that hold no text, such as dividends."""
    return is_dataclass(kind) and not _text_fields(kind)


@lru_cache(maxsize=64)
def _text_fields(kind: type) -> tuple[str, ...]:
    """Return the names of a row's fields that may hold text, or rows that do."""
    return tuple(one.name for one in fields(kind) if one.init and ("str" in str(one.type) or "tuple" in str(one.type)))


def _field(name: str, text: str) -> str:
    if name == "currency":
        return text if _CURRENCY.fullmatch(text) else NOT_STATED
    control = _CONTROL_BUT_BREAKS if name in _SPLITS else _CONTROL
    if control.search(text):
        text = control.sub(" ", text).strip()
    most = LONGEST_BY_FIELD.get(name, LONGEST)
    if len(text) <= most:
        return text
    return "" if name == "url" else f"{text[: most - 1]}…"
