"""A workflow whose runs belong to a conversation: each begins with the state that the last one left."""

from __future__ import annotations

import operator
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph

from tradingagents.context import RunContext
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import UsageError
from tradingagents.files.lock import locked
from tradingagents.runtime import executor
from tradingagents.runtime.executor import RunOptions, start
from tradingagents.runtime.kind import AnyGraph, RunKind, RunParts
from tradingagents.runtime.manifest import RunManifest, read_manifest
from tradingagents.runtime.records.base import RecordedRun
from tradingagents.runtime.request import RunRequest
from tradingagents.runtime.runs.run_folder import RunBusy
from tradingagents.runtime.services import Services, open_services
from tradingagents.schemas.cards import CardRecord
from tradingagents.settings import load_settings


class Said(RunRequest):
    text: str
    conversation: str


class ChatState(TypedDict, total=False):
    said: Annotated[list[str], operator.add]


BROKEN: list[str] = []


async def listen(state: ChatState) -> dict[str, Any]:
    return {"said": [f"heard {state['said'][-1]}"]}


async def reply(state: ChatState) -> dict[str, Any]:
    if BROKEN:
        raise RuntimeError(BROKEN[0])
    return {"said": [f"{len(state['said'])} so far"]}


class ChatRun(RecordedRun[CardRecord, list[str]]):
    reports = ()
    report_of: Mapping[str, str] = {}

    def first_state(self) -> Mapping[str, Any]:
        return {"said": [self._manifest.brief]}

    def announce(self) -> None:
        self.context.events.emit("run_start", "chat", start=self._starts())

    async def finish(self) -> list[str]:
        await self.leave("done")
        return list(self.state["said"])

    def _nothing_reported(self) -> bool:
        return False

    def _record(self, status: str, error: str | None) -> CardRecord:
        return CardRecord(run_id=self.context.run_id, status=status, **self._common(error))

    def _files(self, record: CardRecord) -> Mapping[str, str]:
        return {}


class Chat(RunKind[Said, CardRecord, list[str]]):
    name = "chat"
    request = Said
    record = CardRecord

    def subject(self, request: Said) -> str:
        return request.conversation

    def calendar_symbol(self, request: Said) -> str:
        return "^GSPC"

    def brief(self, request: Said) -> str:
        return request.text

    def conversation(self, request: Said) -> str:
        return request.conversation

    def request_of(self, manifest: RunManifest) -> Said:
        return Said(text=manifest.brief, conversation=manifest.subject or "", day=manifest.trade_date)

    def graph(self, services: Services) -> AnyGraph:
        graph = StateGraph(ChatState, RunContext)
        graph.add_node("listen", listen)
        graph.add_node("reply", reply)
        graph.add_edge(START, "listen")
        graph.add_edge("listen", "reply")
        graph.add_edge("reply", END)
        return graph.compile()

    def look_up(self, data: MarketData, request: Said) -> None:
        return

    def open(self, parts: RunParts, found: None) -> ChatRun:
        return ChatRun(parts, RunContext(**parts.context, preamble=""))


CHAT = Chat()


def said(text: str, conversation: str = "A1") -> Said:
    return Said(text=text, conversation=conversation, day="2025-03-14")


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    settings = load_settings({"llm_provider": "offline", "data_vendor": "simulated", "home": tmp_path}, environ={})
    opened = open_services(settings, {})
    yield opened
    opened.close()


async def test_a_run_begins_with_what_the_last_one_left(services: Services) -> None:
    assert await start(CHAT, said("hello"), services).result() == ["hello", "heard hello", "2 so far"]
    elsewhere = await start(CHAT, said("who", "B2"), services).result()
    assert elsewhere == ["who", "heard who", "2 so far"]
    again = await start(CHAT, said("and"), services).result()
    assert again == ["hello", "heard hello", "2 so far", "and", "heard and", "5 so far"]


async def test_a_run_that_failed_in_a_conversation_goes_on_in_it(services: Services, tmp_path: Path) -> None:
    await start(CHAT, said("hello"), services).result()
    BROKEN.append("no answer")
    failed = start(CHAT, said("and"), services)
    with pytest.raises(RuntimeError, match="no answer"):
        await failed.result()
    BROKEN.clear()
    resumed = executor.resume(CHAT, read_manifest(tmp_path, failed.run_id), services)
    assert await resumed.result() == ["hello", "heard hello", "2 so far", "and", "heard and", "5 so far"]


async def test_a_run_of_an_earlier_day_does_not_see_a_later_one(services: Services) -> None:
    await start(CHAT, said("hello"), services).result()
    earlier = Said(text="and", conversation="A1", day="2025-03-13")
    with pytest.raises(UsageError, match="has reached 2025-03-14, which a run of 2025-03-13 must not know"):
        await start(CHAT, earlier, services).result()


async def test_two_runs_of_a_conversation_do_not_mix(services: Services, tmp_path: Path) -> None:
    with locked(tmp_path / "conversations" / "A1" / "lock"), pytest.raises(RunBusy, match="conversation A1"):
        await start(CHAT, said("hello"), services).result()


async def test_the_id_of_a_conversation_is_no_path(services: Services, tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        await start(CHAT, said("hello", "../../elsewhere"), services).result()
    assert not (tmp_path.parent / "elsewhere").exists()


async def test_without_steps_there_is_no_conversation(services: Services, tmp_path: Path) -> None:
    for _ in range(2):
        heard = await start(CHAT, said("hello"), services, RunOptions(persist="none")).result()
        assert heard == ["hello", "heard hello", "2 so far"]
    assert not (tmp_path / "conversations").exists()
