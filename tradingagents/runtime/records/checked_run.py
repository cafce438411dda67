"""The record of a run whose answer shows only figures that have a source."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import cast

from tradingagents.context import CheckedContext, RunContext
from tradingagents.provenance.figure_check import untraced
from tradingagents.runtime.kind import RecordT, ResultT, RunParts
from tradingagents.runtime.records.base import RecordedRun
from tradingagents.runtime.runs.run_folder import logged_events


class CheckedRun(RecordedRun[RecordT, ResultT]):
    """A run whose graph asks which figures of its answer no tool gave, before anybody reads the answer."""

    def __init__(self, parts: RunParts, context: RunContext) -> None:
        """Open a run.

        Args:
            parts: Passed by the executor.
            context: Passed to the run's nodes and tools; one that can check answers is given the check.
        """
        super().__init__(parts, context)
        self._read_runs: set[str] = set()
        if isinstance(self.context, CheckedContext):
            self.context = cast(RunContext, replace(self.context, find_untraced=self.find_untraced))

    def _runs_read(self) -> Iterable[str]:
        """Return the ids of other runs whose tools' answers this one may use."""
        return ()

    async def find_untraced(self, text: str) -> Sequence[tuple[int, int]]:
        """Return where in a text stand figures that no tool gave, as characters [start, end)."""
        return await asyncio.get_running_loop().run_in_executor(self._services.writer, self._untraced, text)

    def _untraced(self, text: str) -> Sequence[tuple[int, int]]:
        self._take_in_runs()
        return [(place.start, place.end) for place in untraced(self._tracer.places(text))]

    def _take_in_runs(self) -> None:
        """Let figures be traced to what the tools of other runs answered, each log read once."""
        for run_id in sorted({*self._runs_read()} - self._read_runs - {self.context.run_id}):
            self._read_runs.add(run_id)
            for event in logged_events(self._folder.path.parent / run_id):
                if event.type == "tool_end":
                    self._tracer.recall(event)

    def _write(self, record: RecordT) -> RecordT:
        self._take_in_runs()
        return super()._write(record)
