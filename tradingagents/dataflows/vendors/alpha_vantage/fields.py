"""Alpha Vantage's fields: numbers are text, and missing values are the text `None`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from tradingagents.dataflows.reference.calendar import sessions

NAME = "alpha_vantage"
_TO_FILE = timedelta(days=100)
"""Minimum calendar range after a day: a report is assumed up to 90 days later."""
_NONE = frozenset({"", "none", "-", "null", "nan", "n/a"})


class Unreadable(ValueError):
    """An answer of an unexpected shape."""


def number(value: Any) -> float | None:
    """Parse a finite number from text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        read = float(value)
    except (ValueError, OverflowError):  # JSON integers are unbounded
        return None
    return read if math.isfinite(read) else None


def day_of(value: Any) -> date | None:
    """Parse a day within the calendar's range; None for anything else."""
    try:
        read = date.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return read if read < sessions().days[-1] - _TO_FILE else None


def text_of(value: Any) -> str | None:
    """Return a text; None for an empty one, for placeholders of missing values, and for anything else."""
    return value.strip() if isinstance(value, str) and value.strip().lower() not in _NONE else None


def object_of(value: Any) -> Mapping[str, Any]:
    """Return an object.

    Raises:
        Unreadable: It isn't one.
    """
    if not isinstance(value, dict):
        raise Unreadable
    return value


def objects_of(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list; other elements become empty objects.

    Raises:
        Unreadable: It isn't a list.
    """
    if not isinstance(value, list):
        raise Unreadable
    return [entry if isinstance(entry, dict) else {} for entry in value]


def data_of(answer: Any) -> list[Mapping[str, Any]]:
    """Return the objects under `data`, which holds splits, dividends and insider trades."""
    return objects_of(object_of(answer).get("data"))
