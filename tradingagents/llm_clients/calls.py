"""Send one request to a model, streamed or not, and convert failures to typed errors with a way out.

Retries are made in `retry`.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from datetime import datetime
from email.utils import parsedate_to_datetime
from json import JSONDecodeError
from typing import Any, cast

import httpx
from langchain_core.exceptions import (
    ContextOverflowError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelError,
    ModelNotFoundError,
    ModelPermissionDeniedError,
    ModelRateLimitError,
    ModelTimeoutError,
)
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    BaseMessage,
    convert_to_openai_messages,
    message_chunk_to_message,
)
from langchain_core.messages.ai import add_ai_message_chunks
from langchain_core.messages.tool import invalid_tool_call, tool_call
from langchain_core.runnables import Runnable

from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.llm_clients.model_profile import REASONED
from tradingagents.llm_clients.reply_text import GARBLED, EmptyCompletion, NotACompletion, strict_json, without_thoughts
from tradingagents.llm_clients.servers import RedirectRefused, Server, host_of, server_of, unbound, without_secrets
from tradingagents.llm_clients.stored_calls import CUT, portable

PROVIDER_PACKAGES = frozenset(
    {
        *("openai", "anthropic", "google", "langchain_google_genai", "ollama"),
        *("httpx", "httpx2", "httpcore", "httpcore2", "aiohttp"),
    }
)
"""Modules whose provider exceptions LangChain doesn't classify."""
TELL_THE_END = frozenset({"openai", "openai_compatible"})
"""Providers whose streams end with a finish reason or with the usage. A stream without either was truncated, for
example by a proxy that closed the connection regularly."""
ENDS = frozenset({"finish_reason", "status"})
"""Metadata keys of the finish reason: in chat completions, and in the Responses API."""
OVERFLOW_WORDS = (
    *("context_length_exceeded", "maximum context length", "context length exceeded", "exceeds the context"),
    *("exceed context", "exceeds the available context", "prompt is too long", "input is too long", "too many tokens"),
)
"""What servers whose errors LangChain doesn't classify say of a prompt that is too long."""
LIMIT_WORDS = ("max_tokens", "max_completion_tokens", "max_output_tokens", "in the completion")
"""What a server's error says that is about the limit of the reply."""
NO_CHUNKS = "No generation chunks were returned"
QUOTE_CHARS = 200
THOUGHTS = frozenset({"reasoning_content", "reasoning", "reasoning_details"})
"""Further parts of a message in which servers tell the model's reasoning."""
LET_OTHERS_RUN = 64
"""Number of stream chunks after which the event loop runs other tasks."""
MAX_PIECES = 200_000
"""Maximum number of stream chunks, empty ones included; a longer stream counts as cut."""


class RequestRefused(ModelFailure):
    """The server refuses the request's format (HTTP 400, 422) and may accept another one."""

    names_limit = False
    """Whether it names the limit of the reply as the reason."""


class PromptTooLong(ModelFailure):
    """The conversation does not fit into the model's context; a shorter one may."""

    names_limit = False
    """Whether the server counts the limit of the reply as part of what has to fit."""


async def call_model(
    llm: Runnable[LanguageModelInput, BaseMessage],
    messages: Sequence[BaseMessage],
    *,
    on_token: Callable[[str], None] | None = None,
    seconds: float | None = None,
    longest: int | None = None,
) -> AIMessage:
    """Send one request and return the reply, without the thoughts that some models write into the text.

    Args:
        llm: The model, with or without tools.
        messages: The conversation.
        on_token: Receives the text as it arrives; None: don't stream.
        seconds: Maximum time for the whole reply; None leaves it to the client's own time limits, which never apply
            while a server sends a byte now and then.
        longest: Maximum number of characters; a longer reply is cut and counts as one that reached its length limit.
            None: no limit.

    Raises:
        ModelUnreachable: No answer, or the key, URL or model name is refused.
        RequestRefused: The request's format is refused.
        PromptTooLong: The conversation does not fit into the model's context.
        ModelFailure: Any other failure of the provider.
    """
    limit = asyncio.timeout(seconds)
    pace = _Pace(seconds, longest)
    try:
        async with limit:
            reply = await (
                llm.ainvoke(list(messages)) if on_token is None else _streamed(llm, messages, on_token, pace)
            )
    except Exception as error:
        if limit.expired() or isinstance(error, _OutOfTime):
            raise _too_slow(server_of(llm)) from None
        if isinstance(error, RecursionError):
            raise ModelFailure(f"{server_of(llm).host} sent a reply that is nested too deeply; run again.") from None
        failure = _translated(error, llm, messages)
        if failure is None:
            raise
        # `from None`: a chained exception would show the key in tracebacks if the server quoted it.
        clean = all(without_secrets(str(cause), llm) == str(cause) for cause in _chain(error))
        raise failure from (error if clean else None)
    if isinstance(reply, BaseMessage) and not isinstance(reply, AIMessage):
        raise ModelFailure(f"{server_of(llm).host} answered as {reply.type}, not as the model; use another server.")
    if not isinstance(reply, AIMessage):
        raise TypeError(f"a chat model answers with an AIMessage, not {type(reply).__name__}")
    return portable(_without_thoughts(reply), longest)


