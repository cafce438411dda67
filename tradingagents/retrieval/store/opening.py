"""Opens the store of documents that the settings name, with the vectors they ask for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.retrieval.address import FILE, held_store_key, store_address
from tradingagents.retrieval.store.documents import DocumentStore
from tradingagents.retrieval.store.vectors import HybridWeights, WordVectors
from tradingagents.settings import Settings


def store_of(settings: Settings) -> DocumentStore:
    """Return the store of these settings, with vectors where they ask for them; whoever asks for it closes it.

    Raises:
        EmbeddingsMissing: The extra `embeddings` is not installed.
    """
    if settings.filings_vectors == "off":
        return DocumentStore(store_address(settings))
    weight = settings.filings_vector_weight
    return DocumentStore(
        store_address(settings), vectors=_local_vectors(), hybrid=HybridWeights(vector=weight, keyword=1 - weight)
    )


@cache
def _local_vectors() -> WordVectors:
    """Load the local model, once in a process."""
    return WordVectors()


@contextmanager
def open_store(settings: Settings) -> Iterator[DocumentStore]:
    """Yield the store of these settings, and close it."""
    store = store_of(settings)
    try:
        yield store
    finally:
        store.close()


class HeldStore:
    """A store that stays open between the questions of runs. Thread-safe.

    Opening it anew for each question would cost more than the search: SQLAlchemy prepares its statements once for each
    opening, and indexes and documents are read again.
    """

    def __init__(self, settings: Settings, given: DocumentStore | None = None) -> None:
        """Set whose store it is; nothing is opened yet.

        Args:
            settings: Name the store.
            given: A store in its place.
        """
        self._settings = settings
        self.given = given
        self._lock = threading.Lock()
        self._store: DocumentStore | None = None
        self._file: tuple[int, int] | None = None

    def store(self) -> DocumentStore:
        """Return the store, opened anew where its file was replaced or deleted. Raises as `store_of` does."""
        if self.given is not None:
            return self.given
        file = _identity(store_address(self._settings))
        with self._lock:
            if self._store is not None and file != self._file:
                self._store.close()
                self._store = None
            if self._store is None:
                self._store, self._file = store_of(self._settings), file
            return self._store

    def close(self) -> None:
        """Close the store; a later question opens it again."""
        with self._lock:
            for store in (self.given, self._store):
                if store is not None:
                    store.close()


@contextmanager
def shared_store(settings: Settings, memo: Memo | None) -> Iterator[DocumentStore]:
    """Yield the store of these settings, held open by what runs share; without that, as `open_store` does."""
    if memo is None:
        with open_store(settings) as store:
            yield store
        return
    key = held_store_key(settings)
    held: HeldStore = memo.get(key) or memo.put_first(key, HeldStore(settings))
    yield held.store()


def own_store(settings: Settings, memo: Memo | None) -> DocumentStore:
    """Return the store of these settings for one run, which closes it, or the one that is given in its place.

    Raises:
        EmbeddingsMissing: See `store_of`.
    """
    held: HeldStore | None = None if memo is None else memo.get(held_store_key(settings))
    return store_of(settings) if held is None or held.given is None else held.given


def _identity(address: Path | str) -> tuple[int, int] | None:
    """Return what tells the store's file from another one at the same place; None where there is no file."""
    if not isinstance(address, Path):
        return None
    try:
        stat = (address / FILE).stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return stat.st_dev, stat.st_ino
