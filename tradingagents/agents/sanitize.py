"""Cleans model replies so that files, later prompts and terminals can hold them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator

from langchain_core.messages import AIMessage

from tradingagents.files.redaction import KnownSecrets

_TEXTS = ("content", "tool_calls", "invalid_tool_calls", "additional_kwargs", "response_metadata")

_SURROGATE = re.compile("[\ud800-\udfff]")


def encodable(reply: AIMessage) -> AIMessage:
    """Return a reply without lone surrogates, which some models send and no encoding can represent.

    Two halves of a pair, split by streaming, become their character; a lone one becomes U+FFFD.
    """
    called = (json.dumps(calls, ensure_ascii=False) for calls in (reply.tool_calls, reply.invalid_tool_calls) if calls)
    if not any(map(_is_broken, (reply.text, *called))):
        return reply
    calls = [
        {**call, "args": json.loads(_mended(json.dumps(call["args"], ensure_ascii=False)))} for call in reply.tool_calls
    ]
    broken = [{**call, "args": _mended(call["args"] or "")} for call in reply.invalid_tool_calls]
    return reply.model_copy(update={"content": _mended(reply.text), "tool_calls": calls, "invalid_tool_calls": broken})


def without_secrets(reply: AIMessage, secrets: KnownSecrets) -> AIMessage:
    """Return a reply without this process's keys and passwords, which a server may echo."""
    update = {name: plain for name in _TEXTS if (plain := secrets.value(getattr(reply, name))) != getattr(reply, name)}
    return reply.model_copy(update=update) if update else reply


def _is_broken(text: str) -> bool:
    """Tell whether a text has a lone surrogate; text in ASCII, which Python knows of a string, has none."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def _mended(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def with_call_ids(reply: AIMessage, position: int) -> AIMessage:
    """Return a reply whose tool calls have unique ids: some local servers send none, or the same for all.

    Args:
        reply: A model's reply.
        position: Number of earlier messages, so that no two replies get the same ids.
    """
    calls = (*reply.tool_calls, *reply.invalid_tool_calls)
    ids = [call["id"] for call in calls]
    if all(ids) and len(set(ids)) == len(ids):
        return reply
    fresh = _fresh_ids(reply, position)
    return reply.model_copy(
        update={
            "tool_calls": [{**call, "id": next(fresh)} for call in reply.tool_calls],
            "invalid_tool_calls": [{**call, "id": next(fresh)} for call in reply.invalid_tool_calls],
        }
    )


def _fresh_ids(reply: AIMessage, position: int) -> Iterator[str]:
    """Yield ids that depend on position and content only, so that a replay finds the replies."""
    for number, call in enumerate((*reply.tool_calls, *reply.invalid_tool_calls)):
        said = json.dumps([position, number, call["name"], call["args"]], default=str)
        yield f"call_{hashlib.sha256(said.encode()).hexdigest()[:24]}"
