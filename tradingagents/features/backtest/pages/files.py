"""The files of a backtest: its record and ledger, and what people open: report, page, tables for a spreadsheet."""

from __future__ import annotations

import json
from pathlib import Path

from tradingagents.features.backtest.pages.document import backtest_document
from tradingagents.features.backtest.pages.report import backtest_report
from tradingagents.features.backtest.pages.tables import PAPERS, paper_rows
from tradingagents.features.backtest.pages.trades import csv_text, decisions_csv, trade_rows, trades_csv
from tradingagents.features.backtest.run import Backtest
from tradingagents.features.backtest.statistics.outcomes import outcomes
from tradingagents.features.backtest.strategies import DECISIONS
from tradingagents.files.atomic import as_json, replace_whole, write_whole, writing
from tradingagents.reports.render.html import to_html

FOLDER = "backtests"


def write_backtest(home: Path, found: Backtest) -> Path:
    """Write result, report, page, ledger, decisions, trades and equity of a backtest, and return their folder.

    Raises:
        HomeNotWritable: They cannot be written.
    """
    folder = home / FOLDER / str(found.record["id"])
    with writing(home):
        write_whole(folder / "report.md", backtest_report(found.record))
        write_whole(folder / "equity.csv", equity_table(found))
        for name, content in page_files(found).items():
            write_whole(folder / name, content)
        write_whole(folder / "decisions.jsonl", decision_lines(found))
        replace_whole(folder / "ledger.jsonl", found.accounts[DECISIONS].ledger.content)
        write_whole(folder / "result.json", as_json(found.record))
    return folder


def decision_lines(found: Backtest) -> str:
    """Return the decisions as JSON, one a line by day and ticker, and the reason where there is none."""
    made, missing = found.decided, found.missing
    lines = {case: stored.to_json() for case, stored in made.items()} | {
        (ticker, day): {"ticker": ticker, "day": day.isoformat(), "decision": None, "reason": why}
        for (ticker, day), why in missing.items()
    }
    ordered = sorted(lines, key=lambda case: (case[1], case[0]))
    return "".join(f"{json.dumps(lines[case], sort_keys=True, ensure_ascii=False)}\n" for case in ordered)


def equity_table(found: Backtest) -> str:
    """Return the equity of every strategy at each close as CSV."""
    names = list(found.accounts)
    days = found.accounts[names[0]].days
    rows = [
        ",".join([day.isoformat(), *(f"{found.accounts[name].equity[place]:.2f}" for name in names)])
        for place, day in enumerate(days)
    ]
    return "\n".join([",".join(["date", *names]), *rows]) + "\n"


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
