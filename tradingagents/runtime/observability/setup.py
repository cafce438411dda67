"""Set up the log file and the traces of a run, as the settings ask."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tradingagents.events import Subscriber
from tradingagents.llm_clients.run_context import Running, under_way
from tradingagents.runtime.observability.logs import RunLog, log_event
from tradingagents.runtime.observability.shutdown import leave_langsmith_soon
from tradingagents.runtime.observability.tracing import tracer_of
from tradingagents.settings import Settings, secrets_of


@contextmanager
def watched(run: Running, settings: Settings) -> Iterator[tuple[Subscriber, ...]]:
    """Have a run's log written, and yield who is to see its events: log and tracer, as far as they are asked for.

    Raises:
        HomeNotWritable: The log cannot be written.
    """
    leave_langsmith_soon()
    tracer = tracer_of(run)
    with under_way(run), RunLog.written(run.log_file, settings.log_format, settings.log_level, secrets_of(settings)):
        try:
            yield (*((log_event,) if run.log_file else ()), *((tracer,) if tracer else ()))
        finally:
            if tracer is not None:
                tracer.end()
