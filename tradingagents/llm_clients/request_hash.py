"""The hash of a request to a model: equal for equal model, parameters, conversation and tools."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.runnables import Runnable
from pydantic import SecretStr

from tradingagents.llm_clients.estimate import bound_to
from tradingagents.llm_clients.servers import address_of, server_of, unbound

FORMAT = 1
"""Of what is hashed. Raise it when `call_model` reads replies in another way: those kept before are then not found."""
CHANGES_NO_ANSWER = frozenset(
    (
        # who is asked stands in the hash by provider, model and address
        *("model", "model_name", "openai_api_base", "anthropic_api_url", "base_url"),
        # connections, patience and limits
        *("client", "async_client", "root_client", "root_async_client", "http_client", "http_async_client"),
        *("http_socket_options", "client_kwargs", "async_client_kwargs", "sync_client_kwargs", "transport"),
        *("openai_proxy", "anthropic_proxy", "request_timeout", "default_request_timeout", "timeout"),
        *("max_retries", "rate_limiter", "stream_chunk_timeout", "keep_alive", "validate_model_on_init"),
        # who pays
        *("openai_organization", "credentials", "project", "location"),
        # how the answer arrives
        *("streaming", "stream_usage", "disable_streaming", "include_response_headers"),
        # what LangChain does on the side
        *("cache", "callbacks", "custom_get_token_ids", "metadata", "name", "profile", "tags", "tiktoken_model_name"),
        "verbose",
    )
)
"""Fields of chat models that are no part of the question. A field that is not named here is one: at worst a model is
asked again without need."""


def request_hash(model: Runnable[Any, Any], messages: Sequence[BaseMessage]) -> str:
    """Return the SHA-256, in hexadecimal digits, of a request.

    It stands on the model's provider, name and address, its parameters, what it is bound to (tools, the forced tool,
    the form of the answer), and the messages: roles, texts, tool calls, tool results, in their order. It does not stand
    on keys, time limits and retries, nor on whether the answer is streamed.

    Args:
        model: A chat model, bound to tools or not.
        messages: The conversation.

    Raises:
        TypeError: There is no chat model in it, or something that JSON cannot tell apart from something else.
    """
    server = server_of(model)
    asked = {
        "format": FORMAT,
        "server": [server.provider, server.model, address_of(model)],
        "parameters": _parameters(unbound(model)),
        "bound": bound_to(model),
        "messages": [_said(message) for message in messages],
    }
    # In the order in which it is sent: a model reads a schema's fields in their order.
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()


def _parameters(model: BaseChatModel) -> dict[str, Any]:
    """Return the fields that differ from their defaults: one that a new version of a client adds changes nothing."""
    fields = {name: field for name, field in sorted(type(model).model_fields.items()) if name not in CHANGES_NO_ANSWER}
    given = {name: getattr(model, name) for name in fields}
    return {
        name: value
        for name, value in given.items()
        if not isinstance(value, SecretStr)
        and value != fields[name].get_default(call_default_factory=True, validated_data={})
    }


def _said(message: BaseMessage) -> Mapping[str, Any]:
    """Return what of a message reaches a server."""
    said: dict[str, Any] = {"role": message.type, "content": message.content, "more": message.additional_kwargs}
    if isinstance(message, AIMessage):
        # One whose arguments cannot be read is shown to the model as it is; the parser's words on it are not.
        broken = [(call["id"], call["name"], call["args"]) for call in message.invalid_tool_calls]
        said |= {"calls": [(call["id"], call["name"], call["args"]) for call in message.tool_calls], "broken": broken}
    if isinstance(message, ToolMessage):
        said |= {"answers": message.tool_call_id, "status": message.status}
    return said
