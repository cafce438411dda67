"""Runs without LangGraph's engine: the same states as with it."""

from __future__ import annotations

import asyncio
import operator
from typing import Annotated, Any, TypedDict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.tracers.context import collect_runs
from langgraph.errors import GraphDrained, GraphRecursionError
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import RunControl, Runtime

from tests.support.tiers import examples
from tradingagents.runtime.direct import DirectGraph, NotDirect, direct_graph


class Seen(TypedDict, total=False):
    path: Annotated[list[str], operator.add]
    counts: Annotated[dict[str, int], lambda one, other: {**one, **other}]
    last: str


class Part(TypedDict, total=False):
    path: Annotated[list[str], operator.add]
    counts: Annotated[dict[str, int], lambda one, other: {**one, **other}]


class Step(Runnable[Any, Any]):
    """A node as ours are: LangGraph calls `ainvoke`, a run without its engine `act`."""

    def __init__(self, act: Any) -> None:
        self.act = act

    def invoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Any:  # noqa: A002 - LangChain's name
        raise NotImplementedError

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **_: Any) -> Any:  # noqa: A002
        return await self.act(input, Runtime(), config or RunnableConfig())


CONFIG = RunnableConfig(recursion_limit=40)


def node(name: str, *, writes_last: bool = False) -> Any:
    async def act(state: Seen, _runtime: Runtime[Any], _config: RunnableConfig) -> dict[str, Any]:
        update = {"path": [name], "counts": {name: state.get("counts", {}).get(name, 0) + 1}, "unknown": name}
        return {**update, "last": name} if writes_last else update

    return Step(act)


def built(side: int, rounds: int, nested: bool) -> Any:
    """A graph like ours: nodes side by side, a deferred join, turns by a branch, a graph within."""
    graph: Any = StateGraph(Seen)
    for number in range(side):
        graph.add_node(f"side {number}", node(f"side {number}"))
        graph.add_edge(START, f"side {number}")
        graph.add_edge(f"side {number}", "join")
    if nested:
        inner: Any = StateGraph(Seen, output_schema=Part)
        inner.add_node("inner", node("inner", writes_last=True))
        inner.add_edge(START, "inner")
        inner.add_conditional_edges("inner", lambda state: "inner" if state["counts"]["inner"] < 3 else END)
        graph.add_node("nested", inner.compile())
        graph.add_edge(START, "nested")
        graph.add_edge("nested", "after nested")
        graph.add_node("after nested", node("after nested"))
        graph.add_edge("after nested", "join")
    graph.add_node("join", node("join", writes_last=True), defer=True)
    graph.add_edge("join", "bull")
    for speaker, other in (("bull", "bear"), ("bear", "bull")):
        graph.add_node(speaker, node(speaker, writes_last=True))
        graph.add_conditional_edges(
            speaker,
            lambda state, other=other: (
                other if sum(state["counts"].get(one, 0) for one in ("bull", "bear")) < rounds else "judge"
            ),
            ["bull", "bear", "judge"],
        )
    graph.add_node("judge", node("judge"))
    graph.add_edge("judge", END)
    return graph.compile()


@given(side=st.integers(1, 4), rounds=st.integers(1, 5), nested=st.booleans(), first=st.text(max_size=3))
@settings(max_examples=examples(25), deadline=None)
async def test_every_state_is_the_one_of_the_engine(side: int, rounds: int, nested: bool, first: str):
    graph = built(side, rounds, nested)
    given_state = {"path": [first], "other": 1}
    engine = [dict(state) async for state in graph.astream(given_state, CONFIG, stream_mode="values")]
    direct = [state async for state in DirectGraph(graph).states(given_state, Runtime(), CONFIG)]
    assert direct == engine
    assert direct[-1]["path"][-1] == "judge"


class Kept(dict[str, Any]):
    """A journal in memory."""

    def update_at(self, place: str) -> Any:
        return self.get(place)

    def keep(self, place: str, update: Any) -> None:
        self[place] = update


