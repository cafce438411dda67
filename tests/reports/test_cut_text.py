"""No text of a page is cut off: where a box hides what is too wide for it, the lines inside may break."""

from __future__ import annotations

import re

import pytest

from tradingagents.reports.render.html import style

SHEETS = ("report.css", "scan.css", "batch.css", "filings.css", "valuation.css")


@pytest.mark.parametrize("name", SHEETS)
def test_lines_may_break_in_a_box_that_hides_what_overflows(name: str):
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", style(name))
    hiding = [selector.strip() for selector, body in rules if re.search(r"overflow(-x)?: hidden", body)]
    inside = [
        (selector.strip(), box)
        for selector, body in rules
        for box in hiding
        if "nowrap" in body and selector.strip().startswith(f"{box} ") and not selector.strip().endswith(".badge")
    ]
    assert inside == []
