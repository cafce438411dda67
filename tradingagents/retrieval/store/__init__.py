"""The store of documents: rows, vectors, visibility by date, and opening it by the settings."""

from tradingagents.retrieval.address import FILE, store_exists
from tradingagents.retrieval.store.documents import DocumentMissing, DocumentStore
from tradingagents.retrieval.store.opening import open_store, own_store, shared_store, store_of

__all__ = [
    "FILE",
    "DocumentMissing",
    "DocumentStore",
    "open_store",
    "own_store",
    "shared_store",
    "store_exists",
    "store_of",
]
