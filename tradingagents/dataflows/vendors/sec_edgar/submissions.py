"""A company's index of filings: its profile, its filings, when each was accepted, and the exhibits worth reading.

Exhibits that read like reports are earnings releases and annual reports to shareholders.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from tradingagents.dataflows.models import Filing
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.responses.lost_rows import lost
from tradingagents.dataflows.vendors.sec_edgar.client import WWW_HOST

ACCESSION = re.compile(r"\d{10}-\d{2}-\d{6}", re.ASCII)
"""An accession number."""
_DOCUMENT = re.compile(r"[\w.\-]+(/[\w.\-]+)?")
_PAGE = re.compile(r"CIK\d{10}-submissions-\d+\.json")
_NEW_YORK = ZoneInfo("America/New_York")
_OPENS, _DATED_UNTIL, _CLOSES = time(6), time(17, 30), time(22)
"""EDGAR accepts filings from 6:00 to 22:00 in New York; those after 17:30 count as filed on the next business day."""
DATED_LATER = timedelta(days=4)
"""How long after its acceptance a filing may be dated: the next business day, after a long weekend."""
_OF_THE_COMMISSION = frozenset({"EFFECT", "SEC STAFF LETTER"})
"""Notices that the commission dates itself, before it enters them."""
MOST_OFF = 0.02
"""Share of the other filings up to which dates and hours may be off: of 5,175 recorded ones none is."""
_DATED_LATE = frozenset({"3", "3/A", "4", "4/A", "5", "5/A", "144", "144/A"})
"""Forms that count as filed on the day until 22:00."""
_TYPES = {
    "htm": "text/html",
    "html": "text/html",
    "txt": "text/plain",
    "pdf": "application/pdf",
    "xml": "application/xml",
}
_FORM = re.compile(r"[A-Z0-9][A-Z0-9 /&-]*", re.IGNORECASE)
_COLUMNS = ("accessionNumber", "form", "filingDate")


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the index."""

    accession: str
    form: str
    filed_on: date
    known_at: datetime
    """Instant of acceptance, UTC; the next session's open if only the day is known."""
    document: str | None
    """Path of the main document within the filing; None for some old and paper filings."""
    title: str
    period_end: date | None
    items: tuple[str, ...]

    def folder(self, cik: int) -> str:
        """Return the folder of its documents, below `Archives`."""
        return f"edgar/data/{cik}/{self.accession.replace('-', '')}"

    def complete_text(self, cik: int) -> str:
        """Return the path of the file that holds all its documents, below `Archives`."""
        return f"{self.folder(cik)}/{self.accession}.txt"

    def filing(self, symbol: str, cik: int) -> Filing:
        """Convert to a row; the URL is that of the public archive, whichever host was used."""
        return Filing(
            symbol=symbol,
            form=self.form,
            known_at=self.known_at,
            filed_on=self.filed_on,
            accession=self.accession,
            url=f"{WWW_HOST}/Archives/{self.folder(cik)}/{self.document or f'{self.accession}-index.htm'}",
            title=self.title,
            period_end=self.period_end,
            items=self.items,
        )


@dataclass(frozen=True, slots=True)
class OlderPage:
    """A further page of the index, and its range of days."""

    name: str
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Submissions:
    """The first page of the index: at least the last year, or the last thousand filings."""

    name: str
    sic: int | None
    industry: str | None
    year_end: tuple[int, int] | None
    """Approximate month and day of the fiscal year's end."""
    entries: tuple[Entry, ...]
    older: tuple[OlderPage, ...]
    former_names: tuple[str, ...] = ()


def read_submissions(page: Any, *, now: datetime | None = None) -> Submissions | None:
    """Parse the first page; None if invalid.

    Args:
        now: When it was read, see `accepted_at`.
    """
    if not isinstance(page, dict) or not isinstance(page.get("name"), str) or not isinstance(page.get("filings"), dict):
        return None
    entries = read_entries(page["filings"].get("recent"), now=now)
    if entries is None:
        return None
    sic = page.get("sic")
    return Submissions(
        name=" ".join(page["name"].split()),
        sic=int(sic) if isinstance(sic, str) and sic.isdecimal() else None,
        industry=_text(page.get("sicDescription")) or None,
        year_end=_month_day(page.get("fiscalYearEnd")),
        entries=entries,
        older=tuple(filter(None, map(_older, _list(page["filings"].get("files"))))),
        former_names=tuple(
            name for row in _list(page.get("formerNames")) if isinstance(row, dict) and (name := _text(row.get("name")))
        ),
    )


