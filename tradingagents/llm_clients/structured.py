"""Structured output: ask a model for an object, validate it, show the model its errors once, then fail."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ValidationError

from tradingagents.errors import ModelFailure
from tradingagents.llm_clients.calls import RequestRefused
from tradingagents.llm_clients.coerce import tidied
from tradingagents.llm_clients.endings import ending
from tradingagents.llm_clients.model_profile import Method
from tradingagents.llm_clients.reply_text import json_object, json_objects

T = TypeVar("T", bound=BaseModel)
Model = Runnable[LanguageModelInput, BaseMessage]
Ask = Callable[[Model, Sequence[BaseMessage]], Awaitable[AIMessage]]
"""Makes one model call; the caller wraps budget and metering around each."""

REASON_CHARS = 400


class StructuredOutputError(ModelFailure):
    """A model gave no valid object in two attempts; the message describes the last error."""


@dataclass(frozen=True)
class Structured(Generic[T]):
    """A typed answer."""

    value: T
    replies: tuple[AIMessage, ...]
    """1, or 2 after a repair."""

    @property
    def repaired(self) -> bool:
        """Whether the first answer had to be corrected."""
        return len(self.replies) > 1


async def structured_call(
    ask: Ask,
    llm: BaseChatModel,
    schema: type[T],
    messages: Sequence[BaseMessage],
    *,
    method: Method,
    check: Callable[[T], str | None] | None = None,
) -> Structured[T]:
    """Ask a model for an object of `schema`.

    If a server refuses the request's format, the schema is sent in the prompt alone.

    Args:
        ask: Makes each call.
        llm: The model, without tools.
        schema: The schema; its docstring and field descriptions are shown to the model.
        messages: The conversation.
        method: Structured output method; see `model_profile.structured_method`.
        check: Returns the reason why a valid object is unusable; None: no check.

    Raises:
        StructuredOutputError: Two answers were invalid.
        ModelFailure: A call failed.
        BudgetReached: From `ask`.
    """
    try:
        first = await ask(_bound(llm, schema, method), _question(schema, messages, method))
    except RequestRefused:
        if method == "prompt":
            raise
        method = "prompt"
        first = await ask(llm, _question(schema, messages, method))
    try:
        return Structured(_read(schema, first, check), (first,))
    except _Unfit as unfit:
        reason = str(unfit)
    repair = [AIMessage(_shown(first)), HumanMessage(_objection(schema, reason))]
    second = await ask(_bound(llm, schema, method), [*_question(schema, messages, method), *repair])
    try:
        return Structured(_read(schema, second, check), (first, second))
    except _Unfit as unfit:
        raise StructuredOutputError(f"no valid {schema.__name__} in two answers: {unfit}") from unfit


def read_object(schema: type[T], fields: Mapping[str, Any], *, check: Callable[[T], str | None] | None = None) -> T:
    """Return an object from its fields, read and checked as those of a model's forced tool call are.

    Raises:
        StructuredOutputError: They do not fit.
    """
    try:
        return _sound(schema, [dict(fields)], check)
    except _Unfit as unfit:
        raise StructuredOutputError(f"no valid {schema.__name__}: {unfit}") from unfit


class _Unfit(ValueError):
    """Why an answer isn't a valid object, in one line."""


def _bound(llm: BaseChatModel, schema: type[BaseModel], method: Method) -> Model:
    """Return the model with the schema bound, as far as its server supports it."""
    if method == "function_calling":
        return llm.bind_tools([_as_tool(schema)], tool_choice=schema.__name__)
    if method == "prompt":
        return llm
    ollama = llm._llm_type == "chat-ollama"
    if method == "json_mode":
        return llm.bind(format="json") if ollama else llm.bind(response_format={"type": "json_object"})
    shape = schema.model_json_schema()
    if ollama:
        return llm.bind(format=shape)
    if llm._llm_type == "chat-google-generative-ai":
        return llm.bind(response_mime_type="application/json", response_json_schema=shape)
    # Not strict: OpenAI's strict mode refuses schemas with optional fields or lengths, and we validate the answer
    # anyway.
    named = {"name": schema.__name__, "schema": shape, "strict": False}
    return llm.bind(response_format={"type": "json_schema", "json_schema": named})


@lru_cache(maxsize=32)
def _as_tool(schema: type[BaseModel]) -> dict[str, Any]:
    """Return the schema as a forced tool; cached, since every run needs it."""
    return convert_to_openai_tool(schema)


