"""Opens the store of documents that the settings name, with the vectors they ask for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from tradingagents.retrieval.address import store_address
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
