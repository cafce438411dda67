"""Reads and writes documents in the database. Imported on demand: SQLAlchemy takes 0.2 s to import."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Row, delete, func, insert, select, text

from tradingagents.errors import ConfigurationError
from tradingagents.files.database import Database
from tradingagents.retrieval.index.document_index import VERSION, DocumentIndex
from tradingagents.retrieval.models import DocumentInfo, DocumentOutline, SourceDocument
from tradingagents.retrieval.store.codec import decode, decode_outline, decode_text, encode, is_before_units
from tradingagents.retrieval.store.tables import CONTENTS, DOCUMENTS, FACTS, INDEXES, PAGES, READINGS, TABLES, VECTORS

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DETAILS = (CONTENTS, PAGES, INDEXES, VECTORS, FACTS, READINGS)
_MANY = 500
"""Values in one statement: SQLite takes a limited number of parameters."""

_Value = TypeVar("_Value", int, str)
StoredFacts = tuple[int, bytes]
"""Version of the reading of facts, and the facts as `encode_facts` writes them."""


class VectorsUnsupported(ConfigurationError):
    """The database server cannot store vectors."""


class StoreRows:
    """Documents in a database. Thread-safe; several processes may share one."""

    def __init__(self, address: Path | str) -> None:
        """Set the address; the database is created on first use."""
        self._database = Database(address, TABLES)

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        self._database.close()

    def is_before_units(self, key: str) -> bool:
        """Return whether a document is stored with the units of an earlier version: adding it again replaces it."""
        with self._database.reading() as connection:
            return _is_before_units(connection, _number(connection, key))

    def number(self, key: str) -> int | None:
        """Return the number of a document; None if it is not stored."""
        with self._database.reading() as connection:
            return _number(connection, key)

    def add(self, document: SourceDocument, index: DocumentIndex, facts: StoredFacts | None) -> bool:
        """Store a document with its index and its facts in one transaction; return False if it is stored already.

        One that was stored before units were read is replaced.

        Args:
            document: The document.
            index: Its index.
            facts: What it states by period; None where that was not read.
        """
        content, texts = encode(document)
        arrays = index.to_bytes()
        with self._database.writing() as connection:
            if connection.dialect.name == "postgresql":
                # Two processes that add the same document wait for each other instead of failing.
                connection.execute(text("SELECT pg_advisory_xact_lock(hashtext(:key))"), {"key": document.info.key})
            stored = _number(connection, document.info.key)
            if stored is not None and not _is_before_units(connection, stored):
                return False
            if stored is not None:
                _delete(connection, stored)
            values = _values(document.info, len(texts))
            number = connection.execute(insert(DOCUMENTS).values(values).returning(DOCUMENTS.c.number)).scalar_one()
            connection.execute(insert(CONTENTS).values(document=number, content=content))
            connection.execute(insert(INDEXES).values(document=number, version=VERSION, arrays=arrays))
            if facts is not None:
                connection.execute(insert(FACTS).values(document=number, version=facts[0], facts=facts[1]))
            rows = [{"document": number, "page": page, "text": one} for page, one in enumerate(texts)]
            if rows:
                connection.execute(insert(PAGES), rows)
            _add_terms(connection, number, index.terms.numbers)
            return True

    def remove(self, key: str) -> bool:
        """Delete a document; return whether it was there."""
        with self._database.writing() as connection:
            number = _number(connection, key)
            if number is None:
                return False
            _delete(connection, number)
            return True

    def state(self) -> tuple[int, int]:
        """Return two numbers that differ when documents were added or removed."""
        with self._database.reading() as connection:
            row = connection.execute(select(func.count(), func.max(DOCUMENTS.c.number)).select_from(DOCUMENTS)).one()
        return row[0], row[1] or 0

    def infos(self) -> list[tuple[int, int, DocumentInfo]]:
        """Return the number, the count of pages and the info of every document, in the order they were added."""
        with self._database.reading() as connection:
            rows = connection.execute(select(DOCUMENTS).order_by(DOCUMENTS.c.number)).all()
        return [(row.number, row.pages, _info(row)) for row in rows]

    def get(self, key: str) -> SourceDocument | None:
        """Return a document; None if it is not stored."""
        with self._database.reading() as connection:
            number = _number(connection, key)
            if number is None:
                return None
            content = connection.execute(select(CONTENTS.c.content).where(CONTENTS.c.document == number)).scalar_one()
            pages = select(PAGES.c.text).where(PAGES.c.document == number).order_by(PAGES.c.page)
            texts = list(connection.execute(pages).scalars())
        return decode(content, texts)

    def outline(self, number: int) -> DocumentOutline | None:
        """Return where the items and turns of a document stand; None if it is not stored."""
        with self._database.reading() as connection:
            content = connection.execute(select(CONTENTS.c.content).where(CONTENTS.c.document == number)).scalar()
        return None if content is None else decode_outline(content)

    def page_texts(self, wanted: Collection[tuple[int, int]]) -> dict[tuple[int, int], str]:
        """Return the texts of pages, given and keyed by number of the document and page."""
        found = {}
        with self._database.reading() as connection:
            for document in {number for number, _ in wanted}:
                pages = [page for number, page in wanted if number == document]
                for some in _pieces(pages):
                    rows = select(PAGES.c.page, PAGES.c.text).where(
                        PAGES.c.document == document, PAGES.c.page.in_(some)
                    )
                    for page, stored in connection.execute(rows):
                        found[document, page] = decode_text(stored)
        return found

    def indexes(self, numbers: Sequence[int]) -> dict[int, tuple[int, bytes]]:
        """Return the version and arrays of the indexes of documents."""
        found = {}
        with self._database.reading() as connection:
            for some in _pieces(numbers):
                for row in connection.execute(select(INDEXES).where(INDEXES.c.document.in_(some))):
                    found[row.document] = (row.version, row.arrays)
        return found

    def replace_index(self, number: int, index: DocumentIndex) -> None:
        """Store the index of a document anew, if the document is still there."""
        with self._database.writing() as connection:
            if connection.execute(select(DOCUMENTS.c.key).where(DOCUMENTS.c.number == number)).scalar() is None:
                return
            _remove_terms(connection, number)
            connection.execute(delete(INDEXES).where(INDEXES.c.document == number))
            connection.execute(insert(INDEXES).values(document=number, version=VERSION, arrays=index.to_bytes()))
            _add_terms(connection, number, index.terms.numbers)

    def facts(self, numbers: Sequence[int]) -> dict[int, StoredFacts]:
        """Return the facts of documents; one whose facts were never read is missing."""
        found = {}
        with self._database.reading() as connection:
            for some in _pieces(numbers):
                for row in connection.execute(select(FACTS).where(FACTS.c.document.in_(some))):
                    found[row.document] = (row.version, row.facts)
        return found

    def replace_facts(self, number: int, facts: StoredFacts) -> None:
        """Store the facts of a document anew, if the document is still there."""
        with self._database.writing() as connection:
            # On a server two processes that read the same document wait for each other instead of failing.
            there = select(DOCUMENTS.c.key).where(DOCUMENTS.c.number == number).with_for_update()
            if connection.execute(there).scalar() is None:
                return
            connection.execute(delete(FACTS).where(FACTS.c.document == number))
            connection.execute(insert(FACTS).values(document=number, version=facts[0], facts=facts[1]))

    def readings(self, keys: Sequence[str], reader: str, version: int) -> dict[str, bytes]:
        """Return what a reader of a version made of documents, by key; one that it has not read is missing."""
        found = {}
        with self._database.reading() as connection:
            for some in _pieces(keys):
                rows = select(DOCUMENTS.c.key, READINGS.c.content).join_from(READINGS, DOCUMENTS)
                wanted = (DOCUMENTS.c.key.in_(some), READINGS.c.reader == reader, READINGS.c.version == version)
                found.update({row.key: row.content for row in connection.execute(rows.where(*wanted))})
        return found

    def replace_readings(self, contents: Mapping[str, bytes], reader: str, version: int) -> None:
        """Store what a reader made of documents, by key; of those that are still there."""
        with self._database.writing() as connection:
            for key, content in contents.items():
                there = select(DOCUMENTS.c.number).where(DOCUMENTS.c.key == key).with_for_update()
                number = connection.execute(there).scalar()
                if number is None:
                    continue
                connection.execute(delete(READINGS).where(READINGS.c.document == number, READINGS.c.reader == reader))
                row = {"document": number, "reader": reader, "version": version, "content": content}
                connection.execute(insert(READINGS).values(row))

    def holders(self, terms: Sequence[int]) -> dict[int, NDArray[np.int64]]:
        """Return the numbers of the documents that hold each term."""
        found = {}
        with self._database.reading() as connection:
            if connection.dialect.name == "postgresql":
                # Reading the terms of all documents takes a hundred times as long as their index, for common terms too.
                connection.execute(text("SET LOCAL enable_seqscan = off"))
            for term in terms:
                # One text with all numbers: a row for each document would take longer than the search itself.
                if connection.dialect.name == "sqlite":
                    query = text("SELECT group_concat(rowid) FROM document_terms WHERE document_terms MATCH :term")
                    listed = connection.execute(query, {"term": _word(term)}).scalar()
                else:
                    query = text(
                        "SELECT string_agg(CAST(document AS TEXT), ',') FROM document_terms "
                        "WHERE terms @> ARRAY[CAST(:term AS BIGINT)]"
                    )
                    listed = connection.execute(query, {"term": int(term)}).scalar()
                found[term] = np.fromstring(str(listed or ""), dtype=np.int64, sep=",")
        return found

    def vectors(self, numbers: Sequence[int], model: str) -> dict[int, NDArray[np.float16]]:
        """Return the vectors of the passages of documents; a document without vectors of this model is missing."""
        found = {}
        with self._database.reading() as connection:
            for some in _pieces(numbers):
                query = select(VECTORS).where(VECTORS.c.document.in_(some), VECTORS.c.model == model)
                for row in connection.execute(query):
                    width = int.from_bytes(row.vectors[:4], "little")
                    found[row.document] = np.frombuffer(row.vectors, np.float16, offset=4).reshape(-1, width)
        return found

    def add_vectors(self, model: str, number: int, vectors: NDArray[np.floating]) -> None:
        """Store the vectors of a document's passages, unless they are stored already or the document is gone.

        Raises:
            VectorsUnsupported: The server lacks the extension `vector`.
        """
        with self._database.writing() as connection:
            there = select(VECTORS.c.model).where(VECTORS.c.document == number, VECTORS.c.model == model)
            known = select(DOCUMENTS.c.key).where(DOCUMENTS.c.number == number)
            if connection.execute(there).scalar() is not None or connection.execute(known).scalar() is None:
                return
            block = vectors.shape[1].to_bytes(4, "little") + vectors.astype(np.float16).tobytes()
            connection.execute(insert(VECTORS).values(document=number, model=model, vectors=block))
            if connection.dialect.name == "postgresql":
                _make_vector_table(connection)
                rows = [
                    {"document": number, "model": model, "passage": passage, "vector": _vector(vector)}
                    for passage, vector in enumerate(vectors)
                ]
                if rows:
                    connection.execute(_ADD_VECTOR, rows)

    def likeness(self, numbers: Sequence[int], model: str, query: NDArray[np.float32]) -> dict[int, float]:
        """Return for each document with vectors of this model the likeness of its nearest passage, -1 to 1."""
        found: dict[int, float] = {}
        with self._database.reading() as connection:
            if connection.dialect.name == "postgresql":
                if connection.execute(_VECTOR_TABLE).scalar() is not None:
                    values = {"numbers": list(numbers), "model": model, "vector": _vector(query)}
                    found = {row.document: float(row.likeness) for row in connection.execute(_NEAREST, values)}
                return found
        for some in _pieces(numbers):  # a few at a time: the vectors of many documents do not fit into memory
            for number, vectors in self.vectors(some, model).items():
                if len(vectors):
                    found[number] = float((vectors.astype(np.float32) @ query).max())
        return found


def _make_vector_table(connection: Connection) -> None:
    available = connection.execute(text("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")).scalar()
    if available is None:
        raise VectorsUnsupported(
            "The PostgreSQL server lacks the extension `vector`; install pgvector there, or search without vectors."
        )
    connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('passage_vectors'))"))
    connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))
    connection.execute(
        text(
            "CREATE TABLE IF NOT EXISTS passage_vectors ("
            "document INTEGER NOT NULL REFERENCES documents (number) ON DELETE CASCADE, model TEXT NOT NULL, "
            "passage INTEGER NOT NULL, embedding vector NOT NULL, PRIMARY KEY (document, model, passage))"
        )
    )


_VECTOR_TABLE = text("SELECT to_regclass('passage_vectors')")
_ADD_VECTOR = text(
    "INSERT INTO passage_vectors (document, model, passage, embedding) "
    "VALUES (:document, :model, :passage, CAST(:vector AS vector))"
)
_NEAREST = text(
    "SELECT document, max(1 - (embedding <=> CAST(:vector AS vector))) AS likeness FROM passage_vectors "
    "WHERE document = ANY(:numbers) AND model = :model GROUP BY document"
)


def _vector(values: NDArray[np.floating]) -> str:
    return "[" + ",".join(f"{value:.6g}" for value in values.tolist()) + "]"


def _is_before_units(connection: Connection, number: int | None) -> bool:
    content = connection.execute(select(CONTENTS.c.content).where(CONTENTS.c.document == number)).scalar()
    return content is not None and is_before_units(content)


def _delete(connection: Connection, number: int) -> None:
    _remove_terms(connection, number)
    for table in _DETAILS:
        connection.execute(delete(table).where(table.c.document == number))
    connection.execute(delete(DOCUMENTS).where(DOCUMENTS.c.number == number))


def _number(connection: Connection, key: str) -> int | None:
    return connection.execute(select(DOCUMENTS.c.number).where(DOCUMENTS.c.key == key)).scalar()


def _values(info: DocumentInfo, pages: int) -> dict[str, object]:
    names = ("key", "name", "kind", "company", "symbol", "form", "fiscal_year", "fiscal_quarter", "period_end", "url")
    known_at = (info.known_at - _EPOCH) // timedelta(microseconds=1)
    return {name: getattr(info, name) for name in names} | {
        "accession": info.accession,
        "known_at": known_at,
        "pages": pages,
    }


def _info(row: Row[tuple[object, ...]]) -> DocumentInfo:
    return DocumentInfo(
        key=row.key,
        name=row.name,
        kind=row.kind,
        company=row.company,
        symbol=row.symbol,
        form=row.form,
        known_at=_EPOCH + timedelta(microseconds=row.known_at),
        fiscal_year=row.fiscal_year,
        fiscal_quarter=row.fiscal_quarter,
        period_end=row.period_end,
        url=row.url,
        accession=row.accession,
    )


def _word(term: int) -> str:
    return f"t{int(term):08x}"


def _add_terms(connection: Connection, number: int, terms: NDArray[np.uint32]) -> None:
    if connection.dialect.name == "sqlite":
        query = text("INSERT INTO document_terms (rowid, terms) VALUES (:number, :terms)")
        connection.execute(query, {"number": number, "terms": " ".join(map(_word, terms))})
    else:
        query = text("INSERT INTO document_terms (document, terms) VALUES (:number, CAST(:terms AS BIGINT[]))")
        connection.execute(query, {"number": number, "terms": [int(term) for term in terms]})


def _remove_terms(connection: Connection, number: int) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("DELETE FROM document_terms WHERE document = :number"), {"number": number})
        return
    # A full-text table without content is told what it held.
    arrays = connection.execute(select(INDEXES.c.arrays).where(INDEXES.c.document == number)).scalar_one()
    terms = " ".join(map(_word, DocumentIndex.from_bytes(arrays).terms.numbers))
    query = text("INSERT INTO document_terms (document_terms, rowid, terms) VALUES ('delete', :number, :terms)")
    connection.execute(query, {"number": number, "terms": terms})


def _pieces(values: Sequence[_Value]) -> Iterator[Sequence[_Value]]:
    for at in range(0, len(values), _MANY):
        yield values[at : at + _MANY]
