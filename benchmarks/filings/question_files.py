"""Files of pages, documents and questions, one JSON object a line; names that end in .gz are compressed."""

from __future__ import annotations

import gzip
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tradingagents.retrieval.models import DocumentInfo, Page, SourceDocument
from tradingagents.retrieval.reading.html import read_html

_FORMS = {"10k": "10-K", "10q": "10-Q", "8k": "8-K", "earnings": "EX-99.1"}
_QUARTER = re.compile(r"(?:19|20)\d\d\s*Q([1-4])", re.IGNORECASE)
_DATE = re.compile(r"((?:19|20)\d\d)-(\d\d)-(\d\d)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the file."""

    text: str
    document: str
    """Name of the filing that answers it."""
    pages: tuple[frozenset[int], ...]
    """Pages that answer it, counted from 0: one of each group is needed."""
    answer: str
    kind: str


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file."""
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def read_documents(pages: Path, documents: Path) -> dict[str, SourceDocument]:
    """Return the documents by name."""
    texts: dict[str, dict[int, str]] = defaultdict(dict)
    for row in rows(pages):
        texts[row["doc"]][row["page"]] = row["text"]
    found = {}
    for row in rows(documents):
        numbered = texts.get(row["doc"])
        if numbered:
            whole = tuple(Page(number, numbered.get(number, "")) for number in range(max(numbered) + 1))
            found[row["doc"]] = SourceDocument(_info(row), whole)
    return found


def read_filings(folder: Path) -> dict[str, SourceDocument]:
    """Return the filings in HTML of a folder and of its folders, by the name of their file.

    When they were filed is told by their name; one without a day is taken for today's.
    """
    found = {}
    for path in sorted(folder.rglob("*.html.gz")):
        day = _DATE.search(path.name)
        known_at = datetime(int(day[1]), int(day[2]), int(day[3]), tzinfo=UTC) if day else datetime.now(UTC)
        with gzip.open(path) as content:
            found[path.name.removesuffix(".html.gz")] = read_html(content.read(), known_at=known_at)
    return found


def read_questions(path: Path, documents: dict[str, SourceDocument]) -> tuple[list[Asked], int]:
    """Return the questions whose filing and pages are known, and the count of the others."""
    asked, others = [], 0
    for row in rows(path):
        gold = row.get("gold_pages") or ()
        pages = tuple(dict.fromkeys(frozenset(page if isinstance(page, list) else [page]) for page in gold))
        if row["doc"] not in documents or not pages or not row.get("scoreable", True):
            others += 1
            continue
        asked.append(
            Asked(row["question"], row["doc"], pages, str(row.get("answer", "")), row.get("question_type", ""))
        )
    return asked, others


def _info(row: dict[str, Any]) -> DocumentInfo:
    """Return what the file tells of a filing; when it was filed is told by its name, or supposed from its period."""
    name, year = row["doc"], int(row["doc_period"])
    form = _FORMS.get(str(row["doc_type"]).lower(), str(row["doc_type"]))
    quarter = _QUARTER.search(name)
    dated = _DATE.search(name)
    if dated:
        known_at = datetime(int(dated[1]), int(dated[2]), int(dated[3]), tzinfo=UTC)
    elif quarter:
        known_at = datetime(year, min(3 * int(quarter[1]) + 1, 12), 28, tzinfo=UTC)
    else:
        known_at = datetime(year + 1, 3, 1, tzinfo=UTC)
    return DocumentInfo(
        key=name,
        name=name,
        kind="filing",
        company=row["company"],
        symbol="",
        form=form,
        known_at=known_at,
        fiscal_year=year,
        fiscal_quarter=int(quarter[1]) if quarter else None,
    )
