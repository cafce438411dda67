"""A faster `ChatOpenAI` for many concurrent calls.

For every call the SDK checks the request against its types key by key and builds typed objects from the answer, which
LangChain then converts back to dicts in another thread. That is up to half of the client's cost per call. Here the SDK
handles the first request of a model and all errors; the request is sent as LangChain built it, and LangChain reads the
answer's JSON directly. Address and headers of further requests are those of the first one: what the SDK does to make
them again takes longer than sending a request and receiving its answer.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import httpx
import openai
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.exceptions import ModelError
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.messages.tool import invalid_tool_call
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import RunnableConfig
from langchain_openai import ChatOpenAI
from langchain_openai.chat_models.base import _handle_openai_api_error, _handle_openai_bad_request
from pydantic import Field, PrivateAttr, SecretStr
from pydantic_core import to_json

from tradingagents.files.json_text import TOO_DEEP, parse_json
from tradingagents.llm_clients.answer_errors import GARBLED, EmptyCompletion, NotACompletion
from tradingagents.llm_clients.connections import ModelHttpClient, PostTarget
from tradingagents.llm_clients.direct_calls import DirectCalls
from tradingagents.llm_clients.meter import MOST_TOKENS
from tradingagents.llm_clients.reply_text import strict_json
from tradingagents.llm_clients.servers import server_of, strike_secrets, without_secrets

SHOWN_CHARS = 400
"""Maximum number of characters shown to the model again when arguments are nested too deeply."""
_DETAILS = ("prompt_tokens_details", "completion_tokens_details")
_CENSORED = AIMessage("", response_metadata={"finish_reason": "content_filter"})
"""Replaces a reply that the SDK withholds because a content filter stopped it."""
_DETOURS = frozenset({"response_format", "extra_headers", "extra_query", "extra_body", "timeout"})
"""Arguments that only the SDK can handle: typed parsing, and arguments outside the request's body."""


_LIMIT_NAMES = (("max_completion_tokens", "max_tokens"), ("max_tokens",), ("max_completion_tokens",), ())
"""How compatible servers are told the limit of a reply. Most know one of two names and ignore the other (llama.cpp the
new one, Ollama the old one); a server that refuses a name is sent the next of these from then on."""
_REFUSES = frozenset({httpx.codes.BAD_REQUEST, httpx.codes.UNPROCESSABLE_ENTITY})
_SENT_BACK = ("reasoning_content", "reasoning", "reasoning_details")
"""Parts of a model's turn that LangChain drops and that servers want back with the results of its tool calls."""
_CALL_PARTS = "extra_content"
"""The same of a tool call: Google's signatures of thought."""


class _RequestError(Exception):
    """The request can't be built: our own error, kept separate from invalid answers."""


@contextmanager
def _reading_an_answer() -> Iterator[None]:
    """Raise `NotACompletion` for the builtin exceptions that SDK and LangChain raise for a malformed answer."""
    try:
        yield
    except _RequestError as error:
        raise (error.__cause__ or error) from None
    except (ModelError, NotACompletion, EmptyCompletion):
        raise
    except GARBLED as error:
        raise NotACompletion(f"{type(error).__name__} while reading the answer") from error


