"""Chooses the documents of a grid, and keeps those that are being read open."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass

from tradingagents.features.filings_grid.schemas import GridDocument
from tradingagents.retrieval.models import DocumentInfo, Scope, SourceDocument
from tradingagents.retrieval.store import DocumentStore
from tradingagents.retrieval.text_tables import with_text_tables

MOST_OPEN = 8
"""Documents held in memory: cells are read document by document."""


@dataclass(frozen=True, slots=True)
class GridDocuments:
    """The rows of a grid."""

    store: DocumentStore
    documents: Sequence[GridDocument]
    missing: Sequence[str]
    """Companies without a document."""


def chosen_documents(
    store: DocumentStore, scope: Scope, companies: Sequence[str], forms: Sequence[str], latest: int
) -> GridDocuments:
    """Return the newest documents of each company, in the order of the companies.

    Args:
        store: Holds the documents.
        scope: What was known at the moment of the question.
        companies: Symbols.
        forms: As filed, such as 10-K; an amendment counts as its form.
        latest: Documents of each company and form at most.
    """
    wanted = {form.upper() for form in forms}
    found: list[GridDocument] = []
    missing: list[str] = []
    for symbol in companies:
        own = [info for info in store.documents(scope) if info.symbol == symbol]
        fitting = [info for info in own if info.form.upper().removesuffix("/A") in wanted]
        newest = sorted(fitting, key=_newest_first)
        taken = [info for form in sorted(wanted) for info in _of_form(newest, form)[:latest]]
        found += [_row(info) for info in taken]
        if not taken:
            missing.append(symbol)
    return GridDocuments(store, found, missing)


def _of_form(infos: Sequence[DocumentInfo], form: str) -> list[DocumentInfo]:
    return [info for info in infos if info.form.upper().removesuffix("/A") == form]


def _newest_first(info: DocumentInfo) -> tuple[int, int, float]:
    return -(info.fiscal_year or 0), -(info.fiscal_quarter or 0), -info.known_at.timestamp()


def _row(info: DocumentInfo) -> GridDocument:
    return GridDocument(
        key=info.key,
        name=info.name,
        company=info.company,
        symbol=info.symbol,
        form=info.form,
        fiscal_year=info.fiscal_year,
        url=info.url,
    )


class OpenDocuments:
    """Documents of a store with their tables, each opened once while its cells are read; for use in threads."""

    def __init__(self, store: DocumentStore) -> None:
        """Open none yet."""
        self._store = store
        self._open: dict[str, SourceDocument] = {}
        self._lock = threading.Lock()

    def get(self, key: str) -> SourceDocument:
        """Return a document.

        Raises:
            DocumentMissing: It was removed from the store.
        """
        with self._lock:  # two threads need not read the same document
            if key not in self._open:
                while len(self._open) >= MOST_OPEN:
                    self._open.pop(next(iter(self._open)))
                document = self._store.get(key)
                self._open[key] = document if document.tables else with_text_tables(document)
            return self._open[key]