class _OutOfTime(Exception):
    """A stream exceeded its time limit while the event loop had no chance to interrupt it."""


class _Pace:
    """The limits of one stream, checked per chunk: a fast stream never lets the event loop's timeout run."""

    def __init__(self, seconds: float | None, longest: int | None) -> None:
        self._latest = time.monotonic() + seconds if seconds is not None else math.inf
        self._longest = longest if longest is not None else math.inf
        self._length, self._pieces = 0, 0

    async def took(self, chunk: AIMessageChunk) -> bool:
        """Add a chunk; return whether the reply exceeds its length limit. Raises _OutOfTime."""
        self._pieces += 1
        self._length += len(chunk.text) + sum(len(call["args"] or "") for call in chunk.tool_call_chunks)
        if time.monotonic() > self._latest:
            raise _OutOfTime
        if self._pieces % LET_OTHERS_RUN == 0:
            await asyncio.sleep(0)
        return self._length > self._longest or self._pieces > MAX_PIECES


async def _streamed(
    llm: Runnable[LanguageModelInput, BaseMessage],
    messages: Sequence[BaseMessage],
    on_token: Callable[[str], None],
    pace: _Pace,
) -> BaseMessage:
    chunks: list[AIMessageChunk] = []
    cut = False
    async with aclosing(cast("AsyncGenerator[BaseMessage]", llm.astream(list(messages)))) as pieces:
        async for chunk in pieces:
            if not isinstance(chunk, AIMessageChunk):
                return chunk  # a model without streaming returns the whole reply
            chunks.append(chunk)
            if text := chunk.text:
                on_token(text)
            if cut := await pace.took(chunk):
                break
    whole = add_ai_message_chunks(*chunks)
    if cut:
        metadata = {**whole.response_metadata, "finish_reason": CUT}
        return AIMessage(whole.text, response_metadata=metadata, id=whole.id)
    ended = whole.response_metadata.keys() & ENDS or whole.usage_metadata is not None
    if server_of(llm).provider in TELL_THE_END and not ended:
        raise ConnectionResetError("the stream ended before the reply did")
    return _settled(whole)


def _settled(whole: AIMessageChunk) -> BaseMessage:
    """Return the finished message; a tool call with truncated arguments is marked invalid, never guessed."""
    message = message_chunk_to_message(whole)
    if isinstance(message, AIMessage) and whole.tool_call_chunks:
        message.tool_calls, message.invalid_tool_calls = [], []
        for chunk in whole.tool_call_chunks:
            arguments, problem = _arguments(chunk["args"] or "{}")
            if problem or not chunk["name"]:
                broken = invalid_tool_call(name=chunk["name"], args=chunk["args"], id=chunk["id"], error=problem)
                message.invalid_tool_calls.append(broken)
            else:
                message.tool_calls.append(tool_call(name=chunk["name"], args=arguments, id=chunk["id"]))
    return message


def _arguments(text: str) -> tuple[dict[str, Any], str | None]:
    """Return a call's arguments, or the reason why they are invalid."""
    try:
        value = strict_json(text)
    except ValueError as error:
        return {}, str(error)
    return (value, None) if isinstance(value, dict) else ({}, "not a JSON object")


def _without_thoughts(reply: AIMessage) -> AIMessage:
    """Return a reply without its reasoning, marked as one that has some.

    A turn with tool calls keeps what its server told beside the text: some servers want it back with the results.
    """
    update: dict[str, Any] = {}
    if isinstance(reply.content, str) and "think" in reply.content:
        update["content"] = without_thoughts(reply.content)
    told = THOUGHTS & reply.additional_kwargs.keys()
    if told and not (reply.tool_calls or reply.invalid_tool_calls):
        update["additional_kwargs"] = {key: one for key, one in reply.additional_kwargs.items() if key not in told}
    if told or update.get("content", reply.content) != reply.content:
        update["response_metadata"] = {**reply.response_metadata, REASONED: True}
    return reply.model_copy(update=update) if update else reply


# Errors


