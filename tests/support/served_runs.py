"""Runs against a model server, in this process and in others; one server stops answering where it is told to."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.openai_server import Answer, OpenAIServer
from tests.support.graph_factory import COMPANY, DAY
from tests.support.warm import WarmProcess

ROOT = Path(__file__).resolve().parents[2]
MODEL = "bench-model"


class StoppingServer(OpenAIServer):
    """A server that never answers one role; `reached` is set once that role has asked."""

    def __init__(self, silent_for: str, **options: Any) -> None:
        super().__init__(**options)
        self.reached = threading.Event()
        self._silent_for = silent_for

    def choose(self, body: Mapping[str, Any], role: str | None) -> Answer:
        if role == self._silent_for:
            self.reached.set()
            return Answer(hang=True)
        return super().choose(body, role)


def server_config(server: OpenAIServer, home: Path, **more: Any) -> dict[str, Any]:
    """Settings of a run on the simulated market against a server."""
    return {
        "llm_provider": "openai_compatible",
        "backend_url": server.url,
        "quick_think_llm": MODEL,
        "deep_think_llm": MODEL,
        "data_vendor": "simulated",
        "llm_max_retries": 0,
        "home": str(home),
        **more,
    }


def card_in(home: Path) -> dict[str, Any]:
    """Return the card of the one run under a home."""
    (card,) = home.glob("runs/*/run.json")
    return json.loads(card.read_text("utf-8"))  # type: ignore[no-any-return]


PROPAGATE = f"""
import json, sys
from tradingagents.graph.trading_graph import TradingAgentsGraph
graph = TradingAgentsGraph(config=json.loads(sys.argv[1]))
graph.propagate({COMPANY!r}, {DAY!r})
"""
ASYNCIO_RUN = f"""
import asyncio, json, sys
from tradingagents.graph.trading_graph import TradingAgentsGraph
graph = TradingAgentsGraph(config=json.loads(sys.argv[1]))
asyncio.run(graph.apropagate({COMPANY!r}, {DAY!r}))
"""


def start(script: str, config: str, **environment: str) -> WarmProcess:
    """Start a script with its settings as JSON."""
    return WarmProcess(
        ["-c", script, config], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **environment}
    )
