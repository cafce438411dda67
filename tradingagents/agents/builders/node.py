"""What the builders share: the form of a node, the words for a missing answer, the texts in a state."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime, get_runtime

from tradingagents.agents.standalone import context_of, parts_here, wait_for
from tradingagents.agents.states import AgentState
from tradingagents.context import MADE, RunContext

NOT_AVAILABLE = "**Not available.**"

Act = Callable[[Any, Runtime[Any], RunnableConfig], Awaitable[Any]]
"""What a node does with the state; returns the state's update."""


class Node(Runnable[Any, Any]):
    """A node of our graphs that also works in a `StateGraph` of the user's own, and called plainly: `node(state)`.

    In our graphs the run's context arrives with the runtime. Where none does, one is made (`agents.standalone`).
    """

    def __init__(self, act: Act, *, name: str, llm: BaseChatModel | None = None) -> None:
        """Make a node.

        Args:
            act: What it does.
            name: What it is called in traces.
            llm: The model it asks, for the meter.
        """
        self.name = name
        self._act = act
        self._llm = llm

    def __call__(self, state: Any) -> Any:
        """Return the state's update; for plain calls. In asynchronous code await `ainvoke(state)`."""
        return self.invoke(state)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002 - LangChain's name
        """Return the state's update, from synchronous code."""
        return wait_for(self.ainvoke(input, config, **kwargs))

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Any:  # noqa: A002
        """Return the state's update."""
        runtime, settled = _runtime(), config or RunnableConfig()
        if isinstance(runtime.context, RunContext):
            return await self._act(input, runtime, settled)
        context = MADE.get() or await asyncio.to_thread(lambda: context_of(input, parts_here(self._llm)))
        token = MADE.set(context)
        try:
            return await self._act(input, runtime.override(context=context), settled)
        finally:
            MADE.reset(token)


class AgentGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """A reporting agent: a graph of its own, which can also be called plainly: `analyst(state)`."""

    @classmethod
    def of(cls, graph: CompiledStateGraph[Any, Any, Any, Any]) -> AgentGraph:
        """Return a compiled graph as an agent."""
        return cls(**{name: value for name, value in vars(graph).items() if name != "__orig_class__"})

    def __call__(self, state: Any) -> Any:
        """Return the state's update; for plain calls. In asynchronous code await `ainvoke(state)`."""
        return self.invoke(state)


def _runtime() -> Runtime[Any]:
    """Return the runtime of the graph this runs in; an empty one outside of graphs."""
    try:
        return get_runtime() or Runtime()
    except RuntimeError:  # LangGraph's, for a call outside of a graph
        return Runtime()


def texts_of(state: AgentState) -> dict[str, str]:
    """Return the texts in a state by their keys: reports and plans."""
    return {key: value for key, value in state.items() if isinstance(value, str)}
