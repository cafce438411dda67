"""Canonical JSON: the same values are always the same bytes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any

import numpy as np

_PLAIN = (str, int, bool, type(None))


def canonical_json(value: Any) -> str:
    """Return a value as JSON with sorted names, no white space and shortest numbers; not-a-number becomes null."""
    return json.dumps(plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def plain(value: Any) -> Any:
    """Return dataclasses, arrays and dates as JSON values; what has a `to_dict` decides itself."""
    kind = type(value)
    if kind in _PLAIN:  # nearly all values are of these kinds; asking the others takes five times as long
        return value
    if kind is float:
        return _number(value)
    if kind is dict:
        return {str(name): plain(part) for name, part in value.items()}
    if kind is list:
        return [plain(part) for part in value]
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return _number(float(value))
    return value


def _number(value: float) -> float | int | None:
    """Return a number as JSON writes it: -0.0 is 0.0, and what is not finite is null."""
    return value + 0.0 if math.isfinite(value) else None
