"""One server for the tests of a process, and one finished analysis on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.server_process import ServerProcess, serving
from tradingagents.schemas.workspace import TaskInfo
from tradingagents.service.client import Client

DAY = "2025-03-14"
TICKER = "VELQ"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, calendar_folder: Path) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("server"), calendar_folder, TRADINGAGENTS_SERVER_RATE="") as running:
        yield running


@pytest.fixture(scope="session")
def client(server: ServerProcess) -> Iterator[Client]:
    with server.client() as one:
        yield one


@pytest.fixture(scope="session")
def http(server: ServerProcess) -> Iterator[httpx.Client]:
    with server.http() as one:
        yield one


@pytest.fixture(scope="session")
def analysis(client: Client) -> TaskInfo:
    """A finished analysis."""
    task = client.start_task("analyze", {"ticker": TICKER, "debate_rounds": 1, "risk_rounds": 1}, as_of=DAY)
    return client.wait(task.task_id)
