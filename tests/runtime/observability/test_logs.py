"""Log records of runs: each with its run and agent, as JSON where wanted, in the file of its own run and no other's."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import Answer, OpenAIServer
from tests.docs.blocks import ROOT, python_blocks
from tests.support.graph_factory import ANALYSTS, COMPANY, DAY, scripted, trading_graph
from tests.support.served_runs import server_config
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.errors import HomeNotWritable
from tradingagents.events import EventStream
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.run_context import RUN, Running, under_way
from tradingagents.runtime.observability.logs import (
    LIBRARIES,
    JsonFormatter,
    RunFilter,
    RunLog,
    formatter_of,
    log_event,
)

OTHER = next(symbol for symbol in COMPANIES if symbol != COMPANY)
RUNNING = Running("run-1", "trading", "ACME", DAY)


@pytest.fixture(autouse=True)
def _levels_as_they_were() -> Iterator[None]:
    names = ("tradingagents", *LIBRARIES)
    before = {name: logging.getLogger(name).level for name in names}
    yield
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)


def record(message: str, *arguments: Any, **extra: Any) -> logging.LogRecord:
    made = logging.getLogger("tradingagents.test").makeRecord(
        "tradingagents.test", logging.WARNING, __file__, 1, message, arguments, None, extra=extra
    )
    made.created = 1_700_000_000.25
    return made


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_a_record_is_one_json_object_on_one_line():
    with under_way(RUNNING):
        line = JsonFormatter().format(record("two\nlines of %s", "ü", count=3, at=Path("/x"), nothing=None))
    assert "\n" not in line
    assert json.loads(line) == {
        "ts": "2023-11-14T22:13:20.250000+00:00",
        "level": "warning",
        "logger": "tradingagents.test",
        "message": "two\nlines of ü",
        "run_id": "run-1",
        "kind": "trading",
        "ticker": "ACME",
        "trade_date": DAY,
        "count": 3,
        "at": "/x",
    }


def test_a_record_outside_runs_says_nothing_of_one():
    assert "run_id" not in json.loads(JsonFormatter().format(record("x")))
    plain = record("x")
    RunFilter().filter(plain)
    assert formatter_of("text").format(plain).endswith(" WARNING tradingagents.test [None None] x")


def test_an_exception_is_part_of_the_object():
    try:
        raise ValueError("no good")
    except ValueError as error:
        made = record("failed")
        made.exc_info = (type(error), error, error.__traceback__)
    told = json.loads(JsonFormatter().format(made))
    assert told["exception"].splitlines()[-1] == "ValueError: no good"


def test_what_json_does_not_know_is_written_as_text():
    told = json.loads(JsonFormatter().format(record("x", held={1: {2, 3}, (4,): "left out"})))
    assert told["held"] == {"1": "{2, 3}"}


def test_events_are_logged_by_their_weight(caplog: pytest.LogCaptureFixture):
    stream = EventStream("run-1", (log_event,))
    with caplog.at_level(logging.DEBUG, "tradingagents.events"):
        stream.emit("run_start", "ACME")
        stream.emit("node_start", "Trader", node="Trader", step="trading")
        stream.emit("token", "never")
        stream.emit("warning", "odd")
        stream.emit("error", "ended")
    assert [(one.levelname, one.event) for one in caplog.records] == [  # type: ignore[attr-defined]
        ("INFO", "run_start"),
        ("DEBUG", "node_start"),
        ("WARNING", "warning"),
        ("ERROR", "error"),
    ]
    assert (caplog.records[1].node, caplog.records[1].run_id) == ("Trader", "run-1")  # type: ignore[attr-defined]


async def test_runs_side_by_side_do_not_mix_in_one_file(tmp_path: Path):
    path = tmp_path / "logs" / "runs.jsonl"
    told = {"log_file": str(path), "log_format": "json", "log_level": "debug"}
    graph = trading_graph(scripted(delay=0.005), home=str(tmp_path), **told)
    runs = await asyncio.gather(*(graph.arun(symbol, DAY) for symbol in (COMPANY, OTHER)))
    found = lines(path)
    assert {one["run_id"]: one["ticker"] for one in found} == {
        run.record["run_id"]: run.record["ticker"] for run in runs
    }
    for run in runs:
        own = [one for one in found if one["run_id"] == run.record["run_id"] and "seq" in one]
        assert [one["seq"] for one in own] == list(range(len(own)))
        assert {one["node"] for one in own if one["event"] == "usage"} >= set(ANALYSTS)


async def test_each_run_s_log_is_its_own_file_and_both_are_closed(tmp_path: Path):
    graphs = [
        trading_graph(scripted(), home=str(tmp_path), log_file=str(tmp_path / f"{number}.log")) for number in range(2)
    ]
    runs = await asyncio.gather(*(graph.arun(COMPANY, DAY) for graph in graphs))
    for number, run in enumerate(runs):
        text = (tmp_path / f"{number}.log").read_text("utf-8")
        assert {word for word in text.split() if word.startswith("[")} == {f"[{run.record['run_id']}"}
        assert next(line.rpartition("] ")[2] for line in text.splitlines()) == f"{COMPANY} {DAY}"
    assert not [handler for handler in logging.getLogger().handlers if isinstance(handler, RunLog)]
    assert RUN.get() is None


async def test_what_an_http_client_logs_belongs_to_the_run_and_agent_and_holds_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", "canary 7f3a9e51")
    path = tmp_path / "run.jsonl"
    told = {"log_file": str(path), "log_format": "json", "log_level": "debug", "analysts": ("market",)}
    with OpenAIServer() as server:
        server.answer(Answer(status=500, error="boom, your key was canary 7f3a9e51"), role="Bear Researcher")
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, **told))
        run = await graph.arun(COMPANY, DAY)
        await graph.services.models.aclose()
        assert {request["key"] for request in server.requests} == {"canary 7f3a9e51"}
    found = lines(path)
    requests = [one for one in found if one["logger"] == "httpx"]
    assert len(requests) == server.calls
    assert {one["run_id"] for one in found} == {run.record["run_id"]}
    assert {one["node"] for one in requests} >= {"Market Analyst", "Bear Researcher", "Trader", "Risk Manager"}
    assert "canary" not in path.read_text("utf-8")


async def test_a_log_that_cannot_be_written_is_said_before_the_run(tmp_path: Path):
    (tmp_path / "file").write_text("")
    graph = trading_graph(scripted(), home=str(tmp_path), log_file=str(tmp_path / "file" / "run.log"))
    with pytest.raises(HomeNotWritable, match=r"Cannot write the log .*TRADINGAGENTS_LOG_FILE\.$"):
        await graph.arun(COMPANY, DAY)


def test_the_guide_s_example_writes_json_without_keys(capsys: pytest.CaptureFixture[str]):
    (example,) = python_blocks(ROOT / "docs" / "guides" / "observability.md")
    root = logging.getLogger()
    before = list(root.handlers)
    try:
        exec(example.text, {})  # noqa: S102 - the guide's own example
        logging.getLogger("anything").warning("token=abc")
    finally:
        root.handlers[:] = before
    assert json.loads(capsys.readouterr().err)["message"] == "token=***"
