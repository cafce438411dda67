"""Traces: spans made from a run's events, in a tree, with the run's id and without prompts; and what LangSmith gets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from benchmarks.openai_server import Answer, OpenAIServer
from tests.runtime.observability.collector import Collector
from tests.support.graph_factory import ANALYSTS, COMPANY, DAY, Watch, scripted, trading_graph
from tests.support.served_runs import PROPAGATE, ROOT, card_in, server_config, start
from tests.support.tiers import sampled
from tests.support.warm import run_warm
from tradingagents.events import Event, EventStream
from tradingagents.llm_clients.run_context import Running
from tradingagents.runtime.observability.tracing import RunTracer, asked_for, trouble

LITTLE: dict[str, Any] = {"analysts": ("market",), "max_debate_rounds": 1, "max_risk_discuss_rounds": 1}
KEY, PASSWORD = "sk-canary-7f3a9e51d0c2", "url-canary-5d1c"


# Whether the environment asks


def test_nothing_is_traced_unless_the_environment_asks():
    assert asked_for({}) is None
    assert asked_for({"OTEL_EXPORTER_OTLP_ENDPOINT": " "}) is None
    assert asked_for({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://h"}) == "OTEL_EXPORTER_OTLP_ENDPOINT"
    assert asked_for({"OTEL_TRACES_EXPORTER": "console"}) == "OTEL_TRACES_EXPORTER"
    assert asked_for({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://h", "OTEL_TRACES_EXPORTER": "none"}) is None
    assert asked_for({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://h", "OTEL_SDK_DISABLED": "true"}) is None


@pytest.mark.parametrize(
    ("environ", "words"),
    [
        ({}, None),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://h"}, None),
        ({"OTEL_TRACES_EXPORTER": "jaeger"}, "'jaeger', and nothing is traced; it can be otlp, console or none."),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "h", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, "'grpc' is not there"),
    ],
)
def test_what_cannot_be_traced_is_said_with_the_way_out(environ: dict[str, str], words: str | None):
    said = trouble(environ)
    assert (said is None) == (words is None)
    assert words is None or words in (said or "")


WITHOUT = """
import sys
sys.modules["opentelemetry.sdk.trace.export"] = None  # as where the package is not installed
from tradingagents.graph.trading_graph import TradingAgentsGraph
graph = TradingAgentsGraph(config={"llm_provider": "offline", "data_vendor": "simulated", "analysts": ["market"]})
for _ in range(2):
    state, decision = graph.propagate(sys.argv[1], "2025-03-14")
