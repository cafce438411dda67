"""Forward records over HTTP and MCP: listed as on a day, and revealed, as on the command line."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from cli.main import run
from tests.service.mcp.servers import held
from tests.support.server_process import TOKEN, ServerProcess, serving
from tradingagents.errors import NotFound, UsageError
from tradingagents.features.backtest.forward.record import FOLDER, ForwardRecord
from tradingagents.files.lock import locked
from tradingagents.service.client import Client
from tradingagents.service.mcp_client.sdk import McpConnection, http_transport

NAME = "over-http"
FIRST, LAST = "2024-10-01", "2024-10-02"
RIGHT = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, calendar_folder: Path) -> Iterator[ServerProcess]:
    """A server of its own: a record is an account, and other tests list those of the home they share."""
    with serving(tmp_path_factory.mktemp("records"), calendar_folder, TRADINGAGENTS_SERVER_RATE="") as running:
        yield running


@pytest.fixture(scope="module")
def client(server: ServerProcess) -> Iterator[Client]:
    with server.client() as one:
        yield one


@pytest.fixture(scope="module")
def record(server: ServerProcess) -> str:
    """The name of a record of the server's home with two sessions, of which the first is revealed."""
    home = ("--home", str(server.home))
    assert run(["record", "start", NAME, "--tickers", "VELQ", "--quiet", *home]) == 0
    for day in (FIRST, LAST):
        assert run(["record", "run", NAME, "--offline", "--date", day, "--quiet", *home]) == 0
    return NAME


def listed(client: Client, as_of: str) -> Any:
    (found,) = client.invoke("forward_records", {}, as_of=as_of).model_dump(mode="json")["result"]["records"]
    return found


def revealed(client: Client, name: str) -> Any:
    return client.invoke("reveal_forward_record", {"record": name}, as_of=LAST).model_dump(mode="json")["result"]


def test_a_record_is_listed_and_revealed_as_on_the_command_line(
    server: ServerProcess, client: Client, record: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert run(["record", "list", "--json", "--home", str(server.home)]) == 0
    assert listed(client, LAST) == json.loads(capsys.readouterr().out)["records"][0]
    assert [listed(client, LAST)[name] for name in ("committed", "late", "revealed")] == [2, 2, 1]
    assert [listed(client, FIRST)[name] for name in ("committed", "last")] == [1, FIRST]
    early = listed(client, "2024-09-30")
    assert (early["committed"], early["total_return"]) == (0, None)

    with locked(server.home / FOLDER / "lock"):
        answer = httpx.post(
            f"{server.address}/v1/capabilities/reveal_forward_record",
            json={"arguments": {"record": record}, "as_of": LAST},
            headers={"Authorization": f"Bearer {TOKEN}"},
            trust_env=False,
        )
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "record_busy")
    assert "wait until it has ended" in answer.text
    assert str(server.home) not in answer.text

    assert revealed(client, record)["revealed"] == [LAST]
    assert revealed(client, record)["revealed"] == []
    kinds = [entry["kind"] for entry in ForwardRecord(server.home, record).read().entries]
    assert kinds == ["start", "commit", "reveal", "commit", "reveal"]
    assert listed(client, LAST)["revealed"] == 2


@pytest.mark.parametrize(
    ("name", "error"), [("nobody", NotFound), ("../over-http", UsageError), ("registry", UsageError), ("", UsageError)]
)
def test_a_name_is_checked_before_a_path_is_made_of_it(
    client: Client, record: str, name: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        revealed(client, name)


def test_nothing_is_revealed_without_the_token(server: ServerProcess, record: str) -> None:
    before = ForwardRecord(server.home, record).path.read_bytes()
    asked = {"arguments": {"record": record}}
    answer = httpx.post(f"{server.address}/v1/capabilities/reveal_forward_record", json=asked, trust_env=False)
    assert answer.status_code == 401
    assert ForwardRecord(server.home, record).path.read_bytes() == before


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def mcp(server: ServerProcess) -> AsyncIterator[McpConnection]:
    pytest.importorskip("mcp")
    async with held(http_transport(f"{server.address}/mcp", RIGHT, 30.0)) as connection:
        yield connection


@pytest.mark.asyncio(loop_scope="module")
async def test_the_same_over_mcp(mcp: McpConnection, client: Client, record: str) -> None:
    asked: dict[str, Any] = {"name": "forward_records", "as_of": LAST}
    answer = await mcp.call_tool("ask_capability", asked)
    assert answer["structuredContent"]["result"]["records"] == [listed(client, LAST)]
    asked = {"name": "reveal_forward_record", "arguments": {"record": record}, "as_of": LAST}
    answer = await mcp.call_tool("ask_capability", asked)
    assert answer["structuredContent"]["result"]["revealed"] == revealed(client, record)["revealed"]
    answer = await mcp.call_tool("list_capabilities", {"name": "reveal_forward_record"})
    assert answer["structuredContent"]["capabilities"][0]["policy"]["writes"]
