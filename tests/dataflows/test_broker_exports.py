"""Files in the shapes that brokers export: each is read right, or refused by row and column with what to do.

The files are written from knowledge of the exports, with made-up holdings.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tradingagents.dataflows.portfolio_file import read_portfolio
from tradingagents.errors import UsageError
from tradingagents.schemas.portfolio import Portfolio

DAY = date(2025, 3, 14)

SCHWAB = """\
"Positions for account Individual XXXX-1234 as of 04:05 PM ET, 2025/03/14"
""
"Symbol","Description","Qty (Quantity)","Price","Price Chng $ (Price Change $)","Mkt Val (Market Value)","Cost Basis",\
"Gain % (Gain/Loss %)","Reinvest?","% of Acct (% of Account)","Security Type",
"AAPL","APPLE INC","1,100","213.49","3.81","$234,839.00","$165,000.00","42.33%","No","60.12%","Equity",
"BRK/B","BERKSHIRE HATHAWAY CLASS B","(12)","514.00","-1.00","($6,168.00)","--","--","No","2%","Equity",
"Cash & Cash Investments","--","--","--","--","$5,000.00","--","--","--","14.08%","Cash and Money Market",
"Account Total","--","--","--","--","$233,671.00","$165,000.00","42.33%","--","--","--",
"""
SCHWAB_OPTION = SCHWAB.replace(
    '"Cash & Cash', '"AAPL 06/20/2025 150.00 C","CALL APPLE INC","2","65","0","$13,000.00","$9,000.00","--","No","3%",'
    '"Option",\n"Cash & Cash'
)  # fmt: skip
SCHWAB_ALL = SCHWAB.replace('"Account Total"', '"Total"') + '\n"Roth_IRA ...567"\n' + "\n".join(
    SCHWAB.splitlines()[2:4]
)  # fmt: skip
SCHWAB_TRANSACTIONS = """\
"Date","Action","Symbol","Description","Quantity","Price","Fees & Comm","Amount"
"03/14/2025","Sell","AAPL","APPLE INC","40","$213.49","$0.10","$8,539.50"
"""
FIDELITY = """\
Account Number,Account Name,Symbol,Description,Quantity,Last Price,Current Value,Percent Of Account,Cost Basis Total,\
Average Cost Basis,Type
Z12345678,Individual,SPAXX**,HELD IN MONEY MARKET,,,"$1,500.25",4.12%,,,Cash,
Z12345678,Individual,AAPL,APPLE INC,100,$213.49,"$21,349.00",58.70%,"$15,000.00",$150.00,Margin,
X98765432,ROTH IRA,VOO,VANGUARD S&P 500,10.125,$516.00,"$5,224.50",90%,"$4,556.25",$450.00,Cash,
X98765432,ROTH IRA,Pending Activity,,,,$12.00,,,,

"The data and information in this spreadsheet is provided to you solely for your use and is not for distribution."

