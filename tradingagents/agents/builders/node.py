"""Node types that all builders share."""

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

Act = Callable[[Any, Runtime[Any], RunnableConfig], Awaitable[Any]]
"""A node's function: takes the state, returns the state's update."""


class Node(Runnable[Any, Any]):
    """A node for our graphs, for any other `StateGraph`, and for direct calls: `node(state)`.

    Our graphs pass the run's context with the runtime. Elsewhere the node makes one (`agents.standalone`).
    """

    def __init__(self, act: Act, *, name: str, llm: BaseChatModel | None = None) -> None:
        """Make a node.

        Args:
            act: Its function.
            name: Its name in traces.
            llm: The model it calls, for the meter.
        """
        self.name = name
        self.act = act
        self._llm = llm

    def __call__(self, state: Any) -> Any:
        """Return the state's update, for direct calls. In asynchronous code await `ainvoke(state)`."""
        return self.invoke(state)

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002 - LangChain's name
        """Return the state's update, from synchronous code."""
        return wait_for(self.ainvoke(input, config, **kwargs))

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Any:  # noqa: A002
        """Return the state's update."""
        runtime, settled = _runtime(), config or RunnableConfig()
        if isinstance(runtime.context, RunContext):
            return await self.act(input, runtime, settled)
        context = MADE.get() or await asyncio.to_thread(lambda: context_of(input, parts_here(self._llm)))
        token = MADE.set(context)
        try:
            return await self.act(input, runtime.override(context=context), settled)
        finally:
            MADE.reset(token)


class NextNode(Runnable[Any, str]):
    """Chooses the next node, on the event loop: LangGraph passes a plain function to a thread each time."""

    def __init__(self, func: Callable[[Any], str]) -> None:
        """Take the function that returns a node's name for a state."""
        self.name, self.func = func.__name__, func

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> str:  # noqa: A002, ARG002
        """Return the next node, from synchronous code."""
        return self.func(input)

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> str:  # noqa: A002, ARG002
        """Return the next node."""
        return self.func(input)


class AgentGraph(CompiledStateGraph[Any, Any, Any, Any]):
    """A reporting agent: a compiled sub-graph that can also be called directly: `analyst(state)`."""

    @classmethod
    def of(cls, graph: CompiledStateGraph[Any, Any, Any, Any]) -> AgentGraph:
        """Return a compiled graph as an `AgentGraph`."""
        return cls(**{name: value for name, value in vars(graph).items() if name != "__orig_class__"})

    def __call__(self, state: Any) -> Any:
        """Return the state's update, for direct calls. In asynchronous code await `ainvoke(state)`."""
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
