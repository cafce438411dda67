"""Takes a run through its graph without LangGraph's engine.

Streaming, tracing, waiting for a person and resuming from any database is what the engine is for; a run that wants
none of it pays for it all the same, with about a third of an offline run's time. `DirectGraph` calls the same nodes in
the same order, and puts their updates together with the graph's own channels. A run can go on later from the updates
that its nodes returned, which a journal keeps.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from typing import Any, Protocol, get_type_hints, runtime_checkable
from weakref import WeakKeyDictionary

from langchain_core.callbacks import AsyncCallbackManager
from langchain_core.runnables import RunnableConfig
from langgraph.channels import BaseChannel
from langgraph.errors import GraphDrained, GraphRecursionError
from langgraph.graph import END, START
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import RunControl, Runtime

State = dict[str, Any]
Channels = dict[str, BaseChannel[Any, Any, Any]]


@runtime_checkable
class DirectNode(Protocol):
    """A node that can be called with its runtime, which LangGraph's engine passes on behind the scenes."""

    async def act(self, state: Any, runtime: Runtime[Any], config: RunnableConfig) -> Any:
        """Return the state's update."""


class NodeJournal(Protocol):
    """Keeps what nodes returned, by their place: the number of the step and the node's name.

    The place of a node of a graph within the graph begins with that graph's own place.
    """

    def update_at(self, place: str) -> State | None:
        """Return what the node at a place returned at an earlier start; None if it did not end."""

    def keep(self, place: str, update: State) -> None:
        """Store what the node at a place returned."""


class NotDirect(Exception):
    """A graph has a part that only LangGraph's engine can run; the message names it."""


class DirectGraph:
    """The nodes and edges of a compiled graph, read once."""

    def __init__(self, compiled: CompiledStateGraph[Any, Any, Any, Any]) -> None:
        """Read a graph.

        Raises:
            NotDirect: It has a node or an edge that only the engine can run.
        """
        builder = compiled.builder
        if builder.waiting_edges:
            raise NotDirect("an edge from several nodes")
        self._nodes = {name: _steps_of(name, spec.runnable) for name, spec in builder.nodes.items()}
        self._deferred = frozenset(name for name, spec in builder.nodes.items() if spec.defer)
        self._edges: dict[str, list[str]] = defaultdict(list)
        for source, target in sorted(builder.edges):
            self._edges[source].append(target)
        self._branches = {source: list(branches.values()) for source, branches in builder.branches.items()}
        keys = get_type_hints(builder.state_schema)
        self._channels = {
            key: channel
            for key, channel in compiled.channels.items()
            if key in keys and isinstance(channel, BaseChannel)
        }
        self._inputs = frozenset(get_type_hints(builder.input_schema))
        self._outputs = frozenset(get_type_hints(builder.output_schema))

    async def states(
        self,
        given: Mapping[str, Any],
        runtime: Runtime[Any],
        config: RunnableConfig,
        journal: NodeJournal | None = None,
        *,
        within: str = "",
    ) -> AsyncIterator[State]:
        """Yield the state at the beginning and after each step.

        Args:
            given: The first state; keys that the graph does not take are ignored.
            runtime: With the run's context, and its control where it may be drained.
            config: With the `recursion_limit`.
            journal: Keeps what each node returns; a node at a place that it knows is not run again, provided that
                `given` is as it was. None: nothing is kept.
            within: The place of the node that this graph is, if it is one, with a slash at its end.

        Raises:
            GraphDrained: The run is to stop, and steps are left.
            GraphRecursionError: The graph has not ended after `recursion_limit` steps.
        """
        config = {**config, "callbacks": AsyncCallbackManager.configure()}  # looked up once; None: in each node
        channels = {key: channel.copy() for key, channel in self._channels.items()}
        _apply(channels, [{key: value for key, value in given.items() if key in self._inputs}])
        state = _values(channels)
        yield dict(state)
        ready, waiting = {*self._edges[START]}, set[str]()
        for number in range(config.get("recursion_limit", 0)):
            if not ready:
                ready, waiting = waiting, set()
            if not ready:
                return
            await asyncio.sleep(0)  # nodes of rules wait for nothing: others, and whoever stops the run, get their turn
            _assert_not_drained(runtime.control)
            names = sorted(ready)  # updates are put together in the engine's order, which is by name
            updates = await _together(
                [
                    self._update(name, dict(state), runtime, config, journal, f"{within}{number} {name}")
                    for name in names
                ]
            )
            targets = {
                target
                for name, update in zip(names, updates, strict=True)
                for target in await self._targets(name, channels, state, update, config)
            }
            state = _changed_state(state, channels, _apply(channels, updates))
            yield dict(state)
            ready = {target for target in targets if target not in self._deferred and target != END}
            waiting |= {target for target in targets if target in self._deferred}
        if ready or waiting:
            raise GraphRecursionError(f"The graph has not ended after {config.get('recursion_limit')} steps.")

    async def _update(
        self,
        name: str,
        state: State,
        runtime: Runtime[Any],
        config: RunnableConfig,
        journal: NodeJournal | None,
        place: str,
    ) -> State:
        """Return what a node, or a graph within the graph, adds to the state."""
        if journal is not None and (known := journal.update_at(place)) is not None:
            return known
        node = self._nodes[name]
        if isinstance(node, DirectGraph):
            states = [state async for state in node.states(state, runtime, config, journal, within=f"{place}/")]
            update = {key: value for key, value in states[-1].items() if key in node._outputs}
        else:
            update = await node.act(state, runtime, config) or {}
        if journal is not None:
            journal.keep(place, update)
        return update

    async def _targets(
        self, name: str, channels: Channels, state: State, update: State, config: RunnableConfig
    ) -> list[str]:
        """Return the nodes that follow; a branch sees the state with its own node's update."""
        targets = list(self._edges[name])
        if branches := self._branches.get(name):
            state = {**state, **_changed(channels, update)}
            for branch in branches:
                function = getattr(branch.path, "func", None)  # without the engine's wrapper where it is a function
                found: Any = function(state) if function else await branch.path.ainvoke(state, config)
                chosen: list[Any] = found if isinstance(found, list) else [found]
                targets += [branch.ends[one] if branch.ends else one for one in chosen]
        return targets


