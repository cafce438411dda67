"""Text of model replies: remove the model's thoughts and find the JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from tradingagents.files.json_text import is_too_deep, parse_json

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OPENING_LOST = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""Some chat templates put the opening tag into the prompt, so that the reply contains only the closing one."""
_NEVER_CLOSED = re.compile(r"\A\s*<think(?:ing)?>.*\Z", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*[ \t]*\n(.*?)```", re.DOTALL)
_OPENING = re.compile(r'\{\s*["}]')
"""How a JSON object begins; any other brace is prose."""
_BRACES = re.compile(r'[{}]|"(?:[^"\\]|\\.)*+(?:"|\Z)', re.DOTALL)
"""Braces, and strings, whose braces do not count; a cut reply may end inside one."""

MAX_OBJECTS = 100
"""Maximum number of braces at which a reply is searched for objects; bounds the search time."""


def without_thoughts(text: str) -> str:
    """Return a reply without a reasoning model's thoughts; empty if it contains nothing else."""
    for pattern in (_THOUGHTS, _OPENING_LOST, _NEVER_CLOSED):
        text = pattern.sub("", text)
    return text.strip()


def json_object(text: str) -> dict[str, Any]:
    """Return the JSON object in a reply: bare, after thoughts, in a code fence, or within prose.

    Raises:
        ValueError: There is none, or it is invalid; the message gives the position.
    """
    broken: ValueError | None = None
    for candidate in _candidates(text):
        try:
            value = strict_json(candidate)
        except TwoValues:
            raise
        except ValueError as error:
            broken = error
            continue
        if isinstance(value, dict):
            return value
        broken = broken or ValueError(f"expected a JSON object, not {type(value).__name__}")
    raise broken or ValueError("the answer contains no JSON object")


class TwoValues(ValueError):
    """One key of a JSON object has two values."""


def strict_json(text: str) -> Any:
    """Parse JSON text.

    Raises:
        TwoValues: One key has two values.
        ValueError: It isn't JSON, is nested too deeply, or contains NaN or Infinity.
    """
    return parse_json(text, parse_constant=_refuse, object_pairs_hook=_each_once)


def json_objects(text: str) -> list[dict[str, Any]]:
    """Return the JSON objects in a reply, in order; broken ones are skipped whole, never read from the inside.

    Raises:
        TwoValues: One key of one of them has two values.
    """
    found: list[dict[str, Any]] = []
    answer = without_thoughts(text)
    decoder = json.JSONDecoder(parse_constant=_refuse, object_pairs_hook=_each_once)
    at = answer.find("{")
    for _ in range(MAX_OBJECTS):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(answer, at)
        except TwoValues:
            raise
        except (ValueError, RecursionError):
            end = _end_of_broken(answer, at)
        else:
            found += [] if is_too_deep(value) else [value]
        at = answer.find("{", end)
    return found


def is_unclosed(text: str) -> bool:
    """Tell whether a reply ends inside a JSON object, as one does that was cut.

    A reply whose last character closes an object was not: its braces or quotes are wrong elsewhere.
    """
    answer = without_thoughts(text)
    if answer.rstrip("` \n").endswith("}"):
        return False
    at = answer.find("{")
    for _ in range(MAX_OBJECTS):
        if at < 0:
            return False
        if _OPENING.match(answer, at) and _closing(answer, at) is None:
            return True
        at = answer.find("{", _end_of_broken(answer, at))
    return False


def _end_of_broken(text: str, at: int) -> int:
    """Return where what begins with a brace ends: the closing one of an object, the next character in prose."""
    if not _OPENING.match(text, at):
        return at + 1
    closing = _closing(text, at)
    return len(text) if closing is None else closing + 1


def _closing(text: str, at: int) -> int | None:
    """Return the position of the brace that closes the one at `at`; None if it is never closed."""
    depth = 0
    for token in _BRACES.finditer(text, at):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if depth == 0:
            return token.start()
    return None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    whole = dict(pairs)
    for key, value in pairs:
        if whole[key] != value:
            raise TwoValues(f"{key!r} occurs twice, with different values")
    return whole


def _candidates(text: str) -> Iterator[str]:
    """Yield ever shorter candidates for the object in a reply; the last is from the first brace to the last."""
    answer = without_thoughts(text)
    if not answer:
        return
    if answer[0] in "{[":
        yield answer
    yield from _FENCE.findall(answer)
    first, last = answer.find("{"), answer.rfind("}")
    if 0 <= first < last and not answer.startswith("["):
        yield answer[first : last + 1]
    elif first >= 0 > last:
        raise ValueError("the JSON object is not closed: the answer was cut off")


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not a number")
