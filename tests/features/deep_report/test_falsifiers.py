"""A deep report leaves conditions behind that would prove its hypotheses wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.research import research_services
from tests.support.thesis import reported


async def test_every_hypothesis_of_a_report_by_rules_leaves_falsifiers_that_the_report_prints(tmp_path: Path):
    services = research_services(tmp_path)
    try:
        record = (await reported(services)).record
    finally:
        services.close()
    made = {stated.title: stated.falsifiers or [] for stated in record.hypotheses}
    assert all(made.values())
    margins = made["The operating margin holds its level"]
    assert [(falsifier.figure, falsifier.comparison, falsifier.threshold, falsifier.origin) for falsifier in margins][
        :1
    ] == [("operating_margin", "below", 50.0, "thesis")]
    assert all(
        str(falsifier.after) <= record.as_of < str(falsifier.by) for found in made.values() for falsifier in found
    )
    (page,) = tmp_path.rglob("complete_report.md")
    text = page.read_text("utf-8")
    assert text.count("**Proved wrong by**") == len(made)
    assert "Operating margin of a quarter that ends by 2026-03-14 below 50.00% (last 53.88%)." in text


@pytest.mark.parametrize("given", [None, "gross_margin below 3", [{"figure": "gross_margin"}, 7]])
def test_malformed_proposals_of_a_model_are_left_out(given: object):
    from tradingagents.features.deep_report.schemas.replies import Hypothesis

    fields = {"title": "It grows", "thesis": "It grows fast.", "evidence_needed": ["Growth"], "impact": "HIGH"}
    assert Hypothesis.model_validate({**fields, "falsifiers": given}).falsifiers == []
