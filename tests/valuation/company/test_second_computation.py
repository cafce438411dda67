"""Companies of many kinds valued a second time by plain code (`plain_company`), from raw statements and assumptions."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.capabilities.market import snapshot_market
from tests.support.snapshot_folder import read_lines, statement_row, write_lines, write_snapshot
from tests.valuation.plain_company import faded, flow, plain_value, plain_wacc, recorded_figure
from tradingagents.capabilities.valuation import valuation
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.errors import NoData
from tradingagents.settings import load_settings
from tradingagents.valuation import ValuationInputs
from tradingagents.valuation.company.results import CompanyValuation

PLAIN_MODELS = ("fcff", "excess_returns", "dividend_discount")
DAY = date(2025, 3, 14)
DAYS = (DAY, date(2024, 6, 14), date(2023, 6, 15))
EQUAL = 0.002
Rows = Sequence[Mapping[str, Any]]


def rates_of(answer: CompanyValuation) -> dict[str, float]:
    return {row.name: row.value for row in answer.assumptions}


def first_wacc(answer: CompanyValuation) -> float | None:
    inputs = answer.kernel_inputs
    return inputs.wacc[0] if isinstance(inputs, ValuationInputs) else None


def assert_same(answer: CompanyValuation) -> None:
    """The value follows from the stated assumptions alone."""
    again = plain_value(answer.model, rates_of(answer), wacc=first_wacc(answer))
    assert answer.value_per_share == pytest.approx(again, rel=EQUAL), answer.symbol
    assert answer.upside == pytest.approx(again / answer.price - 1, rel=EQUAL, abs=EQUAL)


def checked_figures(answer: CompanyValuation, rows: Rows) -> set[str]:
    """Compare each assumption that names an item of the statements with the raw rows; return which were compared."""
    found = set()
    for row in answer.assumptions:
        raw = recorded_figure(rows, row.source) if row.kind == "data" else None
        if raw is not None:
            assert row.value == pytest.approx(raw, rel=EQUAL), (answer.symbol, row)
            found.add(row.name)
    return found


def interest_of(answer: CompanyValuation, rows: Rows) -> float | None:
    """Return the year's interest from the raw rows, for the same months as the revenue."""
    source = next(row.source for row in answer.assumptions if row.name == "revenue_t0")
    return flow(rows, "interest_expense", source.split(" to ")[-1], quarters="four quarters" in source)


