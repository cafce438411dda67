"""Adding and searching made-up documents: words drawn by rank as in real text, rows of figures, some rare words."""

from __future__ import annotations

import hashlib
import random
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any

from benchmarks.measuring import peak_mb
from tradingagents.retrieval.models import DocumentInfo, Page, Scope, SourceDocument
from tradingagents.retrieval.store import FILE, DocumentStore

PAGES, WORDS, VOCABULARY, COMPANIES = 6, 150, 20_000, 1_000
QUERIES = 100


def measure(size: int, database_url: str | None) -> dict[str, Any]:
    """Return what it costs to add and search so many documents."""
    with tempfile.TemporaryDirectory() as folder:
        store = DocumentStore(database_url or folder)
        writer = _Writer()
        began, cpu = time.perf_counter(), time.process_time()
        passages = 0
        for number in range(size):
            document = writer.document(number)
            passages += sum(len(page.text) // 1000 + 1 for page in document.pages)
            store.add(document)
        added, busy = time.perf_counter() - began, time.process_time() - cpu
        result = {
            "documents": size,
            "passages": passages,
            "add_ms": round(1000 * added / size, 2),
            "add_cpu_ms": round(1000 * busy / size, 2),
            "query_one_company_ms": _times(store, [writer.question(number, named=True) for number in range(QUERIES)]),
            "query_all_ms": _times(store, [writer.question(number, named=False) for number in range(QUERIES)]),
            "peak_mb": round(peak_mb()),
        }
        if database_url is None:
            result["bytes_per_document"] = round((Path(folder) / FILE).stat().st_size / size)
        store.close()
        return result


class _Writer:
    def __init__(self) -> None:
        self._random = random.Random(11)  # noqa: S311 - test data
        self._words = [f"{_syllables(n)}" for n in range(VOCABULARY)]
        self._weights = list(accumulate(1 / (rank + 10) for rank in range(VOCABULARY)))

    def document(self, number: int) -> SourceDocument:
        company, year = number % COMPANIES, 2000 + number // COMPANIES
        pages = tuple(Page(at, self._page(number, at)) for at in range(PAGES))
        info = DocumentInfo(
            key=hashlib.sha256(f"made up {number}".encode()).hexdigest(),
            name=f"Document {number}",
            kind="filing",
            company=f"Company{company}",
            symbol=f"C{company}X",
            form="10-K",
            known_at=datetime(year + 1, 2, 1, tzinfo=UTC) + timedelta(minutes=company),
            fiscal_year=year,
        )
        return SourceDocument(info, pages)

    def question(self, number: int, *, named: bool) -> str:
        words = " ".join(self._random.choices(self._words[200:], k=4))
        return f"What is $C{number}X's {words} in FY2004?" if named else f"Which company has {words} number{number}?"

    def _page(self, number: int, at: int) -> str:
        words = self._random.choices(self._words, cum_weights=self._weights, k=WORDS)
        lines = [" ".join(words[start : start + 12]) for start in range(0, WORDS, 12)]
        rows = [f"{words[n].title()} {words[n + 1]} {n * 917 % 7001:,} {n * 577 % 6007:,}" for n in range(0, 30, 2)]
        return "\n".join([f"Heading {words[0]}", f"number{number} page {at}.", *lines, *rows])


def _times(store: DocumentStore, questions: list[str]) -> dict[str, float]:
    times = []
    for question in questions:
        began = time.perf_counter()
        store.search(question, Scope(), 10)
        times.append(1000 * (time.perf_counter() - began))
    return {"median": round(statistics.median(times), 2), "worst": round(max(times), 2)}


def _syllables(number: int) -> str:
    letters = "bdfgklmnprstvz"
    text = ""
    while True:
        text += letters[number % 14] + "aeiou"[number // 14 % 5]
        number //= 70
        if not number:
            return text + "n"
