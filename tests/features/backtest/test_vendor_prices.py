"""Accounts trade on sound prices only: a fault by which they would gain what never was is refused with its day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.features.backtest.test_currencies import services_of
from tests.support.snapshot_folder import write_prices, year_and_more
from tradingagents.errors import NoData
from tradingagents.features.backtest.financing.vendor_prices import read_prices

SPAN = (date(2024, 1, 2), date(2025, 3, 14))
Row = dict[str, Any]


def test_sound_prices_are_returned_as_they_are(tmp_path: Path):
    found = read_prices(services_of(year_and_more(tmp_path / "f"), tmp_path), "ACMQ", *SPAN)
    assert (found.days[0].item(), found.days[-1].item()) == SPAN


def closes_with_their_dividends(row: Row) -> None:
    row["adj_close"] = row["close"]


def quoted_in_pence(row: Row) -> None:
    if row["date"].date() < date(2024, 6, 3):
        for name in ("open", "high", "low", "close", "adj_close"):
            row[name] *= 100


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (closes_with_their_dividends, r"ACMQ 2024-02-14: the adjusted close takes off 0.00 %.*#dividends-disagree"),
        (quoted_in_pence, r"ACMQ 2024-06-03: the close went from .* a change of the unit by 100 .*#unit-change"),
    ],
)
def test_prices_that_would_make_money_from_nothing_are_refused(
    tmp_path: Path, spoil: Callable[[Row], None], words: str
):
    folder = year_and_more(tmp_path / "f")
    rows = pq.ParquetFile(folder / "prices.parquet").read().to_pylist()
    for row in rows:
        if row["symbol"] == "ACMQ":
            spoil(row)
    write_prices(folder, rows)
    with pytest.raises(NoData, match=f"prices of ACMQ cannot be traded in a test: {words}"):
        read_prices(services_of(folder, tmp_path), "ACMQ", *SPAN)