_READ: WeakKeyDictionary[CompiledStateGraph[Any, Any, Any, Any], DirectGraph | None] = WeakKeyDictionary()


def direct_graph(compiled: CompiledStateGraph[Any, Any, Any, Any], *, traced_too: bool = False) -> DirectGraph | None:
    """Return a graph to run without the engine; None where it needs the engine, or someone traces its steps.

    Args:
        compiled: The graph.
        traced_too: Whether to return it although someone traces, who then sees the calls of models only.
    """
    if not traced_too and AsyncCallbackManager.configure().handlers:
        return None
    if compiled not in _READ:
        try:
            _READ[compiled] = DirectGraph(compiled)
        except NotDirect:
            _READ[compiled] = None
    return _READ[compiled]


def _steps_of(name: str, runnable: Any) -> DirectNode | DirectGraph:
    if isinstance(runnable, CompiledStateGraph):
        return DirectGraph(runnable)
    if isinstance(runnable, DirectNode):
        return runnable
    raise NotDirect(f"the node {name}")


def _values(channels: Channels) -> State:
    return {key: channel.get() for key, channel in channels.items() if channel.is_available()}


def _changed_state(state: State, channels: Channels, changed: Channels) -> State:
    """Return the state after a step, in the order of the graph's channels."""
    longer = {**state, **_values(changed)}
    return longer if len(longer) == len(state) else {key: longer[key] for key in channels if key in longer}


def _apply(channels: Channels, updates: Sequence[State]) -> Channels:
    """Put the updates of one step into the state; return the channels that it changed, by key.

    Of keys that the graph does not know nothing is kept.
    """
    by_key: dict[str, list[Any]] = defaultdict(list)
    for update in updates:
        for key, value in update.items():
            if key in channels:
                by_key[key].append(value)
    for key, values in by_key.items():
        channels[key].update(values)
    return {key: channels[key] for key in by_key}


def _changed(channels: Channels, update: State) -> State:
    """Return the values that one update changes, as they will be."""
    own = {key: channels[key].copy() for key in update if key in channels}
    _apply(own, [update])
    return _values(own)


def _assert_not_drained(control: RunControl | None) -> None:
    if control is not None and control.drain_requested:
        raise GraphDrained(control.drain_reason or "")


async def _together(steps: Sequence[Awaitable[State]]) -> list[State]:
    """Run the nodes of one step at the same time; where one fails, the others are cancelled."""
    if len(steps) == 1:
        return [await steps[0]]
    tasks = [asyncio.ensure_future(step) for step in steps]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
