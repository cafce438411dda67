"""Ten books by hand: whole runs of `analyze --book`, whose orders are computed next to them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Command
from tests.support.golden_files import assert_golden
from tests.support.snapshot_folder import price_row, write_actions, write_prices, write_snapshot
from tradingagents.dataflows.reference.calendar import sessions

DAY, DELISTED = "2025-03-14", "2024-11-01"
HEAD = "Symbol,Qty,Avg Cost,Currency,Account,Date"
CASH = "Cash,50000,,USD,,2025-03-10"


@dataclass(frozen=True)
class Case:
    """A book, and what a decision on a ticker means for it. All offline decisions, whose rules give their strength."""

    name: str
    ticker: str
    rows: tuple[str, ...]
    order: tuple[str, str, float, float]
    """View, action, shares to trade, and what they cost."""
    weight: tuple[float, float]
    """Before and after."""
    more: tuple[tuple[str, Any], ...] = ()


# The decision on ELMQ, which is quoted at 66.14, asks for 3.52 %; a position may weigh 15 %.
CASES = (
    # 30 x 66.14 = 1,984.20 of 51,984.20 are 3.8 %: more than the 3.52 % asked for, less than the limit.
    Case("full", "ELMQ", ("ELMQ,30,50,USD,main,2025-03-10", CASH), ("BUY", "hold", 0, 0), (0.038169, 0.038169)),
    # 3.52 % of 50,066.14 are 1,762.33: 26.6 shares, of which 26 whole ones; one is held. 25 x 66.14 = 1,653.50.
    Case("tiny", "ELMQ", ("ELMQ,1,50,USD,main,2025-03-10", CASH), ("BUY", "add", 25, 1653.50), (0.001321, 0.034347)),
    # 50,000 - 20 x 66.14 = 48,677.20; all 20 are bought back for 1,322.80.
    Case("short", "ELMQ", ("ELMQ,-20,50,USD,main,2025-03-10", CASH), ("BUY", "cover", 20, 1322.80), (-0.027175, 0.0)),
    # 10 x 66.14 EUR x 1.25 = 826.75 USD. No size is asked for where the data do not give one: 0.15 times the strength
    # of 0.43 is 6.45 % of 50,826.75, 3,278.33: 39.65 shares of 82.675 USD. 29 more cost 2,397.575.
    Case(
        *("foreign", "ELM.DE", ("ELM.DE,10,50,EUR,main,2025-03-10", CASH), ("BUY", "add", 29, 2397.575)),
        (0.016266, 0.063438),
        more=(("price", 66.14), ("gain", pytest.approx(66.14 / 50 - 1))),
    ),
    # Nothing can be paid for: the limit is named.
    Case(
        *("no_cash", "ELMQ", ("ELMQ,1,50,USD,main,2025-03-10", "DOVQ,500,50,USD,main,2025-03-10")),
        *(("BUY", "hold", 0, 0), (0.00214, 0.00214), (("cut_by", ["min_cash"]),)),
    ),
    # 200 x 66.14 = 13,228 of 15,228. 15 % are 2,284.20: 34 whole shares (2,248.76) stay, 166 x 66.14 = 10,979.24.
    Case(
        *("over_limit", "ELMQ", ("ELMQ,200,50,USD,main,2025-03-10", "Cash,2000,,USD,,2025-03-10")),
        *(("BUY", "trim", -166, -10979.24), (0.868663, 0.147673)),
    ),
    # 20 x 66.14 = 1,322.80 of 51,322.80. 3.52 % are 1,806.56: 27 shares; 7 x 66.14 = 462.98. Paid (50 + 60) / 2.
    Case(
        *("two_accounts", "ELMQ", ("ELMQ,10,50,USD,main,2025-03-10", "ELMQ,10,60,USD,pension,2025-03-10", CASH)),
        *(("BUY", "add", 7, 462.98), (0.025774, 0.034795)),
        (("quantity", 20), ("average_price", 55), ("gain", pytest.approx(66.14 / 55 - 1))),
    ),
    # Four for one since the book: 10 bought at 200 are 40 at 50. 40 x 66.14 = 2,645.60 of 12,645.60 are 20.9 %, more
    # than 15 % (1,896.84: 28 shares). 12 x 66.14 = 793.68.
    Case(
        *("split", "SPLQ", ("SPLQ,10,200,USD,main,2025-01-31", "Cash,10000,,USD,,2025-01-31")),
        *(("BUY", "trim", -12, -793.68), (0.209211, 0.146448), (("quantity", 40), ("average_price", 50))),
    ),
    # 100 shares without a price are worth nothing that is known: the rest is as in "tiny".
    Case(
        *("delisted", "ELMQ", ("ELMQ,1,50,USD,main,2025-03-10", "GONQ,100,10,USD,main,2025-03-10", CASH)),
        *(("BUY", "add", 25, 1653.50), (0.001321, 0.034347)),
        (("notes", ["Weights leave out GONQ, whose value is not known."]),),
    ),
    # A SELL of strength 0.6, below 0.65: half of 21 is 10 whole shares of 37.88.
    Case(
        *("sell", "ACMQ", ("ACMQ,21,50,USD,main,2025-03-10", CASH), ("SELL", "trim", -10, -378.80)),
        (0.01566, 0.008203),
    ),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A made-up market with a listing in euros, one with a split in February 2025, and one that has ended."""
    place = write_snapshot(tmp_path_factory.mktemp("market") / "snapshot")
    rows = pq.ParquetFile(place / "prices.parquet").read().to_pylist()
    like = [row for row in rows if row["symbol"] == "ELMQ"]
    days = sessions().between(date(2023, 1, 3), date(2025, 6, 30))
    rows += [{**row, "symbol": "SPLQ"} for row in like]
    for day in sessions("XETR").between(date(2023, 1, 3), date(2025, 6, 30)):
        last = next(row for row in reversed(like) if row["date"].date() <= day)
        rows.append({**last, "symbol": "ELM.DE", "date": datetime.combine(day, time.min)})
    rows += [price_row("EURUSD=X", day, 1.25) for day in days]
    rows += [price_row("GONQ", day, 20.0) for day in days if day < date.fromisoformat(DELISTED)]
    write_prices(place, rows)
    write_actions(place, [("SPLQ", "2025-02-10", "split", 4), ("GONQ", DELISTED, "delisted", 15)])
    profiles = json.loads((place / "profiles.json").read_text("utf-8"))
    profiles |= {"SPLQ": profiles["ELMQ"], "ELM.DE": {**profiles["ELMQ"], "currency": "EUR"}}
    (place / "profiles.json").write_text(json.dumps(profiles), encoding="utf-8")
    return place


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_a_whole_run_decides_for_the_book(case: Case, folder: Path, command: Command, home: Path, tmp_path: Path):
    book = tmp_path / "positions.csv"
    book.write_text("\n".join([HEAD, *case.rows, ""]))
    places = ("--data-dir", str(folder), "--home", str(home))
    ended = command("analyze", case.ticker, DAY, "--offline", "--json", "--book", str(book), *places)
    assert ended.code == 0, ended.err
    card = json.loads(ended.out)
    found, view = card["book"], card["decision"]["action"]
    assert (view, found["action"], found.get("shares", 0)) == case.order[:3]
    assert found["money"] == pytest.approx(case.order[3])
    assert (found["weight"]["before"], found["weight"]["after"]) == pytest.approx(case.weight, abs=1e-6)
    assert {name: found[name] for name, _ in case.more} == dict(case.more)
    page = (Path(card["paths"]["folder"]) / "reports" / "complete_report.md").read_text("utf-8")
    section = page.split("## For your book\n")[1].split("\n## ")[0]
    assert_golden(f"books/{case.name}.md", f"{json.dumps(found, indent=1)}\n{section}")


def test_an_empty_file_decides_nothing(folder: Path, command: Command, home: Path, tmp_path: Path):
    book = tmp_path / "positions.csv"
    book.write_text("")
    ended = command("analyze", "ELMQ", DAY, "--offline", "--data-dir", str(folder), "--book", str(book))
    assert (ended.code, ended.out, len(ended.errors)) == (2, "", 1)
    assert [path for path in home.rglob("*") if path.is_file()] == []


def test_a_holding_that_no_longer_trades_says_what_became_of_it(
    folder: Path, command: Command, home: Path, tmp_path: Path
):
    book = tmp_path / "positions.csv"
    book.write_text(f"{HEAD}\nGONQ,100,10,USD,main,2025-03-10\n{CASH}\n")
    places = ("--offline", "--data-dir", str(folder), "--home", str(home))
    told = f"GONQ has not traded since {DELISTED}: it was delisted, and its holders got 15.00 a share."
    asked = command("analyze", "GONQ", DAY, "--book", str(book), *places)
    assert (asked.code != 0, told in asked.err) == (True, True)
    assert command("book", "import", str(book), "--home", str(home)).code == 0
    assert told in command("book", "show", DAY, *places).out
