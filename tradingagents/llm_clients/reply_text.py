"""What a model's reply says: its text without thoughts, its JSON object, how it ended, what is mended or refused."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from langchain_core.messages import AIMessage
from pydantic import BaseModel

from tradingagents.files.json_text import is_too_deep, parse_json

GARBLED = (ValueError, TypeError, LookupError, AttributeError)
"""Builtin exceptions that client libraries raise for a malformed answer."""


class NotACompletion(Exception):
    """The server's answer isn't a chat completion."""


class EmptyCompletion(Exception):
    """The server's answer is a chat completion without a reply; the text says what it has instead."""


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


Ending = Literal["whole", "cut", "censored"]

CUT = frozenset(
    {
        "length",  # OpenAI, Ollama, and most servers that speak OpenAI's language
        "max_tokens",  # Anthropic, Google
        "max_output_tokens",  # OpenAI's Responses API
        "model_context_window_exceeded",  # Anthropic
        "model_length",  # Mistral
    }
)
CENSORED = frozenset(
    {
        "content_filter",  # OpenAI and its Responses API, Azure
        "refusal",  # Anthropic
        "safety",  # Google, and all below
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
        "image_safety",
        "language",
    }
)
_REASONS = ("finish_reason", "stop_reason", "done_reason")
"""Metadata keys of the finish reason: OpenAI and Google, Anthropic, Ollama."""


def ending(reply: AIMessage) -> Ending:
    """Return how a reply ended, streamed or not; "complete" if its server doesn't report a reason."""
    reasons = set(_reasons(reply))
    if reasons & CENSORED:
        return "censored"
    return "cut" if reasons & CUT else "whole"


def _reasons(reply: AIMessage) -> Iterator[str]:
    said = reply.response_metadata
    for name in _REASONS:
        yield _word(said.get(name))
    details = said.get("incomplete_details")  # OpenAI's Responses API
    if isinstance(details, dict):
        yield _word(details.get("reason"))
    feedback = said.get("prompt_feedback")  # Google, if it refused the prompt
    if isinstance(feedback, dict) and feedback.get("block_reason"):
        yield "safety"
    if reply.additional_kwargs.get("refusal"):
        yield "refusal"


def _word(reason: Any) -> str:
    """Return a reason in lower case, once: a server that repeats it in two chunks of a stream doubles it."""
    word = str(reason or "").lower().rpartition(".")[2]
    half = word[: len(word) // 2]
    return half if half and word == half + half else word


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
        model = next(
            (part for part in _alternatives(kind) if isinstance(part, type) and issubclass(part, BaseModel)), None
        )
        return tidied(model, value) if model else value
    if isinstance(value, list):
        item = next((get_args(part)[0] for part in _alternatives(kind) if get_origin(part) in (list, tuple, set)), None)
        return value if item is None else [_tidy(item, one) for one in value if not _is_null(one)]
    return value


def _is_null(value: Any) -> bool:
    return value is None or (isinstance(value, str) and value.strip().lower() in NULLS)


def _has_default(schema: type[BaseModel], key: str) -> bool:
    return key in schema.model_fields and not schema.model_fields[key].is_required()


def _choice(kind: Any, text: str) -> str:
    """Return the declared spelling of a choice that differs only in case or surrounding space."""
    for alternative in _alternatives(kind):
        if get_origin(alternative) is Literal:
            spelled = {choice.lower(): choice for choice in get_args(alternative) if isinstance(choice, str)}
            return spelled.get(text.strip().lower(), text)
    return text


@lru_cache(maxsize=256)
def _alternatives(kind: Any) -> tuple[Any, ...]:
    """Return the types a value may have: the members of a union, with `Annotated` unwrapped."""
    parts = get_args(kind) if get_origin(kind) in (Union, types.UnionType) else (kind,)
    return tuple(get_args(part)[0] if get_origin(part) is Annotated else part for part in parts)


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
