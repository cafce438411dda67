"""The hash of a model request: equal for equal model, parameters, conversation and tools."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.runnables import Runnable
from pydantic import SecretStr
from pydantic.fields import FieldInfo

from tradingagents.llm_clients.estimate import bound_to
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


def request_hash(model: Runnable[Any, Any], messages: Sequence[BaseMessage]) -> str:
    """Return the SHA-256 of a request, in hexadecimal digits.

    It covers the model's provider, name and address, its parameters, its bound arguments (tools, the forced tool, the
    response format), and the messages in order: roles, texts, tool calls, tool results. It excludes keys, time limits,
    retries and streaming.

    Args:
        model: A chat model, with or without bound tools.
        messages: The conversation.

    Raises:
        TypeError: It isn't a chat model, or contains a value that JSON can't represent unambiguously.
    """
    # In the order in which it is sent: a model reads a schema's fields in order.
    return hashlib.sha256(json.dumps(described_request(model, messages)).encode()).hexdigest()


def described_request(model: Runnable[Any, Any], messages: Sequence[BaseMessage]) -> dict[str, Any]:
    """Return what the hash of a request covers, as JSON.

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
