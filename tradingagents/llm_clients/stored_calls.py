"""How a model call is stored: under the hash of its request, with its reply in plain values of bounded size."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, cast

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.messages.ai import UsageMetadata
from langchain_core.runnables import Runnable
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from tradingagents.files.json_text import DEEPEST, is_too_deep
from tradingagents.llm_clients.expected_cost import bound_to
from tradingagents.llm_clients.meter import MOST_TOKENS
from tradingagents.llm_clients.servers import address_of, server_of, unbound

FORMAT = 1
"""Version of the hash. Raise it when `call_model` reads replies differently: earlier replies are then no longer found.
"""
CHANGES_NO_ANSWER = frozenset(
    (
        # hashed separately as provider, model and address
        *("model", "model_name", "openai_api_base", "anthropic_api_url", "base_url"),
        # connections, time limits and rate limits
        *("client", "async_client", "root_client", "root_async_client", "http_client", "http_async_client"),
        *("http_socket_options", "client_kwargs", "async_client_kwargs", "sync_client_kwargs", "transport"),
        *("openai_proxy", "anthropic_proxy", "request_timeout", "default_request_timeout", "timeout"),
        *("max_retries", "rate_limiter", "stream_chunk_timeout", "keep_alive", "validate_model_on_init"),
        # billing
        *("openai_organization", "credentials", "project", "location"),
        # streaming
        *("streaming", "stream_usage", "disable_streaming", "include_response_headers"),
        # LangChain's side effects
        *("cache", "callbacks", "custom_get_token_ids", "metadata", "name", "profile", "tags", "tiktoken_model_name"),
        "verbose",
    )
)
"""Fields of chat models that aren't part of the request. Any other field is hashed: at worst a model is called again
without need."""


def request_hash(model: Runnable[Any, Any], messages: Sequence[BaseMessage], ask: int = 0) -> str:
    """Return the SHA-256 of a request, in hexadecimal digits.

    It covers the model's provider, name and address, its parameters, its bound arguments (tools, the forced tool, the
    response format), and the messages in order: roles, texts, tool calls, tool results. It excludes keys, time limits,
    retries and streaming.

    Args:
        model: A chat model, with or without bound tools.
        messages: The conversation.
        ask: How often the same has been asked before, where each answer counts: every ask has a hash of its own.

    Raises:
        TypeError: It isn't a chat model, or contains a value that JSON can't represent unambiguously.
    """
    # In the order in which it is sent: a model reads a schema's fields in order.
    return hashlib.sha256(json.dumps(described_request(model, messages, ask)).encode()).hexdigest()


def described_request(model: Runnable[Any, Any], messages: Sequence[BaseMessage], ask: int = 0) -> dict[str, Any]:
    """Return what the hash of a request covers, as JSON; arguments as for `request_hash`.

    Raises:
        TypeError: It isn't a chat model.
    """
    server = server_of(model)
    return {
        "format": FORMAT,
        "server": [server.provider, server.model, address_of(model)],
        "parameters": _parameters(unbound(model)),
        "bound": bound_to(model),
        "messages": [_said(message) for message in messages],
        **({"ask": ask} if ask else {}),
    }


def _parameters(model: BaseChatModel) -> dict[str, Any]:
    """Return the fields that differ from their defaults, so that a new field of a client changes no hash."""
    found, held = {}, vars(model)
    for name, default, make in _fields(type(model)):
        value = held[name]
        if isinstance(value, SecretStr):
            continue
        if value != (default if make is None else make()):  # made anew: it may read the environment
            found[name] = value
    return found


@lru_cache(maxsize=32)
def _fields(kind: type[BaseChatModel]) -> tuple[tuple[str, Any, Callable[[], Any] | None], ...]:
    """Return the fields that are hashed, sorted, with their defaults; with what makes the default where it is made."""
    fields = ((name, one) for name, one in sorted(kind.model_fields.items()) if name not in CHANGES_NO_ANSWER)
    return tuple((name, one.get_default(), _maker(one)) for name, one in fields)


def _maker(field: FieldInfo) -> Callable[[], Any] | None:
    """Return what makes a field's default; None where it is a value."""
    factory: Any = field.default_factory
    # Asking pydantic for a default looks at the signature of its factory each time.
    return partial(factory, {}) if factory is not None and field.default_factory_takes_validated_data else factory


def _said(message: BaseMessage) -> Mapping[str, Any]:
    """Return the parts of a message that reach a server."""
    said: dict[str, Any] = {"role": message.type, "content": message.content, "more": message.additional_kwargs}
    if isinstance(message, AIMessage):
        # A call with unreadable arguments is shown to the model unchanged, without the parser's message.
        broken = [(call["id"], call["name"], call["args"]) for call in message.invalid_tool_calls]
        said |= {"calls": [(call["id"], call["name"], call["args"]) for call in message.tool_calls], "broken": broken}
    if isinstance(message, ToolMessage):
        said |= {"answers": message.tool_call_id, "status": message.status}
    return said


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
    return int(cached or 0) <= cast("int", counts[0])


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
        changed = {name: _without_huge(part) for name, part in value.items()}
        return changed if any(changed[name] is not value[name] for name in changed) else value
    if isinstance(value, list):
        items = [_without_huge(part) for part in value]
        return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
    return value
