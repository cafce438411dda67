"""Whether a text is its instruction given back: a model held to a schema may fill it in with the schema's own words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

COPIED = 0.6
"""A text is copied if this share of its runs of three words stands in the instruction.

Own sentences about the same matter share a tenth; a description with two words changed shares eight of ten.
"""
DISTINCT = 0.6
"""A text repeats itself if at most this share of its runs of three words is distinct; in own sentences most are."""
_WORD = re.compile(r"\w+")
_RUN = 3
_FEW_RUNS = 6
"""With fewer runs a text is too short to be judged by them."""


def is_copied(text: str, instructions: Iterable[str]) -> bool:
    """Tell whether a text mostly consists of word runs of the instructions, whatever case and punctuation they have."""
    own = _runs(text)
    known = {run for instruction in instructions for run in _runs(instruction)}
    return bool(own) and sum(run in known for run in own) >= COPIED * len(own)


def is_repetition(text: str) -> bool:
    """Tell whether a text says the same words over and over, as a weak model does that is held to a schema."""
    own = _runs(text)
    return len(own) >= _FEW_RUNS and len(set(own)) <= DISTINCT * len(own)


@lru_cache(maxsize=64)
def descriptions(schema: type[BaseModel]) -> tuple[str, ...]:
    """Return every description in the JSON schema of a class, as a model is shown them."""
    return tuple(_descriptions(schema.model_json_schema()))


def _descriptions(node: Any) -> Iterator[str]:
    if isinstance(node, Mapping):
        if isinstance(said := node.get("description"), str):
            yield said
        for part in node.values():
            yield from _descriptions(part)
    elif isinstance(node, list):
        for part in node:
            yield from _descriptions(part)


@lru_cache(maxsize=256)
def _runs(text: str) -> tuple[tuple[str, ...], ...]:
    """Return each run of three words of a text."""
    words = _WORD.findall(text.lower())
    return tuple(zip(*(words[at:] for at in range(_RUN)), strict=False))