"Date downloaded Mar-14-2025 4:05 p.m ET"
"""
FIDELITY_OPTION = FIDELITY.replace(
    "X98765432,ROTH IRA,VOO",
    "Z12345678,Individual, -AAPL250620C150,AAPL JUN 20 2025 $150 CALL,-1,$65.00,-$6500.00,,,,Margin,\n"
    "X98765432,ROTH IRA,VOO",
)
IBKR = """\
\ufeffStatement,Header,Field Name,Field Value
Statement,Data,BrokerName,Interactive Brokers LLC
Statement,Data,Title,Activity Statement
Statement,Data,Period,"January 1, 2025 - March 14, 2025"
Account Information,Header,Field Name,Field Value
Account Information,Data,Account,U1234567
Mark-to-Market Performance Summary,Header,Asset Category,Symbol,Prior Quantity,Current Quantity,Code
{many}Cash Report,Header,Currency Summary,Currency,Total,Securities,Futures,
Cash Report,Data,Ending Cash,Base Currency Summary,5540,5540,0,
Cash Report,Data,Starting Cash,USD,100,100,0,
Cash Report,Data,Ending Cash,USD,5000,5000,0,
Cash Report,Data,Ending Cash,EUR,-500.5,-500.5,0,
Open Positions,Header,DataDiscriminator,Asset Category,Currency,Symbol,Quantity,Mult,Cost Price,Cost Basis,Close,Value
Open Positions,Data,Summary,Stocks,USD,AAPL,100,1,150,15000,213.49,21349,
Open Positions,Data,Lot,Stocks,USD,AAPL,"2024-01-02, 10:00:00",60,150,9000,,,
Open Positions,Data,Summary,Stocks,USD,BRK B,-5,1,480.5,-2402.5,514,-2570,
Open Positions,Total,,Stocks,USD,,,,,12597.5,,18779,
Trades,Header,DataDiscriminator,Asset Category,Currency,Symbol,Date/Time,Quantity,T. Price,C. Price,Proceeds,Comm/Fee
Trades,Data,Order,Stocks,USD,MSFT,"2025-02-03, 10:00:00",-40,410,410,16400,-1,C
""".format(many="".join(f"Mark-to-Market Performance Summary,Data,Stocks,S{n},0,0,\n" for n in range(60)))
IBKR_ABROAD = IBKR.replace("Stocks,USD,BRK B,-5,1,480.5", "Stocks,EUR,SAP,5,1,180")
IBKR_OPTION = IBKR.replace("Stocks,USD,BRK B", "Equity and Index Options,USD,BRK 20JUN25 480 C")
FLEX = """\
"ClientAccountID","CurrencyPrimary","AssetClass","Symbol","Description","ReportDate","Quantity","MarkPrice",\
"PositionValue","OpenPrice","CostBasisPrice","CostBasisMoney","Side","LevelOfDetail"
"U1234567","USD","STK","AAPL","APPLE INC","20250314","100","213.49","21349","150","150.01","15001","Long","SUMMARY"
"U1234567","USD","STK","AAPL","APPLE INC","20250314","100","213.49","21349","150","150.01","15001","Long","LOT"
"U1234567","USD","STK","TSLA","TESLA INC","20250314","-3","249.98","-749.94","300","300","-900","Short","SUMMARY"
"""
DEGIRO = """\
Product,Symbol/ISIN,Amount,Closing,Local value,,Value in EUR
CASH & CASH FUND & FTX CASH (EUR),,,,EUR,123.45,"123,45"
APPLE INC,US0378331005,10,"213,49",USD,"2134,90","1962,81"
SAP SE,DE0007164600,5,"243,10",EUR,"1215,50","1215,50"
"""
DEGIRO_GERMAN = DEGIRO.replace(
    DEGIRO.partition("\n")[0], "Produkt,Symbol/ISIN,Anzahl,Schlußkurs,Wert,,Wert in EUR"
)  # fmt: skip
DEGIRO_TICKERS = DEGIRO.replace("US0378331005", "AAPL").replace("DE0007164600", "SAP.DE").replace("123.45", '"123,45"')
TRADING212 = """\
Action,Time,ISIN,Ticker,Name,No. of shares,Price / share,Currency (Price / share),Exchange rate,Total,Currency (Total)
Deposit,2025-03-03 09:00:00,,,,,,,,500.00,EUR
Market buy,2025-03-03 10:00:00,US0378331005,AAPL,Apple,2.5000000000,213.4900000000,USD,1.08,494.19,EUR
Market sell,2025-03-03 11:00:00,US0378331005,AAPL,Apple,1.5000000000,214.0000000000,USD,1.08,297.22,EUR
"""
COMDIRECT = """\
"Depotübersicht vom 14.03.2025 17:45"
"Depot-Nr. 1234567 00"

"Stück/Nom.";"Bezeichnung";"WKN";"Währung";"Akt. Kurs";"Kaufkurs in EUR";"Kaufwert in EUR";"Wert in EUR"
"1.250";"SAP SE O.N.";"716460";"EUR";"243,10";"101,50";"126.875,00";"303.875,00"
"10,5";"BASF SE NA O.N.";"BASF11";"EUR";"49,30";"51,00";"535,50";"517,65"
"Summe";"";"";"";"";"";"127.410,50";"304.392,65"
"""
COMDIRECT_TICKERS = COMDIRECT.replace('"WKN"', '"Symbol"').replace('"716460"', '"SAP.DE"').replace("BASF11", "BAS.DE")
VANGUARD = """\
Account Number,Investment Name,Symbol,Shares,Share Price,Total Value,
12345678,VANGUARD TOTAL STOCK MARKET ETF,VTI,20,275.10,5502.00,
12345678,VANGUARD FEDERAL MONEY MARKET FUND,VMFXX,100.5,1.0,100.50,



Account Number,Trade Date,Settlement Date,Transaction Type,Transaction Description,Name,Symbol,Shares,Share Price
12345678,03/03/2025,03/04/2025,Sell,Sell,VANGUARD TOTAL STOCK MARKET ETF,VTI,-7,280.00
"""
ETRADE = """\
Account Summary

Account,Net Account Value,Total Gain $
"Individual -1234",25000.00,100.00

