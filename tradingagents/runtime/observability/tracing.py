"""OpenTelemetry spans of a run, made from its events: run → agent → tool or model call. Only where one asks for them.

Names and attributes are those of the GenAI semantic conventions, where there are some. No prompt, no reply and no
argument of a tool stands in a span.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tradingagents.events import Event
from tradingagents.files.redaction import Redactor
from tradingagents.llm_clients.run_context import Running
from tradingagents.runtime.observability.logs import PRIVATE
from tradingagents.runtime.observability.shutdown import before_exit

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, Tracer

ASKS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER")
"""Variables of which one, set, asks for traces."""
WAY_OUT = "pip install 'tradingagents[otel]'"
log = logging.getLogger(__name__)


def asked_for(environ: Mapping[str, str]) -> str | None:
    """Return the variable that asks for traces; None where none does, or where they are switched off."""
    off = environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    if off or environ.get("OTEL_TRACES_EXPORTER", "").strip().lower() == "none":
        return None
    return next((name for name in ASKS if environ.get(name, "").strip()), None)


def trouble(environ: Mapping[str, str]) -> str | None:
    """Return why traces that are asked for cannot be made, with the way out; None where nothing is in the way."""
    variable = asked_for(environ)
    if variable is None:
        return None
    exporter = environ.get("OTEL_TRACES_EXPORTER", "otlp").strip().lower() or "otlp"
    if exporter not in ("otlp", "console"):
        return f"OTEL_TRACES_EXPORTER is {exporter!r}, and nothing is traced; it can be otlp, console or none."
    protocols = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL")
    protocol = next((environ[name] for name in protocols if environ.get(name, "").strip()), "http/protobuf")
    if exporter == "otlp" and protocol != "http/protobuf":
        return f"The OTLP protocol {protocol!r} is not there, and nothing is traced; name http/protobuf."
    try:
        import opentelemetry.exporter.otlp.proto.http.trace_exporter
        import opentelemetry.sdk.trace.export  # noqa: F401
    except ImportError:
        return f"{variable} is set, OpenTelemetry is not installed, and nothing is traced; run: {WAY_OUT}."
    return None


def tracer_of(run: Running) -> RunTracer | None:
    """Return what makes a run's spans from its events; None where the environment asks for none."""
    if asked_for(os.environ) is None:
        return None
    if (why := trouble(os.environ)) is not None:
        _warn_once(why)
        return None
    return RunTracer(run, _provider().get_tracer("tradingagents"))


