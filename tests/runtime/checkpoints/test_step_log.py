"""The log of a run's steps: what LangGraph reads from it, and what is left of it after a kill or a full disk."""

from __future__ import annotations

import operator
import resource
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, interrupt

from tradingagents.errors import HomeNotWritable
from tradingagents.runtime.checkpoints.checkpoints import DATABASE, LOG, Checkpoints
from tradingagents.runtime.checkpoints.step_log import HEADER, StepLog, StepLogError, StepsOfAnotherVersion
from tradingagents.settings import load_settings

CONFIG: RunnableConfig = {"configurable": {"thread_id": "one"}, "metadata": {"run_id": "a run"}}


class _State(TypedDict, total=False):
    said: Annotated[list[AnyMessage], operator.add]
    count: int
    answer: str


def _built() -> StateGraph[_State]:
    part = StateGraph(_State)
    part.add_node("within", lambda _: {"said": [AIMessage("within")]})
    part.add_edge(START, "within")
    whole = StateGraph(_State)
    whole.add_node("part", part.compile(checkpointer=None))
    whole.add_node("other", lambda _: {"count": 1})
    whole.add_node("join", lambda state: {"count": state["count"] + len(state["said"])})
    whole.add_node("wait", lambda _: {"answer": interrupt({"question": "Go on?"})})
    whole.add_edge(START, "part")
    whole.add_edge(START, "other")
    whole.add_edge(["part", "other"], "join")
    whole.add_edge("join", "wait")
    whole.add_edge("wait", END)
    return whole


def _with(saver: Any) -> CompiledStateGraph[Any, Any, Any, Any]:
    return _built().compile(checkpointer=saver)


def _seen(saver: Any) -> list[tuple[Any, ...]]:
    """Return what a saver says of each step of the graph and its part, without ids and times, which differ."""
    return sorted(
        (
            one.config["configurable"]["checkpoint_ns"].partition(":")[0],
            one.metadata["step"],
            one.metadata["run_id"],
            sorted(
                (name, repr(value))
                for name, value in one.checkpoint["channel_values"].items()
                if name in _State.__annotations__
            ),
            sorted((name, str(value)[:30]) for _, name, value in one.pending_writes or ()),
            one.parent_config is not None,
        )
        for one in saver.list(None)
    )


def _plain(text: str) -> str:
    return text.partition("id='")[0]


async def test_a_graph_finds_what_langgraph_would_hold_in_memory(tmp_path: Path):
    memory, log = InMemorySaver(), StepLog(tmp_path / LOG, InMemorySaver().serde)
    for saver in (memory, log):
        await _with(saver).ainvoke({"said": [AIMessage("first", id="1")]}, CONFIG, durability="sync")
    log.close()
    again = StepLog(tmp_path / LOG, InMemorySaver().serde)
    assert len(_seen(again)) == len(_seen(memory)) > 4
    for mine, theirs in zip(_seen(again), _seen(memory), strict=True):
        assert _plain(str(mine)) == _plain(str(theirs))
    state = await _with(again).aget_state(CONFIG)
    assert state.next == ("wait",)
    assert state.values["count"] == 4
    ended = await _with(again).ainvoke(Command(resume="yes"), CONFIG, durability="sync")
    assert (ended["answer"], [one.text for one in ended["said"]]) == ("yes", ["first", "first", "within"])
    again.close()


async def test_of_a_log_cut_anywhere_whole_steps_are_read_and_more_can_follow(tmp_path: Path):
    log = StepLog(tmp_path / LOG, InMemorySaver().serde)
    graph = _with(log)
    await graph.ainvoke({"said": [AIMessage("first", id="1")]}, CONFIG, durability="sync")
    log.close()
    whole = (tmp_path / LOG).read_bytes()
    steps = []
    for cut in range(0, len(whole), 149):
        (tmp_path / LOG).write_bytes(whole[:cut])
        torn = StepLog(tmp_path / LOG, InMemorySaver().serde)
        state = await _with(torn).aget_state(CONFIG)
        steps.append((state.metadata or {}).get("step", -2))
        given = None if state.created_at else {"said": [AIMessage("first", id="1")]}
        ended = await _with(torn).ainvoke(given, CONFIG, durability="sync")
        assert ended["count"] == 4
        torn.close()
        with closing(StepLog(tmp_path / LOG, InMemorySaver().serde)) as again:
            assert again.get_tuple(CONFIG) is not None
    assert steps == sorted(steps)
    assert set(steps) == {-2, -1, 0, 1, 2}


def test_a_damaged_record_ends_what_is_read(tmp_path: Path):
    log = StepLog(tmp_path / LOG, InMemorySaver().serde)
    _with(log).invoke({"said": []}, CONFIG)
    log.close()
    content = bytearray((tmp_path / LOG).read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / LOG).write_bytes(content)
    again = StepLog(tmp_path / LOG, InMemorySaver().serde)
    assert 0 < (tmp_path / LOG).stat().st_size < len(content)
    assert again.get_tuple(CONFIG) is not None
    again.close()


def test_a_file_of_another_kind_is_refused(tmp_path: Path):
    path = tmp_path / LOG
    path.write_bytes(b"something else")
    with pytest.raises(StepLogError, match="no log of steps"):
        StepLog(path, InMemorySaver().serde)
    assert path.read_bytes() == b"something else"


def test_steps_of_another_version_are_refused_with_what_to_do(tmp_path: Path):
    path = tmp_path / LOG
    path.write_bytes(b"tradingagents steps 2\nwhat each node returned")
    with pytest.raises(StepsOfAnotherVersion, match="start it anew"):
        StepLog(path, InMemorySaver().serde)
    assert path.read_bytes() == b"tradingagents steps 2\nwhat each node returned"


async def test_a_run_writes_a_log_a_conversation_and_an_older_run_a_database(tmp_path: Path):
    checkpoints = Checkpoints(load_settings({}, environ={}))
    for name in ("run", "conversation", "older"):
        (tmp_path / name).mkdir()
    sqlite3.connect(tmp_path / "older" / DATABASE).close()
    for name, lasting, file in (("run", False, LOG), ("conversation", True, DATABASE), ("older", False, DATABASE)):
        async with checkpoints.of(tmp_path / name, lasting=lasting) as saver:
            await _with(saver).ainvoke({"said": [AIMessage("first", id="1")]}, CONFIG, durability="sync")
            assert (await _with(saver).aget_state(CONFIG)).next == ("wait",)
        assert file in {path.name for path in (tmp_path / name).iterdir()}
        assert (tmp_path / name / LOG).exists() == (file == LOG)
    assert (tmp_path / "run" / LOG).read_bytes().startswith(HEADER)


async def test_a_full_disk_is_named(tmp_path: Path):
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
        with pytest.raises(HomeNotWritable, match=r"steps\.log \(File too large"):
            async with Checkpoints(load_settings({}, environ={})).of(tmp_path) as saver:
                await _with(saver).ainvoke({"said": [AIMessage("first", id="1")]}, CONFIG, durability="sync")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