Symbol,% of Portfolio,Last Price $,Change $,Qty #,Price Paid $,Value $
AAPL,40.5,213.49,3.81,50,150.00,10674.50
CASH,10.2,,,,,"2,500.75"
TOTAL,100,,,,,13175.25
"""
YAHOO = """\
Symbol,Current Price,Date,Time,Change,Open,Volume,Trade Date,Purchase Price,Quantity,Commission,Comment
AAPL,213.49,2025/03/14,16:00 EDT,3.81,211,60107582,20240102,150.0,10.0,0.0,
"""


def read(tmp_path: Path, content: str, encoding: str = "utf-8") -> Portfolio:
    path = tmp_path / "positions.csv"
    path.write_bytes(content.encode(encoding))
    return read_portfolio(path, day=DAY)


def held(found: Portfolio) -> list[tuple[Any, ...]]:
    return [
        (position.symbol, position.quantity, position.average_price, position.currency, position.account)
        for position in found.positions
    ]


READ: dict[str, tuple[str, list[tuple[Any, ...]], dict[str, float]]] = {
    "Schwab": (SCHWAB, [("AAPL", 1100, 150, None, ""), ("BRK-B", -12, None, None, "")], {"USD": 5000}),
    "Schwab, all": (SCHWAB_ALL, [("AAPL", 2200, 150, None, ""), ("BRK-B", -12, None, None, "")], {"USD": 5000}),
    "Fidelity": (
        FIDELITY,
        [("AAPL", 100, 150, None, "Individual"), ("VOO", 10.125, 450, None, "ROTH IRA")],
        {"USD": 1500.25},
    ),
    "IBKR": (IBKR, [("AAPL", 100, 150, "USD", ""), ("BRK-B", -5, 480.5, "USD", "")], {"EUR": -500.5, "USD": 5000}),
    "IBKR Flex": (FLEX, [("AAPL", 100, 150.01, "USD", "U1234567"), ("TSLA", -3, 300, "USD", "U1234567")], {}),
    "Degiro with tickers": (
        DEGIRO_TICKERS,
        [("AAPL", 10, None, None, ""), ("SAP.DE", 5, None, None, "")],
        {"EUR": 123.45},
    ),
    "Comdirect with tickers": (
        COMDIRECT_TICKERS,
        [("BAS.DE", 10.5, 51, "EUR", ""), ("SAP.DE", 1250, 101.5, "EUR", "")],
        {},
    ),
    "Vanguard": (VANGUARD, [("VMFXX", 100.5, None, None, "12345678"), ("VTI", 20, None, None, "12345678")], {}),
    "E*TRADE": (ETRADE, [("AAPL", 50, 150, None, "")], {"USD": 2500.75}),
    "Yahoo": (YAHOO, [("AAPL", 10, 150, None, "")], {}),
}  # fmt: skip


@pytest.mark.parametrize("broker", READ)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_an_export_is_read(tmp_path: Path, broker: str, encoding: str):
    content, positions, cash = READ[broker]
    found = read(tmp_path, content.removeprefix("\ufeff"), encoding)
    assert (held(found), found.cash, found.day) == (positions, cash, DAY)


REFUSED = {
    "Schwab with an option": (SCHWAB_OPTION, "row 6, column Security Type: options, futures, .* leave such rows out"),
    "Schwab transactions": (SCHWAB_TRANSACTIONS, "row 1 .*transactions.*export the positions"),
    "Fidelity with an option": (FIDELITY_OPTION, "row 4, column Symbol: .*option.* leave such rows out"),
    "IBKR with an option": (IBKR_OPTION, "row 76, column Asset Category: options, futures"),
    "IBKR abroad": (IBKR_ABROAD, r"row 76, column Symbol: .*EUR.*SAP\.DE"),
    "IBKR without positions": (IBKR.replace("Open Positions", "Corporate Actions"), "no section Open Positions"),
    "Degiro": (DEGIRO, "row 3, row 4, column Symbol/ISIN: .*ISIN.* ticker"),
    "Degiro in German": (DEGIRO_GERMAN, "row 3, row 4, column Symbol/ISIN: .*ISIN.* ticker"),
    "Trading 212": (TRADING212, "row 1 .*transactions.*export the positions"),
    "Comdirect": (COMDIRECT, "row 5, row 6, column WKN: .* ticker"),
    "a bond": ("symbol,quantity\n912828YK0,10000\n", "row 2, column symbol: .*CUSIP"),
    "an option without a blank": ("symbol,quantity\nAAPL250620C150,1\n", "row 2, column symbol: .*option"),
}


@pytest.mark.parametrize("broker", REFUSED)
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_an_export_that_tells_too_little_is_refused_with_what_to_do(tmp_path: Path, broker: str, encoding: str):
    content, message = REFUSED[broker]
    with pytest.raises(UsageError, match=message) as refused:
        read(tmp_path, content.removeprefix("\ufeff"), encoding)
    assert "\n" not in str(refused.value)


def test_a_statement_is_of_the_last_day_of_its_period(tmp_path: Path):
    path = tmp_path / "statement.csv"
    path.write_text(IBKR.replace("March 14", "March 7"), "utf-8")
    assert read_portfolio(path, day=DAY).day == date(2025, 3, 7)
