"""`langgraph dev` starts without a network, and both graphs run through its HTTP API."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[2]
STARTS_WITHIN = 180.0
RUNS_WITHIN = 300.0
pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("langgraph_api") is None,
    reason="LangGraph's server is not installed: pip install --group studio",
)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """Start `langgraph dev` in its own folder, with no key, no `.env` and a proxy that refuses everything outside."""
    folder, port = tmp_path_factory.mktemp("studio"), free_port()
    declared = json.loads((ROOT / "langgraph.json").read_text("utf-8"))
    for graph in declared["graphs"].values():
        graph["path"] = str(ROOT / graph["path"])
    declared["dependencies"] = [str(ROOT)]
    (folder / "langgraph.json").write_text(json.dumps(declared), "utf-8")
    environ = {key: value for key, value in os.environ.items() if not key.startswith(("LANG", "TRADINGAGENTS_"))}
    environ |= {
        "TRADINGAGENTS_LLM_PROVIDER": "offline",
        "TRADINGAGENTS_DATA_VENDOR": "simulated",
        "TRADINGAGENTS_HOME": str(folder / "home"),
        "HTTP_PROXY": "http://127.0.0.1:9",
        "HTTPS_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "127.0.0.1",
        "LANGSMITH_TRACING": "false",
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    }
    command = [sys.executable, "-m", "langgraph_cli", "dev", "--no-browser", "--no-reload", "--port", str(port)]
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(
        command, cwd=folder, env=environ, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
    )
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=RUNS_WITHIN, trust_env=False)
    try:
        _wait_until_up(client, process, folder / "server.log")
        yield client
    finally:
        client.close()
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(20)
        log.close()


def _wait_until_up(client: httpx.Client, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + STARTS_WITHIN
    while time.monotonic() < until and process.poll() is None:
        try:
            if client.get("/ok", timeout=5).status_code == 200:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.5)
    pytest.fail(f"langgraph dev did not start: {log.read_text('utf-8', errors='replace')[-3000:]}")


def run(server: httpx.Client, graph: str, question: dict[str, Any]) -> dict[str, Any]:
    answer = server.post("/runs/wait", json={"assistant_id": graph, "input": question})
    assert answer.status_code == 200, answer.text[:2000]
    state: dict[str, Any] = answer.json()
    assert "__error__" not in state, state
    return state


def test_the_trading_graph_runs_through_the_api(server: httpx.Client):
    state = run(server, "trading", {"company_of_interest": "VELQ", "trade_date": "2025-03-14"})
    assert state["decisions"]["final_trade_decision"]["action"] in {"BUY", "SELL", "HOLD"}
    assert state["market_report"]


@pytest.mark.nightly
def test_the_scanner_graph_runs_through_the_api(server: httpx.Client):
    state = run(server, "scanner", {"scan_date": "2025-03-14"})
    assert json.loads(state["macro_scan_summary"])["stocks_to_investigate"]


def test_the_agents_are_seen_inside_the_graphs(server: httpx.Client):
    (assistant,) = server.post("/assistants/search", json={"graph_id": "trading"}).json()
    drawn = server.get(f"/assistants/{assistant['assistant_id']}/graph", params={"xray": "true"}).json()
    names = " ".join(str(node["id"]) for node in drawn["nodes"])
    assert "Risk Manager" in names


def test_an_error_of_a_run_says_what_to_do(server: httpx.Client):
    answer = server.post("/runs/wait", json={"assistant_id": "trading", "input": {"company_of_interest": "VELQ"}})
    assert answer.status_code == 200
    missing = {"company_of_interest": "NOSUCHTICKER", "trade_date": "2025-03-14"}
    text = server.post("/runs/wait", json={"assistant_id": "trading", "input": missing}).text
    assert "BlockingError" not in text
    assert "__error__" in text
