"""A recorded filing against its own tags and EDGAR's company facts: a sample of `benchmarks.series.stored`."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchmarks.series.questions import facts_of
from benchmarks.series.stored import compared, filings_in
from tradingagents.retrieval.reading import read_document

pytestmark = pytest.mark.real_data
QUARTER = "NVDA_10q_2025-08-27.html.gz"


def of_month(page: dict[str, Any], month: str) -> dict[str, Any]:
    """Return a page of company facts with what was filed in a month alone."""
    for tags in page["facts"].values():
        for fact in tags.values():
            fact["units"] = {
                unit: [row for row in rows if row["filed"].startswith(month)] for unit, rows in fact["units"].items()
            }
    return page


def test_a_quarter_by_tag_by_cell_and_by_vendor_is_the_same(test_data: Path):
    market = test_data / "market"
    (page,) = (market / "vendor_payloads" / "sec" / "companyfacts").glob("CIK0001045810*.json.gz")
    edgar = facts_of("NVDA", of_month(json.loads(gzip.decompress(page.read_bytes())), "2025-08"))
    content = (market / "filings" / "10q" / QUARTER).read_bytes()
    document = read_document(content, known_at=datetime(2025, 8, 27, 21, tzinfo=UTC))
    counts = Counter((found.way, found.verdict) for found in compared(document, edgar))
    assert counts == {
        ("cells and tags", "equal"): 114,
        ("tags and company facts", "equal"): 123,
        ("cells and company facts", "equal"): 114,
    }


@pytest.mark.nightly
def test_cells_of_all_recorded_filings_give_what_their_tags_give(test_data: Path):
    """What differs is debt whose row has a tag of the company's own, so that the tags lack it."""
    found = [each for document in filings_in(test_data / "market" / "filings") for each in compared(document, None)]
    counts = Counter(each.verdict for each in found)
    assert counts["equal"] > 2400
    differing = {
        (each.fact.company, each.fact.item) for each in found if each.verdict not in ("equal", "not in the other")
    }
    assert differing <= {(company, item) for company in ("KO", "TSLA") for item in ("short_term_debt", "total_debt")}
