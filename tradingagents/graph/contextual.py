"""The compiled graph for users: run with only a ticker and a day, it makes its own context."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, Self

from langchain_core.messages import AIMessage
from langgraph.graph.state import CompiledStateGraph

from tradingagents.agents.roster import roster
from tradingagents.agents.spec import DebateAgent, DecideAgent
from tradingagents.agents.standalone import Parts, context_of
from tradingagents.context import RunContext
from tradingagents.runtime.services import Services


class ContextualGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """A compiled graph for `invoke`, `stream` and their asynchronous forms without a context.

    Such a run writes no record, no reports and no checkpoint, unlike `propagate` and `scan`. Its values include the
    texts written so far as `messages`.
    """

    def __init__(self, *, context: Callable[[Mapping[str, Any]], RunContext], **parts: Any) -> None:
        """Take over the parts of a compiled graph.

        Args:
            context: Makes a run's context from its input.
            **parts: As LangGraph passes them when it copies a compiled graph.
        """
        super().__init__(**parts)
        self.context = context

    @classmethod
    def of(cls, graph: CompiledStateGraph[Any, Any, Any, Any], services: Services) -> Self:
        """Return a compiled graph that makes its contexts from shared services."""
        parts = Parts(
            settings=services.settings,
            vendors=services.vendors,
            cache=services.cache,
            memo=services.memo,
            labels=services.models.labels,
            fallbacks=services.models.fallbacks,
            breakers=services.breakers,
            executor=services.executor,
            secrets=services.secrets,
        )
        return cls(
            context=lambda state: context_of(state, parts),
            **{name: value for name, value in vars(graph).items() if name != "__orig_class__"},
        )

    def stream(self, input: Any, config: Any = None, *, context: Any = None, **options: Any) -> Iterator[Any]:  # noqa: A002
        """Stream a run; see LangGraph. Without a context, raises as `agents.standalone.context_of`."""
        made = context if context is not None or not isinstance(input, Mapping) else self.context(input)
        for part in super().stream(input, config, context=made, **options):
            yield _with_messages(part, options)

    async def astream(
        self,
        input: Any,  # noqa: A002 - LangGraph's name
        config: Any = None,
        *,
        context: Any = None,
        **options: Any,
    ) -> AsyncIterator[Any]:
        """Stream a run; see LangGraph. Without a context, raises as `agents.standalone.context_of`."""
        made = context
        if made is None and isinstance(input, Mapping):
            made = await asyncio.to_thread(self.context, input)
        async for part in super().astream(input, config, context=made, **options):
            yield _with_messages(part, options)


def messages_of(state: Mapping[str, Any]) -> list[AIMessage]:
    """Return the texts in a trading state as messages, each with its author's name, in the order of a run."""
    known, said = roster(), []
    for spec in (*known.analysts.values(), *known.deciders):
        if isinstance(spec, DecideAgent) and spec.debate:
            said += [
                (turn["speaker"], turn["text"]) for turn in (state.get(spec.debate.state_key) or {}).get("turns", [])
            ]
        if not isinstance(spec, DebateAgent) and state.get(spec.output_key):
            said.append((spec.name, state[spec.output_key]))
    return [AIMessage(text, name=author.replace(" ", "_")) for author, text in said]


def _with_messages(part: Any, options: Mapping[str, Any]) -> Any:
    values = options.get("stream_mode", "values") == "values" and isinstance(part, dict)
    return {**part, "messages": messages_of(part)} if values and "company_of_interest" in part else part