print(decision["action"] if isinstance(decision, dict) else decision)
"""


def test_a_missing_package_costs_one_line_and_no_run():
    process = start(WITHOUT, COMPANY, OTEL_EXPORTER_OTLP_ENDPOINT="http://127.0.0.1:9")
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert out.strip()
    assert err == (
        "OTEL_EXPORTER_OTLP_ENDPOINT is set, OpenTelemetry is not installed, and nothing is traced; run: pip install "
        "'tradingagents[otel]'.\n"
    )


LOADED = """
import sys
from tradingagents.graph.trading_graph import TradingAgentsGraph
graph = TradingAgentsGraph(config={"llm_provider": "offline", "data_vendor": "simulated", "analysts": ["market"]})
graph.propagate(sys.argv[1], "2025-03-14")
print([name for name in sys.modules if name.startswith("opentelemetry.exporter")])
"""


def test_a_run_that_nobody_traces_loads_no_tracer():
    done = subprocess.run(
        [sys.executable, "-c", LOADED, COMPANY], cwd=ROOT, capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout.strip() == "[]"


# The tree of spans


class Traced:
    """A tracer that keeps its spans, for runs whose events are given."""

    def __init__(self) -> None:
        self._exporter, provider = InMemorySpanExporter(), TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.tracer = provider.get_tracer("test")

    def run(self, run_id: str = "run-1") -> tuple[RunTracer, EventStream]:
        tracer = RunTracer(Running(run_id, "trading", "ACME", DAY), self.tracer)
        return tracer, EventStream(run_id, (tracer,))

    @property
    def spans(self) -> tuple[ReadableSpan, ...]:
        return self._exporter.get_finished_spans()

    def parents(self) -> dict[str, str | None]:
        names = {span.context.span_id: span.name for span in self.spans}
        return {span.name: names[span.parent.span_id] if span.parent else None for span in self.spans}


USED = {
    "tier": "quick",
    "model": "openai_compatible/org/model-1",
    "input_tokens": 100,
    "output_tokens": 20,
    "cached_tokens": 60,
    "cost_usd": 0.002,
    "seconds": 0.5,
    "metered": True,
    "cached_reply": False,
}


def test_the_spans_of_a_run_form_a_tree_with_what_the_conventions_name():
    traced = Traced()
    tracer, events = traced.run()
    events.emit("run_start", "ACME")
    events.emit("node_start", "Market Analyst", node="Market Analyst", step="analysts")
    for call in ("a", "b"):
        events.emit("tool_start", "get_news()", node="Market Analyst", tool="get_news", call=call, args={})
    events.emit("tool_end", "no news", node="Market Analyst", tool="get_news", call="a", status="error", content="?")
    events.emit("tool_end", "news", node="Market Analyst", tool="get_news", call="b", status="success", content="?")
    events.emit("usage", "used", node="Market Analyst", **USED)
    events.emit("node_end", "Market Analyst", node="Market Analyst")
    events.emit("result", "BUY (confidence 0.70)")
    tracer.end()
    assert traced.parents() == {
        "invoke_workflow trading": None,
        "invoke_agent Market Analyst": "invoke_workflow trading",
        "execute_tool get_news": "invoke_agent Market Analyst",
        "chat org/model-1": "invoke_agent Market Analyst",
    }
    first, second, call, agent, whole = traced.spans
    assert [span.status.status_code for span in (first, second)] == [StatusCode.ERROR, StatusCode.UNSET]
    assert dict(call.attributes or {}) == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai_compatible",
        "gen_ai.request.model": "org/model-1",
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 60,
        "tradingagents.tier": "quick",
        "tradingagents.cost_usd": 0.002,
        "tradingagents.replayed": False,
        "tradingagents.run_id": "run-1",
        "tradingagents.kind": "trading",
        "tradingagents.ticker": "ACME",
        "tradingagents.trade_date": DAY,
    }
    assert call.end_time - call.start_time == 500_000_000  # type: ignore[operator]
    assert (agent.attributes or {})["gen_ai.agent.name"] == "Market Analyst"
    assert (whole.attributes or {})["tradingagents.result"] == "BUY (confidence 0.70)"
    assert len({span.context.trace_id for span in traced.spans}) == 1


def test_a_run_that_fails_ends_its_open_spans_and_says_why():
    traced = Traced()
    tracer, events = traced.run()
    events.emit("run_start", "ACME")
    events.emit("node_start", "Trader", node="Trader", step="trading")
    events.emit("retry", "Trader asks m again: 500", node="Trader", model="m", attempt=2, wait_s=1.0)
    events.emit("error", "host refuses token=abc", kind="ModelFailure")
    tracer.end()
    agent, whole = traced.spans
    assert [event.name for event in agent.events] == ["retry"]
    assert (whole.status.status_code, whole.status.description) == (StatusCode.ERROR, "host refuses token=***")


def test_runs_side_by_side_do_not_mix_and_each_is_a_trace_of_its_own():
    traced = Traced()
    (one, first), (other, second) = traced.run("one"), traced.run("other")
    for events in (first, second):
        events.emit("run_start", "ACME")
    for events in (second, first):
        events.emit("node_start", "Trader", node="Trader", step="trading")
    for events in (first, second):
        events.emit("usage", "used", node="Trader", **USED)
        events.emit("node_end", "Trader", node="Trader")
    one.end()
    other.end()
    by_trace: dict[int, set[Any]] = {}
    for span in traced.spans:
        by_trace.setdefault(span.context.trace_id, set()).add((span.attributes or {})["tradingagents.run_id"])
    assert sorted(map(tuple, by_trace.values())) == [("one",), ("other",)]


def test_a_run_within_a_span_of_the_caller_s_is_a_part_of_it():
    traced = Traced()
    tracer, events = traced.run()
    with traced.tracer.start_as_current_span("a backtest"):
        events.emit("run_start", "ACME")
    tracer.end()
    assert traced.parents()["invoke_workflow trading"] == "a backtest"


def test_an_event_that_no_tracer_expects_costs_no_run(caplog: pytest.LogCaptureFixture):
    traced = Traced()
    tracer, events = traced.run()
    events.emit("run_start", "ACME")
    events.emit("usage", "without its figures", node="Trader")
    tracer.end()
    assert "The trace of run-1 lacks something" in caplog.text
    assert len(traced.spans) == 1


async def test_a_whole_run_s_spans_are_its_events(tmp_path: Path):
    traced, watch = Traced(), Watch()
    tracers: dict[str, RunTracer] = {}

    def trace(event: Event) -> None:
        running = Running(event.run_id, "trading", COMPANY, DAY)
        tracers.setdefault(event.run_id, RunTracer(running, traced.tracer))(event)

    run = await trading_graph(scripted(), home=str(tmp_path)).arun(COMPANY, DAY, subscribers=[trace, watch])
    tracers[run.record["run_id"]].end()
    kinds = Counter((span.attributes or {})["gen_ai.operation.name"] for span in traced.spans)
    assert kinds == {
        "invoke_workflow": 1,
        "invoke_agent": len(watch.of("node_start")),
        "execute_tool": len(watch.of("tool_start")),
        "chat": len(watch.of("usage")),
    }
    parents = Counter(
        (span.attributes or {})["gen_ai.agent.name"] for span in traced.spans if span.name.startswith("invoke_agent")
    )
    assert set(ANALYSTS) <= set(parents)
    assert all(span.parent for span in traced.spans if span.name != "invoke_workflow trading")
    shown = "".join(span.to_json() for span in traced.spans)
    assert not any(report[:200] in shown for report in run.record["reports"].values())


# In a process of its own, to a server


def test_spans_reach_a_collector_with_the_run_s_id_and_without_prompts_or_keys(tmp_path: Path):
    with OpenAIServer() as server, Collector() as collector:
        config = server_config(server, tmp_path, **LITTLE)
        environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OPENAI_COMPATIBLE_API_KEY": KEY}
        process = start(PROPAGATE, json.dumps(config), **environment)
        _, err = process.communicate(timeout=120)
        assert (process.returncode, err) == (0, "")
        calls = server.calls
    spans = collector.spans()
    about = [{one.key: one.value for one in span.attributes} for span in spans]
    assert {one["tradingagents.run_id"].string_value for one in about} == {card_in(tmp_path)["run_id"]}
    chats = [one for one in about if one["gen_ai.operation.name"].string_value == "chat"]
    assert len(chats) == calls
    used = card_in(tmp_path)["usage"]
    assert sum(one["gen_ai.usage.input_tokens"].int_value for one in chats) == used["input_tokens"]
    ids = {span.span_id for span in spans}
    assert [span.name for span in spans if span.parent_span_id not in ids] == ["invoke_workflow trading"]
    assert KEY.encode() not in collector.everything
    assert b"Your role" not in collector.everything
    assert b"tradingagents" in collector.everything


FIRST_OF_PATH = {"otlp": "v1", "langsmith": "runs"}
LANGSMITH = {"LANGSMITH_TRACING": "true", "LANGSMITH_API_KEY": "lsv2_pt_anything"}


def test_langsmith_gets_the_run_s_id_and_no_key_or_password(tmp_path: Path):
    with OpenAIServer() as server, Collector() as collector:
        server.answer(Answer(status=500, error=f"boom, your key was {KEY}"), role="Bear Researcher")
        url = server.url.replace("http://", f"http://me:{PASSWORD}@")
        config = server_config(server, tmp_path, backend_url=url, quick_think_backend_url=url, **LITTLE)
        environment = {**LANGSMITH, "LANGSMITH_ENDPOINT": collector.url, "OPENAI_COMPATIBLE_API_KEY": KEY}
        process = start(PROPAGATE, json.dumps(config), **environment)
        process.communicate(timeout=120)
        assert process.returncode == 0
        calls = server.calls
    card, runs = card_in(tmp_path), collector.langsmith_runs()
    assert {run["extra"]["metadata"]["run_id"] for run in runs} == {card["run_id"]}
    (whole,) = (run for run in runs if not run.get("parent_run_id"))
    assert whole["name"] == f"trading {COMPANY}"
    assert {"tradingagents", "trading", COMPANY} <= set(whole["tags"])
    known = {key: whole["extra"]["metadata"][key] for key in ("kind", "ticker", "trade_date")}
    assert known == {"kind": "trading", "ticker": COMPANY, "trade_date": DAY}
    kinds = Counter(run["run_type"] for run in runs)
    assert kinds["llm"] == calls
    assert kinds["tool"] == len(
        [line for line in Path(card["paths"]["events"]).read_text("utf-8").splitlines() if '"tool_start"' in line]
    )
    for secret in (KEY, PASSWORD):
        assert secret.encode() not in collector.everything


@pytest.mark.parametrize(
    ("to", "hangs"), sampled(product((("otlp", "langsmith"), ("otlp",), ("langsmith",)), (True, False)), every=6)
)
def test_servers_of_traces_that_do_not_answer_break_no_run(tmp_path: Path, to: tuple[str, ...], hangs: bool):
    with OpenAIServer() as server, Collector(hangs=True) as collector:
        url = collector.url if hangs else "http://127.0.0.1:9"  # nobody listens there
        asked = {"otlp": {"OTEL_EXPORTER_OTLP_ENDPOINT": url}, "langsmith": {**LANGSMITH, "LANGSMITH_ENDPOINT": url}}
        environment = {name: value for one in to for name, value in asked[one].items()}
        process = start(PROPAGATE, json.dumps(server_config(server, tmp_path, **LITTLE)), **environment)
        process.communicate(timeout=60)
        paths = {one.path.split("/")[1] for one in collector.taken}
        assert paths == ({FIRST_OF_PATH[one] for one in to} if hangs else set())
    assert process.returncode == 0
    assert card_in(tmp_path)["status"] == "done"


@pytest.mark.parametrize(
    "answers", [pytest.param(True, id="answers"), pytest.param(False, id="nobody there", marks=pytest.mark.nightly)]
)
def test_the_command_line_sends_its_traces_before_it_ends_where_it_can(tmp_path: Path, answers: bool):
    with Collector() as collector:
        done = run_warm(
            ["-m", "cli.main", "analyze", COMPANY, DAY, "--offline", "--analysts", "market", "--json"],
            env={**os.environ, **LANGSMITH, "LANGSMITH_ENDPOINT": collector.url if answers else "http://127.0.0.1:9"},
        )
    assert done.returncode == 0, done.stderr
    run_id = json.loads(done.stdout)["run_id"]
    sent = {run["extra"]["metadata"]["run_id"] for run in collector.langsmith_runs()}
    assert sent == ({run_id} if answers else set())
