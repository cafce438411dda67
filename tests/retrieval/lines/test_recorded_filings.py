"""Lines of recorded filings whose tables no small page of ours resembles."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.retrieval.lines.test_lines import answered, figures
from tradingagents.retrieval.reading.info import Hints
from tradingagents.retrieval.reading.read import read_document

pytestmark = pytest.mark.real_data


@pytest.mark.parametrize("asked", ["operational sales growth 2024", "2024 growth operational i.e. ex currency"])
def test_growth_of_a_segment_is_not_that_of_a_part_in_its_table(test_data: Path, asked: str):
    """The title names the segment and the head of the column the basis; the row `Surgery` names neither."""
    content = (test_data / "market" / "filings" / "10k" / "JNJ_10k_2025-02-13.html.gz").read_bytes()
    known_at = datetime(2025, 2, 13, 21, tzinfo=UTC)
    document = read_document(content, known_at=known_at, hints=Hints(symbol="JNJ", form="10-K"))
    assert figures(answered(f"JNJ MedTech {asked}", document)) == {("JNJ", "FY2024"): pytest.approx(6.2)}
