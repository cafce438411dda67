"""Model calls by agents: budget, retries, replay, and the fallback model."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from langchain_core.globals import get_llm_cache
from langchain_core.language_models import BaseChatModel, LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables import Runnable
from pydantic import BaseModel

from tradingagents.agents.faults import fault_of
from tradingagents.agents.prompting import said_last, without_tool_turns
from tradingagents.agents.sanitize import encodable, with_call_ids, without_secrets
from tradingagents.context import RunContext
from tradingagents.errors import ModelFailure, ModelUnreachable, ReplyNotKept, UnusableReply
from tradingagents.llm_clients.calls import PromptTooLong, RequestRefused, call_model
from tradingagents.llm_clients.expected_cost import Asked
from tradingagents.llm_clients.meter import Used
from tradingagents.llm_clients.model_profile import (
    USUAL_TOKENS,
    Method,
    has_reasoned,
    limit_of,
    repair_method,
    structured_method,
    with_limit,
)
from tradingagents.llm_clients.pacing import Retry, call_with_retry
from tradingagents.llm_clients.reply_text import ending
from tradingagents.llm_clients.run_context import AGENT
from tradingagents.llm_clients.servers import address_of, server_of
from tradingagents.llm_clients.structured import StructuredOutputError, first_request, structured_call
from tradingagents.llm_clients.tiers import NamedModel
from tradingagents.offline.brief import BRIEF, Brief
from tradingagents.schemas.records import DegradedRecord
from tradingagents.settings import Tier

T = TypeVar("T")
Answer = TypeVar("Answer", bound=BaseModel)
Model = Runnable[LanguageModelInput, BaseMessage]
Bind = Callable[[BaseChatModel], Model]
"""Binds tools or a schema to a model."""
MakeBrief = Callable[[Sequence[BaseMessage]], Awaitable[Brief]]
"""Makes the brief of a call from the messages that a language model would be sent."""


async def ask(
    context: RunContext,
    agent: str,
    tier: Tier,
    model: Model,
    messages: Sequence[BaseMessage],
    *,
    label: str | None = None,
    stream: bool = True,
    repeated: RepeatedAsk | None = None,
) -> AIMessage:
    """Make one model call: checked against the budget, metered, and streamed as events if the settings say so.

    Transient failures are retried up to `llm_max_retries` times. Each retry emits an event that invalidates the text
    streamed so far. In a replay, recorded replies answer where there are some.

    Args:
        context: The run's context.
        agent: The agent's name.
        tier: Tier of the model, for the meter.
        model: The model, tools bound.
        messages: The conversation.
        label: `provider/model` where it is not the tier's.
        stream: Whether the text may be streamed.
        repeated: Which of several asks of the same it belongs to; None: the same is asked once.

    Raises:
        BudgetReached: Before the call: the budget is used up.
        ModelFailure: The model gave no answer.
        ReplyNotKept: A replay has no recorded reply for this request.
    """
    AGENT.set(agent)
    label = context.labels.get(tier, "") if label is None else label
    call = _Call(context, agent, tier, label, stream and context.settings.stream_tokens, repeated)
    mask = context.mask
    shown = _shown(context, messages)
    request = context.replay.request(model, shown, repeated.number if repeated else 0)
    if (reply := call.recorded(request)) is None:
        reply = await call.make(model, shown, request)
    return reply if mask is None else mask.revealed(reply)


def _shown(context: RunContext, messages: Sequence[BaseMessage]) -> Sequence[BaseMessage]:
    """Return the messages as they are sent."""
    return messages if context.mask is None else context.mask.hidden(messages)


@dataclass
class RepeatedAsk:
    """One of several asks of the same, whose answers count one by one: none is answered by the reply to another."""

    number: int
    """How often the same has been asked before."""
    used: list[Used] = field(default_factory=list)
    """What its calls have used."""


def uncached(llm: BaseChatModel) -> BaseChatModel:
    """Return a model that LangChain's own cache does not answer for: it would repeat the first answer."""
    if llm.cache is False or (llm.cache is None and get_llm_cache() is None):
        return llm
    return llm.model_copy(update={"cache": False})