class FastChatOpenAI(DirectCalls, ChatOpenAI):
    """ChatOpenAI with a short path for complete (not streamed) chat completions.

    An answer that isn't a chat completion raises `NotACompletion`, one without a reply `EmptyCompletion`.
    """

    key_variable: str = Field("", exclude=True)
    """The variable that the key was read from, for errors; empty if it wasn't read from one."""
    _first: _FirstRequest | None = PrivateAttr(None)
    _spelling: int = PrivateAttr(0)
    """Position in `_LIMIT_NAMES`, for compatible servers."""

    @property
    def lc_secrets(self) -> dict[str, str]:
        """Fields hidden from tracers: the key, and the URL, which may contain a password."""
        return {**super().lc_secrets, "openai_api_base": "OPENAI_BASE_URL"}

    def _has_more_to_do(self, config: RunnableConfig) -> bool:
        return self.streaming or super()._has_more_to_do(config)

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        while True:
            spelling = self._spelling
            try:
                return await self._completed(messages, stop, run_manager, **kwargs)
            except Exception as error:
                if self._spells_otherwise(error, spelling):
                    continue
                _strike(error, self)
                raise

    async def _astream(self, *args: Any, **kwargs: Any) -> AsyncIterator[ChatGenerationChunk]:
        empty = True
        while empty:
            spelling = self._spelling
            try:
                with _reading_an_answer():
                    async for chunk in super()._astream(*args, **kwargs):
                        empty = False
                        yield chunk
                    if empty:
                        raise NotACompletion("the stream contains no part of a reply")
            except Exception as error:
                if empty and self._spells_otherwise(error, spelling):
                    continue
                _strike(error, self)
                raise

    def _spells_otherwise(self, error: Exception, spelling: int) -> bool:
        """Note that a server refuses a name of the limit; return whether there is another way to send it."""
        if server_of(self).provider != "openai_compatible" or getattr(error, "status_code", None) not in _REFUSES:
            return False
        refused = any(name in str(error) for name in _LIMIT_NAMES[0]) and "context length" not in str(error)
        if not refused or spelling + 1 >= len(_LIMIT_NAMES):
            return False
        self._spelling = max(self._spelling, spelling + 1)  # a call beside this one may have found it out before
        return True

    async def _completed(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None,
        run_manager: AsyncCallbackManagerForLLMRun | None,
        **kwargs: Any,
    ) -> ChatResult:
        payload = self._get_request_payload(messages, stop=stop, **kwargs)
        if payload.get("stream") or not _DETOURS.isdisjoint(payload) or self._use_responses_api(payload):
            try:
                with _reading_an_answer():
                    return await super()._agenerate(messages, stop, run_manager, **kwargs)
            except openai.LengthFinishReasonError as cut:
                return self._create_chat_result(cut.completion)
            except openai.ContentFilterFinishReasonError:
                return ChatResult(generations=[ChatGeneration(message=_CENSORED.model_copy(deep=True))])
        try:
            content = await self._posted(payload)
        except openai.BadRequestError as error:
            _handle_openai_bad_request(error)
            raise
        except openai.APIError as error:
            _handle_openai_api_error(error)
            raise
        parsed = _parsed(content)
        if isinstance(parsed, dict) and parsed.get("error") and not parsed.get("choices"):
            asked: Any = httpx.Request("POST", f"{self.root_async_client.base_url}chat/completions")  # see `_post`
            raise openai.APIError(_said(parsed["error"]), asked, body=parsed["error"])
        return self._create_chat_result(_sound(parsed))

    async def _posted(self, payload: Mapping[str, Any]) -> bytes:
        """Send a request and return the body of the answer. Raises what the SDK raises."""
        sdk, client, first = self.root_async_client, self.http_async_client, self._first
        connections = client.connections if isinstance(client, ModelHttpClient) else None
        body = first.body(sdk, payload) if first is not None else None
        if first is None or body is None or connections is None:
            answer = await _post(sdk, payload)
            if isinstance(self.openai_api_key, SecretStr):  # a function gives a new key for each request
                self._first = _FirstRequest(sdk, answer)
            return bytes(answer.content)
        try:
            told = await connections.post(first.target, body)
        except httpx.HTTPError as error:
            outcome: httpx.Response | httpx.HTTPError = error
        else:
            if told.status == httpx.codes.OK and not told.encoded:
                return told.body
            outcome = told.response(first.request)
            if outcome.is_success:
                return outcome.content
            if outcome.has_redirect_location:
                return bytes((await _post(sdk, payload)).content)
        # The SDK makes its error of the answer that has come, or of the one that has not.
        async with _KnownOutcome(outcome) as known:
            return bytes((await _post(sdk.with_options(http_client=known), payload)).content)

    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        try:
            payload = super()._get_request_payload(*args, **kwargs)
        except GARBLED as error:
            raise _RequestError from error
        if isinstance(payload.get("messages"), list):
            for message, sent in zip(args[0], payload["messages"], strict=False):
                _send_back(message, sent)
        if server_of(self).provider == "openai_compatible":
            limit = payload.pop("max_completion_tokens", None)
            payload |= dict.fromkeys(_LIMIT_NAMES[self._spelling], limit) if limit is not None else {}
        return payload

    def _convert_chunk_to_generation_chunk(self, chunk: Any, *args: Any, **kwargs: Any) -> Any:
        chunk = _with_written_arguments(_with_usage_or_none(chunk), "delta")
        found = super()._convert_chunk_to_generation_chunk(chunk, *args, **kwargs)
        choices = chunk.get("choices") if isinstance(chunk, dict) else None
        if found is not None and choices:
            found.message.additional_kwargs |= _told_beside(choices[0].get("delta"))
        return found

    def _create_chat_result(
        self, response: dict[str, Any] | openai.BaseModel, generation_info: dict[str, Any] | None = None
    ) -> ChatResult:
        plain: Any = response.model_dump(warnings=False) if isinstance(response, openai.BaseModel) else response
        _refuse_empty(plain)
        written = _with_written_arguments(plain, "message")
        with _reading_an_answer():
            result = super()._create_chat_result(response if written is plain else written, generation_info)
        choices = written["choices"]
        for one, choice in zip(result.generations, choices, strict=False):
            if isinstance(one.message, AIMessage):
                _refuse_ambiguous(one.message, choice["message"].get("tool_calls") or [])
                one.message.additional_kwargs |= _told_beside(choice["message"])
        return result