def _translated(error: Exception, llm: Runnable[Any, Any], messages: Sequence[BaseMessage]) -> ModelFailure | None:
    """Return the typed error for a provider's exception; None for a bug."""
    if isinstance(error, EmptyCompletion):
        return ModelFailure(
            f"{server_of(llm).host} answered without a reply: {error}. Run again, or see the server's log.",
            may_pass=True,
        )
    if _not_a_completion(error, llm, messages):
        host = server_of(llm).host
        return ModelUnreachable(
            f"What answers at {host} does not speak chat completions; check backend_url: most URLs end in /v1.",
            may_pass=True,
        )
    if not _from_provider(error):
        return None
    server, said = server_of(llm), _quoted(error, llm)
    return _lost(error, server) or _refused(error, server) or _failed(error, server, said)


def _from_provider(error: Exception) -> bool:
    return isinstance(error, (ModelError, ConnectionError, TimeoutError)) or any(
        ancestor.__module__.partition(".")[0] in PROVIDER_PACKAGES for ancestor in type(error).__mro__
    )


def _not_a_completion(error: Exception, llm: Runnable[Any, Any], messages: Sequence[BaseMessage]) -> bool:
    """Whether an answer isn't a chat completion, or contains no reply."""
    if isinstance(error, NotACompletion):
        return True
    if isinstance(error, ModelError) or not isinstance(error, GARBLED):
        return False
    if isinstance(error, JSONDecodeError) or str(error) == NO_CHUNKS:
        return True
    # A ChatOpenAI created by a user raises builtin exceptions for such an answer, and for a request it can't serialize.
    return type(unbound(llm)).__module__.startswith("langchain_openai.") and _is_writable(messages)


def _is_writable(messages: Sequence[BaseMessage]) -> bool:
    try:
        convert_to_openai_messages(messages)
    except GARBLED:
        return False
    return True


def _lost(error: Exception, server: Server) -> ModelFailure | None:
    """Return the error for a server that doesn't answer or breaks the connection."""
    causes = list(_chain(error))
    if refused := next((cause for cause in causes if isinstance(cause, RedirectRefused)), None):
        return _redirected(server, refused.host)
    # Check aiohttp's own exceptions first: its bridge to httpx turns every lost connection into a timeout.
    if _any(causes, ("ClientConnectorError", "ConnectError")):
        return _nobody_there(server)
    if _any(causes, ("ClientResponseError",)):
        return ModelFailure(
            f"{server.host} sent an HTTP answer that cannot be read; run again, or check what answers there.",
            may_pass=True,
        )
    if _any(causes, ("ServerDisconnectedError", "ClientOSError", "ClientPayloadError")):
        return _broken_off(server)
    if _any(causes, ("ReadTimeout", "WriteTimeout", "PoolTimeout")) or isinstance(error, ModelTimeoutError):
        return _too_slow(server)
    if _any(causes, ("RemoteProtocolError", "ReadError", "WriteError", "ConnectionResetError")):
        return _broken_off(server)
    if _any(causes, ("ConnectTimeout",)) or isinstance(error, (ConnectionError, TimeoutError)):
        return _nobody_there(server)
    return None


def _redirected(server: Server, host: str) -> ModelFailure:
    return ModelUnreachable(
        f"{server.host} redirects requests to {host}, which is not asked: prompts and keys go to the named server "
        "only; if that server is yours, name it with backend_url."
    )


def _nobody_there(server: Server) -> ModelFailure:
    return ModelUnreachable(f"No model server answers at {server.host}; {_how_to_reach(server)}", may_pass=True)


def _too_slow(server: Server) -> ModelFailure:
    return ModelUnreachable(
        f"{server.host} did not answer in time; raise TRADINGAGENTS_LLM_TIMEOUT, or use a faster model.", may_pass=True
    )


def _broken_off(server: Server) -> ModelFailure:
    return ModelFailure(
        f"{server.host} broke the connection in the middle of a reply of {server.model}; run again, or name another.",
        may_pass=True,
    )


def _how_to_reach(server: Server) -> str:
    if server.provider == "ollama":
        return "start it with `ollama serve`, or say where it runs with OLLAMA_HOST or backend_url."
    if server.provider == "openai_compatible":
        return "start it, or say where it runs with backend_url."
    return "check the network; llm_provider='offline' works without."