class RunTracer:
    """The spans of one run. A subscriber: events come one after the other."""

    def __init__(self, run: Running, tracer: Tracer) -> None:
        """Begin with the run's first event.

        Args:
            run: The run.
            tracer: What makes spans.
        """
        self._run, self._tracer = run, tracer
        self._redactor = Redactor()
        self._whole: Span | None = None
        self._agents: dict[str, Span] = {}
        """The open span of each agent at work."""
        self._tools: dict[tuple[str | None, str | None], Span] = {}
        """The open spans of tools, by agent and call id."""
        self._last = 0

    def __call__(self, event: Event) -> None:
        """Take in an event. A fault here is logged, and costs the trace, not the run."""
        try:
            self._take_in(event)
        except Exception:
            log.exception("The trace of %s lacks something", self._run.run_id)

    def end(self) -> None:
        """End what is open: the run is over, however it ended."""
        for span in (*self._tools.values(), *self._agents.values(), *([self._whole] if self._whole else ())):
            span.end(self._last or None)
        self._tools, self._agents, self._whole = {}, {}, None

    def _take_in(self, event: Event) -> None:
        self._last = at = _nanoseconds(event.ts)
        match event.type:
            case "run_start":
                about = {"gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": self._run.kind}
                self._whole = self._begin(f"invoke_workflow {self._run.kind}", at, about, None)
            case "node_start":
                self._agent(event, at)
            case "node_end":
                if agent := self._agents.pop(event.node or "", None):
                    agent.end(at)
            case "tool_start":
                about = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": event.data["tool"]}
                span = self._begin(f"execute_tool {event.data['tool']}", at, about, self._agents.get(event.node or ""))
                self._tools[event.node, event.data.get("call")] = span
            case "tool_end":
                if tool := self._tools.pop((event.node, event.data.get("call")), None):
                    if event.data["status"] == "error":
                        self._fail(tool, event.message)
                    tool.end(at)
            case "usage":
                self._model_call(event, at)
            case "retry" | "warning":
                self._trouble(event, at)
            case "result" if self._whole:
                said = PRIVATE if event.data.get("private") else event.message
                self._whole.set_attribute("tradingagents.result", self._redactor.text(said))
            case "error" if self._whole:
                self._fail(self._whole, event.message)
            case _:
                pass

    def _agent(self, event: Event, at: int) -> None:
        if before := self._agents.pop(event.node or "", None):
            before.end(at)  # an agent that is asked again after a failure
        about = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": event.node,
            "tradingagents.step": event.step,
        }
        self._agents[event.node or ""] = self._begin(f"invoke_agent {event.node}", at, about, self._whole)

    def _model_call(self, event: Event, at: int) -> None:
        used = event.data
        provider, _, model = str(used["model"]).partition("/")
        about = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": provider,
            "gen_ai.request.model": model,
            "gen_ai.usage.input_tokens": used["input_tokens"] if used["metered"] else None,
            "gen_ai.usage.output_tokens": used["output_tokens"] if used["metered"] else None,
            "gen_ai.usage.cache_read.input_tokens": used["cached_tokens"] if used["metered"] else None,
            "tradingagents.tier": used["tier"],
            "tradingagents.cost_usd": used["cost_usd"],
            "tradingagents.replayed": used["cached_reply"],
        }
        began = at - round(used["seconds"] * 1e9)  # its event comes when it is over
        self._begin(f"chat {model}", began, about, self._agents.get(event.node or "")).end(at)

    def _trouble(self, event: Event, at: int) -> None:
        """Note a failed attempt or a warning where it happened; a branch that gives up has failed."""
        span = self._agents.get(event.node or "", self._whole)
        if span is None:
            return
        span.add_event(event.type, {"message": self._redactor.text(event.message)}, at)
        if event.type == "warning" and event.node in self._agents:
            self._fail(span, event.message)

    def _begin(self, name: str, at: int, about: Mapping[str, Any], parent: Span | None) -> Span:
        from opentelemetry.context import Context
        from opentelemetry.trace import SpanKind, set_span_in_context

        run = {
            "tradingagents.run_id": self._run.run_id,
            "tradingagents.kind": self._run.kind,
            "tradingagents.ticker": self._run.ticker,
            "tradingagents.trade_date": self._run.trade_date,
        }
        above = parent or self._whole
        # Whoever calls us may have a span of its own: a run is a part of that.
        context = set_span_in_context(above, Context()) if above else None
        kind = SpanKind.CLIENT if about["gen_ai.operation.name"] == "chat" else SpanKind.INTERNAL
        attributes = {key: value for key, value in {**about, **run}.items() if value is not None}
        return self._tracer.start_span(name, context, kind=kind, attributes=attributes, start_time=at)

    def _fail(self, span: Span, message: str) -> None:
        from opentelemetry.trace import Status, StatusCode

        span.set_status(Status(StatusCode.ERROR, self._redactor.text(message)))


@lru_cache(maxsize=1)
def _provider() -> TracerProvider:
    """Return who sends spans: the application's own provider where it has set one up, else one of ours."""
    from opentelemetry import trace
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter

    known = trace.get_tracer_provider()
    if isinstance(known, TracerProvider):
        return known
    exporter: SpanExporter
    if os.environ.get("OTEL_TRACES_EXPORTER", "").strip().lower() == "console":
        import sys

        exporter = ConsoleSpanExporter(out=sys.stderr)
    else:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        exporter = OTLPSpanExporter()
    named = "OTEL_SERVICE_NAME" in os.environ or "service.name" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    resource = Resource.create({} if named else {"service.name": "tradingagents"})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    before_exit(provider.shutdown)
    return provider


@lru_cache(maxsize=8)
def _warn_once(sentence: str) -> None:
    log.warning(sentence)


def _nanoseconds(instant: str) -> int:
    return round(datetime.fromisoformat(instant).timestamp() * 1_000_000) * 1000
