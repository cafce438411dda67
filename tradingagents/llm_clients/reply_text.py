"""Reading what models write: without their thoughts, and the JSON object in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from tradingagents.json_text import parse_json

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OPENING_LOST = re.compile(r"\A.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""Some chat templates put the opening tag into the prompt, so that the reply holds only the closing one."""
_NEVER_CLOSED = re.compile(r"\A\s*<think(?:ing)?>.*\Z", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*[ \t]*\n(.*?)```", re.DOTALL)


def without_thoughts(text: str) -> str:
    """Return a reply without the thoughts a reasoning model wrote into it; empty when it never got beyond them."""
    for pattern in (_THOUGHTS, _OPENING_LOST, _NEVER_CLOSED):
        text = pattern.sub("", text)
    return text.strip()


def json_object(text: str) -> dict[str, Any]:
    """Return the JSON object a reply consists of or holds: bare, after thoughts, in a code fence, or amid prose.

    Raises:
        ValueError: There is none, or it cannot be read; says where it breaks.
    """
    broken: ValueError | None = None
    for candidate in _candidates(text):
        try:
            value = parse_json(candidate, parse_constant=_refuse)
        except ValueError as error:
            broken = error
            continue
        if isinstance(value, dict):
            return value
        broken = broken or ValueError(f"expected a JSON object, not {type(value).__name__}")
    raise broken or ValueError("the answer holds no JSON object")


def _candidates(text: str) -> Iterator[str]:
    """Yield ever more trimmed readings of a reply; the last is from the first brace to the last."""
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
