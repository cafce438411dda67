"""Parse JSON from files, models and servers, and say values as JSON has them.

Parsing has a limit on the depth, which protects code that recurses into the value.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any

DEEPEST = 64
"""Maximum levels of lists and objects. The JSON that this library writes has fewer than ten."""
TOO_DEEP = "it is nested too deeply"


def parse_json(
    text: str | bytes,
    *,
    parse_constant: Callable[[str], Any] | None = None,
    object_pairs_hook: Callable[[list[tuple[str, Any]]], Any] | None = None,
) -> Any:
    """Return the value of a JSON text.

    Args:
        text: The JSON; bytes are UTF-8.
        parse_constant: Called with `NaN`, `Infinity` and `-Infinity`; `None` reads them as numbers.
        object_pairs_hook: Builds each object from its pairs of key and value; `None` builds a dict.

    Raises:
        ValueError: The text is not JSON, or is nested more than `DEEPEST` levels.
    """
    try:
        value = json.loads(text, parse_constant=parse_constant, object_pairs_hook=object_pairs_hook)
    except RecursionError:
        raise ValueError(TOO_DEEP) from None
    opening = text.count(b"[") + text.count(b"{") if isinstance(text, bytes) else text.count("[") + text.count("{")
    if opening > DEEPEST and is_too_deep(value):
        raise ValueError(TOO_DEEP)
    return value


def is_too_deep(value: Any) -> bool:
    """Return whether lists and objects in a value are nested more than `DEEPEST` levels."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [
            part
            for node in level
            if isinstance(node, (dict, list))
            for part in (node.values() if isinstance(node, dict) else node)
        ]
        if not level:
            return False
    return True


def plain(value: Any) -> Any:
    """Return a value as JSON has it: dataclasses and mappings as objects, tuples as lists, days as text."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(one) for one in value]
    return value.isoformat() if isinstance(value, date) else value