def _refused(error: Exception, server: Server) -> ModelFailure | None:
    """Return the error for a server that redirects, or refuses the key or the model's name."""
    status, key = _status(error), server.key
    if status is not None and status // 100 == 3:
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        return _redirected(server, host_of(str(headers.get("Location") or "another address")))
    if isinstance(error, ModelAuthenticationError) or status == httpx.codes.UNAUTHORIZED:
        return ModelUnreachable(f"{server.host} refuses the API key; check {key}.")
    if isinstance(error, ModelPermissionDeniedError) or status == httpx.codes.FORBIDDEN:
        return ModelUnreachable(
            f"{server.host} does not let this key use {server.model}; check {key}, or name another model with "
            "quick_think_llm, mid_think_llm or deep_think_llm."
        )
    if isinstance(error, ModelNotFoundError) or status == httpx.codes.NOT_FOUND:
        if server.provider == "ollama":
            return ModelUnreachable(f"Ollama at {server.host} has no {server.model}; `ollama pull {server.model}`.")
        return ModelUnreachable(
            f"{server.host} does not know the model {server.model}; check quick_think_llm, mid_think_llm and "
            "deep_think_llm, and that backend_url is right: most URLs end in /v1."
        )
    return None


def _failed(error: Exception, server: Server, said: str) -> ModelFailure:
    status = _status(error)
    if isinstance(error, ContextOverflowError) or status == httpx.codes.REQUEST_ENTITY_TOO_LARGE:
        return _too_long(server, error, said)
    if isinstance(error, ModelRateLimitError) or status == httpx.codes.TOO_MANY_REQUESTS:
        return ModelFailure(
            f"{server.host} refuses further calls for now: {said}; wait, lower max_concurrent_pipelines, or check the "
            "account's quota.",
            may_pass=getattr(error, "code", None) != "insufficient_quota",
            retry_after=_asked_to_wait(error),
        )
    if status in (httpx.codes.BAD_REQUEST, httpx.codes.UNPROCESSABLE_ENTITY):
        if any(words in str(error).lower() for words in OVERFLOW_WORDS):
            return _too_long(server, error, said)
        refused = RequestRefused(f"{server.host} refuses the request to {server.model}: {said}; name another model.")
        refused.names_limit = _names_limit(error)
        return refused
    return ModelFailure(
        f"{server.host} failed to answer for {server.model}: {said}; run again later.",
        may_pass=_is_passing(error, status),
        retry_after=_asked_to_wait(error),
    )


def _too_long(server: Server, error: Exception, said: str) -> ModelFailure:
    too_long = PromptTooLong(
        f"The prompt is too long for {server.model} ({_context_sizes(error) or said}); use a model with a longer "
        "context, or start its server with one; or ask for fewer analysts or rounds."
    )
    too_long.names_limit = _names_limit(error)
    return too_long


def _context_sizes(error: Exception) -> str:
    """Return the sizes of prompt and context that llama.cpp's server tells beside its message."""
    body = getattr(error, "body", None)
    sizes = [body.get(name) if isinstance(body, dict) else None for name in ("n_prompt_tokens", "n_ctx")]
    if not all(isinstance(size, int) for size in sizes):
        return ""
    return f"{sizes[0]:,} tokens, its context holds {sizes[1]:,}"


def _names_limit(error: Exception) -> bool:
    """Return whether a server's error is about the limit of the reply."""
    return any(words in str(error) for words in LIMIT_WORDS)


def _is_passing(error: Exception, status: int | None) -> bool:
    """Whether a failure is the server's own and may be temporary."""
    if status is not None:
        return status == httpx.codes.REQUEST_TIMEOUT or status >= httpx.codes.INTERNAL_SERVER_ERROR
    if isinstance(error, (ModelAPIError, ModelConnectionError)):
        return True
    # Transport errors of httpx and similar libraries, and errors sent in the middle of a stream, which carry no status.
    return _any([error], ("TransportError", "DecodingError")) or type(error).__name__ == "APIError"


def _asked_to_wait(error: Exception) -> float | None:
    """Return the seconds a server asks to wait in its Retry-After header (seconds or a date)."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    text = str(headers.get("retry-after") or "").strip()
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        wanted = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (wanted - datetime.now(wanted.tzinfo)).total_seconds())


def _status(error: Exception) -> int | None:
    """Return the HTTP status of a provider's error: `status_code`, or `code` for Google."""
    found = (getattr(error, name, None) for name in ("status_code", "code"))
    return next((value for value in found if isinstance(value, int)), None)


def _quoted(error: Exception, llm: Runnable[Any, Any]) -> str:
    """Return the server's message: one short line without keys."""
    body = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, dict) else None
    line = " ".join(str(said or error or type(error).__name__).split())
    return without_secrets(line, llm)[:QUOTE_CHARS].rstrip(".")


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _any(causes: Sequence[BaseException], names: tuple[str, ...]) -> bool:
    """Whether the exception or a cause is a transport error of one of these names (httpx and httpx2 share them)."""
    return any(kind.__name__ in names for cause in causes for kind in type(cause).__mro__)
