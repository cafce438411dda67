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
| V9 | A method that finds nearly everything dear says so, or is calibrated to the market |
"""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command, Outcome, command  # noqa: F401 - a fixture
from tests.valuation.plain_company import flow

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
