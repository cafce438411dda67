"""The store of documents: adds them once, and finds pages and passages in those that were known at a given time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Generic, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from tradingagents.errors import ConfigurationError
from tradingagents.retrieval.address import FILE
from tradingagents.retrieval.figures.document_facts import FACTS_VERSION, document_facts
from tradingagents.retrieval.index.document_index import VERSION, DocumentIndex, index_document
from tradingagents.retrieval.index.documents import document_weights
from tradingagents.retrieval.index.passages import passages_of
from tradingagents.retrieval.index.question import SearchQuestion, read_search_question
from tradingagents.retrieval.index.ranking import Wanted, page_and_passage_scores, wanted_numbers
from tradingagents.retrieval.index.spread import BEST_PAGES, ScoredDocument, spread_pages
from tradingagents.retrieval.index.words import term_number, term_numbers
from tradingagents.retrieval.models import DocumentInfo, DocumentOutline, Hit, Scope, SourceDocument, TextPlace
from tradingagents.retrieval.series.fact import SeriesFact
from tradingagents.retrieval.store.codec import decode_facts, encode_facts
from tradingagents.retrieval.store.vectors import HybridWeights, Reranker, TextVectors, hybrid_scores
from tradingagents.retrieval.store.visibility import Numbered, ScopeView

if TYPE_CHECKING:
    from tradingagents.retrieval.store.rows import StoredFacts, StoreRows

T = TypeVar("T")
MOST_DOCUMENTS = 16
"""Documents whose pages are scored for one question; those that hold its rarest words, where more are allowed."""
CACHE_BYTES = 256 * 1024 * 1024
OUTLINE_BYTES = TEXT_BYTES = 16 * 1024 * 1024
"""Most memory for the outlines of documents whose pages were read lately, and for the texts of pages."""
FACTS_BYTES = 64 * 1024 * 1024
"""Most memory for the facts of documents."""
_FACT_BYTES = 800
"""About what a fact takes."""
_SECTION_BYTES = 500
"""About what a section or a turn of an outline takes."""
DEEPEST = 60
"""Pages of a document among which the pages of other kinds are looked for."""
_CLOCK_TICK = 50_000_000
"""Nanoseconds within which two writes may leave the same time at a file."""
_VIEWS = 32
"""Scopes whose documents are remembered."""
_FEW_COMPANIES = 4
"""Up to so many companies the words of their names tell no page from another."""


class DocumentMissing(ConfigurationError):
    """No document has this key."""


@dataclass(frozen=True, slots=True)
class _Scored:
    number: int
    info: DocumentInfo
    unit: int
    """A page, or a passage of the document's index."""
    score: float