def read_entries(columns: Any, *, now: datetime | None = None) -> tuple[Entry, ...] | None:
    """Parse a page of the index, which is stored by column; None if it is invalid, or every row is."""
    if not isinstance(columns, dict):
        return None
    needed = [columns.get(name) for name in _COLUMNS]
    if not all(isinstance(column, list) for column in needed):
        return None
    count = len(_list(needed[0]))
    if any(len(_list(column)) != count for column in needed):
        return None
    entries = tuple(entry for index in range(count) if (entry := _entry(columns, index, now)) is not None)
    off = sum(_is_off(columns, index) for index in range(count))
    return None if count and (not entries or off > MOST_OFF * count) else entries


def _is_off(columns: Mapping[str, Any], index: int) -> bool:
    """Tell whether a filing cannot have been accepted at its instant.

    It is dated before it, or long after: its day is that of another filing. Or EDGAR was closed, whether the instant
    is read as UTC or as New York's clock (`accepted_at`): it is in another zone.
    """
    form, text, filed_on = (_cell(columns, name, index) for name in ("form", "acceptanceDateTime", "filingDate"))
    dated = day(filed_on)
    try:
        accepted = datetime.fromisoformat(text)
    except ValueError:
        return False
    if form in _OF_THE_COMMISSION or dated is None or accepted.tzinfo is None:
        return False
    local = accepted.astimezone(_NEW_YORK)
    if not timedelta(0) <= dated - local.date() <= DATED_LATER:
        return True
    clocks = {accepted.time(), local.time()}
    return time.min not in clocks and not any(_OPENS <= clock < _CLOSES for clock in clocks)


def _cell(columns: Mapping[str, Any], name: str, index: int) -> str:
    column = _list(columns.get(name))
    return _text(column[index]) if index < len(column) else ""


def _entry(columns: Mapping[str, Any], index: int, now: datetime | None) -> Entry | None:
    cell = partial(_cell, columns, index=index)
    accession, form, filed_on = cell("accessionNumber"), cell("form"), day(cell("filingDate"))
    if not ACCESSION.fullmatch(accession) or not _FORM.fullmatch(form) or filed_on is None:
        number = accession if ACCESSION.fullmatch(accession) else None
        lost("filing", accessionNumber=number, form=form if _FORM.fullmatch(form) else None, filingDate=filed_on)
        return None
    known_at = accepted_at(cell("acceptanceDateTime"), filed_on, form, now=now)
    if known_at is None:
        return None
    document, described = cell("primaryDocument"), cell("primaryDocDescription")
    items = cell("items").split(",") if form.startswith("8-K") else ()  # other forms use this field differently
    return Entry(
        accession=accession,
        form=form,
        filed_on=filed_on,
        known_at=known_at,
        document=document if _DOCUMENT.fullmatch(document) and ".." not in document else None,
        title=described or form,
        period_end=day(cell("reportDate")),
        items=tuple(filter(None, (item.strip() for item in items))),
    )


def accepted_at(text: str, filed_on: date, form: str = "", *, now: datetime | None = None) -> datetime | None:
    """Return when a filing was known: its instant of acceptance, or the open after its day if there is none.

    Old filings are dated midnight in New York: they have a day only. None for a day outside the calendar.

    EDGAR marks every instant as UTC, but of some filings it gives New York's clock. Where the day of filing and EDGAR's
    hours allow both readings, the later is taken: the clock's, four or five hours on.

    Args:
        now: When the page was read; a filing isn't of the future. None: not known.
    """
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return opened_after(filed_on)
    if instant.tzinfo is None or instant.astimezone(_NEW_YORK).time() == time.min:
        return opened_after(filed_on)
    if not instant.utcoffset() and _may_be_new_york(instant, filed_on, form):
        local = instant.replace(tzinfo=_NEW_YORK).astimezone(UTC)
        if now is None or local <= now:
            return local
    return instant.astimezone(UTC)


