"""On statements that cannot be true no run decides as if they were sound: the items are withheld, the periods named."""

from __future__ import annotations

import json
from pathlib import Path


from tests.support.offline_runs import graph_on
from tests.support.snapshot_folder import read_lines, write_lines, year_and_more
from tradingagents.workflows.start import Run

SYMBOL, DAY, NEWEST = "ACMQ", "2025-03-14", "2024-09-30"
OVER_REVENUE = {"ttm_revenue", "revenue_yoy", "revenue_qoq", "gross_margin", "operating_margin", "net_margin", "ps_ttm"}


def spoiled(folder: Path, factor: float, *names: str, end: str = NEWEST) -> Path:
    """A folder in which one period of the company is wrong by a factor: the named items of polygon, or all amounts."""
    path = year_and_more(folder) / "statements.jsonl.gz"
    rows = read_lines(path)
    for row in rows:
        if row["symbol"] == SYMBOL and row["period_end"] == end:
            row["items"] = {
                name: value * factor if (name in names if names else not name.startswith(("shares", "eps"))) else value
                for name, value in row["items"].items()
            }
    write_lines(path, rows)
    return folder


async def run_on(folder: Path, home: Path) -> Run:
    return await graph_on(folder, home=str(home)).arun(SYMBOL, DAY)


def figures(run: Run) -> dict[str, float]:
    return {name: value for row in run.record["data_sheet"] for name, value in row["figures"].items()}


async def test_a_quarter_in_thousands_gives_no_figure_over_it_and_the_card_says_so(tmp_path: Path):
    run = await run_on(spoiled(tmp_path / "f", 1e-3), tmp_path / "home")
    clean = await run_on(year_and_more(tmp_path / "clean"), tmp_path / "home2")
    given, sound = figures(run), figures(clean)
    assert OVER_REVENUE & set(sound)
    assert not OVER_REVENUE & set(given)
    (degraded,) = run.record["degraded"]
    assert (degraded["kind"], degraded["agent"]) == ("withheld_statements", "Fundamentals Analyst")
    assert NEWEST in degraded["detail"]
    assert clean.record["degraded"] == []
    assert any("data-faults.md#unit-jump" in one for one in run.record["warnings"])
    assert {fault["kind"] for fault in run.record["data_faults"]} == {"unit-jump"}
    assert "withheld" in json.dumps(run.record["reports"])