class DocumentStore:
    """Documents in an SQLite file or a PostgreSQL database. Thread-safe; several processes may share one.

    A document is added whole or not at all, and is found by nobody before it was known (`DocumentInfo.known_at`).
    """

    def __init__(
        self,
        address: Path | str,
        *,
        vectors: TextVectors | None = None,
        hybrid: HybridWeights | None = None,
        reranker: Reranker | None = None,
        page_weights: Mapping[str, float] | None = None,
        cache_bytes: int = CACHE_BYTES,
    ) -> None:
        """Set the place; nothing is created or contacted before the first document is added or asked for.

        Args:
            address: A folder, in which the file `documents.sqlite` is created, or the URL of a database.
            vectors: Model of dense vectors, for a hybrid search; None searches by words alone.
            hybrid: How much vectors and words count in a hybrid search.
            reranker: Orders the passages found anew; None leaves the order.
            page_weights: How much each of `ranking.FEATURES` counts; None for the weights that the library ships.
            cache_bytes: Most memory for the indexes of documents searched lately.
        """
        self._address = address
        self._vectors = vectors
        self._hybrid = hybrid or HybridWeights()
        self._reranker = reranker
        self._page_weights = page_weights
        self._cache = _ByteCache[DocumentIndex](cache_bytes)
        self._vector_cache = _ByteCache[NDArray[np.float32]](cache_bytes)
        self._outlines = _ByteCache[DocumentOutline](OUTLINE_BYTES)
        self._texts = _ByteCache[str](TEXT_BYTES)
        self._facts = _ByteCache[tuple[SeriesFact, ...]](FACTS_BYTES)
        file = None if isinstance(address, str) and "://" in address else Path(address) / FILE
        self._files: tuple[Path, ...] = (file, file.with_name(f"{FILE}-wal")) if file is not None else ()
        """What is written where the store is an SQLite file."""
        self._lock = threading.Lock()
        self._state: tuple[int, int] = (0, 0)
        self._read_at: tuple[int, ...] | None = None
        self._by_number: dict[int, Numbered] = {}
        self._numbers: dict[str, int] = {}
        self._views: dict[Scope, ScopeView] = {}
        self._views_of: dict[int, Numbered] | None = None

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        if "_rows" in self.__dict__:
            self._rows.close()

    def add(self, document: SourceDocument) -> bool:
        """Add a document; return False if it is stored already. One stored before units were read is replaced.

        Raises:
            HomeNotWritable, DatabaseUnreachable: See `Database`; this applies to every method.
        """
        key = document.info.key
        if self.holds(key) and not self._rows.is_before_units(key):
            return False
        index = index_document([page.text for page in document.pages], passages_of(document))
        # Without tables they take as long to read as the index does: whoever asks for them first reads them.
        facts = (FACTS_VERSION, encode_facts(document_facts(document))) if document.tables else None
        added = self._rows.add(document, index, facts)
        if added and self._vectors is not None:
            texts = [document.pages[page].text[start:end] for page, start, end in index.bounds.tolist()]
            number = self._rows.number(document.info.key)
            if number is not None:
                self._rows.add_vectors(self._vectors.name, number, self._vectors.passages(texts))
        return added

    def holds(self, key: str) -> bool:
        """Tell whether a document is stored, so that an interrupted import need not read it again."""
        return not self._empty and self._rows.number(key) is not None

    def remove(self, key: str) -> bool:
        """Delete a document; return whether it was there."""
        return not self._empty and self._rows.remove(key)

    def documents(self, scope: Scope | None = None) -> tuple[DocumentInfo, ...]:
        """Return the documents that a scope allows, the latest known first."""
        allowed = [info for _, _, info in self._view(scope or Scope()).documents]
        return tuple(sorted(allowed, key=lambda info: (info.known_at, info.name), reverse=True))

    def facts(self, scope: Scope | None = None) -> tuple[SeriesFact, ...]:
        """Return what the documents that a scope allows state of their companies, by period, in no order.

        Documents that others replace are among them: what was filed is never overwritten. A document's facts are
        written when it is added; those of one without tables, or of an earlier version, are read and written here.
        """
        numbers = [number for number, _, info in self._view(scope or Scope()).documents if info.kind == "filing"]
        found = {number: facts for number in numbers if (facts := self._facts.get(number)) is not None}
        missing = [number for number in numbers if number not in found]
        stored = self._rows.facts(missing) if missing else {}
        for number in missing:
            facts = self._read_facts(number, stored.get(number))
            self._facts.put(number, facts, _FACT_BYTES * (1 + len(facts)))
            found[number] = facts
        return tuple(fact for number in numbers for fact in found[number])

    def _read_facts(self, number: int, stored: StoredFacts | None) -> tuple[SeriesFact, ...]:
        if stored is not None and stored[0] == FACTS_VERSION:
            return decode_facts(stored[1])
        known = self._known().get(number)
        document = None if known is None else self._rows.get(known[2].key)
        if document is None:  # removed since
            return ()
        facts = document_facts(document)
        self._rows.replace_facts(number, (FACTS_VERSION, encode_facts(facts)))
        return facts

    def readings(
        self, keys: Sequence[str], reader: str, version: int, read: Callable[[SourceDocument], bytes]
    ) -> tuple[bytes, ...]:
        """Return what a reader makes of documents, in the order of their keys.

        A document is read once: one that was not read yet, or by another version, is read and stored here.

        Args:
            keys: Keys of stored documents.
            reader: Name of the reader.
            version: Raised when documents are to be read anew.
            read: Reads a document.

        Raises:
            DocumentMissing: There is none with such a key.
        """
        known = {} if self._empty or not keys else self._rows.readings(keys, reader, version)
        new = {key: read(self.get(key)) for key in dict.fromkeys(keys) if key not in known}
        if new:
            self._rows.replace_readings(new, reader, version)
        return tuple({**known, **new}[key] for key in keys)

    def has(self, scope: Scope) -> bool:
        """Tell whether a scope allows any document."""
        return bool(self._view(scope).documents)

    def named(self, name: str, scope: Scope) -> DocumentInfo | None:
        """Return the latest known document of a name or key that a scope allows; None if there is none."""
        return next((document for document in self.documents(scope) if name in (document.key, document.name)), None)

    def get(self, key: str) -> SourceDocument:
        """Return a document.

        Raises:
            DocumentMissing: There is none with this key.
        """
        document = None if self._empty else self._rows.get(key)
        if document is None:
            raise _missing(key)
        return document

    def holding(self, word: str) -> tuple[str, ...]:
        """Return the keys of the documents that hold a word, in no order; nothing for a word that carries nothing."""
        term = term_number(word.lower())
        if self._empty or term < 0:
            return ()
        known, numbers = self._known(), self._rows.holders((term,))[term]
        return tuple(known[int(number)][2].key for number in numbers if int(number) in known)

    def page_count(self, key: str) -> int:
        """Return how many pages a document has; 0 if there is no document with this key."""
        known = self._known()
        one = known.get(self._numbers.get(key, -1))
        return 0 if one is None else one[1]

    def page(self, key: str, page: int) -> tuple[str, DocumentOutline]:
        """Return the text of a page, counted from 0, and where the items and turns of its document stand.

        Raises:
            DocumentMissing: There is no document with this key, or it has no such page.
        """
        self._known()
        number = self._numbers.get(key)
        text = None if number is None else self._page_texts([(number, page)]).get((number, page))
        if number is None or text is None:
            raise _missing(key)
        outline = self._outlines.get(number)
        if outline is None:
            outline = self._rows.outline(number)
            if outline is None:  # removed since
                raise _missing(key)
            self._outlines.put(number, outline, _SECTION_BYTES * (1 + len(outline.sections) + len(outline.turns)))
        return text, outline

    def search(
        self, query: str | SearchQuestion, scope: Scope | None = None, limit: int = 10, *, without: Collection[str] = ()
    ) -> tuple[Hit, ...]:
        """Return the passages that answer a question best, the best first.

        Args:
            query: The question, or key words.
            scope: Which documents may be searched.
            limit: Most passages.
            without: Rules (`index.question.RULES`) to leave out.
        """
        scored = self._search(query, scope or Scope(), limit, "passage", without)
        hits = self._passage_hits(scored)
        if self._reranker is None or not hits:
            return tuple(hits)
        text = query if isinstance(query, str) else query.text
        scores = self._reranker.scores(text, [hit.text for hit in hits])
        hits = [replace(hit, score=float(score)) for hit, score in zip(hits, scores, strict=True)]
        return tuple(sorted(hits, key=lambda hit: -hit.score))

    def search_pages(
        self, query: str | SearchQuestion, scope: Scope | None = None, limit: int = 10, *, without: Collection[str] = ()
    ) -> tuple[Hit, ...]:
        """Return the pages that answer a question best, the best first; parameters as of `search`.

        Pages of other kinds follow the tenth, such as the primary statements, whatever their scores (`spread_pages`).
        """
        scored = self._search(query, scope or Scope(), limit, "page", without)
        texts = self._page_texts([(one.number, one.unit) for one in scored])
        hits = []
        for hit in scored:
            text = texts.get((hit.number, hit.unit))
            if text is not None:  # else removed since
                place = TextPlace(hit.info.key, hit.unit, 0, len(text))
                hits.append(Hit(hit.info, place, text, hit.score, _kind_of(text)))
        return tuple(hits)

    def _page_texts(self, wanted: Iterable[tuple[int, int]]) -> dict[tuple[int, int], str]:
        """Return the texts of pages, given and keyed by number of the document and page; none of those removed."""
        found = {place: self._texts.get(place) for place in wanted}
        missing = [place for place, text in found.items() if text is None]
        for place, text in (self._rows.page_texts(missing) if missing else {}).items():
            self._texts.put(place, text, 2 * len(text))
            found[place] = text
        return {place: text for place, text in found.items() if text is not None}

    @cached_property
    def _rows(self) -> StoreRows:
        from tradingagents.retrieval.store.rows import StoreRows

        return StoreRows(self._files[0] if self._files else str(self._address))

    @property
    def _empty(self) -> bool:
        """Whether the file does not exist, because no document was added."""
        return bool(self._files) and not self._files[0].exists()

    def _known(self) -> dict[int, Numbered]:
        """Return all documents by number, read anew when some were added or removed."""
        if self._empty:
            return {}
        with self._lock:
            written = self._written()
            if written is None or written != self._read_at:
                state = self._rows.state()
                if state != self._state:
                    self._by_number = {one[0]: one for one in self._rows.infos()}
                    self._numbers = {one[2].key: one[0] for one in self._by_number.values()}
                    self._state = state
                self._read_at = written
            return self._by_number

    def _written(self) -> tuple[int, ...] | None:
        """Return what changes with every transaction of an SQLite file; None where that is not told for certain."""
        if not self._files:
            return None
        signs: list[int] = []
        for file in self._files:
            try:
                stat = file.stat()
            except FileNotFoundError:
                signs += [0, 0]
                continue
            if time.time_ns() - stat.st_mtime_ns < _CLOCK_TICK:
                return None
            signs += [stat.st_mtime_ns, stat.st_size]
        return tuple(signs)

    def _view(self, scope: Scope) -> ScopeView:
        known = self._known()
        now = datetime.now(UTC)
        with self._lock:
            if self._views_of is not known:
                self._views.clear()
                self._views_of = known
            view = self._views.get(scope)
            if view is None or (scope.as_of is None and view.until is not None and view.until <= now):
                view = self._views[scope] = ScopeView(list(known.values()), scope, now)
                while len(self._views) > _VIEWS:
                    self._views.pop(next(iter(self._views)))
            return view

    def _search(
        self,
        query: str | SearchQuestion,
        scope: Scope,
        limit: int,
        unit: Literal["page", "passage"],
        without: Collection[str],
    ) -> list[_Scored]:
        view = self._view(scope)
        if not view.searched or limit < 1:
            return []
        text = query if isinstance(query, str) else query.text
        documents, companies, plain = view.searched, list[str](), text
        if "company" not in without:
            documents, companies, plain = view.of_companies_named(text)
        # The words of a company's name mean nothing else: those of Best Buy no purchase, of General Mills no mill.
        question = read_search_question(plain, without=without) if isinstance(query, str) else query
        weights = document_weights(question, [document[2] for document in documents], without=without)
        infos = {document[0]: document[2] for document in documents}
        allowed = {document[0]: weight for document, weight in zip(documents, weights, strict=True)}
        if scope.documents:
            companies = sorted({document[2].company for document in documents})
        # The name of the company stands on every page.
        ignored = {term for name in companies if len(companies) < _FEW_COMPANIES for term in term_numbers(name)}
        wanted = wanted_numbers(question, without=without, ignored=ignored)
        if len(allowed) > MOST_DOCUMENTS:
            allowed = self._most_likely(allowed, wanted, text)
        indexes = self._indexes(list(allowed))
        scored = self._scores(text, wanted, indexes, allowed, unit)
        scored = {number: _of_items(one, scope, unit) for number, one in scored.items()}
        spread = unit == "page" and limit > BEST_PAGES and "spread" not in without
        found = [
            _Scored(number, infos[number], place, score)
            for number, hits in scored.items()
            for place, score in _best(hits.scores, max(DEEPEST, limit) if spread else limit)
        ]
        found.sort(key=lambda one: (-one.score, one.number, one.unit))
        if not spread:
            return found[:limit]
        return [
            _Scored(number, infos[number], page, float(scored[number].scores[page]))
            for number, page in spread_pages([(one.number, one.unit) for one in found], scored, limit)
        ]

    def _scores(
        self,
        question: str,
        wanted: Wanted,
        indexes: Mapping[int, DocumentIndex],
        weights: Mapping[int, float],
        unit: Literal["page", "passage"],
    ) -> dict[int, ScoredDocument]:
        """Return the scores of the pages or passages of documents, with each document's weight."""
        both = {number: page_and_passage_scores(index, wanted, self._page_weights) for number, index in indexes.items()}
        scores = {number: pages for number, (pages, _) in both.items()}
        if unit == "passage":
            scores = {
                number: own + np.float32(0.5) * pages[indexes[number].passage_pages]
                for number, (pages, own) in both.items()
            }
        if self._vectors is not None and scores:
            scores = self._with_vectors(question, indexes, scores, unit)
        return {
            number: self._weighed(index, weights[number], scores[number], both[number][1], unit)
            for number, index in indexes.items()
        }

    def _weighed(
        self,
        index: DocumentIndex,
        weight: float,
        scores: NDArray[np.float32],
        words: NDArray[np.float32],
        unit: Literal["page", "passage"],
    ) -> ScoredDocument:
        """Add a document's weight to its scores; without vectors, a page that shares no word is left out."""
        weighed = scores + np.float32(weight)
        if self._vectors is None:
            shares = np.zeros(index.pages, dtype=bool)
            shares[index.passage_pages[words > 0]] = True
            weighed = np.where(shares if unit == "page" else shares[index.passage_pages], weighed, np.float32(-np.inf))
        return ScoredDocument(index, weight, weighed, words)

    def _most_likely(self, allowed: dict[int, float], wanted: Wanted, question: str) -> dict[int, float]:
        """Return the documents whose period fits and that hold the rarest words of the question."""
        numbers = np.array(sorted(allowed), dtype=np.int64)
        scores = np.array([allowed[number] for number in numbers.tolist()])
        terms = [int(term) for term in wanted.terms]
        holders = self._rows.holders(terms)
        gain = np.zeros(len(numbers))
        most = 0.0
        for term, weight in zip(terms, wanted.term_weights.tolist(), strict=True):
            # Only documents that may be seen count: how rare a word is must not tell of later ones.
            holds = np.isin(numbers, holders[term])
            rarity = weight * float(np.log(1 + (len(numbers) - holds.sum() + 0.5) / (holds.sum() + 0.5)))
            gain += rarity * holds
            most += rarity
        scores += gain / (most or 1.0)
        if self._vectors is not None:
            likeness = self._rows.likeness(numbers.tolist(), self._vectors.name, self._vectors.query(question))
            near = np.array([likeness.get(number, 0.0) for number in numbers.tolist()])
            scores = self._hybrid.keyword * scores + self._hybrid.vector * near
        best = np.argsort(-scores, kind="stable")[:MOST_DOCUMENTS]
        return {int(numbers[at]): allowed[int(numbers[at])] for at in best}

    def _indexes(self, numbers: Sequence[int]) -> dict[int, DocumentIndex]:
        """Return the indexes of documents; one made by an earlier version is made again from the text."""
        found = {number: index for number in numbers if (index := self._cache.get(number)) is not None}
        missing = [number for number in numbers if number not in found]
        for number, (version, arrays) in (self._rows.indexes(missing) if missing else {}).items():
            if version == VERSION:
                index = DocumentIndex.from_bytes(arrays)
            else:
                document = self.get(self._known()[number][2].key)
                index = index_document([page.text for page in document.pages], passages_of(document))
                self._rows.replace_index(number, index)
            self._cache.put(number, index, index.size)
            found[number] = index
        return {number: found[number] for number in numbers if number in found}

    def _with_vectors(
        self,
        question: str,
        indexes: Mapping[int, DocumentIndex],
        scores: dict[int, NDArray[np.float32]],
        unit: Literal["page", "passage"],
    ) -> dict[int, NDArray[np.float32]]:
        """Return the scores of all documents with the likeness of their vectors to the question's added."""
        model = self._vectors
        assert model is not None  # noqa: S101 - for the type checker
        asked = model.query(question)
        found = []
        for number, index in indexes.items():
            likeness = self._vectors_of(number, index) @ asked
            if unit == "page":
                by_page = np.zeros(index.pages, dtype=np.float32)
                np.maximum.at(by_page, index.passage_pages, likeness)
                likeness = by_page
            found.append(likeness)
        # All at once, so that the documents stay comparable.
        total = hybrid_scores(np.concatenate(list(scores.values())), np.concatenate(found), self._hybrid)
        ends = np.cumsum([len(one) for one in scores.values()])[:-1]
        return dict(zip(scores, np.split(total, ends), strict=True))

    def _vectors_of(self, number: int, index: DocumentIndex) -> NDArray[np.float32]:
        """Return the vectors of a document's passages; they are made where the document was added without them."""
        model = self._vectors
        assert model is not None  # noqa: S101 - for the type checker
        vectors = self._vector_cache.get(number)
        if vectors is None:
            stored = self._rows.vectors([number], model.name).get(number)
            if stored is None:
                stored = model.passages(self._passage_texts(number, index)).astype(np.float16)
                self._rows.add_vectors(model.name, number, stored)
            vectors = stored.astype(np.float32)
            self._vector_cache.put(number, vectors, vectors.nbytes)
        return vectors

    def _passage_texts(self, number: int, index: DocumentIndex) -> list[str]:
        texts = self._rows.page_texts([(number, page) for page in range(index.pages)])
        return [texts[number, page][start:end] for page, start, end in index.bounds.tolist()]

    def _passage_hits(self, scored: Sequence[_Scored]) -> list[Hit]:
        indexes = self._indexes(list(dict.fromkeys(one.number for one in scored)))
        passages = [(one, indexes[one.number].passage(one.unit)) for one in scored if one.number in indexes]
        texts = self._page_texts([(one.number, passage.page) for one, passage in passages])
        hits = []
        for document, passage in passages:
            page = texts.get((document.number, passage.page))
            if page is None:  # removed since
                continue
            text = page[passage.start : passage.end]
            kind: Literal["text", "table", "turn"] = "turn" if passage.speaker else _kind_of(text)
            place = TextPlace(document.info.key, passage.page, passage.start, passage.end)
            hits.append(Hit(document.info, place, text, document.score, kind, passage.item, passage.speaker))
        return hits


