"""What the process that kill tests fork from loads beforehand: the libraries of a run and the simulated market."""

from __future__ import annotations

import gc
from datetime import UTC, date, datetime

import pytest

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
gc.freeze()
