"""Faultless backtests on recorded data: other tickers, periods, weights, costs and limits for each number.

The offline analysts decide. The data are a copy of the recorded folder with the tickers and the funds alone, so that
tampering with their future takes seconds; nothing else of them is changed.
"""

from __future__ import annotations

import gzip
import json
import random
import shutil
from collections.abc import Collection
from datetime import date, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from tests.features.backtest.audit.made_backtests import MadeBacktest, made
from tradingagents.dataflows.interface import Vendors
from tradingagents.features.backtest.audit import AuditReport
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

LISTED = (
    *("AAPL", "MSFT", "JPM", "WMT", "AMZN", "NVDA", "AMGN", "AVGO", "AXP", "BA", "BAC", "CAT", "COST", "CRM", "CVX"),
    *("GOOGL", "GS", "HD", "HON", "IBM", "JNJ", "KO", "LLY", "MCD", "META", "MRK", "PEP", "PG", "SHW", "TRV", "TSLA"),
    *("UNH", "V", "XOM"),
)
"""With dividends, splits and both series of prices."""
MEMBERS = ("CSCO", "INTC", "AMD", "ADM", "BIIB", "BKNG", "CCL", "CHTR", "AES", "BBY", "DAL", "F", "GE", "T", "PFE")
"""With prices that are adjusted for dividends throughout."""
FUNDS = (
    *("SPY", "AGG", "BIL", "QQQ", "IWM", "DIA", "MDY", "RSP", "GLD", "DBC", "EEM", "EFA", "HYG", "LQD", "IEF", "TLT"),
    *("SHY", "TIP", "VNQ", "VTI"),
)
"""Some of them are recorded as stocks."""
LAST = date(2025, 6, 30)
"""The latest end: the members' data end on 2025-07-24."""


def part_of(folder: Path, to: Path, symbols: Collection[str]) -> Path:
    """Write a copy of a folder of recorded data with some stocks, and all funds and indices."""
    to.mkdir(parents=True)
    profiles = json.loads((folder / "profiles.json").read_text("utf-8"))
    chosen = {*symbols, *FUNDS}
    wanted = {name: one for name, one in profiles.items() if one.get("kind") != "stock" or name in chosen}
    (to / "profiles.json").write_text(json.dumps(wanted))
    for name in ("snapshot.json", "actions.csv", "macro.parquet"):
        shutil.copyfile(folder / name, to / name)
    prices = pq.ParquetFile(folder / "prices.parquet").read()
    pq.write_table(prices.filter(pc.is_in(prices["symbol"], pa.array(sorted(wanted)))), to / "prices.parquet")
    for path in folder.glob("*.jsonl.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as rows, gzip.open(to / path.name, "wt", encoding="utf-8") as file:
            file.writelines(row for row in rows if json.loads(row).get("symbol") in wanted)
    return to


def recorded_request(number: int) -> BacktestRequest:
    """Return what the backtest of a number tests."""
    drawn = random.Random(f"recorded {number}")  # noqa: S311 - no secret
    count = drawn.randint(1, 4)
    tickers = drawn.sample(LISTED, count)
    if number % 3 == 0:
        tickers[-1] = drawn.choice(MEMBERS)
    start = date(2024, 1, 2) + timedelta(days=drawn.randint(0, 420))
    return BacktestRequest(
        tickers=tuple(tickers),
        start=start,
        end=min(start + timedelta(days=drawn.randint(30, 120)), LAST),
        every=drawn.randint(8, 20),
        scheme=drawn.choice(("confidence", "equal", "inverse_volatility", "hrp")),
        deposit=drawn.choice((20_000.0, 100_000.0, 2_000_000.0)),
        costs=TradingCosts(
            drawn.choice((0.0, 0.005)), drawn.choice((0.0, 1.0)), drawn.choice((0.0, 0.0005)),
            drawn.choice((0.0, 0.05)), drawn.choice((0.01, 0.1)),
        ),
        limits=RiskLimits(drawn.randint(2, 10), drawn.choice((0.3, 1.0)), drawn.choice((0.35, 1.0)),
                          drawn.choice((0.0, 0.05))),
        shorts=ShortRules() if number % 5 == 3 else None,
    )  # fmt: skip


def recorded_services(home: Path, folder: Path) -> Services:
    """Open services of the offline analysts on a folder of recorded data."""
    config = {"llm_provider": "offline", "data_vendor": "snapshot", "data_dir": str(folder), "home": str(home)}
    loaded = load_settings(config, environ={})
    return open_services(loaded, {}, vendors=Vendors(loaded, {}, environ={}))


def recorded_backtest(home: Path, folder: Path, number: int) -> MadeBacktest:
    """Run the backtest of a number.

    Args:
        home: Where it and its part of the data are written.
        folder: The recorded data.
        number: Which.
    """
    asked = recorded_request(number)
    part = part_of(folder, home / "data", asked.tickers)
    return made(home, asked, services=recorded_services(home, part), decided=True)


def alarms_of(tested: MadeBacktest, report: AuditReport) -> frozenset[str]:
    """Return the errors and warnings of a faultless backtest; that all decisions are alike may be true of the rules."""
    lines = (tested.folder / "decisions.jsonl").read_text("utf-8").splitlines()
    actions = {(json.loads(line)["decision"] or {}).get("action", "NO_DECISION") for line in lines} - {"NO_DECISION"}
    return report.kinds - ({"constant_decider"} if len(actions) == 1 else frozenset())