# LangChain looks at the signature of this method in every call.
FastChatOpenAI._agenerate.__signature__ = inspect.signature(FastChatOpenAI._agenerate)  # type: ignore[attr-defined]


async def _post(sdk: openai.AsyncOpenAI, payload: Mapping[str, Any]) -> Any:
    """Return the answer of the SDK's HTTP client; the SDK's types name the answer of another version of it."""
    return await sdk.post("/chat/completions", cast_to=httpx.Response, body=payload)


class _FirstRequest:
    """The first request of a model as the SDK made it: further ones differ in their body only."""

    def __init__(self, sdk: openai.AsyncOpenAI, answer: httpx.Response) -> None:
        self._of = (sdk.api_key, sdk.base_url)
        sent = (answer.history or [answer])[0].request  # the one before a redirect
        # Without its body: a conversation, which would be held as long as the model.
        self.request = httpx.Request(sent.method, sent.url, headers=sent.headers, extensions=sent.extensions)
        self.target = PostTarget(sent)

    def body(self, sdk: openai.AsyncOpenAI, payload: Mapping[str, Any]) -> bytes | None:
        """Return the body of a request; None where the SDK would use another address, key or spelling."""
        if self._of != (sdk.api_key, sdk.base_url):
            return None
        try:
            parts = (b"%s:%s" % (json.dumps(name).encode(), _value(name, one)) for name, one in payload.items())
            return b"{%s}" % b",".join(parts)
        except (TypeError, ValueError):
            return None


def _value(name: str, value: Any) -> bytes:
    """Return an argument of a request as the SDK spells it. Raises TypeError or ValueError for what it does not send.

    The conversation is nearly all of a request, and consists of texts; pydantic's encoder takes half of the time. The
    two spell numbers differently.
    """
    if name == "messages":
        return to_json(value, fallback=_refused)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def _refused(value: Any) -> Any:
    raise TypeError(f"a request cannot hold {type(value).__name__}")


class _KnownOutcome(httpx.AsyncClient):
    """A client that gives an answer, or raises an error, that is there already; it sends and logs nothing."""

    def __init__(self, outcome: httpx.Response | httpx.HTTPError) -> None:
        super().__init__()
        self._outcome = outcome

    async def send(self, request: httpx.Request, **_: Any) -> httpx.Response:
        outcome = self._outcome
        if isinstance(outcome, httpx.HTTPError):
            raise outcome
        # The content has been decompressed.
        dropped = (b"content-encoding", b"content-length", b"transfer-encoding")
        headers = [(name, value) for name, value in outcome.headers.raw if name.lower() not in dropped]
        return httpx.Response(outcome.status_code, headers=headers, content=outcome.content, request=request)


def _told_beside(message: Any) -> dict[str, Any]:
    """Return the parts of a server's message, or of a piece of it, that are to be sent back with it."""
    if not isinstance(message, Mapping):
        return {}
    told = {name: message[name] for name in _SENT_BACK if message.get(name)}
    calls = message.get("tool_calls")
    signed = {
        call["id"]: call[_CALL_PARTS]
        for call in (calls if isinstance(calls, list) else ())
        if isinstance(call, Mapping) and call.get("id") and call.get(_CALL_PARTS)
    }
    return {**told, **({_CALL_PARTS: signed} if signed else {})}


def _send_back(message: Any, sent: Any) -> None:
    """Add to a request's message what its server told beside it, if it is a turn with tool calls."""
    if not isinstance(message, AIMessage) or not isinstance(sent, dict) or not sent.get("tool_calls"):
        return
    sent |= {name: message.additional_kwargs[name] for name in _SENT_BACK if name in message.additional_kwargs}
    signed = message.additional_kwargs.get(_CALL_PARTS, {})
    for call in sent["tool_calls"]:
        if call.get("id") in signed:
            call[_CALL_PARTS] = signed[call["id"]]


def _refuse_ambiguous(message: AIMessage, raw_calls: Sequence[Mapping[str, Any]]) -> None:
    """Invalidate calls whose arguments give one key two values: LangChain would silently take the last one."""
    texts = {raw.get("id"): (raw.get("function") or {}).get("arguments") for raw in raw_calls}
    for call in list(message.tool_calls):
        text = texts.get(call["id"])
        try:
            strict_json(text if isinstance(text, str) and text else "{}")
        except ValueError as error:
            message.tool_calls.remove(call)
            message.invalid_tool_calls.append(
                invalid_tool_call(name=call["name"], args=text, id=call["id"], error=str(error))
            )


