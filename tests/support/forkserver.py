"""What the process that tests fork from loads beforehand: the libraries of runs, commands and servers, and the market.

It also makes an analysis and a scan of the day that most tests study. What they compile, and what they work out of the
market, is then there for the runs of all forked processes.

Left to the forked process are `cli.main` and `tradingagents.__main__`, which it runs as its program, and the clients of
hosted models, whose packages take seconds and which few tests of processes use.
"""

from __future__ import annotations

import gc
import importlib
import pkgutil
from datetime import UTC, date, datetime
from tempfile import TemporaryDirectory

import pyarrow.pandas_compat
import pyarrow.parquet  # noqa: F401
import pytest
from langsmith.utils import get_env_var

import cli
import tradingagents
from tests.support import killed_run  # noqa: F401 - so that no forked process imports it again
from tests.support.graph_factory import COMPANY
from tests.support.graph_factory import DAY as STUDIED
from tests.support.shared_market import SharedMarkets
from tradingagents.capabilities.registry import registry
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.trading_graph import TradingAgentsGraph

DAY = date(2025, 1, 2)
NOON = datetime(2025, 1, 2, 12, tzinfo=UTC)
LEFT = ("cli.main", "tradingagents.__main__", "tradingagents.llm_clients.anthropic", "tradingagents.llm_clients.google")

MARKETS = SharedMarkets()
MARKETS.share(pytest.MonkeyPatch())  # never undone: the process does nothing but fork
VENDOR = SimulatedVendor()
VENDOR.get_topic_news("energy", NOON, NOON)
for package in (cli, tradingagents):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if module.name not in LEFT:
            importlib.import_module(module.name)


def make_runs() -> None:
    """Make the runs whose work is shared. They leave nothing, and their threads have ended when this returns."""
    with TemporaryDirectory() as home:
        config = {"llm_provider": "offline", "data_vendor": "simulated", "home": home, "auto_settle": False}
        with TradingAgentsGraph(config=config) as analysis:
            for company in dict.fromkeys((COMPANY, "VELQ")):
                analysis.propagate(company, STUDIED)
        with ScannerGraph(config) as scan:
            scan.scan(STUDIED)


make_runs()
get_env_var.cache_clear()  # LangSmith asks the environment once; a forked process has its own
registry()
gc.collect()
gc.freeze()
