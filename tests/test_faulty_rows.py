"""A run on rows that cannot be true: they count for nothing, and card, report and prompts say which and why."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from tests.support.offline_runs import graph_on
from tests.support.snapshot_folder import year_and_more
from tradingagents.graph.start import Run

SYMBOL, DAY = "ELMQ", "2025-03-14"
SALE = {
    "symbol": SYMBOL,
    "transaction_date": "2025-03-10",
    "filed_at": "2025-03-12",
    "insider": "Roe Jane",
    "relation": "Director",
    "ownership": "D",
    "text": "Sale",
}


def folder_with(folder: Path, *rows: dict[str, Any]) -> Path:
    with gzip.open(year_and_more(folder) / "insider.jsonl.gz", "at", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return folder


async def run_on(folder: Path, home: Path) -> Run:
    return await graph_on(folder, home=str(home)).arun(SYMBOL, DAY)


def insiders(run: Run) -> dict[str, float]:
    return next(
        row["figures"]
        for row in run.record["data_sheet"]
        if row["method"] == "get_insider_transactions" and row["figures"]
    )


async def test_a_sale_listed_twice_counts_once(tmp_path: Path):
    close = insiders_price(await run_on(year_and_more(tmp_path / "clean"), tmp_path / "home"))
    sale = {**SALE, "shares": 1000, "value": round(1000 * close)}
    once = await run_on(folder_with(tmp_path / "once", sale), tmp_path / "home")
    spoiled = await run_on(folder_with(tmp_path / "f", sale, {**sale, "filed_at": "2025-03-13"}), tmp_path / "home")
    assert insiders(spoiled) == insiders(once)
    assert spoiled.record["decision"] == once.record["decision"]
    assert [(fault["kind"], fault["withholds"]) for fault in spoiled.record["data_faults"]] == [("repeated-row", False)]


async def test_a_purchase_at_an_impossible_price_is_in_no_sum_and_every_reader_is_told(tmp_path: Path):
    clean = await run_on(year_and_more(tmp_path / "clean"), tmp_path / "home")
    bought = {**SALE, "text": "Bought", "shares": 5000, "value": 5000 * insiders_price(clean) / 200}
    spoiled = await run_on(folder_with(tmp_path / "f", bought), tmp_path / "home")
    assert insiders(spoiled).keys() == {"buys", "sells"}
    assert [(fault["kind"], fault["withholds"]) for fault in spoiled.record["data_faults"]] == [
        ("impossible-price", True)
    ]
    assert any("its value and shares are in no sum" in warning for warning in spoiled.record["warnings"])
    report = Path(spoiled.record["paths"]["report"]).read_text(encoding="utf-8")
    assert "## Data faults" in report
    assert "docs/reference/data-faults.md#impossible-price" in report
    assert "Data faults" in Path(spoiled.record["paths"]["html"]).read_text(encoding="utf-8")
    assert "Data faults" not in Path(clean.record["paths"]["html"]).read_text(encoding="utf-8")


def insiders_price(run: Run) -> float:
    return next(row["figures"]["last_close"] for row in run.record["data_sheet"] if "last_close" in row["figures"])