@cache
def recorded(folder: Path) -> tuple[dict[str, list[dict[str, Any]]], list[CompanyValuation]]:
    """Return the raw rows by company, and the first answer with a value of each company over the days."""
    rows = defaultdict(list)
    with gzip.open(folder / "statements.jsonl.gz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            rows[row["symbol"]].append(row)
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
    vendors, found = Vendors(settings), {}
    for day in DAYS:
        data = MarketData(settings, day, vendors=vendors)
        for symbol in sorted(rows.keys() - found.keys()):
            try:
                answer = valuation.ask(data, ticker=symbol)
            except NoData:
                continue
            if answer.model in PLAIN_MODELS:
                found[symbol] = answer
    return rows, list(found.values())


@pytest.mark.real_data
def test_fifteen_recorded_companies_and_more_are_valued_the_same_twice(test_data: Path) -> None:
    _, answers = recorded(test_data / "snapshot")
    for answer in answers:
        assert_same(answer)
    assert len(answers) >= 15
    assert {answer.model for answer in answers} >= {"fcff", "excess_returns"}


@pytest.mark.real_data
def test_what_they_rest_on_stands_in_the_raw_statements(test_data: Path) -> None:
    rows, answers = recorded(test_data / "snapshot")
    compared = {answer.symbol: checked_figures(answer, rows[answer.symbol]) for answer in answers}
    assert sum(map(len, compared.values())) >= 3 * len(answers), compared
    for answer in answers:
        assert answer.model != "fcff" or {"revenue_t0", "debt"} & compared[answer.symbol], answer.symbol


@pytest.mark.real_data
def test_their_costs_of_capital_follow_from_betas_rates_and_interest(test_data: Path) -> None:
    rows, answers = recorded(test_data / "snapshot")
    firms = [answer for answer in answers if answer.model == "fcff"]
    for answer in firms:
        interest = interest_of(answer, rows[answer.symbol])
        expected = plain_wacc(rates_of(answer), answer.price, interest)
        assert first_wacc(answer) == pytest.approx(expected, rel=EQUAL), answer.symbol
    assert len(firms) >= 10


def test_simulated_companies_are_valued_the_same_twice() -> None:
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    data, found = MarketData(settings, DAY, vendors=Vendors(settings)), []
    for symbol in COMPANIES:
        try:
            answer = valuation.ask(data, ticker=symbol)
        except NoData:
            continue
        if answer.model in PLAIN_MODELS:
            assert_same(answer)
            found.append(answer.model)
    assert len(found) >= 5
    assert set(found) >= {"fcff", "excess_returns"}


def test_a_payer_of_dividends_is_valued_the_same_twice() -> None:
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    data = MarketData(settings, DAY, vendors=Vendors(settings))
    assert_same(valuation.ask(data, ticker="WATZ", model="dividend_discount"))


def test_rates_hold_five_years_and_fade() -> None:
    assert [faded(0.12, 0.02, year) for year in (1, 5, 6, 10)] == [0.12, 0.12, 0.1, pytest.approx(0.02)]


FIRM = {
    "revenue": 1000.0,
    "operating_income": 200.0,
    "interest_expense": 10.0,
    "pretax_income": 190.0,
    "income_tax": 40.0,
    "net_income": 150.0,
    "eps_diluted": 1.5,
    "shares_diluted": 100.0,
}
SHEET = {"equity": 3000.0, "total_assets": 6000.0, "total_liabilities": 3000.0, "cash": 400.0, "total_debt": 1200.0}
SYNTHETIC: Mapping[str, tuple[str, Mapping[str, float], Mapping[str, float], str]] = {
    "a plain firm": ("Information Technology", {}, {}, ""),
    "a firm without debt": ("Information Technology", {"interest_expense": 0.0}, {"total_debt": 0.0}, ""),
    "a firm that shrinks": ("Information Technology", {"growth": -0.02}, {}, ""),
    "a firm with holdings and other owners": (
        "Information Technology",
        {},
        {
            "long_term_investments": 300.0,
            "short_term_investments": 150.0,
            "minority_interest": 120.0,
            "preferred_equity": 90.0,
            "pension_deficit": 80.0,
        },
        "",
    ),
    "a firm after a loss": (
        "Information Technology",
        {
            "operating_income": -50.0,
            "pretax_income": -60.0,
            "income_tax": 0.0,
            "net_income": -60.0,
            "eps_diluted": -0.6,
        },
        {},
        "target_margin=0.12",
    ),
    "a bank": ("Financials", {"net_income_to_common": 140.0}, {"preferred_equity": 300.0}, ""),
}
"""Sector, changes of quarterly income, changes of the sheet, and what is given. Amounts in millions."""
ENDS = tuple(
    date(year, month, day) for year in (2021, 2022, 2023, 2024) for month, day in ((3, 31), (6, 30), (9, 30), (12, 31))
)
MILLION = 1e6


def synthetic_rows(income: Mapping[str, float], sheet: Mapping[str, float]) -> list[dict[str, Any]]:
    """Return sixteen quarters of a made-up company, in millions times a million."""
    rows, changes = [], dict(income)
    growth = changes.pop("growth", 0.01)
    for number, end in enumerate(ENDS):
        filed = f"{end + timedelta(days=30)}T20:30:00Z"
        size = (1 + growth) ** number * MILLION
        items = {name: value * size for name, value in {**FIRM, **changes}.items()}
        items |= {"eps_diluted": {**FIRM, **changes}["eps_diluted"] * size / MILLION, "shares_diluted": 100 * MILLION}
        whole = {name: value * MILLION for name, value in {**SHEET, **sheet}.items()}
        cash = {"operating_cash_flow": 200 * size, "capital_expenditure": -60 * size, "free_cash_flow": 140 * size}
        kinds = (("income", items), ("balance", whole), ("cashflow", cash))
        rows += [statement_row("ACMQ", kind, end, values, filed_at=filed) for kind, values in kinds]
    return rows


@pytest.mark.parametrize("name", SYNTHETIC)
def test_synthetic_companies_are_valued_the_same_twice(name: str, tmp_path: Path) -> None:
    sector, income, sheet, given = SYNTHETIC[name]
    rows = synthetic_rows(income, sheet)
    write_snapshot(tmp_path)
    others = [row for row in read_lines(tmp_path / "statements.jsonl.gz") if row["symbol"] != "ACMQ"]
    write_lines(tmp_path / "statements.jsonl.gz", [*others, *rows])
    profiles = json.loads((tmp_path / "profiles.json").read_text("utf-8"))
    profiles["ACMQ"] |= {"sector": sector, "industry": "Banks" if sector == "Financials" else "Quark Devices"}
    (tmp_path / "profiles.json").write_text(json.dumps(profiles), encoding="utf-8")
    answer = valuation.ask(snapshot_market(tmp_path), ticker="ACMQ", assumptions=given)
    assert_same(answer)
    compared = checked_figures(answer, rows)
    if answer.model == "fcff":
        assert {"revenue_t0", "cash", "debt"} <= compared
        expected = plain_wacc(rates_of(answer), answer.price, interest_of(answer, rows))
        assert first_wacc(answer) == pytest.approx(expected, rel=EQUAL)
    else:
        rates = rates_of(answer)
        assert rates["book_equity"] == 2700 * MILLION  # 3000 less 300 of preferred stock
