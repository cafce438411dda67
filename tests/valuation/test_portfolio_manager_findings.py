"""The findings of a portfolio manager, V1 to V9, each by its command on the recorded data of 2025-03-14.

| Finding | What must hold |
|---|---|
| V1 | BA and IBM: no value below nothing, no upside; the refusal says what to set |
| V2 | BAC: preferred stock is no common equity |
| V3 | XOM: what the statement gives is no default |
| V4 | XOM: an old year, the top of a cycle, its growth and its beta are said or gone |
| V5 | AMZN, TSLA: own beta with its error, and peers of the same business |
| V6 | TRV, JPM: the first year earns no more than the last did |
| V7 | AAPL: a one-off tax charge is no norm; securities are counted, or said to be missing |
| V8 | NVDA, MSFT, JPM: a report that was due withholds or marks the headline |
| V9 | A method that finds nearly everything dear says so with its figure, or is calibrated to the market |
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from benchmarks.valuation_range import days_of, distribution, outcomes, with_statements
from tests.cli.conftest import Command, Outcome, command  # noqa: F401 - a fixture
from tests.valuation.plain_company import flow
from tradingagents.valuation.company.doubts import lean_table

pytestmark = pytest.mark.real_data
DAY = "2025-03-14"
ACCEPTED = re.compile(r"base_period=(\d{4}-\d\d-\d\d)")
BILLION = 1e9


@pytest.fixture
def snapshot(test_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(tmp_path / "own"))
    return test_data / "snapshot"


def asked(run: Command, folder: Path, symbol: str, *more: str) -> Outcome:
    """Ask as the finding does."""
    return run("value", symbol, DAY, "--offline", "--data-vendor", "snapshot", "--data-dir", str(folder), *more)


def accepted(run: Command, folder: Path, symbol: str, *more: str) -> Outcome:
    """Ask again with the period of the figures accepted, where a report that was due withholds the value."""
    first = asked(run, folder, symbol, *more)
    period = ACCEPTED.search(first.err)
    return asked(run, folder, symbol, "--set", f"base_period={period[1]}", *more) if period else first


def valued(run: Command, folder: Path, symbol: str, *more: str) -> dict[str, Any]:
    outcome = accepted(run, folder, symbol, "--json", *more)
    assert outcome.code == 0, outcome.err
    found: dict[str, Any] = json.loads(outcome.out)
    return found


def rows_of(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in found["assumptions"]}


@pytest.mark.parametrize("symbol", ["BA", "IBM"])
def test_v1_no_share_is_worth_less_than_nothing(command: Command, snapshot: Path, symbol: str) -> None:  # noqa: F811
    outcome = accepted(command, snapshot, symbol)
    if symbol == "BA":
        assert outcome.code == 4
    if outcome.code:
        assert (outcome.code, outcome.out) == (4, "")
        assert "No value from these figures" in outcome.err
        assert re.search(r"target_margin=|debt=", outcome.err)
        assert "upside" not in outcome.err
    else:
        found = valued(command, snapshot, symbol)
        assert found["value_per_share"] > 0
        assert found["upside"] > -1


def test_v1_the_margin_that_the_refusal_asks_for_gives_a_value(command: Command, snapshot: Path) -> None:  # noqa: F811
    assert valued(command, snapshot, "BA", "--target-margin", "12%")["value_per_share"] > 0


def test_v2_preferred_stock_of_a_bank_is_no_common_equity(command: Command, snapshot: Path) -> None:  # noqa: F811
    rows = rows_of(valued(command, snapshot, "BAC"))
    assert rows["preferred_equity"]["value"] == pytest.approx(28.397 * BILLION, rel=1e-3)
    assert rows["book_equity"]["value"] == pytest.approx(263.25 * BILLION, rel=1e-3)
    assert rows["preferred_equity"]["kind"] == rows["book_equity"]["kind"] == "data"


def test_v3_what_the_statement_gives_is_no_default(command: Command, snapshot: Path) -> None:  # noqa: F811
    found = valued(command, snapshot, "XOM")
    rows = rows_of(found)
    assert rows["minority_interest"]["value"] == pytest.approx(7.736 * BILLION)
    assert rows["non_operating_assets"]["value"] == pytest.approx(34.257 * BILLION)  # stakes of 34.08 and securities
    assert rows["minority_interest"]["kind"] == rows["non_operating_assets"]["kind"] == "data"
    assert "no source gives it" not in json.dumps(found)


@pytest.mark.parametrize("symbol", ["TRV", "JPM"])
def test_v6_the_first_year_earns_no_more_than_the_last(command: Command, snapshot: Path, symbol: str) -> None:  # noqa: F811
    rows = rows_of(valued(command, snapshot, symbol))
    first_year = rows["return_on_equity"]["value"] * rows["book_equity"]["value"]
    with gzip.open(snapshot / "statements.jsonl.gz", "rt", encoding="utf-8") as lines:
        raw = [row for row in map(json.loads, lines) if row["symbol"] == symbol]
    end = re.search(r"\d{4}-\d\d-\d\d", rows["book_equity"]["source"])
    assert end is not None
    earned = flow(raw, "net_income", end[0], quarters=True)
    assert earned is not None
    assert 0 < first_year <= 1.02 * earned


# V4, V5, V7, V8 and V9 await the norms (V4, V7), the cost of capital (V4, V5) and freshness (V4, V8); V9 awaits all.


def test_v4_a_fiscal_year_that_was_followed_withholds_or_marks(command: Command, snapshot: Path) -> None:  # noqa: F811
    assert_withheld_or_marked(asked(command, snapshot, "XOM"))


def test_v4_an_oil_company_is_called_cyclical(command: Command, snapshot: Path) -> None:  # noqa: F811
    assert "cyclical" in accepted(command, snapshot, "XOM").out.lower()


def test_v4_growth_is_not_read_between_two_prices_of_oil(command: Command, snapshot: Path) -> None:  # noqa: F811
    rows = rows_of(valued(command, snapshot, "XOM"))
    assert rows["growth_years_1_to_5"]["value"] < 0.06


@pytest.mark.parametrize("symbol", ["AMZN", "TSLA", "XOM"])
def test_v5_own_beta_with_its_error_is_shown(command: Command, snapshot: Path, symbol: str) -> None:  # noqa: F811
    shown = accepted(command, snapshot, symbol).out
    assert "standard error" in shown


@pytest.mark.parametrize("symbol", ["AMZN", "TSLA"])
def test_v5_three_companies_of_other_trades_are_no_peers(command: Command, snapshot: Path, symbol: str) -> None:  # noqa: F811
    source = rows_of(valued(command, snapshot, symbol))["unlevered_beta"]["source"]
    assert not re.search(r"median beta without debt of (\w+, HD, MCD)$", source)


def test_v5_the_beta_of_a_share_that_moves_twice_the_market(command: Command, snapshot: Path) -> None:  # noqa: F811
    assert rows_of(valued(command, snapshot, "TSLA"))["unlevered_beta"]["value"] > 1


def test_v7_a_court_charge_is_no_usual_tax(command: Command, snapshot: Path) -> None:  # noqa: F811
    """23.5 % with the charge of 10.2 billion of September 2024; 15 to 17 % in the years before."""
    assert 0.14 < rows_of(valued(command, snapshot, "AAPL"))["effective_tax"]["value"] < 0.19


def test_v7_securities_count_or_are_said_to_be_missing(command: Command, snapshot: Path) -> None:  # noqa: F811
    found = valued(command, snapshot, "AAPL")
    rows = rows_of(found)
    names = ("cash", "short_term_investments", "non_operating_assets")
    held = sum(rows[name]["value"] for name in names if name in rows)
    assert held > 100 * BILLION or "may hold cash and securities" in " ".join(found["notes"])


@pytest.mark.parametrize("symbol", ["NVDA", "MSFT", "JPM"])
def test_v8_a_report_that_was_due_withholds_or_marks(command: Command, snapshot: Path, symbol: str) -> None:  # noqa: F811
    assert_withheld_or_marked(asked(command, snapshot, symbol))


def assert_withheld_or_marked(outcome: Outcome) -> None:
    """No headline, and how to accept the figures; or the headline names the period that it rests on."""
    if outcome.code:
        assert outcome.code == 4
        assert ACCEPTED.search(outcome.err)
        return
    headline = next(line for line in outcome.out.splitlines() if line.startswith("- Value from these inputs"))
    assert re.search(r"\d{4}-\d\d-\d\d", headline)
    assert re.search(r"\b(four quarters|fiscal year|year|twelve months)\b", headline)


@pytest.mark.nightly
def test_v9_a_method_that_finds_nearly_everything_dear_says_so(command: Command, snapshot: Path) -> None:  # noqa: F811
    """The figure of the output is what `benchmarks.valuation_range --older` gives, older figures accepted."""
    days = days_of(snapshot)
    found = outcomes(snapshot, sorted(with_statements(snapshot)), days, older=True)
    every, table = distribution("All", found), lean_table()
    assert every.median is not None
    assert table.days == days
    assert (every.companies, every.valued) == (table.every.companies, table.every.values)
    assert every.median == pytest.approx(table.every.median, abs=0.0001)
    assert every.median < 0.85, "calibrated by now: adapt this test"
    for symbol in ("AAPL", "BAC"):
        doubts = [line for line in valued(command, snapshot, symbol)["opening"] if line.startswith("Doubtful: ")]
        (told,) = (line for line in doubts if "by default inputs the median of" in line)
        assert f"{every.valued} values of {every.companies} large companies" in told
        assert f"was {every.median:.2f} of the price" in told
        assert "this method finds large companies dear" in told