@dataclass
class _Call:
    """One model call: who makes it, of which model."""

    context: RunContext
    agent: str
    tier: Tier
    label: str
    streaming: bool
    repeated: RepeatedAsk | None = None
    retries: int = 0

    def recorded(self, request: str | None) -> AIMessage | None:
        """Return the reply to a request that this run or, in a replay, an earlier run has made; None without one."""
        context = self.context
        if (earlier := context.replay.earlier(request)) is not None:
            self._show(earlier.reply)
            self._note(earlier.used)
            if not earlier.counted:
                context.meter.adopt(self.agent, earlier.used)
                _tell_usage(context, self.agent, earlier.used)
            return earlier.reply
        if (kept := context.replay.answer(request, self.agent, self.label)) is not None:
            self._show(kept)
            again = context.meter.replayed(self.agent, self.tier, self.label)
            self._note(again)
            context.events.emit("usage", f"{self.agent}: replayed", node=self.agent, **again.to_dict())
        return kept

    async def make(self, model: Model, messages: Sequence[BaseMessage], request: str | None) -> AIMessage:
        """Call the model, with retries; record and meter its reply."""
        context, server = self.context, server_of(model)
        name = f"{server.model} at {server.host}"
        async with context.meter.call(Asked(self.label, model, messages)):
            began = time.perf_counter()
            try:
                answer = await call_with_retry(
                    partial(self._once, model, messages),
                    server=name,
                    breaker=context.breakers.of(name),
                    retries=context.settings.llm_max_retries,
                    on_retry=self._on_retry,
                )
            except RequestRefused as refusal:
                refusal.args = (context.secrets.text(str(refusal)),)
                context.replay.refused(request, self.agent, self.label, refusal)
                raise
            except ModelFailure as failure:
                failure.args = (context.secrets.text(str(failure)),)
                raise
            reply = without_secrets(with_call_ids(encodable(answer), len(messages)), context.secrets)
            seconds = time.perf_counter() - began
            used = context.meter.record(self.agent, self.tier, self.label, reply, seconds, retries=self.retries)
        self._note(used)
        context.replay.given(request, reply, used)
        context.replay.keep(request, self.agent, self.label, reply)
        _tell_usage(context, self.agent, used)
        return reply

    async def _once(self, model: Model, messages: Sequence[BaseMessage]) -> AIMessage:
        """Make one attempt, when its turn has come."""
        if self.context.model_rates is not None:
            await self.context.model_rates.turn(model)
        self.context.asked.set()  # who waits for it goes on after the request is sent
        stream = self.context.secrets.stream(self._on_token)
        answer = await call_model(
            model,
            messages,
            on_token=stream.add if self.streaming else None,
            seconds=self.context.settings.llm_timeout,
            longest=self.context.settings.max_reply_chars,
        )
        stream.end()
        return answer

    def _note(self, used: Used) -> None:
        if self.repeated is not None:
            self.repeated.used.append(used)

    def _show(self, reply: AIMessage) -> None:
        """Emit a recorded reply's text as if it were streamed."""
        if self.streaming and reply.text:
            self._on_token(reply.text)

    def _on_token(self, text: str) -> None:
        self.context.events.emit("token", text, node=self.agent)

    def _on_retry(self, retry: Retry) -> None:
        self.retries += 1
        self.context.meter.retried(self.agent, self.tier)
        _again(self.context, self.agent, self.label, retry.reason, attempt=retry.attempt, wait=retry.wait)


def _tell_usage(context: RunContext, agent: str, used: Used) -> None:
    said = f"{agent}: {used.input_tokens} in, {used.output_tokens} out"
    context.events.emit("usage", said, node=agent, **used.to_dict())


