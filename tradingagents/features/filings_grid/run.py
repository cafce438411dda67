"""One run of a grid: from its request to its record and its page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from tradingagents.features.filings_grid.documents import GridDocuments
from tradingagents.features.filings_grid.graph import GridContext, GridState
from tradingagents.features.filings_grid.report import grid_document
from tradingagents.features.filings_grid.schemas import GridRecord, grid_size
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import to_markdown
from tradingagents.runtime.kind import RunParts
from tradingagents.runtime.records.documents_run import DocumentsRun
from tradingagents.runtime.records.export import ExportableRun

SAID = {"value": "values", "quoted": "quotations", "absent": "absent", "conflict": "conflicts", "failed": "failed"}


@dataclass(frozen=True)
class FilingsGrid(ExportableRun):
    """A grid with everything it rests on."""

    record: GridRecord
    state: GridState


class GridRun(DocumentsRun[GridRecord, FilingsGrid]):
    """One run of the graph."""

    report_of: Mapping[str, str] = {}
    reports = ()
    context: GridContext

    def __init__(self, parts: RunParts, context: GridContext, found: GridDocuments) -> None:
        """Open a run.

        Args:
            parts: Passed by the executor.
            context: Passed to the run's nodes.
            found: The documents.
        """
        self._found, self._asked = found, parts.manifest.request
        super().__init__(parts, context)

    def first_state(self) -> Mapping[str, Any]:
        """Return questions and documents, which stay the same when the run is resumed."""
        return {"questions": list(self._asked["questions"]), "documents": self._found.documents, "cells": {}}

    def announce(self) -> None:
        """Emit `run_start`."""
        rows, columns = len(self._found.documents), len(self._asked["questions"])
        words = grid_size(rows, columns)
        self.context.events.emit("run_start", words, documents=rows, questions=columns, start=self._starts())

    async def finish(self) -> FilingsGrid:
        """Emit `result`, write the record and return both."""
        state = cast(GridState, self.state)
        found = any(cell.status in ("value", "quoted", "conflict") for cell in state["cells"].values())
        record = await self.leave("done" if found else "no_answer")
        self.context.events.emit("result", record.answer, step="result", answer=record.answer)
        return FilingsGrid(record=record, state=state)

    def _record(self, status: str, error: str | None) -> GridRecord:
        state = cast(GridState, self.state)
        documents = state.get("documents") or self._found.documents
        cells = sorted((state.get("cells") or {}).values(), key=lambda cell: (cell.row, cell.column))
        counts = Counter[str](cell.status for cell in cells)
        held = ", ".join(f"{counts[name]} {words}" for name, words in SAID.items() if counts[name])
        asked = self._asked
        return GridRecord.model_validate(
            {
                "run_id": self.context.run_id,
                "status": status,
                "companies": list(asked["companies"]),
                "questions": list(asked["questions"]),
                "as_of": self.context.as_of.isoformat(),
                "documents": documents,
                "cells": cells,
                "missing": self._found.missing,
                "answer": f"{grid_size(len(documents), len(asked['questions']))}: {held or 'nothing read'}.",
                **self._common(error),
            }
        )

    def _files(self, record: GridRecord) -> Mapping[str, str | bytes]:
        document = grid_document(record)
        return {"complete_report.md": to_markdown(document), "report.html": to_html(document)}
