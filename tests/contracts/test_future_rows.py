"""Rows of the future, of any company and however odd, change no answer of the past; neither does today's clock."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.contracts.test_look_ahead import AS_OF, CUTOFF, NOW, QUESTIONS
from tests.support.snapshot_folder import (
    filing_row,
    insider_row,
    news_row,
    price_row,
    read_lines,
    read_macro,
    social_row,
    statement_row,
    write_lines,
    write_macro,
    write_prices,
    write_snapshot,
)
from tests.support.tiers import is_fast, sampled
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.errors import NoData, TradingAgentsError
from tradingagents.settings import load_settings

FAR = ("2025-06-20", "2027-11-30", "2200-01-03", "9998-12-30")
"""Days after the cut-off: before the window ends, beyond today's calendars, beyond any."""
ODD = "9999-12-31T23:59:59-12:00"
"""An instant that has no UTC in a computer's calendar."""
NEW, OTHER = "AAAQ", "ELMQ"
"""A company that the folder knew nothing of, and one it knew."""


def with_future(folder: Path) -> Path:
    """Add rows of the future to every file: of other companies, dated by day and by instant."""
    rows: list[dict[str, Any]] = pq.ParquetFile(folder / "prices.parquet").read().to_pylist()
    rows += [price_row(NEW, date(2025, 4, 1) + timedelta(days=day), 50.0 + day) for day in range(90)]
    rows += [price_row(OTHER, date(2031, 1, 5), -1.0, high=1e300)]
    write_prices(folder, rows)
    profiles = json.loads((folder / "profiles.json").read_text())
    profiles[NEW] = {"name": "Aardvark", "sector": "Information Technology", "industry": "Quark Devices"}
    (folder / "profiles.json").write_text(json.dumps(profiles))
    more: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("statements", "news", "insider", "social", "filings")
    }
    for symbol in (NEW, OTHER):
        for day in FAR:
            end = date.fromisoformat(day)
            more["statements"].append(statement_row(symbol, "income", end, {"revenue": 9e14}))
            more["statements"].append(statement_row(symbol, "income", AS_OF, {"revenue": 9e14}, filed_at=day))
            more["news"].append(news_row(symbol, day, "Oil: POISON"))
            more["insider"].append(insider_row(symbol, end, "Purchase", filed_at=day))
            more["social"].append(social_row(symbol, day, "POISON"))
            more["filings"].append(filing_row(symbol, end, "8-K"))
        more["statements"].append(statement_row(symbol, "income", AS_OF, {"revenue": 9e14}, filed_at=ODD))
        more["news"].append(news_row(symbol, ODD, "Oil: POISON"))
        more["social"].append(social_row(symbol, ODD, "POISON"))
    for name, added in more.items():
        path = folder / f"{name}.jsonl.gz"
        write_lines(path, [*read_lines(path), *added])
    last = [("UNRATE", date(2250, 1, 1), 99.0), ("rates.ust_10y", date(2250, 1, 1), 99.0)]
    write_macro(folder, [*read_macro(folder), *last])
    return folder


def market(folder: Path, now: datetime = NOW, as_of: date = AS_OF) -> MarketData:
    settings = load_settings({"data_vendor": "snapshot"}, environ={})
    vendors = Vendors(settings, {"snapshot": SnapshotVendor(folder)})
    return MarketData(settings, as_of, vendors=vendors, now=lambda: now)


def answer(name: str, data: MarketData, symbol: str) -> str:
    capability, arguments = QUESTIONS[name]
    try:
        result = capability.ask(data, **arguments(symbol, data.as_of))
    except TradingAgentsError as error:
        return f"{type(error).__name__}: {error}"
    return f"{result.to_markdown()}\n{[figure.rounded for figure in result.figures()]}\n{data.sheet.warnings}"


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    plain = write_snapshot(tmp_path_factory.mktemp("plain") / "market")
    return plain, with_future(write_snapshot(tmp_path_factory.mktemp("future") / "market"))


@pytest.mark.parametrize("symbol", ["ACMQ", pytest.param(OTHER, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("name", QUESTIONS)
def test_rows_of_the_future_change_no_answer(folders: tuple[Path, Path], name: str, symbol: str):
    before, after = (answer(name, market(folder), symbol) for folder in folders)
    assert after == before
    assert "POISON" not in after


@pytest.mark.parametrize("symbol", ["CRGQ", OTHER, NEW])
def test_a_company_whose_only_trades_lie_in_the_future_has_none_that_are_known(folders: tuple[Path, Path], symbol: str):
    with pytest.raises(NoData, match=f"no insider trades of {symbol}"):
        market(folders[1]).insider_transactions(symbol)


@pytest.mark.parametrize("name", sampled(QUESTIONS, every=3))
def test_an_answer_does_not_hang_on_the_clock(folders: tuple[Path, Path], name: str):
    clocks = (
        CUTOFF + timedelta(hours=9),  # the day after in New York: before it, the run would be one of today
        datetime(2025, 3, 21, 3, tzinfo=UTC),
        NOW,
        datetime(2026, 6, 30, tzinfo=UTC),
    )
    found = {answer(name, market(folders[1], now), "ACMQ") for now in clocks}
    assert len(found) == 1


PROGRAM = """
import datetime as real, sys
class Later(real.date):
    @classmethod
    def today(cls):
        return real.date.fromisoformat(sys.argv[2])
import tradingagents.dataflows.reference.calendar as calendar
calendar.date = Later
from tests.contracts.test_future_rows import QUESTIONS, answer, market
from pathlib import Path
for name in sys.argv[3].split():
    print(answer(name, market(Path(sys.argv[1])), "ACMQ"))
"""


def test_an_answer_does_not_hang_on_where_the_calendar_ends_today(folders: tuple[Path, Path], tmp_path: Path):
    """Calendars reach a year beyond today: rows dated by day beyond it must not matter, whichever day it is."""
    asked = list(QUESTIONS)[:: 4 if is_fast() else 1]
    then = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folders[1]), "2025-07-01", " ".join(asked)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "HOME": str(tmp_path / "then")},
    ).stdout
    now = "".join(f"{answer(name, market(folders[1]), 'ACMQ')}\n" for name in asked)
    assert then == now
    assert len(now) > 150 * len(asked)
