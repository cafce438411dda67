"""Price and statement tables as people have them: of pages, downloads and spreadsheets, each read as it is meant."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.dataflows.snapshots.test_importing import WINDOW, taken
from tradingagents.dataflows.models import Prices, Statement
from tradingagents.dataflows.snapshots.columns import TableTerms, UnusableFile
from tradingagents.dataflows.snapshots.importing import import_file
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor

THREE = [date(2025, 3, 12), date(2025, 3, 13), date(2025, 3, 14)]
CLOSES = [211.25, 209.68, 1213.49]


def bars(tmp_path: Path, symbol: str = "ACMQ") -> Prices:
    return SnapshotVendor(tmp_path / "f").get_stock_data(symbol, *WINDOW)


def statements(tmp_path: Path, kind: Any = "income", frequency: Any = "annual") -> tuple[Statement, ...]:
    return SnapshotVendor(tmp_path / "f").get_statements("ACMQ", kind, frequency)


def closes(tmp_path: Path, symbol: str = "ACMQ") -> tuple[list[date], list[float]]:
    found = bars(tmp_path, symbol)
    return [day.item() for day in found.days], found.close.tolist()


YAHOO_FILE = """Date,Open,High,Low,Close,Adj Close,Volume
2025-03-12,210,212,209,211.25,210.9,1000
2025-01-09,null,null,null,null,null,null
2025-03-13,210,212,209,209.68,209.3,1000
2025-03-14,1210,1215,1209,1213.49,1213.1,1000
"""
YAHOO_PAGE = """Date,Open,High,Low,Close* Close price adjusted for splits.,Adj Close,Volume
"Mar 14, 2025","1,210.00","1,215.00","1,209.00","1,213.49","1,213.10","60,107,600"
"Mar 13, 2025",0.26 Dividend,,,,,
"Mar 13, 2025",210.00,212.00,209.00,209.68,209.30,"61,368,300"
"Mar 12, 2025",4:1 Stock Splits,,,,,
"Mar 12, 2025",210.00,212.00,209.00,211.25,210.90,"62,547,500"
"""
DOWNLOADED = """Price,Adj Close,Close,High,Low,Open,Volume
Ticker,ACMQ,ACMQ,ACMQ,ACMQ,ACMQ,ACMQ
Date,,,,,,
2025-03-12,210.9,211.25,212,209,210,1000
2025-03-13,209.3,209.68,212,209,210,1000
2025-03-14,1213.1,1213.49,1215,1209,1210,1000
"""
DOWNLOADED_BY_TICKER = """Ticker,ACMQ,ACMQ,ACMQ,ACMQ,ACMQ,ACMQ
Price,Open,High,Low,Close,Adj Close,Volume
Date,,,,,,
2025-03-12 00:00:00+00:00,210,212,209,211.25,210.9,1000
2025-03-13 00:00:00+00:00,210,212,209,209.68,209.3,1000
2025-03-14 00:00:00+00:00,1210,1215,1209,1213.49,1213.1,1000
"""
INVESTING = """"Date","Price","Open","High","Low","Vol.","Change %"
"03/14/2025","1,213.49","1,210.00","1,215.00","1,209.00","60.11M","1.82%"
"03/13/2025","209.68","210.00","212.00","209.00","61.37M","-3.36%"
"03/12/2025","211.25","210.00","212.00","209.00","62.55M","-1.75%"
"""
INVESTING_GERMAN = """"Datum","Zuletzt","Eröffn.","Hoch","Tief","Vol.","+/- %"
"14.03.2025","1.213,49","1.210,00","1.215,00","1.209,00","60,11M","1,82%"
"13.03.2025","209,68","210,00","212,00","209,00","61,37M","-3,36%"
"12.03.2025","211,25","210,00","212,00","209,00","62,55M","-1,75%"
"""
GERMAN_EXCEL = """Date;Open;High;Low;Close;Volume;;
12.03.2025;210,00;212,00;209,00;211,25;1.000.000;;
13.03.2025;210,00;212,00;209,00;209,68;1.000.000;;
14.03.2025;1.210,00;1.215,00;1.209,00;1.213,49;1.000.000;;
;;;;;;;
"""
UTC_STAMPS = """timestamp,open,high,low,close,volume
2025-03-12T04:00:00Z,210,212,209,211.25,1000
2025-03-13T13:30:00+00:00,210,212,209,209.68,1000
2025-03-14T20:00:00Z,1210,1215,1209,1213.49,1000
"""
EPOCH = """t,o,h,l,c,v
1741752000,210,212,209,211.25,1000
1741838400000,210,212,209,209.68,1000
1741924800,1210,1215,1209,1213.49,1000
"""
STOOQ = """<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>,<OPENINT>
ACMQ.US,D,20250312,000000,210,212,209,211.25,1000,0
ACMQ.US,D,20250313,000000,210,212,209,209.68,1000,0
ACMQ.US,D,20250314,000000,1210,1215,1209,1213.49,1000,0
"""
TABS = "Date\tOpen\tHigh\tLow\tClose\tVolume\n" + "\n".join(
    f"{day}\t{close - 1}\t{close + 2}\t{close - 2}\t{close}\t1000" for day, close in zip(THREE, CLOSES, strict=True)
)
SHAPES = {
    "yahoo file": YAHOO_FILE,
    "yahoo page": YAHOO_PAGE,
    "yf.download": DOWNLOADED,
    "yf.download by ticker": DOWNLOADED_BY_TICKER,
    "investing": INVESTING,
    "german excel": GERMAN_EXCEL,
    "UTC stamps": UTC_STAMPS,
    "seconds since 1970": EPOCH,
    "stooq": STOOQ,
    "tabs": TABS,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_price_table_of_each_shape_is_read_as_it_is_meant(tmp_path: Path, shape: str):
    named = {"date": "t"} if shape == "seconds since 1970" else {}
    taken(tmp_path, SHAPES[shape], "prices", symbol=None if shape == "stooq" else "ACMQ", named=named)
    assert closes(tmp_path) == (THREE, CLOSES)


def test_a_german_page_is_read_where_its_columns_are_named(tmp_path: Path):
    named = {"date": "Datum", "close": "Zuletzt", "open": "Eröffn.", "high": "Hoch", "low": "Tief"}
    taken(tmp_path, INVESTING_GERMAN, "prices", symbol="ACMQ", named=named)
    assert closes(tmp_path) == (THREE, CLOSES)
    assert bars(tmp_path).volume.tolist() == [62_550_000.0, 61_370_000.0, 60_110_000.0]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_spreadsheet_of_each_encoding_is_read(tmp_path: Path, encoding: str):
    path = tmp_path / "own.csv"
    path.write_bytes(GERMAN_EXCEL.replace("Volume", "Volume;Währung").encode(encoding))
    import_file(path, tmp_path / "f", "prices", TableTerms(symbol="ACMQ"))
    assert closes(tmp_path) == (THREE, CLOSES)


def test_an_empty_row_is_left_out_and_named(tmp_path: Path):
    done = taken(tmp_path, YAHOO_FILE, "prices", symbol="ACMQ")
    assert (done.rows, done.empty) == (3, ("line 3 (2025-01-09)",))


def test_a_bar_that_lacks_its_close_is_no_empty_row(tmp_path: Path):
    text = YAHOO_FILE.replace("209,209.68", "209,null")
    with pytest.raises(UnusableFile) as caught:
        taken(tmp_path, text, "prices", symbol="ACMQ")
    assert caught.value.problems == ("line 4: close is empty.",)


def test_the_page_s_dividends_and_splits_become_actions(tmp_path: Path):
    done = taken(tmp_path, YAHOO_PAGE, "prices", symbol="ACMQ")
    found = bars(tmp_path)
    assert (done.rows, done.splits_listed) == (3, True)
    assert [(one.day, one.amount) for one in found.dividends] == [(date(2025, 3, 13), 0.26)]
    assert [(one.day, one.ratio) for one in found.splits] == [(date(2025, 3, 12), 4.0)]


def test_a_download_of_two_symbols_has_a_row_for_each(tmp_path: Path):
    text = "Price,Close,Close,High,High,Low,Low,Open,Open\nTicker,ACMQ,ELMQ,ACMQ,ELMQ,ACMQ,ELMQ,ACMQ,ELMQ\n"
    text += "Date,,,,,,,,\n2025-03-13,10,20,11,21,9,19,10,20\n2025-03-14,12,,13,,11,,12,\n"
    done = taken(tmp_path, text, "prices")
    assert closes(tmp_path) == ([date(2025, 3, 13), date(2025, 3, 14)], [10.0, 12.0])
    assert closes(tmp_path, "ELMQ") == ([date(2025, 3, 13)], [20.0])
    assert done.empty == ("line 5 (2025-03-14)",)


def test_a_download_without_adjusted_closes_is_adjusted_for_dividends_in_all_levels(tmp_path: Path):
    # yfinance adjusts by default, and then leaves the column out.
    text = "Price,Close,High,Low,Open\nTicker,ACMQ,ACMQ,ACMQ,ACMQ\nDate,,,,\n2025-03-14,10,11,9,10\n"
    taken(tmp_path, text, "prices")
    assert bars(tmp_path).basis == "fully_adjusted"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("date,open,high,low,close\n03/04/2025,1,2,1,1.5\n", "03/04/2025 can be read in two ways"),
        ("date,open,high,low,close\n03/14/2025,1,2,1,1.5\n14/03/2025,1,2,1,1.5\n", "both like 14/03/2025 and like"),
        ("date;open;high;low;close\n14.03.2025;1,234;1,300;1,200;1,250\n", "1,234 can be read in two ways"),
        ("date;open;high;low;close\n14.03.2025;1,5;2;1;1.5\n", "numbers both like 1,5 and like 1.5"),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(tmp_path: Path, text: str, said: str):
    with pytest.raises(UnusableFile, match=said):
        taken(tmp_path, text, "prices", symbol="ACMQ")
    assert not (tmp_path / "f").exists()


@pytest.mark.parametrize(("decimal", "close"), [("point", 1250.0), ("comma", 1.25)])
def test_the_decimal_sign_can_be_said(tmp_path: Path, decimal: str, close: float):
    text = "date;open;high;low;close\n14.03.2025;1,234;1,300;1,200;1,250\n"
    taken(tmp_path, text, "prices", symbol="ACMQ", decimal=decimal)
    assert bars(tmp_path).close.tolist() == [close]


def test_an_instant_outside_of_the_session_is_no_bar(tmp_path: Path):
    with pytest.raises(UnusableFile) as caught:
        taken(tmp_path, "date,open,high,low,close\n2025-03-14T22:30:00Z,1,2,1,1.5\n", "prices", symbol="ACMQ")
    assert "lies in no session of the exchange of ACMQ" in caught.value.problems[0]


BY_ITEM = """,2024-09-30,2023-09-30,TTM
Tax Effect Of Unusual Items,0,0,0
Total Revenue,391035000000,383285000000,400366000000
Net Income,93736000000,96995000000,97294000000
Diluted EPS,6.08,6.13,6.41
"""


def test_statements_with_a_column_for_each_period(tmp_path: Path):
    taken(tmp_path, BY_ITEM, "statements", symbol="ACMQ")
    newest, before = sorted(statements(tmp_path), key=lambda row: row.period_end, reverse=True)
    assert (newest.period_end, newest.items["revenue"], newest.items["eps_diluted"]) == (
        date(2024, 9, 30),
        391035000000.0,
        6.08,
    )
    assert (before.period_end, before.items["net_income"]) == (date(2023, 9, 30), 96995000000.0)


def test_quarters_are_told_by_the_distance_of_the_columns(tmp_path: Path):
    text = "Breakdown;31.12.2024;30.09.2024\nTotal Assets;344.085.000,5;364.980.000\nCash And Cash Equivalents;1,5;2\n"
    taken(tmp_path, text, "statements", symbol="ACMQ")
    newest = max(statements(tmp_path, "balance", "quarterly"), key=lambda row: row.period_end)
    assert (newest.items["total_assets"], newest.items["cash"]) == (344085000.5, 1.5)


def test_a_single_column_needs_its_frequency(tmp_path: Path):
    text = "item,2024-09-30\nTotal Revenue,100\nNet Income,10\n"
    with pytest.raises(UnusableFile, match="no column for period"):
        taken(tmp_path, text, "statements", symbol="ACMQ")
    taken(tmp_path, text, "statements", symbol="ACMQ", constant={"period": "annual"})
    assert statements(tmp_path)[0].items == {"revenue": 100.0, "net_income": 10.0}


def test_a_row_a_period_with_the_statement_named_once(tmp_path: Path):
    text = "Ticker,Fiscal Year,Fiscal Period,Report Date,Publish Date,Revenue,Net Income\n"
    text += "ACMQ,2024,FY,2024-09-30,2024-11-01,(100),-5\n"
    taken(tmp_path, text, "statements", constant={"statement": "income", "period": "annual", "currency": "EUR"})
    (row,) = statements(tmp_path)
    assert (row.items, row.currency, row.fiscal_period) == ({"revenue": -100.0, "net_income": -5.0}, "EUR", "FY")
