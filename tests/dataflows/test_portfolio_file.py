"""A portfolio is read from files in the shapes that brokers export; what cannot be read is named by row and column."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.dataflows.portfolio_file import portfolio_of_rows, read_portfolio
from tradingagents.errors import UsageError
from tradingagents.schemas.portfolio import Portfolio, Position

DAY = date(2025, 3, 14)
FIDELITY = """\

Account Number,Account Name,Symbol,Description,Quantity,Last Price,Current Value,Cost Basis Total,Average Cost Basis
Z1,Individual,SPAXX**,MONEY MARKET,,,"$1,500.25",,
Z1,Individual,AAPL,APPLE INC,100,$213.49,"$21,349.00","$15,000.00",$150.00
Z1,Individual,BRKB,BERKSHIRE,5.5,$514.00,"$2,827.00","$1,650.00",$300.00
Z1,Individual,Pending Activity,,,,$12.00,,,

"The data and information in this spreadsheet is provided to you solely for your use"
"Date downloaded 03/14/2025 4:05 PM ET"
"""
SCHWAB = """\
"Positions for account Individual ...123 as of 04:05 PM ET, 03/14/2025"

"Symbol","Description","Qty (Quantity)","Price","Mkt Val (Market Value)","Cost Basis","% of Acct"
"MSFT","MICROSOFT","20","$388.56","$7,771.20","$6,000.00","60%"
"Cash & Cash Investments","--","--","--","$5,000.00","--","40%"
"Account Total","--","--","--","$12,771.20","$6,000.00","100%"
"""
GERMAN = """\
Symbol;Bezeichnung;Anzahl;Einstandskurs;Währung
SAP.DE;SAP SE;1.250;101,5;EUR
VOD.L;Vodafone;2.000;71,34;GBp
"""
PLAIN = "ticker,quantity,average price,currency,account\nAAPL,100,150,USD,main\nAAPL,-20,,USD,other\nTSLA,3,,,\n"


def held(portfolio: Portfolio) -> list[tuple[Any, ...]]:
    return [
        (position.symbol, position.quantity, position.average_price, position.currency, position.account)
        for position in portfolio.positions
    ]


def read(tmp_path: Path, content: str | bytes, name: str = "positions.csv") -> Portfolio:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_portfolio(path, day=DAY)


def test_a_plain_table(tmp_path: Path):
    found = read(tmp_path, PLAIN)
    assert held(found) == [
        ("AAPL", 100, 150, "USD", "main"),
        ("AAPL", -20, None, "USD", "other"),
        ("TSLA", 3, None, None, ""),
    ]
    assert (found.day, found.cash) == (DAY, {})


def test_a_table_with_notes_a_money_market_fund_and_pending_activity(tmp_path: Path):
    found = read(tmp_path, FIDELITY.replace("BRKB", "BRK.B"))
    assert held(found) == [("AAPL", 100, 150, None, "Individual"), ("BRK-B", 5.5, 300, None, "Individual")]
    assert found.cash == {"USD": 1500.25}


def test_a_table_with_a_title_whole_costs_and_a_total(tmp_path: Path):
    found = read(tmp_path, SCHWAB)
    assert held(found) == [("MSFT", 20, 300, None, "")]
    assert found.cash == {"USD": 5000}


def test_decimal_commas_and_pence(tmp_path: Path):
    found = read(tmp_path, GERMAN)
    assert held(found)[0] == ("SAP.DE", 1250, 101.5, "EUR", "")
    assert held(found)[1][:2] == ("VOD.L", 2000)
    assert held(found)[1][2] == pytest.approx(0.7134)
    assert held(found)[1][3] == "GBP"


def test_lots_of_an_instrument_are_one_position(tmp_path: Path):
    found = read(tmp_path, "symbol,shares,price paid\nAAPL,10,100\nAAPL,30,140\n")
    assert held(found) == [("AAPL", 40, 130, None, "")]


def test_a_short_position_by_sign_brackets_or_side(tmp_path: Path):
    found = read(tmp_path, "symbol,qty,side\nAAPL,-10,\nMSFT,(5),\nTSLA,7,Short\nKO,2,long\nV,-3,Short\n")
    assert [position.quantity for position in found.positions] == [-10, 2, -5, -7, -3]


def test_a_workbook(tmp_path: Path):
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.append(["a title"])
    sheet = book.create_sheet("positions")
    for row in (["Holdings on", DAY], [], ["Ticker", "Shares", "Avg cost", "Date"], ["AAPL", 10, 99.5, DAY]):
        sheet.append(row)
    book.save(tmp_path / "book.xlsx")
    found = read_portfolio(tmp_path / "book.xlsx")
    assert (held(found), found.day) == ([("AAPL", 10, 99.5, None, "")], DAY)


def test_json_with_cash(tmp_path: Path):
    given_ = {"day": "2025-03-10", "cash": {"usd": 10, "EUR": -5}, "positions": [{"ticker": "AAPL", "quantity": 1.5}]}
    found = read(tmp_path, json.dumps(given_), "book.json")
    assert (held(found), found.cash, found.day) == (
        [("AAPL", 1.5, None, None, "")],
        {"EUR": -5, "USD": 10},
        date(2025, 3, 10),
    )


def test_nothing_held_is_read_as_such(tmp_path: Path):
    assert read(tmp_path, "ticker,quantity\n").is_flat
    assert read(tmp_path, '{"positions": []}').is_flat


def test_utf_16_as_spreadsheets_write_it(tmp_path: Path):
    assert held(read(tmp_path, PLAIN.replace(",", "\t").encode("utf-16")))[0][:2] == ("AAPL", 100)


BAD = {
    "empty": ("", "no row names the columns"),
    "no header": ("AAPL,100\n", "no row names the columns"),
    "no quantity": ("ticker,price\nAAPL,100\n", "no row names the columns"),
    "prose": ("I own a hundred Apple shares.\n", "no row names the columns"),
    "html": ("<html><body>Sign in</body></html>", "no row names the columns"),
    "word for a number": ("ticker,quantity\nAAPL,ten\n", "row 2, column quantity: what stands there is no number"),
    "number with a word": ("ticker,quantity\nAAPL,10 shares\n", "row 2, column quantity"),
    "missing quantity": ("ticker,quantity,average price\nAAPL,,150\n", "row 2, column quantity: there is no number"),
    "two points": ("ticker,quantity\nAAPL,1.2.3\n", "row 2, column quantity"),
    "two decimal signs": (
        'ticker,quantity,price paid\nAAPL,1.5,"2,75"\n',
        "a point in row 2, column quantity and a comma in row 2",
    ),
    "groups of two": ('ticker,quantity\nAAPL,"1,23,4567"\n', "row 2, column quantity"),
    "infinite": ("ticker,quantity\nAAPL,inf\n", "row 2, column quantity"),
    "exponent": ("ticker,quantity\nAAPL,1e400\n", "row 2, column quantity"),
    "percent": ("ticker,quantity\nAAPL,10%\n", "row 2, column quantity"),
    "formula": ("ticker,quantity\nAAPL,=1+1\n", "row 2, column quantity"),
    "no ticker": ("ticker,quantity\n,100\n", "row 2, column ticker: there is no ticker"),
    "a path": ("ticker,quantity\n../../etc/passwd,1\n", "row 2, column ticker"),
    "an option": ("ticker,quantity\nAAPL 250620C00150000,1\n", "row 2, column ticker"),
    "a name": ("ticker,quantity\nApple Incorporated,1\n", "row 2, column ticker"),
    "a key": ("ticker,quantity\nsk-proj-abcdefghijklmnopqrstuvwxyz0123,1\n", "row 2, column ticker"),
    "unknown exchange": ("ticker,quantity\nQQQQ:AAPL,1\n", "row 2, column ticker"),
    "bad currency": (
        "ticker,quantity,currency\nAAPL,1,DOLLARS\n",
        "row 2, column currency: there is no currency code such as USD",
    ),
    "bad side": ("ticker,quantity,side\nAAPL,1,sideways\n", "row 2, column side"),
    "two signs of a side": (
        "ticker,quantity,side\nAAPL,-1,long\n",
        "row 2, column quantity: a long position is not",
    ),
    "negative price": ("ticker,quantity,avg cost\nAAPL,1,-5\n", "row 2, column avg cost: a price is not negative"),
    "long account": (f"ticker,quantity,account\nAAPL,1,{'x' * 61}\n", "row 2, column account"),
    "bad day": ("ticker,quantity,date\nAAPL,1,yesterday\n", "row 2, column date: there is no day like 2025-03-14"),
    "two days": ("ticker,quantity,date\nAAPL,1,2025-03-13\nKO,1,2025-03-14\n", "rows are of several days"),
    "lots that cancel": ("ticker,quantity\nAAPL,5\nAAPL,-5\n", "AAPL cancel each other out"),
    "several faults": ("ticker,quantity\nAAPL,x\n?,1\nKO,y\n", "row 2, row 4, .*row 3, "),
    "many faults": ("ticker,quantity\n" + "AAPL,x\n" * 9, r"and 4 more rows"),
    "too many rows": ("ticker,quantity\n" + "AAPL,1\n" * 5100, "more than 5000 rows"),
    "Windows": ("ticker,quantity\nAAPL,1\nBÖRSE,1\n".encode("latin-1"), "row 3, column ticker: there is no ticker"),
    "binary": (b"\x00\x01\x02\x03\xff\xfe", "cannot be read as a portfolio"),
    "broken workbook": (b"PK\x03\x04 broken", "no workbook"),
    "json of a word": ('["AAPL"]', "no list `positions`"),
    "json without positions": ('{"cash": {"USD": 1}}', "no list `positions`"),
    "json positions a word": ('{"positions": "AAPL"}', "no list `positions`"),
    "json cash a list": ('{"positions": [], "cash": [1]}', "`cash` is no object"),
    "json cash of a word": ('{"positions": [], "cash": {"USD": "much"}}', "`cash` cannot be read: give"),
    "json cash true": ('{"positions": [], "cash": {"USD": true}}', "`cash` cannot be read"),
    "json cash unknown": ('{"positions": [], "cash": {"MONEY": 1}}', "`cash` cannot be read: give"),
    "json day": ('{"positions": [], "day": "soon"}', "its day is none; write it like 2025-03-14"),
    "json quantity true": ('[{"ticker": "AAPL", "quantity": true}]', "row 2, column quantity"),
    "json quantity null": ('[{"ticker": "AAPL", "quantity": null, "price paid": 1}]', "row 2, column quantity"),
    "json quantity nan": ('[{"ticker": "AAPL", "quantity": NaN, "price paid": 1}]', "row 2, column quantity"),
    "json cut off": ('[{"ticker": "AAPL", "quan', "cannot be read as a portfolio"),
    "json too deep": ("[" * 2000, "cannot be read as a portfolio"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_is_refused_in_one_line_with_row_and_column(tmp_path: Path, kind: str):
    content, message = BAD[kind]
    with pytest.raises(UsageError, match=message) as refused:
        read(tmp_path, content)
    assert "\n" not in str(refused.value)
    assert str(tmp_path / "positions.csv") in str(refused.value)
    assert "sk-proj-abcdefghijklmnop" not in str(refused.value)


SECRET = {
    "quantity": "symbol,quantity\nAAPL,12x3456\n",
    "price": "symbol,quantity,average price\nAAPL,1,12x3456\n",
    "cost": "symbol,quantity,cost basis\nAAPL,1,12x3456\n",
    "two signs": 'symbol,quantity,average price\nAAPL,12.3456,"12,3456"\n',
    "account": f"symbol,quantity,account\nAAPL,1,{'12x3456' * 10}\n",
    "shifted into symbol": "symbol,quantity\n12x3456 Z,1\n",
    "an account as symbol": "symbol,quantity\nZ-12x3456_7,1\n",
    "shifted into currency": "symbol,quantity,currency\nAAPL,1,12x3456\n",
    "shifted into side": "symbol,quantity,side\nAAPL,1,12x3456\n",
    "shifted into date": "symbol,quantity,date\nAAPL,1,12x3456\n",
    "a bare number": "symbol,quantity\n123456,1\n",
    "cash": '{"positions": [], "cash": {"12x3456": 1}}',
    "day": '{"positions": [], "day": "12x3456"}',
}


@pytest.mark.parametrize("where", SECRET)
def test_a_fault_quotes_no_content_of_a_cell(tmp_path: Path, where: str):
    with pytest.raises(UsageError) as refused:
        read(tmp_path, SECRET[where])
    said = str(refused.value).removeprefix(str(tmp_path / "positions.csv"))
    assert not {"12x3456", "123456", "12.3456", "12,3456"} & set(re.findall(r"[\w.,]*\w", said)), said
    assert "3456" not in said


def test_a_symbol_may_be_quoted(tmp_path: Path):
    with pytest.raises(UsageError, match="'QQQQ:AAPL' names no exchange"):
        read(tmp_path, "ticker,quantity\nQQQQ:AAPL,1\n")


def test_files_that_are_none(tmp_path: Path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(UsageError, match="Cannot read"):
            read_portfolio(path)
    with pytest.raises(UsageError, match="too large"):
        read(tmp_path, "x" * 5_000_001)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["AAPL", "MSFT", "KO", "SAP.DE"]),
            st.floats(-1e6, 1e6).map(lambda number: round(number, 2)).filter(bool),
            st.floats(0.01, 1e5).map(lambda number: round(number, 2)),
        ),
        unique_by=lambda row: row[0],
    ),
    st.booleans(),
)
def test_what_is_written_with_either_decimal_sign_is_read_back(rows: list[tuple[str, float, float]], comma: bool):
    def written(number: float) -> str:
        text = f"{number:,.2f}"
        return text.translate(str.maketrans(",.", ".,")) if comma else text

    table = [["ticker", "quantity", "average price"], *([name, written(a), written(b)] for name, a, b in rows)]
    found = portfolio_of_rows(table, day=DAY, semicolons=comma)
    positions = [Position(symbol=name, quantity=quantity, average_price=price) for name, quantity, price in rows]
    assert found == Portfolio(positions=tuple(positions), day=DAY)


TITLED = '{}\n\n"Symbol","Qty (Quantity)","Price"\n"AAPL","10","$213.49"\n'


@pytest.mark.parametrize(
    ("title", "day"),
    [
        ('"Positions for account Individual ...123 as of 03:15 PM ET, 2025/03/14"', date(2025, 3, 14)),
        ("Positions for account Individual ...123 as of 03:15 PM ET, 03/14/2025", date(2025, 3, 14)),
        ('"Positions for account Individual ...123 as of 03:15 PM ET, 03/04/2025"', date(2025, 3, 4)),
        ('"Date downloaded 03/04/2025 3:15 PM ET"', date(2025, 3, 4)),
        ('"Date downloaded Mar-14-2025 3:15 p.m. ET"', date(2025, 3, 14)),
        ("Portfolio download,as of,14.03.2025", date(2025, 3, 14)),
        ("Holdings as of March 14, 2025", date(2025, 3, 14)),
        ("Stand: 04.03.2025", date(2025, 3, 4)),
        ("Valued at 14/03/2025", date(2025, 3, 14)),
        ("As at 4 March 2025", date(2025, 3, 4)),
        ("As of 03/03/2025", date(2025, 3, 3)),
        ("Fees as agreed; see our terms of 2019", None),
        ("As of 02/30/2025", None),
    ],
)
def test_the_day_of_a_title_or_a_footnote(tmp_path: Path, title: str, day: date | None):
    path = tmp_path / "positions.csv"
    path.write_text(TITLED.format(title))
    assert read_portfolio(path).day == day
    path.write_text(TITLED.format("Positions").strip() + '\n\n"{}"\n'.format(title.strip('"')))
    assert read_portfolio(path).day == day
    assert read_portfolio(path, day=DAY).day == DAY


def test_as_of_counts_before_downloaded_and_a_day_that_may_be_two_is_asked_for(tmp_path: Path):
    path = tmp_path / "positions.csv"
    path.write_text(TITLED.format("Positions as of 2025-03-13") + "\nDate downloaded 03/14/2025 8:00 AM ET\n")
    assert read_portfolio(path).day == date(2025, 3, 13)
    path.write_text(TITLED.format("Positions as of 03/04/2025"))
    with pytest.raises(UsageError, match="row 1 names a day that may be of two months"):
        read_portfolio(path)
    assert read_portfolio(path, day=DAY).day == DAY
    path.write_text(TITLED.format("As of 2025-03-13") + "As of 2025-03-14\n")
    with pytest.raises(UsageError, match="of several days"):
        read_portfolio(path)
