"""A report shows both sides of a contradiction and which of them counts."""

from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

from tests.features.deep_report.evidence.items import KNOWN, item
from tradingagents.features.deep_report.evidence import contradictions
from tradingagents.features.deep_report.report.hypotheses import contradictions_section
from tradingagents.reports.document import Line, Table


def test_both_sides_stand_in_the_report_with_the_outcome():
    filed = item("Gross margin rose in 2024")
    newer = KNOWN + timedelta(days=9)
    reported = item("Gross margin fell in 2024", kind="news", direction="contradicts", known_at=newer)
    other = item("Wages rise in all regions", hypothesis="H2", direction="contradicts")
    against = item("Prices rise faster than that", hypothesis="H2")
    items = [filed, reported, other, against]
    evidence = [found.model_dump(mode="json") for found in items]
    record: Any = SimpleNamespace(evidence=evidence, contradictions=contradictions(items))
    line, table = contradictions_section(record).blocks
    assert "Contradictions: 2, of which 1" in cast(Line, line).markdown
    first, second = cast(Table, table).rows
    assert (filed.claim in first[1], "news" in first[3], f"{filed.id} prevails" in first[3]) == (True, True, True)
    assert second[3] == "Both stand: they are about different matters"
    assert contradictions_section(cast(Any, SimpleNamespace(evidence=evidence, contradictions=[]))).blocks == []
