"""What no answer about a value may hold, for all simulated and recorded companies; the figures of the benchmark."""

from __future__ import annotations

import doctest
import json
import math
import re
from collections import Counter
from datetime import date
from pathlib import Path

import pytest

import benchmarks.valuation_range
from benchmarks.valuation_range import (
    Outcome,
    as_json,
    as_markdown,
    by_sector,
    days_of,
    distribution,
    faults_of,
    not_finite,
    outcomes,
    reasons,
    recorded_symbols,
    simulated_outcomes,
    with_statements,
)
from tests.support.tiers import sampled
from tradingagents.capabilities.valuation import valuation
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.errors import NoData
from tradingagents.settings import load_settings
from tradingagents.valuation.company.claims import SPOKEN, UNCOUNTED
from tradingagents.valuation.company.results import CompanyValuation

DAY = date(2025, 3, 14)
SIMULATED_DAYS = (date(2023, 9, 14), date(2024, 6, 14), DAY)
RECORDED_DAYS = (
    *(date(2023, 6, 15), date(2023, 11, 1), date(2024, 2, 15), date(2024, 5, 10)),
    *(date(2024, 8, 30), date(2024, 12, 14), DAY, date(2025, 7, 15)),
)


def outcome(
    symbol: str, value: float | None, price: float = 100.0, sector: str = "Energy", reason: str = ""
) -> Outcome:
    ending = "refused" if value is None else "valued"
    return Outcome(symbol, DAY, sector, ending, "fcff", price, value, reason)


def faults(found: list[Outcome]) -> list[tuple[str, date, tuple[str, ...]]]:
    return [(one.symbol, one.day, one.faults) for one in found if one.faults]


def accepted(data: MarketData, symbol: str) -> CompanyValuation | None:
    """Return the answer about a company, on older figures too; None where there is none."""
    try:
        return valuation.ask(data, ticker=symbol)
    except NoData as error:
        period = re.search(r"base_period=\d{4}-\d\d-\d\d", str(error))
    try:
        return valuation.ask(data, ticker=symbol, assumptions=period[0]) if period else None
    except NoData:
        return None


def simulated_answer() -> CompanyValuation:
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    return valuation.ask(MarketData(settings, DAY, vendors=Vendors(settings)), ticker="VELQ")


def test_examples_of_the_benchmark_run() -> None:
    assert doctest.testmod(benchmarks.valuation_range).failed == 0


def test_quartiles_and_counts_by_hand() -> None:
    found = [
        outcome("A", 50.0),
        outcome("B", 100.0),
        outcome("C", 150.0),
        outcome("C", 400.0, 200.0),
        outcome("D", None),
    ]
    row = distribution("Energy", found)
    assert (row.companies, row.valued, row.refused) == (3, 4, 1)
    assert (row.first_quartile, row.median, row.third_quartile) == (0.875, 1.25, 1.625)  # of 0.5, 1, 1.5, 2


def test_one_value_has_a_median_and_no_quartiles() -> None:
    row = distribution("Energy", [outcome("A", 50.0)])
    assert (row.first_quartile, row.median, row.third_quartile) == (None, 0.5, None)


def test_sectors_then_all_and_reasons_without_names() -> None:
    found = [
        outcome("B", 80.0, sector="Materials"),
        outcome("A", 60.0),
        outcome("C", None, reason="C lost 9.1% of its revenue. Give target_margin=…."),
        outcome("D", None, reason="D lost 12% of its revenue. Give target_margin=…."),
    ]
    assert [row.name for row in by_sector(found)] == ["Energy", "Materials", "All"]
    assert reasons(found) == [("refused", "… lost … of its revenue", 2)]
    assert "| All | 2 | 2 | 0.65 | 0.70 | 0.75 | 0 | 0 | 2 |" in as_markdown(found)
    assert json.loads(as_json(found))["outcomes"][0]["ratio"] == 0.8


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"value_per_share": -1.0}, "value below zero"),
        ({"upside": -1.5}, "upside below -100 %"),
        ({"upside": 0.123}, "is not"),
        ({"implied": math.nan}, "not a finite number: .implied"),
        ({"name": "Nan inf"}, "the text holds nan or inf"),
    ],
)
def test_a_fault_of_an_answer_is_found(changes: dict[str, object], fault: str) -> None:
    answer = simulated_answer()
    assert faults_of(answer) == ()
    assert any(fault in one for one in faults_of(answer.model_copy(update=changes)))


def test_numbers_are_looked_for_in_nested_fields() -> None:
    assert list(not_finite({"a": [1.0, {"b": (math.inf,)}], "c": math.nan})) == [".a[1].b[0]", ".c"]


@pytest.mark.parametrize("day", sampled(SIMULATED_DAYS, every=2))
def test_no_simulated_company_has_an_impossible_answer(day: date) -> None:
    found = simulated_outcomes([day])
    assert len(found) == len(COMPANIES)
    assert faults(found) == []
    assert sum(one.ending == "valued" for one in found) >= 5


@pytest.mark.real_data
@pytest.mark.parametrize("day", sampled(RECORDED_DAYS, every=5))
def test_no_recorded_company_has_an_impossible_answer(day: date, test_data: Path) -> None:
    """All symbols: those without statements refuse with a reason that says what to do."""
    folder = test_data / "snapshot"
    symbols, filed = recorded_symbols(folder), with_statements(folder)
    found = outcomes(folder, symbols, [day])
    counts = Counter(one.ending for one in found)
    assert len(found) == len(symbols) > 557
    assert faults(found) == []
    assert counts["valued"] >= 5, counts  # the more so the fewer reports are overdue
    assert sum(one.ending == "refused" for one in found if one.symbol not in filed) >= 500


@pytest.mark.real_data
@pytest.mark.parametrize("day", sampled((DAY, date(2024, 6, 14), date(2023, 6, 15)), every=2))
def test_no_item_of_size_is_uncounted_and_unsaid(day: date, test_data: Path) -> None:
    """What no input of a firm's valuation holds stands in a note, for each balance sheet valued."""
    folder = test_data / "snapshot"
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
    data, unsaid, seen = MarketData(settings, day, vendors=Vendors(settings)), [], 0
    for symbol in sorted(with_statements(folder)):
        answer = accepted(data, symbol)
        if answer is None or answer.model != "fcff":
            continue
        sheets = []
        for frequency in ("quarterly", "annual"):
            try:
                sheets += data.statements(symbol, "balance", frequency)
            except NoData:
                continue
        sheet, text = max(sheets, key=lambda one: one.period_end), " ".join(answer.notes)
        seen += 1
        least = SPOKEN * abs(sheet.items.get("equity", 0.0))
        unsaid += [
            (symbol, name)
            for name in UNCOUNTED
            if abs(sheet.items.get(name, 0.0)) > least and f"{name} " not in text and str(sheet.period_end) in text
        ]
    assert seen >= 10
    assert unsaid == []


@pytest.mark.real_data
def test_four_days_a_year_of_the_recorded_window(test_data: Path) -> None:
    days = days_of(test_data / "snapshot")
    assert Counter(day.year for day in days) == {2023: 4, 2024: 4, 2025: 2}