def _missing(key: str) -> DocumentMissing:
    return DocumentMissing(f"No document has the key {key}; `documents()` lists those that are stored.")


class _ByteCache(Generic[T]):
    """Holds what was used last, up to a number of bytes."""

    def __init__(self, most_bytes: int) -> None:
        self._most = most_bytes
        self._held = 0
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> T | None:
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: T, size: int) -> None:
        with self._lock:
            if key in self._values:
                return
            self._values[key] = (value, size)
            self._held += size
            while self._held > self._most and len(self._values) > 1:
                _, (_, dropped) = self._values.popitem(last=False)
                self._held -= dropped


def _of_items(one: ScoredDocument, scope: Scope, unit: Literal["page", "passage"]) -> ScoredDocument:
    """Leave out what is not of the items that the scope allows."""
    if not scope.items:
        return one
    index = one.index
    allowed = np.isin(index.item_numbers, [at for at, item in enumerate(index.items) if item in scope.items])
    if unit == "page":
        pages = np.zeros(index.pages, dtype=bool)
        pages[index.passage_pages[allowed]] = True
        allowed = pages
    return replace(one, scores=np.where(allowed, one.scores, np.float32(-np.inf)))


def _best(scores: NDArray[np.float32], limit: int) -> Iterable[tuple[int, float]]:
    """Yield the places with the highest scores."""
    for at in np.argsort(-scores, kind="stable")[:limit].tolist():
        if np.isfinite(scores[at]):
            yield at, float(scores[at])


def _kind_of(text: str) -> Literal["text", "table"]:
    """Return `table` where most lines end in a figure."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    rows = sum(line[-1].isdigit() or line[-1] in ")%\u2014" for line in lines)
    return "table" if 2 * rows > len(lines) else "text"
