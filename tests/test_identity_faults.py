"""On counts of another share than the quoted one, no run shows a multiple, a market value or a value of a share."""

from __future__ import annotations

import gzip
import json
import re
from datetime import date
from pathlib import Path

import pytest

from tests.support.offline_runs import graph_on
from tests.support.snapshot import linked_copy
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import DataError
from tradingagents.features.report_check.capabilities.report_check import facts_of, share_doubts
from tradingagents.settings import load_settings

pytestmark = pytest.mark.real_data

DAY, RATIO = "2025-06-16", 13
WRONG = re.compile(r"\b(?:401\.8\d?x|38\.8\d?T|6\.26 USD)")
"""P/E, market value and value of a share, as they were shown."""
COUNTS = ("diluted_average_shares", "basic_average_shares")
PER_SHARE = ("diluted_earnings_per_share", "basic_earnings_per_share")


@pytest.fixture
def receipts(test_data: Path, tmp_path: Path) -> Path:
    """The recorded market, in which the statements of AAPL count thirteen shares for each that is quoted."""
    folder = linked_copy(test_data / "snapshot", tmp_path / "folder")
    path = folder / "statements.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    for row in rows:
        items = row["items"]
        if row["symbol"] == "AAPL":
            items |= {name: items[name] * RATIO for name in COUNTS if items.get(name) is not None}
            items |= {name: items[name] / RATIO for name in PER_SHARE if items.get(name) is not None}
    path.unlink()
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        lines.writelines(f"{json.dumps(row)}\n" for row in rows)
    return folder


async def test_no_prompt_report_or_card_holds_what_the_wrong_counts_make(receipts: Path, tmp_path: Path):
    home = tmp_path / "home"
    run = await graph_on(receipts, home=str(home), fetch_valuation=True).arun("AAPL", DAY)
    told = [one for one in run.record["warnings"] if "data-faults.md#receipt-ratio" in one]
    assert told
    assert "a receipt ratio" in told[0]
    (fault,) = run.record["data_faults"]
    assert (fault["kind"], fault["subject"], fault["withholds"]) == ("receipt-ratio", "AAPL", True)
    figures = {name for row in run.record["data_sheet"] for name, value in row["figures"].items() if value is not None}
    assert "price" in figures
    assert not {"market_cap", "pe_ttm", "ps_ttm", "pb", "eps_ttm", "value_per_share"} & figures
    texts = [json.dumps(run.record.as_json()), *(path.read_text("utf-8") for path in home.rglob("*.jsonl"))]
    assert not [found for text in texts for found in WRONG.findall(text)]


def test_a_report_is_not_held_against_figures_of_another_share(receipts: Path, test_data: Path):
    """A report's EPS of 1.65 is right of what is quoted, and the faulty rows have 0.13: neither is called wrong."""
    settings = {
        name: load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
        for name, folder in (("faulty", receipts), ("clean", test_data / "snapshot"))
    }
    faulty, clean = (facts_of(MarketData(settings[name], date.fromisoformat(DAY)), "AAPL") for name in settings)
    assert any("eps_diluted" in row.items for row in clean.versions)
    assert share_doubts([clean]) == ()
    assert not any(name in row.items for row in faulty.versions for name in ("eps_diluted", "shares_diluted"))
    assert any("revenue" in row.items for row in faulty.versions)
    assert [len(one.results) > 0 for one in (faulty, clean)] == [False, True]
    (why,) = share_doubts([clean, faulty])
    assert "One quoted share of AAPL may not be one share of its statements" in why


async def test_a_renamed_symbol_ends_with_the_new_one(test_data: Path, tmp_path: Path):
    with pytest.raises(DataError, match="FB is META since 2022-06-09; ask for META"):
        await graph_on(test_data / "snapshot", home=str(tmp_path)).arun("FB", DAY)


async def test_both_classes_of_a_company_have_its_market_value(test_data: Path, tmp_path: Path):
    values = {}
    for symbol in ("GOOG", "GOOGL"):
        run = await graph_on(test_data / "snapshot", home=str(tmp_path / symbol)).arun(symbol, DAY)
        sheet = {name: value for row in run.record["data_sheet"] for name, value in row["figures"].items()}
        values[symbol] = sheet["market_cap"]
    assert values["GOOG"] == pytest.approx(values["GOOGL"], rel=0.02)
