"""Prices of a snapshot: what is stored is what is read, and only what is unusable is dropped."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import snapshot_folder as made
from tradingagents.dataflows.models import Dividend, Split
from tradingagents.dataflows.vendors.snapshot.prices import PriceTable, _significant, load_actions, load_prices
from tradingagents.errors import VendorDown

D2, D3, D4 = date(2024, 1, 2), date(2024, 1, 3), date(2024, 1, 4)


def table(folder: Path, *rows: made.Row, price_type: pa.DataType | None = None, group: int = 10_000) -> PriceTable:
    made.write_prices(folder, rows, price_type=price_type, group=group)
    return load_prices(folder / "prices.parquet")


def test_single_precision_reads_as_it_was_quoted(tmp_path: Path) -> None:
    quoted = [213.49, 220.14, 0.0123, 5979.52, 41488.19, 1209.98, 6.7]
    bars = table(tmp_path, *(made.price_row("ACMQ", date(2024, 1, 2 + n), price) for n, price in enumerate(quoted)))
    assert bars.bars("ACMQ", D2, date(2024, 2, 1)).columns["close"].tolist() == quoted


def test_double_precision_is_left_alone(tmp_path: Path) -> None:
    bars = table(tmp_path, made.price_row("BTC-USD", D2, 97123.456789), price_type=pa.float64())
    assert bars.bars("BTC-USD", D2, D2).columns["close"].tolist() == [97123.456789]


def test_reading_prices_does_not_import_pandas(tmp_path: Path) -> None:
    """75 MB and 0.4 s of processor in every process over recorded data, of which most need pandas for nothing else."""
    table(tmp_path, made.price_row("ACMQ", D2, 10.0))
    program = """
import sys
from pathlib import Path
from tradingagents.dataflows.vendors.snapshot.prices import load_prices
print(load_prices(Path(sys.argv[1])).symbols, "pandas" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "prices.parquet")], capture_output=True, text=True, check=True
    )
    assert done.stdout == "('ACMQ',) False\n"


def test_empty_days_and_prices_are_kept_as_such_and_whole_numbers_may_have_gaps(tmp_path: Path) -> None:
    columns = {
        "symbol": pa.array(["ACMQ"] * 3),
        "date": pa.array([D2, D3, None], pa.date32()),
        **{name: pa.array([10, 11, 12], pa.int64()) for name in ("open", "high", "low", "close", "adj_close")},
        "volume": pa.array([1000, None, 3000], pa.int64()),
        "basis": pa.array(["raw+adj"] * 3),
    }
    path = tmp_path / "prices.parquet"
    pq.write_table(pa.table(columns), path)
    bars = load_prices(path).bars("ACMQ", D2, D4)
    assert bars.days.tolist() == [D2, D3]
    assert bars.columns["close"].tolist() == [10.0, 11.0]
    assert bars.columns["volume"][0] == 1000.0
    assert np.isnan(bars.columns["volume"][1])


@given(st.decimals("0.01", "99999.99", places=2))
def test_any_price_in_cents_survives_single_precision(price: object) -> None:
    stored = np.asarray([float(str(price))], np.float32).astype(np.float64)
    assert _significant(stored)[0] == float(str(price))


def test_zero_and_absence_have_no_magnitude_and_stay() -> None:
    rounded = _significant(np.asarray([0.0, np.nan, -1.23456789]))
    assert rounded[0] == 0.0
    assert np.isnan(rounded[1])
    assert rounded[2] == -1.234568


def test_unsorted_rows_and_row_groups_come_out_by_symbol_and_day(tmp_path: Path) -> None:
    rows = [
        made.price_row("ZZZQ", D3, 30.0),
        made.price_row("ACMQ", D4, 12.0),
        made.price_row("ZZZQ", D2, 20.0, "index"),
        made.price_row("ACMQ", D2, 10.0),
        made.price_row("ACMQ", D3, 11.0),
    ]
    prices = table(tmp_path, *rows, group=2)
    assert prices.symbols == ("ACMQ", "ZZZQ")
    assert prices.bars("ACMQ", D2, D4).columns["close"].tolist() == [10.0, 11.0, 12.0]
    assert prices.bars("ZZZQ", D2, D4).days.tolist() == [D2, D3]


def test_a_bar_without_a_close_is_dropped_and_two_of_one_day_are_left_to_the_gateway(tmp_path: Path) -> None:
    prices = table(
        tmp_path,
        made.price_row("ACMQ", D2, 10.0),
        made.price_row("ACMQ", D3, float("nan")),
        made.price_row("ACMQ", D2, 10.5),
        made.price_row("GONE", D2, float("nan")),
    )
    bars = prices.bars("ACMQ", D2, D4)
    assert (bars.days.tolist(), bars.columns["close"].tolist()) == ([D2, D2], [10.0, 10.5])
    assert "GONE" not in prices


def test_a_high_below_the_close_stays_as_recorded(tmp_path: Path) -> None:
    bars = table(tmp_path, made.price_row("ACMQ", D2, 10.0, high=9.5)).bars("ACMQ", D2, D2)
    assert bars.columns["high"].tolist() == [9.5]


def test_share_classes_take_our_spelling(tmp_path: Path) -> None:
    assert table(tmp_path, made.price_row("BRK.B", D2, 400.0)).symbols == ("BRK-B",)


def test_a_symbol_of_an_unknown_exchange_is_left_out(tmp_path: Path) -> None:
    assert table(tmp_path, made.price_row("ABC.QQ", D2, 4.0), made.price_row("ABC.L", D2, 4.0)).symbols == ("ABC.L",)


def test_an_empty_table_has_no_symbols(tmp_path: Path) -> None:
    assert table(tmp_path).symbols == ()


def test_an_unknown_basis_is_no_price(tmp_path: Path) -> None:
    prices = table(tmp_path, made.price_row("ACMQ", D2, 10.0, "guessed"), made.price_row("ELMQ", D2, 10.0))
    with pytest.raises(VendorDown, match=r"prices\.parquet.*ACMQ.*guessed"):
        prices.bars("ACMQ", D2, D4)
    assert len(prices.bars("ELMQ", D2, D4).days) == 1


def test_actions_are_read_by_symbol_oldest_first(tmp_path: Path) -> None:
    made.write_actions(
        tmp_path,
        [
            ("ACMQ", "2024-06-10", "split", 10.0),
            ("ACMQ", "2024-03-05", "dividend", 0.004),
            ("ACMQ", "2022-08-25", "split", 3),
        ],
    )
    actions = load_actions(tmp_path / "actions.csv")["ACMQ"]
    assert actions.splits == (Split(date(2022, 8, 25), 3.0), Split(date(2024, 6, 10), 10.0))
    assert actions.dividends == (Dividend(date(2024, 3, 5), 0.004),)
