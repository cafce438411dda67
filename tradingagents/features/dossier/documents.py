"""Documents of a dossier: what a run read in the store of filings and calls, recorded and given again.

A dossier packs the documents that the run read whole; of the others, the pages that it read or found; and the answer to
each question with its arguments. A search made anew would depend on every document of the store; its recorded answer
does not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradingagents.features.dossier.model_replies import WithoutSecrets, key_of
from tradingagents.retrieval.models import (
    DocumentInfo,
    DocumentOutline,
    Hit,
    Page,
    Scope,
    SourceDocument,
    TextPlace,
)
from tradingagents.retrieval.store import DocumentMissing, DocumentStore
from tradingagents.valuation.canonical import plain

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from tradingagents.retrieval.index.question import SearchQuestion

Plain = dict[str, Any]
FILINGS = "filings/"
ANSWERS, DOCUMENTS = f"{FILINGS}answers/", f"{FILINGS}documents/"


@dataclass(frozen=True)
class PackedDocument:
    """What is packed of a document."""

    document: SourceDocument
    """With the pages that were read; with all pages, tables and tagged figures where it was read whole."""
    pages: int
    """How many it has."""
    whole: bool

    def page(self, number: int) -> Page | None:
        """Return a page; None where it was not read."""
        return next((page for page in self.document.pages if page.number == number), None)


class DocumentCells:
    """Documents by key, and answers of a store of documents by question."""

    def __init__(self, clean: WithoutSecrets) -> None:
        """Begin with none.

        Args:
            clean: Removes secrets.
        """
        self._clean, self._lock = clean, threading.Lock()
        self.documents: dict[str, PackedDocument] = {}
        self.answers: dict[str, Plain] = {}
        """By the hash of a question: what was asked, and the answer."""

    @property
    def empty(self) -> bool:
        """Whether nothing was asked."""
        return not self.answers and not self.documents

    def key(self, question: Plain) -> str:
        """Return the hash of a question."""
        return key_of(self._clean(question))

    def put(self, question: Plain, answer: Any) -> None:
        """Record an answer."""
        self.answers[self.key(question)] = {"asked": self._clean(question), "answer": self._clean(plain(answer))}

    def add_whole(self, document: SourceDocument) -> None:
        """Pack a document as a whole."""
        with self._lock:
            self.documents[document.info.key] = PackedDocument(document, len(document.pages), whole=True)

    def add_page(self, info: DocumentInfo, number: int, text: str, outline: DocumentOutline, pages: int) -> None:
        """Pack a page of a document."""
        with self._lock:
            known = self.documents.get(info.key)
            if known is not None and known.page(number) is not None:
                return
            read = known.document.pages if known is not None else ()
            held = tuple(sorted((*read, Page(number, text)), key=lambda page: page.number))
            document = SourceDocument(info, held, sections=outline.sections, turns=outline.turns)
            self.documents[info.key] = PackedDocument(document, pages, whole=False)

    def to_entries(self) -> dict[str, Any]:
        """Return what is packed as JSON without secrets, by the name of its entry."""
        answers = {f"{ANSWERS}{key}.json": answer for key, answer in self.answers.items()}
        documents = {
            f"{DOCUMENTS}{key}.json": {
                "document": _masked(_documents().dump_python(packed.document, mode="json"), self._clean.masked),
                "pages": packed.pages,
                "whole": packed.whole,
            }
            for key, packed in self.documents.items()
        }
        return {**answers, **documents}

    def add_entry(self, name: str, content: Plain) -> None:
        """Take in one of the entries that `to_entries` returned.

        Raises:
            KeyError, TypeError, ValueError: It is none.
        """
        key = name.rpartition("/")[2].removesuffix(".json")
        if name.startswith(ANSWERS):
            self.answers[key] = {"asked": content["asked"], "answer": content["answer"]}
        else:
            document = _documents().validate_python(content["document"])
            self.documents[key] = PackedDocument(document, int(content["pages"]), bool(content["whole"]))


class RecordingDocuments(DocumentStore):
    """A store whose answers are recorded."""

    def __init__(self, cells: DocumentCells, inner: DocumentStore) -> None:
        """Stand before a store."""
        super().__init__(Path("dossier"))
        self._cells, self._inner = cells, inner

    def close(self) -> None:
        """Close the store behind it."""
        self._inner.close()

    def documents(self, scope: Scope | None = None) -> tuple[DocumentInfo, ...]:
        """Return and record the documents that a scope allows."""
        found = self._inner.documents(scope)
        self._cells.put(_asked("documents", scope), found)
        return found

    def has(self, scope: Scope) -> bool:
        """Tell whether a scope allows any document, and record it."""
        found = self._inner.has(scope)
        self._cells.put(_asked("has", scope), found)
        return found

    def named(self, name: str, scope: Scope) -> DocumentInfo | None:
        """Return and record the document of a name."""
        found = self._inner.named(name, scope)
        self._cells.put(_asked("named", scope, name=name), found)
        return found

    def get(self, key: str) -> SourceDocument:
        """Return a document and pack it. Raises as `DocumentStore.get` does."""
        found = self._inner.get(key)
        self._cells.add_whole(found)
        return found

    def page_count(self, key: str) -> int:
        """Return and record how many pages a document has."""
        found = self._inner.page_count(key)
        self._cells.put(_asked("page_count", key=key), found)
        return found

    def page(self, key: str, page: int) -> tuple[str, DocumentOutline]:
        """Return a page and pack it. Raises as `DocumentStore.page` does."""
        text, outline = self._inner.page(key, page)
        info = next(document for document in self._inner.documents(Scope(documents=(key,))))
        self._cells.add_page(info, page, text, outline, self._inner.page_count(key))
        return text, outline

    def search(
        self, query: str | SearchQuestion, scope: Scope | None = None, limit: int = 10, *, without: Collection[str] = ()
    ) -> tuple[Hit, ...]:
        """Return the passages found; record where they are, and pack their pages."""
        found = self._inner.search(query, scope, limit, without=without)
        return self._found(_searched("search", query, scope, limit, without), found)

    def search_pages(
        self, query: str | SearchQuestion, scope: Scope | None = None, limit: int = 10, *, without: Collection[str] = ()
    ) -> tuple[Hit, ...]:
        """Return the pages found; record which they are, and pack them."""
        found = self._inner.search_pages(query, scope, limit, without=without)
        return self._found(_searched("search_pages", query, scope, limit, without), found)

    def _found(self, question: Plain, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        for hit in hits:
            text, outline = self._inner.page(hit.place.document, hit.place.page)
            count = self._inner.page_count(hit.place.document)
            self._cells.add_page(hit.info, hit.place.page, text, outline, count)
        self._cells.put(question, [_place_of(hit) for hit in hits])
        return hits


class ReplayedDocuments(DocumentStore):
    """A store that answers from a dossier.

    A search that the sealed run did not make is made in what the dossier holds of the documents, and counted.
    """

    def __init__(self, cells: DocumentCells, folder: Path) -> None:
        """Take the place of the store that was recorded.

        Args:
            cells: The documents and answers.
            folder: Where the packed documents are indexed if a search needs it.
        """
        super().__init__(folder)
        self._cells, self._own = cells, DocumentStore(folder)
        self._to_index = sorted(cells.documents)
        self.own_searches: dict[str, None] = {}
        """Words of the searches that the sealed run did not make, without duplicates."""
        self._indexing = threading.Lock()

    def close(self) -> None:
        """Close the store of the packed documents."""
        self._own.close()

    def documents(self, scope: Scope | None = None) -> tuple[DocumentInfo, ...]:
        """Return the recorded answer; for another scope, the packed documents that it allows."""
        answer = self._answer(_asked("documents", scope))
        return self._packed.documents(scope) if answer is None else tuple(map(_info, answer))

    def has(self, scope: Scope) -> bool:
        """Return the recorded answer; for another scope, whether it allows a packed document."""
        answer = self._answer(_asked("has", scope))
        return self._packed.has(scope) if answer is None else bool(answer)

    def named(self, name: str, scope: Scope) -> DocumentInfo | None:
        """Return the recorded answer; for another name, the packed document that has it."""
        question = _asked("named", scope, name=name)
        if self._cells.key(question) not in self._cells.answers:
            return self._packed.named(name, scope)
        answer = self._answer(question)
        return None if answer is None else _info(answer)

    def get(self, key: str) -> SourceDocument:
        """Return a document; one of which pages are packed only, with those.

        Raises:
            DocumentMissing: Nothing of it is packed.
        """
        return _whole(self._held(key))

    def page_count(self, key: str) -> int:
        """Return how many pages a document has."""
        answer = self._answer(_asked("page_count", key=key))
        known = self._cells.documents.get(key)
        return int(answer) if answer is not None else known.pages if known is not None else 0

    def page(self, key: str, page: int) -> tuple[str, DocumentOutline]:
        """Return a page.

        Raises:
            DocumentMissing: It is not packed.
        """
        known = self._held(key)
        found = known.page(page)
        if found is None:
            raise DocumentMissing(f"The dossier does not hold page {page + 1} of {known.document.info.name}.")
        return found.text, DocumentOutline(known.document.sections, known.document.turns)

    def search(
        self, query: str | SearchQuestion, scope: Scope | None = None, limit: int = 10, *, without: Collection[str] = ()
    ) -> tuple[Hit, ...]:
        """Return the passages that were found; for another search, those of the packed documents."""
        answer = self._answer(_searched("search", query, scope, limit, without))
        if answer is not None:
            return tuple(map(self._hit, answer))
        return self._packed_for(query).search(query, scope, limit, without=without)

    def search_pages(
        self, query: str | SearchQuestion, scope: Scope | None = None, limit: int = 10, *, without: Collection[str] = ()
    ) -> tuple[Hit, ...]:
        """Return the pages that were found; for another search, those of the packed documents."""
        answer = self._answer(_searched("search_pages", query, scope, limit, without))
        if answer is not None:
            return tuple(map(self._hit, answer))
        return self._packed_for(query).search_pages(query, scope, limit, without=without)

    def _answer(self, question: Plain) -> Any:
        found = self._cells.answers.get(self._cells.key(question))
        return None if found is None else found["answer"]

    def _held(self, key: str) -> PackedDocument:
        known = self._cells.documents.get(key)
        if known is None:
            raise DocumentMissing(f"The dossier holds nothing of the document {key[:64]}; it was not read then.")
        return known

    def _hit(self, found: Plain) -> Hit:
        place = TextPlace(found["document"], found["page"], found["start"], found["end"])
        known = self._held(place.document)
        text = self.page(place.document, place.page)[0][place.start : place.end]
        more = (found["score"], found["kind"], found["item"], found["speaker"])
        return Hit(known.document.info, place, text, *more)

    @property
    def _packed(self) -> DocumentStore:
        """A store of the packed documents, filled when it is first needed."""
        with self._indexing:
            while self._to_index:
                self._own.add(_whole(self._cells.documents[self._to_index.pop()]))
            return self._own

    def _packed_for(self, query: str | SearchQuestion) -> DocumentStore:
        self.own_searches[query if isinstance(query, str) else query.text] = None
        return self._packed


def _asked(method: str, scope: Scope | None = None, **more: Any) -> Plain:
    return {"method": method, "scope": plain(scope or Scope()), **more}


def _searched(
    method: str, query: str | SearchQuestion, scope: Scope | None, limit: int, without: Collection[str]
) -> Plain:
    return _asked(method, scope, query=plain(query), limit=limit, without=sorted(without))


def _place_of(hit: Hit) -> Plain:
    named = {name: getattr(hit, name) for name in ("score", "kind", "item", "speaker")}
    return {**plain(hit.place), **named}


def _whole(packed: PackedDocument) -> SourceDocument:
    """Return a document with empty pages where its own were not read."""
    held = {page.number: page for page in packed.document.pages}
    pages = tuple(held.get(number) or Page(number, "") for number in range(packed.pages))
    return packed.document if packed.whole else replace(packed.document, pages=pages)


def _masked(value: Any, masked: Callable[[str], str]) -> Any:
    """Return a JSON value with its texts masked; halves of characters, which UTF-8 has none of, become `?`."""
    if isinstance(value, str):
        return masked(value if value.isascii() else value.encode("utf-8", "replace").decode())
    if isinstance(value, dict):
        return {name: _masked(part, masked) for name, part in value.items()}
    return [_masked(part, masked) for part in value] if isinstance(value, list | tuple) else value


def _info(found: Any) -> DocumentInfo:
    info: DocumentInfo = _infos().validate_python(found)
    return info


@cache
def _documents() -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(SourceDocument)


@cache
def _infos() -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(DocumentInfo)
