"""The files of a backtest that people open: the page, and tables for a spreadsheet."""

from __future__ import annotations

from tradingagents.backtest.breakdown.outcomes import outcomes
from tradingagents.backtest.breakdown.trades import csv_text, decisions_csv, trade_rows, trades_csv
from tradingagents.backtest.pages.document import backtest_document
from tradingagents.backtest.pages.tables import PAPERS, paper_rows
from tradingagents.backtest.run import Backtest
from tradingagents.backtest.strategies import DECISIONS
from tradingagents.reports.render.html import to_html


def page_files(found: Backtest) -> dict[str, str]:
    """Return the page, and trades, decisions and figures by ticker as CSV, by the names of their files."""
    account = found.accounts[DECISIONS]
    known = outcomes(found.decided, found.table, account.days[-1])
    return {
        "report.html": to_html(backtest_document(found)),
        "trades.csv": trades_csv(trade_rows(account.ledger, found.decided)),
        "decisions.csv": decisions_csv(found.decided, known),
        "by_ticker.csv": csv_text(PAPERS, paper_rows(found.record)),
    }
