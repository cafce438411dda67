"""No item of a recorded balance sheet above 2 % of equity is without a use, and the tables of names hold together."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from benchmarks.balance_use import OPERATIONS, SUMS_AND_PARTS, UnusedItem, unused_items
from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.line_items import OWN_TERMS, UNLISTED
from tradingagents.dataflows.reference.xbrl_tags import RECIPES
from tradingagents.dataflows.vendors.alpha_vantage.statements import ITEMS as ALPHA_VANTAGE
from tradingagents.dataflows.vendors.financial_datasets.parse import ITEMS as FINANCIAL_DATASETS
from tradingagents.dataflows.vendors.snapshot.items import POLYGON
from tradingagents.dataflows.vendors.yfinance.line_items import STATEMENT_ROWS
from tradingagents.valuation.company.claims import CLAIM_ITEMS, SPOKEN, UNCOUNTED

KINDS: tuple[StatementKind, ...] = ("income", "balance")
NOT_ALWAYS_GIVEN = {"polygon": {"long_term_investments"}}
"""Names that a source has and does not use for every company."""


def test_an_item_without_a_use_is_listed_with_its_size_over_equity() -> None:
    items = {"Stockholders Equity": 200.0, "Goodwill": 90.0, "Spare Gold": 30.0, "Old Boats": -50.0, "Empty": None}
    assert unused_items("yfinance", items) == (UnusedItem("OldBoats", -50.0, 0.25), UnusedItem("SpareGold", 30.0, 0.15))


def test_no_item_is_in_two_classes() -> None:
    for source, names in (("polygon", POLYGON), ("yfinance", STATEMENT_ROWS)):
        assert not OPERATIONS[source] & SUMS_AND_PARTS[source]
        inputs = {names["balance"][one][0] for one in (*CLAIM_ITEMS, *UNCOUNTED) if one in names["balance"]}
        assert not inputs & (OPERATIONS[source] | SUMS_AND_PARTS[source])


@pytest.mark.parametrize(
    ("source", "mapped"),
    [
        ("polygon", POLYGON),
        ("yfinance", STATEMENT_ROWS),
        ("sec_edgar", RECIPES["us-gaap"]),
        ("alpha_vantage", ALPHA_VANTAGE),
        ("financial_datasets", FINANCIAL_DATASETS),
    ],
)
def test_what_a_source_is_said_to_give_is_what_is_read_from_it(
    source: str, mapped: dict[StatementKind, object]
) -> None:
    read = {one for kind in KINDS for one in UNLISTED[kind] if one in mapped[kind]} - {"retained_earnings"}  # type: ignore[operator]
    assert read - NOT_ALWAYS_GIVEN.get(source, set()) == OWN_TERMS[source]


@pytest.mark.real_data
def test_every_recorded_balance_sheet_is_used_whole(test_data: Path) -> None:
    sheets, unused = 0, []
    with gzip.open(test_data / "snapshot" / "statements.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            if row["statement"] == "balance" and row["source"] in OPERATIONS:
                sheets += 1
                found = unused_items(row["source"], row["items"])
                unused += [(row["symbol"], row["period_end"], one) for one in found if one.to_equity > SPOKEN]
    assert sheets > 1000
    assert unused == []
