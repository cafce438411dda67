"""Adds documents to a store: single files, folders, recorded calls, and filings from a vendor.

A document that is in the store already is not added again. One that cannot be read is reported and disturbs no other.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Filing
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import DataError, UnreadableDocument, UsageError
from tradingagents.retrieval.models import DocumentInfo
from tradingagents.retrieval.reading.info import Hints
from tradingagents.retrieval.reading.limits import unpack
from tradingagents.retrieval.reading.read import read_document
from tradingagents.retrieval.reading.transcripts import read_calls
from tradingagents.retrieval.store import DocumentStore

SUFFIXES = (".html", ".htm", ".xhtml", ".pdf", ".txt", ".gz", ".zip")
INDEX = "index.csv"
"""A list of the files of a folder: columns file, symbol, form, filed (a day), url; all but file may be empty."""
LARGEST_FILE = 200 * 2**20
_NEW_YORK = ZoneInfo("America/New_York")


@dataclass(frozen=True, slots=True)
class Added:
    """A document that is in the store now."""

    info: DocumentInfo
    new: bool
    """False for one that was there already."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A file or filing that could not be read."""

    name: str
    reason: str


Outcome = Added | Refused


def add_file(store: DocumentStore, path: Path, *, known_at: datetime | None = None, **hints: Any) -> Added:
    """Read one file into a store.

    Args:
        path: HTML, PDF, text or a transcript, also compressed.
        known_at: Instant of acceptance or publication. None: now; a question about a past day then never sees it.
        **hints: What is known of it: company, symbol, form, fiscal_year, fiscal_quarter, period_end, url.

    Raises:
        UsageError: There is no such file.
        UnreadableDocument: It cannot be read.
    """
    content = _content(path)
    return add_content(store, content, known_at=known_at or datetime.now(UTC), **hints)


def add_content(store: DocumentStore, content: bytes, *, known_at: datetime, **hints: Any) -> Added:
    """Read bytes into a store. Raises `UnreadableDocument`."""
    document = read_document(content, known_at=known_at, hints=Hints(**hints))
    return Added(document.info, new=store.add(document), warnings=document.warnings)


def add_folder(store: DocumentStore, folder: Path, *, known_at: datetime | None = None) -> Iterator[Outcome]:
    """Read the files of a folder and of its folders, in order of their names.

    `index.csv` in the folder, if there is one, tells symbol, form, day of filing and address of its files: they count
    as known from the end of that day in New York.

    Raises:
        UsageError: There is no such folder, or nothing in it that can be read.
    """
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}; name one that holds HTML, PDF or text files.")
    listed = _listed(folder)
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix.lower() in SUFFIXES)
    if not files:
        raise UsageError(f"{folder} holds no file ending in {', '.join(SUFFIXES)}.")
    for path in files:
        told = dict(listed.get(path.relative_to(folder).as_posix(), {}))
        instant = told.pop("known_at", None) or known_at
        try:
            yield add_file(store, path, known_at=instant, **told)
        except DataError as error:
            yield Refused(path.relative_to(folder).as_posix(), str(error))


def add_calls(store: DocumentStore, path: Path, *, known_at: datetime | None = None) -> Iterator[Outcome]:
    """Read recorded calls: JSON lines with symbol, date, fiscal year, quarter and segments, or one transcript as text.

    Args:
        known_at: Instant of a transcript that is text; None: now. Calls in JSON tell their day.

    Raises:
        UsageError: There is no such file.
        UnreadableDocument: It holds no call.
    """
    content = _content(path)
    if not unpack(content).lstrip().startswith(b"{"):
        yield add_content(store, content, known_at=known_at or datetime.now(UTC), kind="call")
        return
    for document in read_calls(content):
        yield Added(document.info, new=store.add(document), warnings=document.warnings)


def add_filings(
    store: DocumentStore, data: MarketData, symbols: Sequence[str], *, forms: Sequence[str], years: int
) -> Iterator[Outcome]:
    """Read filings of companies from the vendor: those of the last years that were accepted by the market's cut-off.

    Args:
        data: The market; its vendor for filings is asked.
        symbols: Tickers.
        forms: Such as 10-K, 10-Q, 8-K; amendments come with them.
        years: How many years back.
    """
    start = data.as_of - timedelta(days=round(365.25 * years))
    known = {
        document.accession: document
        for document in store.documents()
        if document.accession and not document.form.startswith("EX-")
    }
    wanted = {form.strip().upper() for form in forms if form.strip()}
    for symbol in symbols:
        try:
            filed = data.filings(symbol, start, data.as_of)
        except DataError as error:
            yield Refused(symbol, str(error))
            continue
        chosen = [one for one in filed if one.form.upper().removesuffix("/A") in wanted]
        if not chosen:
            yield Refused(symbol, f"It filed no {', '.join(sorted(wanted))} since {start}.")
        for filing in chosen:
            yield from _add_filing(store, data, filing, known)


def _add_filing(
    store: DocumentStore, data: MarketData, filing: Filing, known: Mapping[str, DocumentInfo]
) -> Iterator[Outcome]:
    """Add a filing, and the exhibits that the vendor has of it."""
    name = f"{filing.symbol} {filing.form} {filing.filed_on}"
    if filing.accession in known:
        yield Added(known[filing.accession], new=False)
        return
    try:
        found = data.rows(Vendor.get_filing_document, filing.symbol, filing.accession)
    except DataError as error:
        yield Refused(name, str(error))
        return
    if not found:
        yield Refused(name, "Its document is not available.")
    # The filing itself comes last: once it is there, the filing counts as added, with its exhibits.
    for document in (*found[1:], *found[:1]):
        exhibit = document is not found[0]
        try:
            added = add_content(
                store,
                document.content,
                known_at=filing.known_at,
                symbol=filing.symbol,
                form=document.form,
                period_end=filing.period_end,
                url=document.url or filing.url,
                accession=filing.accession,
            )
        except DataError as error:
            yield Refused(f"{name} {document.form}" if exhibit else name, str(error))
        else:
            yield added


def end_of_day(day: date) -> datetime:
    """Return the end of a day in New York, from which on what was filed that day counts as known, UTC."""
    return datetime.combine(day + timedelta(days=1), time(), _NEW_YORK).astimezone(UTC)


def _content(path: Path) -> bytes:
    if not path.is_file():
        raise UsageError(f"There is no file {path}.")
    if path.stat().st_size > LARGEST_FILE:
        raise UnreadableDocument(f"{path.name} is larger than {LARGEST_FILE >> 20} MB; split it or leave it out.")
    return path.read_bytes()


def _listed(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return what a folder's index tells of its files, by path."""
    index = folder / INDEX
    if not index.is_file():
        return {}
    found: dict[str, Mapping[str, Any]] = {}
    try:
        with index.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                if row.get("file"):
                    found[_relative(row["file"], folder)] = _told(row)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UnreadableDocument(f"{index} cannot be read ({error}); mend or remove it.") from error
    return found


def _relative(name: str, folder: Path) -> str:
    """Return a listed file's path within the folder; a list may write it from the folder's parent."""
    return name.removeprefix(f"{folder.name}/")


def _told(row: Mapping[str, str]) -> dict[str, Any]:
    told: dict[str, Any] = {key: value for key in ("symbol", "form", "url") if (value := (row.get(key) or "").strip())}
    with suppress(ValueError):  # a year alone, or nothing: the file counts as known from now on
        told["known_at"] = end_of_day(date.fromisoformat((row.get("filed") or "").strip()))
    return told