@given(side=st.integers(1, 3), rounds=st.integers(1, 4), nested=st.booleans(), data=st.data())
@settings(max_examples=examples(15), deadline=None)
async def test_a_run_goes_on_from_whatever_its_journal_kept(side: int, rounds: int, nested: bool, data: st.DataObject):
    direct, whole, ran = DirectGraph(built(side, rounds, nested)), Kept(), Kept()
    states = [state async for state in direct.states({"path": ["a"]}, Runtime(), CONFIG, whole)]
    kept = dict(list(whole.items())[: data.draw(st.integers(0, len(whole)))])
    ran.update(kept)
    again = [state async for state in direct.states({"path": ["a"]}, Runtime(), CONFIG, ran)]
    assert again == states
    within = {place for place in whole.keys() - ran.keys() if any(place.startswith(f"{one}/") for one in kept)}
    assert ran == {place: update for place, update in whole.items() if place not in within}


async def test_a_node_that_the_journal_knows_is_not_run_again():
    graph: Any = StateGraph(Seen)
    ran: list[str] = []

    async def act(_state: Seen, _runtime: Runtime[Any], _config: RunnableConfig) -> dict[str, Any]:
        ran.append("node")
        return {"path": ["new"]}

    graph.add_node("node", Step(act))
    graph.add_edge(START, "node")
    direct = DirectGraph(graph.compile())
    known = [state async for state in direct.states({}, Runtime(), CONFIG, Kept({"0 node": {"path": ["kept"]}}))]
    assert (known[-1]["path"], ran) == (["kept"], [])
    assert [state async for state in direct.states({}, Runtime(), CONFIG, Kept())][-1]["path"] == ["new"]
    assert ran == ["node"]


async def test_a_run_that_is_to_stop_ends_before_its_next_step():
    control = RunControl()
    states = DirectGraph(built(1, 2, False)).states({}, Runtime(control=control), CONFIG)
    seen = [(await anext(states))["path"] for _ in range(3)]
    control.request_drain()
    with pytest.raises(GraphDrained):
        await anext(states)
    assert seen == [[], ["side 0"], ["side 0", "join"]]


async def test_others_get_their_turn_between_steps_of_nodes_that_wait_for_nothing():
    control = RunControl()
    asyncio.get_running_loop().call_soon(control.request_drain)
    states = DirectGraph(built(1, 5, False)).states({}, Runtime(control=control), CONFIG)
    assert (await anext(states))["path"] == []
    with pytest.raises(GraphDrained):
        await anext(states)


async def test_a_graph_that_does_not_end_is_stopped_as_by_the_engine():
    graph, few = built(1, 30, False), RunnableConfig(recursion_limit=9)
    for states in (graph.astream({}, few), DirectGraph(graph).states({}, Runtime(), few)):
        with pytest.raises(GraphRecursionError):
            [state async for state in states]


async def test_where_one_of_several_nodes_fails_the_others_are_cancelled():
    ended: list[str] = []

    async def slow(_state: Seen, _runtime: Runtime[Any], _config: RunnableConfig) -> dict[str, Any]:
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("slow")
        return {}

    async def failing(_state: Seen, _runtime: Runtime[Any], _config: RunnableConfig) -> dict[str, Any]:
        raise ValueError("no")

    graph: Any = StateGraph(Seen)
    for name, act in (("slow", slow), ("failing", failing)):
        graph.add_node(name, Step(act))
        graph.add_edge(START, name)
    with pytest.raises(ValueError, match="no"):
        [state async for state in DirectGraph(graph.compile()).states({}, Runtime(), CONFIG)]
    assert ended == ["slow"]


def test_a_graph_that_needs_the_engine_is_left_to_it():
    graph: Any = StateGraph(Seen)
    graph.add_node("plain", lambda state: {"path": ["plain"]})
    graph.add_edge(START, "plain")
    compiled = graph.compile()
    with pytest.raises(NotDirect, match="the node plain"):
        DirectGraph(compiled)
    assert direct_graph(compiled) is None


def test_a_graph_whose_steps_someone_traces_is_left_to_the_engine():
    graph = built(1, 1, False)
    assert isinstance(direct_graph(graph), DirectGraph)
    with collect_runs():
        assert direct_graph(graph) is None
