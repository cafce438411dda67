"""Unambiguous repairs of a model's object: null written as a word, and choices in another case."""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

NULLS = frozenset({"", "null", "none", "n/a"})


def tidied(schema: type[BaseModel], data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data with words for null replaced by null and choices in their declared case.

    Nulls are removed from lists, and from fields that have a default.

    Numbers written as text are left to pydantic, which parses them. Nothing else is changed: the model has to correct
    it.
    """
    return {
        key: _tidy(schema.model_fields[key].annotation, value) if key in schema.model_fields else value
        for key, value in data.items()
        if not (_is_null(value) and _has_default(schema, key))
    }


def _tidy(kind: Any, value: Any) -> Any:
    if isinstance(value, str):
        return None if _is_null(value) and type(None) in _alternatives(kind) else _choice(kind, value)
    if isinstance(value, Mapping):
        model = next((one for one in _alternatives(kind) if isinstance(one, type) and issubclass(one, BaseModel)), None)
        return tidied(model, value) if model else value
    if isinstance(value, list):
        item = next((get_args(one)[0] for one in _alternatives(kind) if get_origin(one) in (list, tuple, set)), None)
        return value if item is None else [_tidy(item, one) for one in value if not _is_null(one)]
    return value


def _is_null(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip().lower() in NULLS)


def _has_default(schema: type[BaseModel], key: str) -> bool:
    return key in schema.model_fields and not schema.model_fields[key].is_required()


def _choice(kind: Any, text: str) -> str:
    """Return the declared spelling of a choice that differs only in case or surrounding space."""
    for one in _alternatives(kind):
        if get_origin(one) is Literal:
            spelled = {choice.lower(): choice for choice in get_args(one) if isinstance(choice, str)}
            return spelled.get(text.strip().lower(), text)
    return text


@lru_cache(maxsize=256)
def _alternatives(kind: Any) -> tuple[Any, ...]:
    """Return the types a value may have: the members of a union, with `Annotated` unwrapped."""
    parts = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    return tuple(get_args(part)[0] if get_origin(part) is Annotated else part for part in parts)