@dataclass
class ModelCalls:
    """The model calls of one agent in one step of the graph, and the degradations they caused.

    The tier's fallback model answers where its own model fails permanently: retries used up, circuit breaker open,
    unreachable, key or model name rejected. Rejected requests and invalid output don't use the fallback; the agent
    repairs them.
    """

    context: RunContext
    agent: str
    tier: Tier
    llm: BaseChatModel
    """The tier's own model."""
    brief: MakeBrief | None = None
    """Makes the brief of a call, for models that answer by rules; None: they know nothing."""
    label: str | None = None
    """`provider/model` of `llm` where it is not the tier's."""
    most_tokens: int = USUAL_TOKENS
    """Limit of a reply, hidden reasoning aside; the setting `max_output_tokens` wins. See `reply_limits`."""
    repeated: RepeatedAsk | None = None
    """Which of several asks of the same they belong to; None: the same is asked once."""
    degraded: list[DegradedRecord] = field(default_factory=list)
    """The degradations, each once."""
    warnings: list[str] = field(default_factory=list)
    """Warnings of the run that are no degradation, each once."""

    @property
    def _label(self) -> str:
        return self.context.labels.get(self.tier, "") if self.label is None else self.label

    @property
    def left(self) -> dict[str, Any]:
        """The step's addition to the state: `degraded` and `warnings`, where there are any."""
        both = {"degraded": list(self.degraded), "warnings": list(self.warnings)}
        return {key: found for key, found in both.items() if found}

    async def reply(self, messages: Sequence[BaseMessage], *, bind: Bind | None = None) -> AIMessage:
        """Ask for a reply.

        Args:
            messages: The conversation.
            bind: Binds tools to the model that is called; None: no tools.

        Raises:
            BudgetReached: Before the call.
            ModelFailure: Neither the model nor its fallback gave an answer.
            ReplyNotKept: A replay has no recorded reply for this request.
        """

        async def asked(one: NamedModel) -> AIMessage:
            return await self._with_or_without_tools(one, messages, bind)

        return await self._or_fallback(asked, messages)

    async def _with_or_without_tools(
        self, one: NamedModel, messages: Sequence[BaseMessage], bind: Bind | None
    ) -> AIMessage:
        """Ask; where the server refuses tools or turns with tool calls, ask without, with the results as text."""
        found, plain = self.context.found, without_tool_turns(messages)
        if one.label in found.take_no_tools:
            return await self._limited(one, one.llm, plain)
        try:
            return await self._limited(one, one.llm if bind is None else bind(one.llm), messages)
        except RequestRefused:
            if bind is None and len(plain) == len(messages):
                raise
        reply = await self._limited(one, one.llm, plain)
        if bind is not None and one.label not in found.take_no_tools:
            found.take_no_tools.add(one.label)
            said = f"The server of {one.label} refuses tools; agents answer from the data that were fetched for them."
            self.context.events.emit("warning", said)
        return reply

    async def _limited(
        self, one: NamedModel, model: Model, messages: Sequence[BaseMessage], *, stream: bool = True
    ) -> AIMessage:
        """Make one call whose reply has a limit; once more with a larger one where hidden reasoning has used it up."""
        limit = self._first_limit(one.label, model, messages)
        ask_with = partial(
            ask, self.context, self.agent, self.tier, label=one.label, stream=stream, repeated=self.repeated
        )
        try:
            reply = await ask_with(model if limit is None else with_limit(model, limit), messages)
        except (PromptTooLong, RequestRefused) as failure:
            if limit is None or not failure.names_limit:
                raise
            if isinstance(failure, RequestRefused):  # too much for the model, or unknown to its server
                self.context.found.take_no_limit.add(one.label)
            return await ask_with(model, messages)
        if has_reasoned(reply):
            self.context.found.reason.add(one.label)
        larger = self._limit(one.label)
        if limit is not None and larger is not None and larger > limit and ending(reply) == "cut":
            _again(self.context, self.agent, one.label, f"its reasoning used up the limit of {limit:,} tokens.")
            reply = await ask_with(with_limit(model, larger), messages)
        return reply

    def _limit(self, label: str, *, reasons: bool | None = None) -> int | None:
        """Return the limit of a reply; `reasons` None: as far as this process has seen."""
        found = self.context.found
        if label in found.take_no_limit:
            return None
        reasons = label in found.reason if reasons is None else reasons
        return limit_of(label, self.most_tokens, self.context.settings, reasons=reasons)

    def _first_limit(self, label: str, model: Model, messages: Sequence[BaseMessage]) -> int | None:
        """Return the limit of a first call; that of the reply in hand where a resumed run has one.

        Whether a model reasons is learnt from any agent's reply: the start that asked may have known another thing.
        """
        usual = self._limit(label)
        if not self.context.replay.has_earlier:
            return usual
        return next(self._limits_in_hand(label, model, messages), usual)

    def _limits_in_hand(self, label: str, model: Model, messages: Sequence[BaseMessage]) -> Iterator[int | None]:
        """Yield the limits under which an earlier start of this run has the reply to a request."""
        replay, shown = self.context.replay, _shown(self.context, messages)
        limits = (self._limit(label), self._limit(label, reasons=False), self._limit(label, reasons=True), None)
        number = self.repeated.number if self.repeated else 0
        for limit in dict.fromkeys(limits):
            if replay.is_in_hand(replay.request(model if limit is None else with_limit(model, limit), shown, number)):
                yield limit

    async def whole(
        self,
        messages: Sequence[BaseMessage],
        ask: Callable[[Sequence[BaseMessage]], Awaitable[AIMessage]] | None = None,
    ) -> AIMessage:
        """Ask for a text; repeat once if the reply is empty, cut off or stopped by a content filter.

        Args:
            messages: The conversation.
            ask: How to ask; None: `reply`, without tools.

        Raises:
            ModelFailure: The second reply is incomplete too; or from `reply`.
        """
        asked = ask or self.reply
        return await self.mended(await asked(messages), messages, asked)

    async def mended(
        self,
        reply: AIMessage,
        messages: Sequence[BaseMessage],
        ask: Callable[[Sequence[BaseMessage]], Awaitable[AIMessage]],
        *,
        or_calls: bool = False,
    ) -> AIMessage:
        """Return a complete reply: the given one, or a second one if it is empty, cut off or filtered.

        Args:
            reply: The first reply.
            messages: The conversation that it answers.
            ask: Asks again.
            or_calls: Whether a second reply that calls tools counts as complete.

        Raises:
            ModelFailure: The second reply is incomplete too; or from `ask`.
        """
        fault = fault_of(reply)
        if fault is None:
            return reply
        _again(self.context, self.agent, self._label, f"its reply {fault.what}.")
        # The incomplete reply is not sent back: a weak model would continue it, a filter would stop it again.
        second = await ask(said_last(messages, fault.wish_after(reply)))
        if or_calls and asks_for_tools(second):
            return second
        if still := fault_of(second):
            raise UnusableReply(f"{self.agent}: the model's reply {still.what}, twice; {still.way_out}")
        return second

    async def typed(
        self,
        schema: type[Answer],
        messages: Sequence[BaseMessage],
        *,
        check: Callable[[Answer], str | None] | None = None,
    ) -> Answer:
        """Ask for a typed object by the method that suits the model; see `structured_call`.

        The method that worked is kept for the run.

        Raises:
            StructuredOutputError: Two answers did not fit.
            BudgetReached: Before a call.
            ModelFailure: Neither the model nor its fallback gave an answer.
            ReplyNotKept: A replay has no recorded reply for this request.
        """

        async def asked(one: NamedModel) -> Answer:
            async def call(model: Model, prompt: Sequence[BaseMessage]) -> AIMessage:
                return await self._limited(one, model, prompt, stream=False)

            def on_repair(why: str) -> None:
                _again(self.context, self.agent, one.label, f"{why.rstrip('.')}.")

            repair = repair_method(one.label, self.context.settings)
            ask_typed = partial(structured_call, call, one.llm, schema, messages, check=check, on_repair=on_repair)
            for method in self._methods(one, schema, messages):
                with suppress(ReplyNotKept):
                    got = await ask_typed(method=method, repair=repair)
                    self._keep_method(one, method, got.method)
                    return got.value
            return (await ask_typed(method="prompt")).value

        return await self._or_fallback(asked, messages)

    def _methods(self, one: NamedModel, schema: type[BaseModel], messages: Sequence[BaseMessage]) -> list[Method]:
        """Return how to ask a model for an object: first as worked in this run, else as its profile says.

        The others are for replays, where an agent may not find its stored reply at once: which of the agents that
        worked side by side had learnt what works was chance. A resumed run begins with what it has a reply for: what
        was learnt from agents that had ended is not known to it.
        """
        settings = self.context.settings
        listed = structured_method(one.label, settings)
        known = self.context.methods.get(_address(one), listed)
        methods = list(dict.fromkeys([known, listed, repair_method(one.label, settings) or listed]))
        if not self.context.replay.has_earlier:
            return methods

        def is_in_hand(method: Method) -> bool:
            model, prompt = first_request(one.llm, schema, messages, method)
            return any(True for _ in self._limits_in_hand(one.label, model, prompt))

        refused: Method = "prompt"  # what works where a server refuses the formats of the others
        for method in dict.fromkeys([*methods, refused]):
            if is_in_hand(method):
                if method != listed:  # the earlier start had learnt it, and goes on by it
                    self.context.methods.setdefault(_address(one), method)
                return list(dict.fromkeys([method, *methods]))
        return methods

    def _keep_method(self, one: NamedModel, asked: Method, worked: Method) -> None:
        """Have the rest of the run begin with the method that worked, and say so once."""
        if worked == asked:
            return
        is_news = _address(one) not in self.context.methods
        self.context.methods[_address(one)] = worked
        if is_news:
            server = server_of(one.llm)
            self.context.events.emit(
                "warning",
                f"{server.model} at {server.host} gives no typed answer by {asked}; the rest of the run asks it by "
                f"{worked}. Set structured_output={worked} to begin with that.",
            )

    async def _or_fallback(self, ask_one: Callable[[NamedModel], Awaitable[T]], messages: Sequence[BaseMessage]) -> T:
        async def asked(one: NamedModel) -> T:
            if self.repeated is not None and self.repeated.number:
                one = NamedModel(uncached(one.llm), one.label)
            needed = self.brief if getattr(one.llm, "needs_brief", False) else None
            before = BRIEF.set(await needed(messages) if needed else None)
            try:
                return await ask_one(one)
            finally:
                BRIEF.reset(before)

        own = NamedModel(self.llm, self._label)
        fallback = self.context.fallbacks.get(self.tier)
        try:
            return await asked(own)
        except (RequestRefused, StructuredOutputError):
            raise
        except (ModelFailure, ReplyNotKept) as failure:
            if fallback is None:
                raise
            first = failure
        _again(self.context, self.agent, fallback.label, str(first))
        try:
            answer = await asked(fallback)
        except ModelFailure as second:
            raise _both(first, second, fallback.label) from second
        except ReplyNotKept:
            raise first from None
        self.lacks("fallback_model", fallback.label)
        return answer

    def again(self, reason: str) -> None:
        """Emit a retry event: the agent asks its model once more, and the text streamed so far is invalid."""
        _again(self.context, self.agent, self._label, reason)

    def warn(self, sentence: str) -> None:
        """Record a warning of the run."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)
            self.context.events.emit("warning", sentence, node=self.agent)

    def lacks(self, kind: str, detail: str) -> None:
        """Record a degradation; see `DegradedRecord`."""
        record = DegradedRecord(kind=kind, agent=self.agent, detail=detail)
        if record not in self.degraded:
            self.degraded.append(record)


def _address(one: NamedModel) -> tuple[str, str]:
    return server_of(one.llm).model, address_of(one.llm)


def asks_for_tools(reply: AIMessage) -> bool:
    """Tell whether a reply calls tools, with valid arguments or not."""
    return bool(reply.tool_calls or reply.invalid_tool_calls)


def _again(context: RunContext, agent: str, label: str, reason: str, *, attempt: int = 1, wait: float = 0.0) -> None:
    """Emit a retry event: the request is repeated, and the text streamed so far is invalid."""
    context.events.emit(
        "retry",
        f"{agent} asks {label} again: {reason}",
        node=agent,
        model=label,
        attempt=attempt,
        wait_s=round(wait, 3),
    )


def _both(first: Exception, second: ModelFailure, label: str) -> ModelFailure:
    """Return the error for a model and its fallback that both failed."""
    both = (ModelUnreachable, PromptTooLong)  # kinds of failure that hold only if they hold for both models
    kind = next((kind for kind in both if isinstance(first, kind) and isinstance(second, kind)), ModelFailure)
    return kind(f"{first} The fallback {label} failed too: {second}")