def _may_be_new_york(clock: datetime, filed_on: date, form: str) -> bool:
    """Return whether a filing may have been accepted at this time of New York's clock, given its day of filing."""
    until = _CLOSES if form in _DATED_LATE else _DATED_UNTIL
    if clock.date() == filed_on:
        return _OPENS <= clock.time() < until
    return clock.date() < filed_on and until <= clock.time() < _CLOSES


def index_page(cik: int, accession: str) -> str:
    """Return the public address of the page that lists the documents of a filing."""
    return f"{WWW_HOST}/Archives/edgar/data/{cik}/{accession.replace('-', '')}/{accession}-index.htm"


def opened_after(filed_on: date) -> datetime | None:
    """Return the open of the first session after a day; None for a day outside the calendar."""
    try:
        return sessions().next_open(filed_on)
    except ValueError:
        return None


def day(text: Any) -> date | None:
    """Parse a day written as `2025-01-31`, ignoring a zone or time after it; None for anything else."""
    try:
        return date.fromisoformat(text[:10]) if isinstance(text, str) else None
    except ValueError:
        return None


def content_type_of(path: str) -> str:
    """Return the content type of a document of the archive, by its name."""
    return _TYPES.get(path.rpartition(".")[2].lower(), "application/octet-stream")


def _older(row: Any) -> OlderPage | None:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str) or not _PAGE.fullmatch(row["name"]):
        return None
    first, last = day(row.get("filingFrom")), day(row.get("filingTo"))
    return OlderPage(row["name"], first, last) if first and last else None


def _month_day(text: Any) -> tuple[int, int] | None:
    if not isinstance(text, str) or not re.fullmatch(r"\d{4}", text):
        return None
    month, number = int(text[:2]), int(text[2:])
    return (month, number) if 1 <= month <= 12 and 1 <= number <= 31 else None


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


_WANTED = {
    "8-K": re.compile(r"EX-99(?:\.\d{1,2})?"),
    "6-K": re.compile(r"EX-99(?:\.\d{1,2})?"),
    "10-K": re.compile(r"EX-13(?:\.\d{1,2})?"),
}
"""Exhibits by form: what a company tells its investors, and the statements that a report refers to."""
_READABLE = (".htm", ".html", ".txt", ".pdf")
MOST_EXHIBITS = 4
_ROW = re.compile(r"<tr\b[^>]*>(.*?)</tr>", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"<td\b[^>]*>(.*?)</td>", re.DOTALL | re.IGNORECASE)
_LINK = re.compile(r"""<a\b[^<>]{0,500}?href=["'](?:/ix\?doc=)?/Archives/([^"'?#]{1,500})["']""", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")
_TYPE_CELL, _SIZE_CELL = 3, 4


def may_have_exhibits(form: str) -> bool:
    """Tell whether filings of a form may come with exhibits that are read."""
    return form.upper().removesuffix("/A") in _WANTED


def read_exhibits(page: bytes, form: str, folder: str) -> tuple[tuple[str, str], ...]:
    """Return type and path, below `Archives`, of the exhibits that the index page of a filing lists.

    Args:
        page: The index page.
        form: Form of the filing.
        folder: Folder of its documents; a link out of it is not followed.
    """
    wanted = _WANTED.get(form.upper().removesuffix("/A"))
    if wanted is None:
        return ()
    listed = (
        (kind, path)
        for kind, path, _ in _documents(page)
        if wanted.fullmatch(kind) and path.rpartition("/")[0] == folder and path.lower().endswith(_READABLE)
    )
    return tuple(dict.fromkeys(listed))[:MOST_EXHIBITS]


def sizes_of(page: bytes) -> Mapping[str, int | None]:
    """Return the bytes of each document that the index page of a filing lists, by path; None where it gives none."""
    return {path: size for _, path, size in _documents(page)}


def _documents(page: bytes) -> Iterator[tuple[str, str, int | None]]:
    """Yield type, path and size of every document that the page lists."""
    for row in _ROW.findall(page.decode("utf-8", errors="replace")):
        cells = [html.unescape(_TAG.sub("", cell)).strip() for cell in _CELL.findall(row)]
        link = _LINK.search(row)
        if len(cells) > _TYPE_CELL and link is not None:
            size = cells[_SIZE_CELL] if len(cells) > _SIZE_CELL else ""
            yield cells[_TYPE_CELL].upper(), html.unescape(link[1]), int(size) if size.isdecimal() else None
