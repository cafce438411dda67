"""What the commands on filings share: finding a document by name, and documents as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tradingagents.retrieval.models import DocumentInfo
    from tradingagents.retrieval.store import DocumentStore

SHORT_KEY = 10
"""Characters of a document's key that are shown; a command accepts any beginning that only one document has."""


def document_named(store: DocumentStore, name: str) -> DocumentInfo:
    """Return the document whose name this is, or whose key begins like this.

    Raises:
        NoData: None or several are meant.
    """
    from tradingagents.errors import NoData
    from tradingagents.retrieval.models import Scope

    known = store.documents(Scope())
    found = [document for document in known if document.name.lower() == name.strip().lower()]
    found = found or [document for document in known if len(name) >= 4 and document.key.startswith(name.lower())]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NoData(f"No document is called {name!r}; `tradingagents filings list` shows those there are.")
    keys = ", ".join(document.key[:SHORT_KEY] for document in found)
    raise NoData(f"{len(found)} documents are called {name!r}; name one by its key: {keys}.")


def as_json(info: DocumentInfo) -> dict[str, Any]:
    """Return a document as JSON."""
    return {
        "key": info.key,
        "name": info.name,
        "kind": info.kind,
        "company": info.company,
        "symbol": info.symbol,
        "form": info.form,
        "known_at": info.known_at.isoformat(),
        "fiscal_year": info.fiscal_year,
        "fiscal_quarter": info.fiscal_quarter,
        "period_end": info.period_end.isoformat() if info.period_end else None,
        "url": info.url,
        "accession": info.accession,
    }
