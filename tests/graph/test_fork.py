"""A graph in a forked process says that it cannot be used there, instead of waiting for threads that are gone."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.support.graph_factory import COMPANY, DAY
from tradingagents.errors import UsageError
from tradingagents.graph.trading_graph import TradingAgentsGraph

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_graph_used_after_a_fork_raises_in_words(tmp_path: Path):
    graph = TradingAgentsGraph(
        config={"llm_provider": "offline", "data_vendor": "simulated", "home": str(tmp_path), "analysts": ("news",)}
    )
    graph.propagate(COMPANY, DAY)
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        try:
            graph.propagate(COMPANY, DAY)
            os.write(tell, b"no error")
        except UsageError as error:
            os.write(tell, str(error).encode())
        finally:
            sys.stdout.flush()
            os._exit(0)
    os.close(tell)
    with os.fdopen(told, "rb") as said:
        assert b"made before a fork" in said.read()
    os.waitpid(child, 0)
    graph.propagate(COMPANY, DAY)
