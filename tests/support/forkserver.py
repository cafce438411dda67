"""What the process that tests fork from loads beforehand: the libraries of runs, commands and servers, and the market.

`cli.main` and `tradingagents.__main__` are left to the forked process, which runs them as its program.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil
from datetime import UTC, date, datetime

import pyarrow.pandas_compat
import pyarrow.parquet  # noqa: F401
import pytest

import cli
import tradingagents.server
from tests.support import killed_run  # noqa: F401 - so that no forked process imports it again
from tests.support.shared_market import SharedMarkets
from tradingagents.dataflows.vendors.simulated import SimulatedVendor

DAY = date(2025, 1, 2)
NOON = datetime(2025, 1, 2, 12, tzinfo=UTC)

MARKETS = SharedMarkets()
MARKETS.share(pytest.MonkeyPatch())  # never undone: the process does nothing but fork
VENDOR = SimulatedVendor()
VENDOR.get_earnings_calendar(DAY, DAY)
VENDOR.get_topic_news("energy", NOON, NOON)
for package in (cli, tradingagents.server):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if module.name != "cli.main":
            importlib.import_module(module.name)
gc.freeze()
