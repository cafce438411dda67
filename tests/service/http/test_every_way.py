"""A capability answers the same in Python, on the command line, over HTTP and by our client."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import httpx
import pytest

from cli.main import run
from tests.service.conftest import DAY, TICKER
from tests.support.server_process import ServerProcess
from tests.support.tiers import sampled
from tradingagents.capabilities.registry import registry
from tradingagents.errors import TradingAgentsError
from tradingagents.service.client import Client
from tradingagents.service.workspace.sync import SyncWorkspace
from tradingagents.service.workspace.workspace import Workspace
from tradingagents.settings import load_settings

EXAMPLE = date.fromisoformat(DAY)
TIMED = ("fetched_at", "saved_at", "artifacts")
FILE = re.compile(r"\S+/charts/")
"""Folder of a file that an answer made; HTTP does not say where on its machine that is."""


@pytest.fixture(scope="module")
def workspace(server: ServerProcess) -> Iterator[SyncWorkspace]:
    """The same home folder in this process."""
    chosen = {"home": server.home, "llm_provider": "offline", "data_vendor": "simulated", "tool_vendors": {}}
    with SyncWorkspace(Workspace(load_settings(explicit=chosen, environ={}), {})) as one:
        yield one


def asked_by(name: str) -> dict[str, Any]:
    given = registry()[name].example_arguments(TICKER, EXAMPLE)
    return {key: value for key, value in given.items() if value is not None and value != ""}


def timeless(answer: Any) -> Any:
    """Return an answer without what says when it was asked, and where its files are."""
    if isinstance(answer, dict):
        return {name: timeless(one) for name, one in answer.items() if name not in TIMED}
    if isinstance(answer, str):
        return FILE.sub("<file>", answer)
    return [timeless(one) for one in answer] if isinstance(answer, list) else answer


def outcome(asked: SyncWorkspace, name: str, arguments: dict[str, Any]) -> Any:
    """Return the answer as JSON, or the class of the error."""
    try:
        return timeless(asked.invoke(name, arguments, as_of=DAY).model_dump(mode="json"))
    except TradingAgentsError as error:
        return type(error)


@pytest.mark.parametrize("name", sampled(sorted(registry()), every=7))
def test_every_way_gives_the_same_answer(
    name: str,
    workspace: SyncWorkspace,
    client: Client,
    http: httpx.Client,
    server: ServerProcess,
    capsys: pytest.CaptureFixture[str],
) -> None:
    arguments = asked_by(name)
    expected = outcome(workspace, name, arguments)
    assert outcome(client, name, arguments) == expected
    if isinstance(expected, type):
        return
    body = {"arguments": json.loads(json.dumps(arguments, default=str)), "as_of": DAY}
    over_http = http.post(f"/v1/capabilities/{name}", json=body).json()
    assert timeless(over_http) == expected
    words = [f"{key}={text_of(value)}" for key, value in arguments.items()]
    code = run(["ask", name, *words, "--as-of", DAY, "--offline", "--home", str(server.home), "--json"])
    printed = capsys.readouterr().out
    assert code == 0, printed
    assert timeless(json.loads(printed)) == expected


def text_of(value: Any) -> str:
    return json.dumps(value) if isinstance(value, (dict, list, bool)) else str(value)


def test_a_capability_added_in_one_file_is_described_by_itself(http: httpx.Client) -> None:
    paths = http.get("/v1/openapi.json").json()["paths"]
    listed = {one["name"] for one in http.get("/v1/capabilities").json()}
    assert {f"/v1/capabilities/{name}" for name in listed} <= set(paths)
    for name in listed:
        schema = paths[f"/v1/capabilities/{name}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
        assert schema["properties"]["arguments"]["$ref"].endswith(f"/{name}_arguments")
