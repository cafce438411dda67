"""`ChatOpenAI` that checks what servers answer: many that are compatible with OpenAI's are not quite."""

from __future__ import annotations

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
from langchain_openai import ChatOpenAI
from pydantic import Field, PrivateAttr

from tradingagents.files.json_text import TOO_DEEP, parse_json
from tradingagents.llm_clients.meter import MOST_TOKENS
from tradingagents.llm_clients.reply_text import GARBLED, EmptyCompletion, NotACompletion, strict_json
from tradingagents.llm_clients.servers import server_of, strike_secrets, without_secrets

SHOWN_CHARS = 400
"""Maximum number of characters shown to the model again when arguments are nested too deeply."""
_DETAILS = ("prompt_tokens_details", "completion_tokens_details")
_CENSORED = AIMessage("", response_metadata={"finish_reason": "content_filter"})
"""Replaces a reply that the SDK withholds because a content filter stopped it."""
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
    except (*GARBLED, RecursionError) as error:  # the latter for JSON that is nested without end
        raise NotACompletion(f"{type(error).__name__} while reading the answer") from error


class CheckedChatOpenAI(ChatOpenAI):
    """ChatOpenAI for servers that are nearly compatible, too: what they send is checked before LangChain reads it.

    An answer that isn't a chat completion raises `NotACompletion`, one without a reply `EmptyCompletion`.
    """

    key_variable: str = Field("", exclude=True)
    """The variable that the key was read from, for errors; empty if it wasn't read from one."""
    _spelling: int = PrivateAttr(0)
    """Position in `_LIMIT_NAMES`, for compatible servers."""

    @property
    def lc_secrets(self) -> dict[str, str]:
        """Fields hidden from tracers: the key, and the URL, which may contain a password."""
        return {**super().lc_secrets, "openai_api_base": "OPENAI_BASE_URL"}

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
        try:
            with _reading_an_answer():
                return await super()._agenerate(messages, stop, run_manager, **kwargs)
        except openai.LengthFinishReasonError as cut:
            return self._create_chat_result(cut.completion)
        except openai.ContentFilterFinishReasonError:
            return ChatResult(generations=[ChatGeneration(message=_CENSORED.model_copy(deep=True))])

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
        plain = _plain(response)
        if isinstance(plain, dict) and plain.get("error") and not plain.get("choices"):
            asked: Any = httpx.Request("POST", f"{self.root_async_client.base_url}chat/completions")
            raise openai.APIError(_said(plain["error"]), asked, body=plain["error"])
        _refuse_empty(plain)
        with _reading_an_answer():
            read = _sound(_with_written_arguments(plain, "message"))
            result = super()._create_chat_result(read, generation_info)
        for generation, choice in zip(result.generations, read["choices"], strict=False):
            if isinstance(generation.message, AIMessage):
                _refuse_ambiguous(generation.message, choice["message"].get("tool_calls") or [])
                generation.message.additional_kwargs |= _told_beside(choice["message"])
        return result


def _plain(answer: Any) -> Any:
    """Return an answer as the server gave it: without what the SDK adds to its typed object."""
    return answer.model_dump(exclude_unset=True, warnings=False) if isinstance(answer, openai.BaseModel) else answer


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
    return answer


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
