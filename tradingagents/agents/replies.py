"""Replies as the rest of the run can carry them: in files, in later prompts, on a terminal."""

from __future__ import annotations

import json
import re

from langchain_core.messages import AIMessage

from tradingagents.redaction import KnownSecrets

_TEXTS = ("content", "tool_calls", "invalid_tool_calls", "additional_kwargs", "response_metadata")

_SURROGATE = re.compile("[\ud800-\udfff]")


def encodable(reply: AIMessage) -> AIMessage:
    """Return a reply without halves of surrogate pairs, which models do send and which no encoding has.

    Two halves that belong together, as streamed pieces leave them, become the character; a lone one becomes U+FFFD.
    """
    written = (
        reply.text,
        *(json.dumps(calls, ensure_ascii=False) for calls in (reply.tool_calls, reply.invalid_tool_calls)),
    )
    if not any(map(_SURROGATE.search, written)):
        return reply
    calls = [
        {**call, "args": json.loads(_mended(json.dumps(call["args"], ensure_ascii=False)))} for call in reply.tool_calls
    ]
    broken = [{**call, "args": _mended(call["args"] or "")} for call in reply.invalid_tool_calls]
    return reply.model_copy(update={"content": _mended(reply.text), "tool_calls": calls, "invalid_tool_calls": broken})


def without_secrets(reply: AIMessage, secrets: KnownSecrets) -> AIMessage:
    """Return a reply without the keys and passwords of this process, which a server may quote back."""
    update = {name: plain for name in _TEXTS if (plain := secrets.value(getattr(reply, name))) != getattr(reply, name)}
    return reply.model_copy(update=update) if update else reply


def _mended(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
