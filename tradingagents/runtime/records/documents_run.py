"""The record of a run that reads stored documents, whose store is closed when the run is left."""

from __future__ import annotations

from typing import Protocol, cast

from tradingagents.retrieval.store import DocumentStore
from tradingagents.runtime.kind import RecordT, ResultT
from tradingagents.runtime.records.base import RecordedRun


class _ReadsDocuments(Protocol):
    @property
    def store(self) -> DocumentStore:
        """Return the store that the run opened."""


class DocumentsRun(RecordedRun[RecordT, ResultT]):
    """A run whose context has a store of documents. Resuming it never fails for good: it asks the store again."""

    async def leave(self, status: str, *, error: str | None = None) -> RecordT:
        """Leave the record, and close the store."""
        try:
            return await super().leave(status, error=error)
        finally:
            cast(_ReadsDocuments, self.context).store.close()

    def _nothing_reported(self) -> bool:
        return False
