"""Structured output: ask a model for an object, validate it, have it repaired once, then fail."""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Generic, TypeVar

from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.runnables import Runnable
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import BaseModel, ValidationError

from tradingagents.errors import UnusableReply
from tradingagents.llm_clients.calls import RequestRefused
from tradingagents.llm_clients.model_profile import Method
from tradingagents.llm_clients.reply_text import (
    descriptions,
    ending,
    is_copied,
    is_unclosed,
    json_object,
    json_objects,
    tidied,
)

T = TypeVar("T", bound=BaseModel)
Model = Runnable[LanguageModelInput, BaseMessage]
Ask = Callable[[Model, Sequence[BaseMessage]], Awaitable[AIMessage]]
"""Makes one model call; the caller wraps budget and metering around each."""

REASON_CHARS = 400
CUT = "the reply was cut at its length limit"
EMPTY = "the answer was empty"
LEAST_WORDS = 5
"""Words from which on a text can be recognised as a description of the schema."""


class StructuredOutputError(UnusableReply):
    """A model gave no valid object in two attempts.

    Attributes:
        reason: What was wrong with the last one, without advice.
    """

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True)
class Structured(Generic[T]):
    """A typed answer."""

    value: T
    replies: tuple[AIMessage, ...]
    """1, or 2 after a repair."""
    method: Method
    """The method that gave it."""

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
    repair: Method | None = None,
    check: Callable[[T], str | None] | None = None,
    on_repair: Callable[[str], None] | None = None,
) -> Structured[T]:
    """Ask a model for an object of `schema`.

    If a server refuses the request's format, the schema is sent in the prompt alone. A reply that was cut or empty is
    not shown to the model again: a weak one would go on with it.

    Args:
        ask: Makes each call.
        llm: The model, without tools.
        schema: The schema; its docstring and field descriptions are shown to the model.
        messages: The conversation.
        method: How to ask; see `model_profile.structured_method`.
        repair: How to ask again where the first reply has no object at all; None: by the same method.
        check: Returns the reason why a valid object is unusable; None: no check.
        on_repair: Is told, before the model is asked again, why its first answer was unusable; None: nobody is.

    Raises:
        StructuredOutputError: Two answers were invalid.
        ModelFailure: A call failed.
        BudgetReached: From `ask`.
    """
    first, method = await _asked(ask, llm, schema, method, partial(_question, schema, messages))
    try:
        return Structured(_read(schema, first, check), (first,), method)
    except _Unfit as unfit:
        unusable = unfit
    if not _calls(schema, first):  # the model may never have seen what it was to fill in
        method = repair or method
    if on_repair is not None:
        on_repair(str(unusable))
    again = partial(_repair, schema, messages, first, unusable)
    second, method = await _asked(ask, llm, schema, method, again)
    try:
        return Structured(_read(schema, second, check), (first, second), method)
    except _Unfit as unfit:
        message = f"the model gave no usable answer in two attempts: {unfit}; {_way_out(unfit, method)}"
        raise StructuredOutputError(message, str(unfit)) from unfit


def first_request(
    llm: BaseChatModel, schema: type[BaseModel], messages: Sequence[BaseMessage], method: Method
) -> tuple[Model, list[BaseMessage]]:
    """Return the model and the messages of the first call that `structured_call` makes by a method."""
    return _bound(llm, schema, method), _question(schema, messages, method)


async def _asked(
    ask: Ask, llm: BaseChatModel, schema: type[BaseModel], method: Method, prompt: Callable[[Method], list[BaseMessage]]
) -> tuple[AIMessage, Method]:
    """Ask by a method, or by prompt where the server refuses that; return the reply and the method that gave it."""
    try:
        return await ask(_bound(llm, schema, method), prompt(method)), method
    except RequestRefused:
        if method == "prompt":
            raise
    return await ask(llm, prompt("prompt")), "prompt"


def _repair(
    schema: type[BaseModel], messages: Sequence[BaseMessage], first: AIMessage, unfit: _Unfit, method: Method
) -> list[BaseMessage]:
    """Return the messages that ask again: with what was wrong and, if it was whole, with the first answer."""
    spelled = "" if method != "function_calling" else f"; it must fit this JSON schema:\n{_spelled(schema)}"
    if unfit.is_whole:
        wish = f"Your answer could not be used: {unfit}\nGive the whole answer again, corrected{spelled or '.'}"
        return [*_question(schema, messages, method), AIMessage(_shown(first)), HumanMessage(wish)]
    shorter = " Write short sentences and few list entries: half as many words." if str(unfit) == CUT else ""
    wish = f"An earlier attempt could not be used: {unfit}.{shorter} Give the whole answer{spelled or '.'}"
    return _ended(_question(schema, messages, method), wish)


def _way_out(unfit: _Unfit, method: Method) -> str:
    if str(unfit) == CUT:
        return "raise max_output_tokens, or name a larger model."
    if method in ("function_calling", "prompt") and not unfit.has_object:
        return "set structured_output=json_schema, or name a larger model."
    return "name a larger model."