def _refuse_empty(answer: Any) -> None:
    """Raise EmptyCompletion for a chat completion without a reply."""
    if not isinstance(answer, Mapping) or "choices" not in answer:
        return
    choices = answer["choices"]
    if not choices:
        raise EmptyCompletion("its list of choices is empty" if isinstance(choices, list) else "it has no choices")
    if isinstance(choices, list) and isinstance(choices[0], Mapping) and choices[0].get("message") is None:
        reason = choices[0].get("finish_reason")
        why = f", finish reason {reason}" if isinstance(reason, str) else ""
        raise EmptyCompletion(f"its choice has no message{why}")


def _with_written_arguments(answer: Any, part: Literal["message", "delta"]) -> Any:
    """Return an answer, or a piece of one, whose calls have their arguments as text.

    Some servers (TGI, templates of llama.cpp) send the object itself, others nothing for a call without arguments.

    Args:
        part: Where a choice has its calls: `message`, or `delta` in a stream.
    """
    if not any(_arguments_are_unwritten(call) for call in _calls_in(answer, part)):
        return answer
    answer = json.loads(json.dumps(answer))
    for call in _calls_in(answer, part):
        if _arguments_are_unwritten(call):
            given = call["function"].get("arguments")
            call["function"]["arguments"] = "" if given is None else json.dumps(given)
    return _sound(answer) if part == "message" else answer


def _calls_in(answer: Any, part: Literal["message", "delta"]) -> Iterator[Any]:
    choices = answer.get("choices") if isinstance(answer, Mapping) else None
    for choice in choices if isinstance(choices, list) else ():
        message = choice.get(part) if isinstance(choice, Mapping) else None
        calls = message.get("tool_calls") if isinstance(message, Mapping) else None
        yield from calls if isinstance(calls, list) else ()


def _arguments_are_unwritten(call: Any) -> bool:
    called = call.get("function") if isinstance(call, Mapping) else None
    return isinstance(called, Mapping) and not isinstance(called.get("arguments"), str)


def _strike(error: Exception, llm: ChatOpenAI) -> None:
    """Redact the key if a server quoted it: LangChain shows tracers the error and the response body."""
    strike_secrets(error, llm)
    if not isinstance(error, openai.APIStatusError):
        return
    answer = error.response
    if without_secrets(answer.text, llm) != answer.text:
        headers = {name: answer.headers[name] for name in ("content-type", "retry-after") if name in answer.headers}
        error.response = type(answer)(
            answer.status_code, headers=headers, text=without_secrets(answer.text, llm), request=answer.request
        )


def _parsed(content: bytes) -> Any:
    """Return the body's JSON; a body that isn't JSON as text, which LangChain reports as such."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return content.decode("utf-8", "replace")


def _said(error: Any) -> str:
    """Return the message of an answer that is an error despite its HTTP status."""
    message = error.get("message") if isinstance(error, Mapping) else error
    return str(message or "no reason given")


def _sound(answer: Any) -> Any:
    """Return an answer with usage and tool calls that LangChain can read."""
    answer = _with_usage_or_none(answer)
    for call in _calls_in(answer, "message"):
        called = call.get("function") if isinstance(call, dict) else None
        if isinstance(called, dict) and isinstance(called.get("arguments"), str):
            called["arguments"] = _readable(called["arguments"])
    return answer


def _readable(arguments: str) -> str:
    """Return a tool call's arguments; those that are no object, or nested too deeply, as invalid JSON."""
    try:
        found = parse_json(arguments)
    except ValueError as error:
        return arguments[:SHOWN_CHARS] if str(error) == TOO_DEEP else arguments
    return arguments if isinstance(found, dict) else f"{arguments[:SHOWN_CHARS]} (not an object)"


def _with_usage_or_none(answer: Any) -> Any:
    """Return an answer, or a chunk of one, without invalid counts."""
    if not isinstance(answer, dict) or answer.get("usage") is None:
        return answer
    usage = answer["usage"]
    counted = isinstance(usage, dict) and all(
        map(_is_count, (usage.get("prompt_tokens"), usage.get("completion_tokens")))
    )
    details = [usage.get(name) for name in _DETAILS] if counted else []
    plain = all(one is None or (isinstance(one, dict) and all(map(_is_detail, one.values()))) for one in details)
    total = usage.get("total_tokens") if counted else None
    return answer if counted and plain and (total is None or _is_count(total)) else {**answer, "usage": None}


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS


def _is_detail(value: object) -> bool:
    return value is None or _is_count(value)
