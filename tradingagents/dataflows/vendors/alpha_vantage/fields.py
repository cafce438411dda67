"""Alpha Vantage's fields: its numbers are texts, and what it lacks is the text `None`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from tradingagents.dataflows.reference.calendar import sessions

NAME = "alpha_vantage"
_TO_FILE = timedelta(days=100)
"""What the calendar of sessions has to have after a day: a report on it is assumed up to 90 days later."""
_NONE = frozenset({"", "none", "-", "null", "nan", "n/a"})


class Unreadable(ValueError):
    """An answer in another shape than agreed."""


def number(value: Any) -> float | None:
    """Read a finite number from its text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        read = float(value)
    except (ValueError, OverflowError):  # JSON's integers have no end
        return None
    return read if math.isfinite(read) else None


def day_of(value: Any) -> date | None:
    """Read a day that the calendar of sessions reaches beyond; None for anything else."""
    try:
        read = date.fromisoformat(value)
    except (TypeError, ValueError):
        return None
    return read if read < sessions().days[-1] - _TO_FILE else None


def text_of(value: Any) -> str | None:
    """Read a text; None for an empty one, for the words that stand for none, and for anything else."""
    return value.strip() if isinstance(value, str) and value.strip().lower() not in _NONE else None


def object_of(value: Any) -> Mapping[str, Any]:
    """Return an object.

    Raises:
        Unreadable: It is none.
    """
    if not isinstance(value, dict):
        raise Unreadable
    return value


def objects_of(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list; one that is none has no fields.

    Raises:
        Unreadable: It is no list.
    """
    if not isinstance(value, list):
        raise Unreadable
    return [one if isinstance(one, dict) else {} for one in value]


def data_of(answer: Any) -> list[Mapping[str, Any]]:
    """Return the objects under `data`, where splits, dividends and insider trades are."""
    return objects_of(object_of(answer).get("data"))
