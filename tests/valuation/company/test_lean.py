"""The measured lean of the method: the sentence by hand, the table in the package, and where answers say it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

from benchmarks.valuation_range import Outcome, lean_json
from tests.valuation.company.test_capabilities import BANK, FIRM, PAYER, market
from tradingagents.capabilities.valuation import valuation
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.valuation.company.doubts import LeanTable, MeasuredLean, lean_of, lean_table

DAYS = (date(2023, 3, 14), date(2025, 6, 14))
TABLE = LeanTable(
    measured=date(2026, 11, 28),
    days=DAYS,
    every=MeasuredLean(companies=35, values=305, median=0.552),
    older=175,
    sectors={"Energy": MeasuredLean(2, 19, 1.33), "Information Technology": MeasuredLean(8, 66, 0.4648)},
)
WHAT = (
    "by default inputs the median of 305 values of 35 large companies of today, on 2 days from 2023-03-14 to "
    "2025-06-14, was 0.55 of the price"
)


def test_the_lean_names_sample_figure_and_sector() -> None:
    after = date(2025, 7, 1)
    dear = "this method finds large companies dear"
    assert lean_of("Technology", after, TABLE) == f"{WHAT} (Information Technology 0.46 of 66): {dear}"
    assert lean_of("energy", after, TABLE) == f"{WHAT} (Energy 1.33 of 19): {dear}, and those of this sector cheap"
    assert lean_of("Materials", after, TABLE) == lean_of(None, after, TABLE) == f"{WHAT}: {dear}"


def test_a_day_before_the_last_of_the_table_says_that_it_was_measured_later() -> None:
    later = "measured on later days too, it describes the method and no price of this day"
    assert lean_of(None, date(2024, 6, 14), TABLE).endswith(f"; {later}")
    assert later not in lean_of(None, DAYS[-1], TABLE)


@pytest.mark.parametrize(
    ("median", "finding"), [(0.84, "dear"), (0.85, "near their value"), (1.15, "near their value"), (1.16, "cheap")]
)
def test_a_median_near_the_prices_is_no_lean(median: float, finding: str) -> None:
    table = replace(TABLE, every=MeasuredLean(35, 305, median))
    assert lean_of(None, DAYS[-1], table).endswith(f"finds large companies {finding}")


def test_the_table_of_the_package_holds_sectors_with_enough_values() -> None:
    found = lean_table()
    assert found.days == tuple(sorted(found.days))
    assert found.days[-1] < found.measured
    assert sum(one.values for one in found.sectors.values()) <= found.every.values
    assert found.sectors.keys() <= set(DISPLAY.values())
    for one in found.sectors.values():
        assert one.companies >= 2
        assert one.values >= 10


@pytest.mark.parametrize("symbol", [FIRM, BANK])
def test_every_firm_and_bank_says_it_among_its_doubts(symbol: str) -> None:
    found = valuation.ask(market(), ticker=symbol)
    (told,) = (sentence for sentence in found.opening if "by default inputs the median of" in sentence)
    assert told.startswith("Doubtful: ")
    assert f"was {lean_table().every.median:.2f} of the price" in told


def test_other_methods_were_not_measured_and_say_nothing() -> None:
    found = valuation.ask(market(), ticker=PAYER, model="dividend_discount")
    assert "by default inputs" not in " ".join(found.opening)


def test_what_is_written_counts_values_and_leaves_small_sectors_out() -> None:
    found = [
        Outcome(name, day, sector, "valued", "fcff", 100.0, value, is_older=name == "A")
        for day in (date(2024, 1, number) for number in range(2, 7))
        for name, sector, value in (("A", "Energy", 50.0), ("B", "Energy", 60.0), ("C", "Materials", 90.0))
    ]
    table = json.loads(lean_json([*found, replace(found[0], value=None)], date(2024, 2, 1)))
    assert table["all"] == {"companies": 3, "values": 15, "median": 0.6}
    assert table["older"] == 5
    assert table["sectors"] == {"Energy": {"companies": 2, "values": 10, "median": 0.55}}  # Materials: one company
    assert (table["measured"], table["days"][0], len(table["days"])) == ("2024-02-01", "2024-01-02", 5)
