"""Lower bounds of what is found in recorded filings, with no language model."""

from __future__ import annotations

import argparse
import gzip
import json
from pathlib import Path

import pytest

from benchmarks.filings.__main__ import run
from tests.retrieval.filing_pages import ANNUAL_REPORT


def _options(folder: Path, **names: str) -> argparse.Namespace:
    files = {name: folder / file for name, file in names.items()}
    return argparse.Namespace(**files, without=[], vectors=None, answers=False, judge=False, out_of_fold=False)


ASKED = 6
"""Questions on an eighth of the filings."""
FILES = {"pages": "pages.jsonl.gz", "documents": "documents.jsonl", "questions": "questions_dev.jsonl"}


@pytest.mark.real_data
@pytest.mark.nightly
def test_pages_of_recorded_filings_are_found(test_data: Path):
    result = run(_options(test_data / "financebench", **FILES))
    assert result["known_filing"]["n"] == 64
    for name, least in (("known_filing", (0.66, 0.90, 0.95, 0.99)), ("one_store", (0.65, 0.88, 0.92, 0.97))):
        shares = result[name]["page_recall"].values()
        assert all(share >= bound for share, bound in zip(shares, least, strict=True)), (name, result[name])
    assert result["index"]["cpu_s_per_filing"] < 1


@pytest.mark.real_data
def test_pages_of_an_eighth_of_the_recorded_filings_are_found(test_data: Path, tmp_path: Path):
    """A sample of the test above: all but one of its questions find their page first, all of them among ten."""
    source, rows = test_data / "financebench", {}
    for name, file in FILES.items():
        opened = gzip.open if file.endswith(".gz") else open
        with opened(source / file, "rt", encoding="utf-8") as lines:
            rows[name] = [(json.loads(line)["doc"], line) for line in lines]
    chosen = set(sorted(doc for doc, _ in rows["documents"])[::8])
    for name, lines in rows.items():
        (tmp_path / name).write_text("".join(line for doc, line in lines if doc in chosen), "utf-8")
    result = run(_options(tmp_path, pages="pages", documents="documents", questions="questions"))
    for name in ("known_filing", "one_store"):
        assert result[name]["n"] == ASKED
        shares = result[name]["page_recall"].values()
        assert all(share >= bound for share, bound in zip(shares, (0.9, 0.9, 1, 1), strict=True)), (name, result[name])
    assert result["index"]["cpu_s_per_filing"] < 1


def test_the_benchmark_reads_plain_files_and_leaves_out_what_cannot_be_scored(tmp_path: Path):
    pages = [{"doc": "EXM_2023_10K", "page": number, "text": text} for number, text in enumerate(ANNUAL_REPORT)]
    documents = [{"doc": "EXM_2023_10K", "company": "Example Corp", "doc_type": "10k", "doc_period": 2023},
                 {"doc": "GONE_2023_10K", "company": "Gone", "doc_type": "10k", "doc_period": 2023}]  # fmt: skip
    questions = [
        {"question": "What is Example's FY2023 capex?", "doc": "EXM_2023_10K", "gold_pages": [6], "answer": "61"},
        {"question": "What is the working capital?", "doc": "EXM_2023_10K", "gold_pages": [5, 9], "answer": "210"},
        {"question": "What is Gone's capex?", "doc": "GONE_2023_10K", "gold_pages": [1], "answer": "1"},
    ]
    for name, rows in (("pages", pages), ("documents", documents), ("questions", questions)):
        (tmp_path / name).write_text("\n".join(map(json.dumps, rows)), "utf-8")
    result = run(_options(tmp_path, pages="pages", documents="documents", questions="questions"))
    assert result["not_scoreable"] == 1
    for name in ("known_filing", "one_store"):
        assert result[name]["n"] == 2
        # Page 9 holds no word of its question: it is not found however many pages are looked at.
        assert result[name]["page_recall"] == {"1": 0.75, "5": 0.75, "10": 0.75, "20": 0.75}
        assert result[name]["any_page_recall"]["1"] == 1.0