def _question(schema: type[BaseModel], messages: Sequence[BaseMessage], method: Method) -> list[BaseMessage]:
    """Return the messages, with the schema appended as text if the model might not see it otherwise.

    Servers that constrain decoding to a schema mostly don't show it to the model, descriptions included.
    """
    if method == "function_calling":
        return list(messages)
    wish = f"Answer with one JSON object and nothing else. It must fit this JSON schema:\n{_spelled(schema)}"
    last = messages[-1]
    if isinstance(last, HumanMessage) and isinstance(last.content, str):
        # One message, not two in a row: some local chat templates require alternating roles.
        return [*messages[:-1], HumanMessage(f"{last.content}\n\n{wish}")]
    return [*messages, HumanMessage(wish)]


def _objection(schema: type[BaseModel], reason: str) -> str:
    return (
        f"Your answer could not be used: {reason}\n"
        f"Give the whole answer again, corrected, as {schema.__name__}; it must fit this JSON schema:\n"
        f"{_spelled(schema)}"
    )


def _spelled(schema: type[BaseModel]) -> str:
    return json.dumps(schema.model_json_schema(), ensure_ascii=False)


def _shown(reply: AIMessage) -> str:
    """Return an answer as text; tool calls become their arguments, since no tool result follows."""
    for call in reply.tool_calls:
        return json.dumps(call["args"], ensure_ascii=False)
    for broken in reply.invalid_tool_calls:
        return broken["args"] or "(empty)"
    return reply.text.strip() or "(empty)"


def _read(schema: type[T], reply: AIMessage, check: Callable[[T], str | None] | None) -> T:
    ended = ending(reply)
    if ended == "censored":
        raise _Unfit("the provider's content filter stopped the answer")
    cut = " (the reply reached its length limit)" if ended == "cut" else ""
    try:
        objects = _objects(schema, reply)
    except ValueError as error:
        raise _Unfit(f"{error}{cut}"[:REASON_CHARS]) from None
    return _sound(schema, objects, check, cut=cut)


def _sound(
    schema: type[T], objects: Sequence[dict[str, Any]], check: Callable[[T], str | None] | None, *, cut: str = ""
) -> T:
    """Return the one object that fits a schema and passes a check; `cut` says that the reply was cut off."""
    try:
        value = _one_of(schema, objects)
    except ValidationError as error:
        raise _Unfit(_explained(error)) from None
    except ValueError as error:
        raise _Unfit(f"{error}{cut}"[:REASON_CHARS]) from None
    if cut:
        raise _Unfit("the reply reached its length limit; give it whole, in fewer words")
    if endless := [path for path, number in _numbers(value.model_dump()) if not math.isfinite(number)]:
        raise _Unfit(f"{endless[0]}: must be a finite number")
    if check is not None and (problem := check(value)):
        raise _Unfit(problem[:REASON_CHARS])
    return value


def _one_of(schema: type[T], objects: Sequence[dict[str, Any]]) -> T:
    """Return the one object that fits a schema.

    Raises:
        ValidationError: None fits; the first error.
        ValueError: More than one fits, and they differ.
    """
    fitting: list[T] = []
    first: ValidationError | None = None
    for given in objects:
        try:
            value = schema.model_validate(tidied(schema, given))
        except ValidationError as error:
            first = first or error
        else:
            fitting += [value] if value not in fitting else []
    if len(fitting) > 1:
        raise ValueError(f"you gave {len(fitting)} different answers; give one")
    if not fitting:
        raise first or ValueError("the answer contains no JSON object")
    return fitting[0]


def _objects(schema: type[BaseModel], reply: AIMessage) -> list[dict[str, Any]]:
    """Return the arguments of every call of the schema's tool, and the JSON objects in the text.

    Raises:
        ValueError: There is none, or one is invalid.
    """
    called = [call["args"] for call in reply.tool_calls if call["name"] == schema.__name__]
    called += [json_object(broken["args"] or "") for broken in reply.invalid_tool_calls]
    if called:
        return [*called, *json_objects(reply.text)]
    if not reply.text.strip():
        if reply.tool_calls:
            raise ValueError(f"you called {reply.tool_calls[0]['name']}, not {schema.__name__}")
        raise ValueError("the answer was empty")
    return json_objects(reply.text) or [json_object(reply.text)]


def _explained(error: ValidationError) -> str:
    """Return each field's problem with its value, in one line."""
    problems = []
    for one in error.errors(include_url=False, include_context=False):
        path = ".".join(map(str, one["loc"])) or "the object"
        had = "" if one["type"] == "missing" else f" (it was {json.dumps(one['input'], default=str)[:60]})"
        problems.append(f"{path}: {one['msg']}{had}")
    return "; ".join(problems)[:REASON_CHARS]


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(value, float):
        yield path, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    for key, part in parts:
        yield from _numbers(part, f"{path}.{key}" if path else str(key))
