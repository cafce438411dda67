"""Normalize replies for storage: bounded length, valid usage, plain values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, cast

from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata

from tradingagents.files.json_text import DEEPEST, is_too_deep
from tradingagents.llm_clients.meter import MOST_TOKENS

CUT = "length"
"""Finish reason by which OpenAI-compatible servers report that a reply reached its limit."""
_LARGEST = 2**63 - 1
"""Maximum integer that a checkpoint can store."""


def portable(reply: AIMessage, longest: int | None = None) -> AIMessage:
    """Return a reply that can be stored and counted.

    A reply longer than `longest` characters is cut and marked as one that reached its length limit. Implausible usage
    is removed, so that it counts as not reported.

    Args:
        reply: The client's reply.
        longest: Maximum number of characters of text and tool calls together; None for no limit.
    """
    update: dict[str, Any] = {
        name: plain
        for name in ("content", "tool_calls", "invalid_tool_calls", "additional_kwargs", "response_metadata")
        if (held := getattr(reply, name)) and type(held) is not str and (plain := _plain(held)) is not held
    }
    if reply.usage_metadata is not None and not is_usage(reply.usage_metadata):
        update["usage_metadata"] = None
    if longest is not None and _length(reply) > longest:
        update |= _cut(reply, longest, update.get("response_metadata", reply.response_metadata))
    return reply.model_copy(update=update) if update else reply


def is_usage(usage: UsageMetadata | Mapping[str, Any]) -> bool:
    """Whether a server's token count is plausible."""
    details = usage.get("input_token_details") or {}
    counts = [usage.get("input_tokens"), usage.get("output_tokens")]
    cached = details.get("cache_read") if isinstance(details, Mapping) else None
    if not all(map(_is_count, counts)) or not (cached is None or _is_count(cached)):
        return False
    return int(cached or 0) <= cast(int, counts[0])


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def _length(reply: AIMessage) -> int:
    calls = [*(call["args"] for call in reply.tool_calls), *(call["args"] for call in reply.invalid_tool_calls)]
    return len(reply.text) + sum(len(str(arguments)) for arguments in calls)


def _cut(reply: AIMessage, longest: int, metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields to change in a reply that is cut: its tool calls, which may be incomplete, are removed."""
    kept = {name: value for name, value in metadata.items() if name not in ("stop_reason", "done_reason", "status")}
    return {
        "content": reply.text[:longest],
        "tool_calls": [],
        "invalid_tool_calls": [],
        "additional_kwargs": {},
        "response_metadata": {**kept, "finish_reason": CUT},
    }


def _plain(value: Any) -> Any:
    """Return a value without integers too large to store and nesting too deep to traverse."""
    if _is_plain(value, DEEPEST):  # nearly all
        return value
    if isinstance(value, (dict, list)) and is_too_deep(value):
        return type(value)()
    return _without_huge(value)


def _is_plain(value: Any, levels: int) -> bool:
    """Return whether a value can be stored as it is, with at most `levels` of lists and objects."""
    kind = type(value)
    if kind is str or value is None or kind is float or kind is bool:
        return True
    if kind is int:
        return bool(-_LARGEST <= value <= _LARGEST)
    if levels == 0 or (kind is not dict and kind is not list):
        return False
    return all(_is_plain(part, levels - 1) for part in (value.values() if kind is dict else value))


def _without_huge(value: Any) -> Any:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _LARGEST:
        return float(value) if abs(value) < 10**300 else math.copysign(1e300, value)
    if isinstance(value, dict):
        changed = {name: _without_huge(one) for name, one in value.items()}
        return changed if any(changed[name] is not value[name] for name in changed) else value
    if isinstance(value, list):
        items = [_without_huge(one) for one in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value
