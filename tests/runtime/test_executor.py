"""Runs as the executor hands them out: their events, how one is stopped, and what each leaves."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.graph_factory import COMPANY, DAY, Watch, scripted, trading_graph
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.errors import BadSymbol, Interrupted, UsageError
from tradingagents.events import Event
from tradingagents.graph.trading.kind import TRADING, TradingRequest
from tradingagents.runtime.executor import RunOptions, start
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

OFFLINE = {"llm_provider": "offline", "data_vendor": "simulated", "auto_settle": False}
ASKED = TradingRequest(ticker=COMPANY, day=DAY)


@pytest.fixture
async def services(tmp_path: Path) -> AsyncIterator[Services]:
    opened = open_services(load_settings({**OFFLINE, "home": tmp_path}, environ={}), {})
    yield opened
    opened.close()


def files_of(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


async def test_a_handle_streams_what_the_log_keeps(services: Services, tmp_path: Path) -> None:
    watch = Watch()
    handle = start(TRADING, ASKED, services, RunOptions(subscribers=(watch,)))
    assert not handle.done
    streamed = [event async for event in handle.events()]
    run = await handle.result()
    assert run.record["run_id"] == handle.run_id
    assert handle.done
    assert streamed == watch.events
    logged = (tmp_path / "runs" / handle.run_id / "events.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["seq"] for line in logged] == [event.seq for event in streamed if event.type != "token"]
    assert [event async for event in handle.events()] == []


async def test_a_run_that_is_cancelled_after_its_decision_leaves_its_record_first(
    services: Services, tmp_path: Path
) -> None:
    writing = threading.Event()

    def hold(event: Event) -> None:
        if event.type == "result":
            services.writer.submit(writing.wait, 60)

    handle = start(TRADING, ASKED, services, RunOptions(subscribers=(hold,)))
    waiting = asyncio.create_task(handle.result())
    async for event in handle.events():
        if event.type == "result":
            break
    waiting.cancel()
    await asyncio.sleep(0.05)
    assert not waiting.done()
    writing.set()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    card = json.loads((tmp_path / "runs" / handle.run_id / "run.json").read_text("utf-8"))
    assert (card["status"], card["decision"]["action"]) == ("done", "BUY")


async def test_what_is_wrong_with_a_request_is_said_before_anything_is_written(
    services: Services, tmp_path: Path
) -> None:
    with pytest.raises(BadSymbol):
        start(TRADING, TradingRequest(ticker="../../etc", day=DAY), services)
    assert not (tmp_path / "runs").exists()


async def test_one_run_is_stopped_and_the_other_goes_on() -> None:
    with trading_graph(scripted(delay=0.05)) as graph:
        first, second = (start(TRADING, ASKED, graph.services) for _ in range(2))
        async for event in first.events():
            if event.type == "node_end":
                first.cancel()
                break
        with pytest.raises(Interrupted, match=rf"runs resume {first.run_id}"):
            await first.result()
        run = await second.result()
    assert run.record["status"] == "done"
    stopped = json.loads((Path(run.record["paths"]["folder"]).parent / first.run_id / "run.json").read_text("utf-8"))
    assert stopped["status"] == "interrupted"


async def test_a_second_cancel_does_not_wait() -> None:
    with trading_graph(scripted(delay=60), drain_seconds=60) as graph:
        handle = start(TRADING, ASKED, graph.services)
        async for event in handle.events():
            if event.type == "node_start":
                break
        handle.cancel()
        handle.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(handle.result(), 30)


async def test_a_card_is_all_that_is_left(services: Services) -> None:
    run = await start(TRADING, ASKED, services, RunOptions(persist="card")).result()
    folder = Path(run.record["paths"]["folder"])
    assert files_of(folder) == {"run.json", "unsettled"}
    assert json.loads((folder / "run.json").read_text("utf-8")) == json.loads(json.dumps(run.record.as_json()))
    assert run.record["grounding"]["figures"] > 100
    assert set(run.record["paths"]) == {"folder", "card"}


async def test_a_run_that_waits_for_a_person_keeps_its_steps(tmp_path: Path) -> None:
    opened = open_services(load_settings({**OFFLINE, "home": tmp_path, "approve": True}, environ={}), {})
    with pytest.raises(UsageError, match="persist='all'"):
        start(TRADING, ASKED, opened, RunOptions(persist="none"))
    opened.close()


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ticker=st.sampled_from(sorted(COMPANIES)), day=st.sampled_from(["2024-08-09", DAY, "2025-11-05"]))
async def test_a_run_that_leaves_nothing_decides_the_same(services: Services, ticker: str, day: str) -> None:
    request = TradingRequest(ticker=ticker, day=day)
    left = files_of(services.settings.home_dir)
    nothing = (await start(TRADING, request, services, RunOptions(persist="none")).result()).record
    assert {name for name in files_of(services.settings.home_dir) - left if name.startswith("runs/")} == set()
    everything = (await start(TRADING, request, services).result()).record
    assert said(nothing) == said(everything)


def said(record: Any) -> Any:
    """What a record says, without what a run that is not written leaves out: the check of its figures."""
    decision = record.decision.as_json()
    decision["key_evidence"] = [{**item, "unsupported": None} for item in decision["key_evidence"]]
    kept = ("status", "warnings", "reports", "debates", "degraded")
    return {"decision": decision, **{key: record[key] for key in kept}}