async def why_untyped(ask: Ask, llm: BaseChatModel, schema: type[BaseModel], question: str, method: Method) -> str:
    """Ask once for an object by one method; return why what came back is none, empty where it is one.

    Raises:
        ModelFailure: The call failed.
    """
    reply = await ask(_bound(llm, schema, method), _question(schema, [HumanMessage(question)], method))
    try:
        _read(schema, reply, None)
    except _Unfit as unfit:
        return str(unfit)
    return ""


def read_object(schema: type[T], fields: Mapping[str, Any], *, check: Callable[[T], str | None] | None = None) -> T:
    """Return an object from its fields, read and checked as those of a model's forced tool call are.

    Raises:
        StructuredOutputError: They do not fit.
    """
    try:
        return _sound(schema, [dict(fields)], check)
    except _Unfit as unfit:
        raise StructuredOutputError(f"no valid {schema.__name__}: {unfit}", str(unfit)) from unfit


class _Unfit(ValueError):
    """Why an answer isn't a valid object, in one line.

    Attributes:
        has_object: Whether there was an object at all.
    """

    def __init__(self, reason: str, *, has_object: bool = True) -> None:
        super().__init__(reason[:REASON_CHARS])
        self.has_object = has_object

    @property
    def is_whole(self) -> bool:
        """Whether there is a whole answer that can be corrected."""
        return str(self) not in (CUT, EMPTY)


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
    return _ended(
        messages, f"Answer with one JSON object and nothing else. It must fit this JSON schema:\n{_spelled(schema)}"
    )


def _ended(messages: Sequence[BaseMessage], wish: str) -> list[BaseMessage]:
    """Return messages that end with a wish: in the last one, since some chat templates require alternating roles."""
    last = messages[-1]
    if isinstance(last, HumanMessage) and isinstance(last.content, str):
        return [*messages[:-1], HumanMessage(f"{last.content}\n\n{wish}")]
    return [*messages, HumanMessage(wish)]


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
    called = _calls(schema, reply)
    broken = [call for call in called if isinstance(call, str)]
    if ended == "cut" or any(map(is_unclosed, broken if called else [reply.text])):
        # Even where what arrived can be read: constrained decoding closes a cut object.
        raise _Unfit(CUT)
    try:
        objects = _objects(schema, reply, called)
    except ValueError as error:
        raise _Unfit(str(error), has_object=bool(called)) from None
    return _sound(schema, objects, check)


def _sound(schema: type[T], objects: Sequence[dict[str, Any]], check: Callable[[T], str | None] | None) -> T:
    """Return the one object that fits a schema and passes a check."""
    try:
        value = _one_of(schema, objects)
    except ValidationError as error:
        raise _Unfit(_explained(error)) from None
    except ValueError as error:
        raise _Unfit(str(error)) from None
    if copied := _copied(value):
        raise _Unfit(f"{copied!r} repeats a description of the schema; write the content itself")
    if endless := [path for path, number in _numbers(value.model_dump()) if not math.isfinite(number)]:
        raise _Unfit(f"{endless[0]}: must be a finite number")
    if check is not None and (problem := check(value)):
        raise _Unfit(problem)
    return value


def _copied(value: BaseModel) -> str:
    """Return a text of an object that is a description of its schema, as weak models copy them; empty for none."""
    for text in _texts(value.model_dump()):
        if len(text.split()) >= LEAST_WORDS and is_copied(text, descriptions(type(value))):
            return " ".join(text.split()[: 2 * LEAST_WORDS])
    return ""


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    for part in parts:
        yield from _texts(part)


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


def _calls(schema: type[BaseModel], reply: AIMessage) -> list[dict[str, Any] | str]:
    """Return the arguments of every call of the schema's tool; as text where they are broken."""
    called: list[dict[str, Any] | str] = [call["args"] for call in reply.tool_calls if call["name"] == schema.__name__]
    return [*called, *(broken["args"] or "" for broken in reply.invalid_tool_calls)]


def _objects(schema: type[BaseModel], reply: AIMessage, called: Sequence[dict[str, Any] | str]) -> list[dict[str, Any]]:
    """Return the arguments of the calls, and the JSON objects in the text.

    Raises:
        ValueError: There is none, or one is invalid.
    """
    if called:
        read = (json_object(call) if isinstance(call, str) else call for call in called)
        return [*read, *json_objects(reply.text)]
    if not reply.text.strip():
        if reply.tool_calls:
            raise ValueError(f"you called {reply.tool_calls[0]['name']}, not {schema.__name__}")
        raise ValueError(EMPTY)
    return json_objects(reply.text) or [json_object(reply.text)]


def _explained(error: ValidationError) -> str:
    """Return each field's problem with its value, in one line."""
    problems = []
    for problem in error.errors(include_url=False, include_context=False):
        path = ".".join(map(str, problem["loc"])) or "the object"
        had = "" if problem["type"] == "missing" else f" (it was {json.dumps(problem['input'], default=str)[:60]})"
        problems.append(f"{path}: {problem['msg']}{had}")
    return "; ".join(problems)[:REASON_CHARS]


def _numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    if isinstance(value, float):
        yield path, value
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, (list, tuple)) else ()
    for key, part in parts:
        yield from _numbers(part, f"{path}.{key}" if path else str(key))
