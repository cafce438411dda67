"""Tables of the document store."""

from __future__ import annotations

from sqlalchemy import (
    DDL,
    BigInteger,
    Column,
    Date,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    event,
)

TABLES = MetaData()

DOCUMENTS = Table(
    "documents",
    TABLES,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("key", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("company", Text, nullable=False),
    Column("symbol", Text, nullable=False),
    Column("form", Text, nullable=False),
    Column("known_at", BigInteger, nullable=False),  # microseconds since 1970, UTC
    Column("fiscal_year", Integer),
    Column("fiscal_quarter", Integer),
    Column("period_end", Date),
    Column("url", Text, nullable=False),
    Column("accession", Text, nullable=False),
    Column("pages", Integer, nullable=False),
    sqlite_autoincrement=True,  # a number is never used again: readers tell by it what is new
)
CONTENTS = Table(
    "document_contents",
    TABLES,
    Column("document", ForeignKey("documents.number", ondelete="CASCADE"), primary_key=True),
    Column("content", LargeBinary, nullable=False),  # everything but the text of the pages
)
PAGES = Table(
    "document_pages",
    TABLES,
    Column("document", ForeignKey("documents.number", ondelete="CASCADE"), primary_key=True),
    Column("page", Integer, primary_key=True),
    Column("text", LargeBinary, nullable=False),
)
INDEXES = Table(
    "document_indexes",
    TABLES,
    Column("document", ForeignKey("documents.number", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("arrays", LargeBinary, nullable=False),
)
VECTORS = Table(
    "document_vectors",
    TABLES,
    Column("document", ForeignKey("documents.number", ondelete="CASCADE"), primary_key=True),
    Column("model", Text, primary_key=True),
    Column("vectors", LargeBinary, nullable=False),  # a row a passage, half precision
)
# What a document states of its company by period, read from its contents; a row a document, and none twice: a series
# wants all facts of a company's filings at once, and which of them give a line item is told by all that a filing tags.
FACTS = Table(
    "document_facts",
    TABLES,
    Column("document", ForeignKey("documents.number", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("facts", LargeBinary, nullable=False),
)
# What a reader of documents made of one, such as what it guides to: a row a document and reader.
READINGS = Table(
    "document_readings",
    TABLES,
    Column("document", ForeignKey("documents.number", ondelete="CASCADE"), primary_key=True),
    Column("reader", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("content", LargeBinary, nullable=False),
)
# Which documents hold a term: in SQLite a full-text table, in PostgreSQL arrays.
_SQLITE_TERMS = DDL(  # type: ignore[no-untyped-call]
    "CREATE VIRTUAL TABLE IF NOT EXISTS document_terms USING fts5("
    "terms, content='', detail=none, columnsize=0, tokenize='ascii')"
).execute_if(dialect="sqlite")
_POSTGRES_TERMS = DDL(  # type: ignore[no-untyped-call]
    "CREATE TABLE IF NOT EXISTS document_terms ("
    "document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE, terms BIGINT[] NOT NULL)"
).execute_if(dialect="postgresql")
_POSTGRES_TERMS_INDEX = DDL(  # type: ignore[no-untyped-call]
    "CREATE INDEX IF NOT EXISTS document_terms_terms ON document_terms USING gin (terms) "
    "WITH (fastupdate = off)"  # else what was added last is searched one by one
).execute_if(dialect="postgresql")
for _statement in (_SQLITE_TERMS, _POSTGRES_TERMS, _POSTGRES_TERMS_INDEX):
    event.listen(TABLES, "after_create", _statement)
