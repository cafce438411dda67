"""Which sectors are drilled into: the largest absolute one-month moves, typed first, prose last."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.agents.scanners.top_sectors import moves_in, top_sectors
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTORS
from tradingagents.schemas.records import SectorRecord

TABLE = """\
The week belongs to energy.

| Sector | 1-Day % | 1-Week % | 1-Month % | YTD % |
|---|---|---|---|---|
| Energy | +1.02% | +3.10% | **-7.40%** | +5.00% |
| Information Technology | -2.00% | -1.00% | +2.10% | -9.00% |
|  utilities  | 0.10% | 0.20% | 3.30% | 1.00% |
| Health Care | 9.90% | 8.80% | n/a | 2.00% |
| Consumer Discretionary | 1.00% | 1.00% | \u22125.55% | 2.00% |
"""


def sector(key: str, month: float | None, day: float = 0.0) -> SectorRecord:
    return SectorRecord(sector=key, etf="X", returns={"1d": day, "1w": 0.0, "1m": month, "ytd": 0.0})


def test_the_typed_result_decides_whatever_the_report_says():
    rows = [
        sector("energy", -3.0, day=99.0),
        sector("utilities", 2.0),
        sector("materials", None),
        sector("technology", 2.5),
    ]
    assert top_sectors(rows, TABLE) == ["energy", "technology", "utilities"]


def test_the_number_asked_for_is_the_number_given():
    rows = [sector(key, float(number)) for number, key in enumerate(SECTORS)]
    assert top_sectors(rows, "", count=1) == [SECTORS[-1]]
    assert top_sectors(rows, "", count=11) == list(reversed(SECTORS))


@given(st.lists(st.none() | st.floats(-90, 90), min_size=11, max_size=11))
def test_no_sector_left_out_moved_more_than_one_chosen(months: list[float | None]):
    rows = [sector(key, month) for key, month in zip(SECTORS, months, strict=True)]
    chosen = top_sectors(rows, "")
    moves = {key: abs(month) for key, month in zip(SECTORS, months, strict=True) if month is not None}
    assert len(chosen) == min(3, len(moves))
    assert all(moves[key] <= min(moves[one] for one in chosen) for key in moves if key not in chosen)


def test_without_a_typed_result_the_table_of_the_report_is_read_by_its_month_column():
    assert moves_in(TABLE) == {
        "energy": -7.40,
        "technology": 2.10,
        "utilities": 3.30,
        "consumer-discretionary": -5.55,
    }
    assert top_sectors([], TABLE) == ["energy", "consumer-discretionary", "utilities"]


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ("- **Energy**: 1-day +0.5%, 1-month -4.2%\n- Financials: 1 month +1.1%", {"energy": -4.2, "financials": 1.1}),
        ("1. Real Estate gained 3.1% \n2. materials lost -2.0%", {"real-estate": 3.1, "materials": -2.0}),
        (
            "Communication Services rose over the month by 6.5%, after 1.0% in the week.",
            {"communication-services": 6.5},
        ),
        ("Energy and utilities both moved 4.0% this month.", {}),
        ("Energy rose 1% and then 2%.", {}),
    ],
)
def test_lists_and_prose_are_read_where_they_name_one_sector_and_one_month(report: str, expected: dict[str, float]):
    assert moves_in(report) == expected


@pytest.mark.parametrize(
    "report", ["", "nothing here", "| a | b |\n|---|---|\n| 1 | 2 |", "**Not available.** Yahoo is down"]
)
def test_garbage_names_no_sector(report: str):
    assert top_sectors([], report) == []


@pytest.mark.parametrize(("key", "name"), DISPLAY.items())
def test_every_sector_is_known_by_its_display_name_and_its_key(key: str, name: str):
    assert moves_in(f"{name.upper()}: month +1.5%") == {key: 1.5}
    assert moves_in(f"| {key} | 1-Month |\n| x | 1-Month % |\n| {key} | +1.5% |") == {key: 1.5}


def test_a_sector_named_twice_counts_as_first_named():
    assert moves_in("Energy: month +2.0%\nEnergy: month +9.0%") == {"energy": 2.0}
