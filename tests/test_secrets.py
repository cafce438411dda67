"""A key reaches the server it is for, and no file, event, error or log of a run, whatever the server does with it."""

from __future__ import annotations

import json
import traceback
from pathlib import Path

import pytest

from benchmarks.openai_server import Answer, OpenAIServer
from tests.desk import COMPANY, DAY, Watch
from tests.served_runs import card_in, server_config
from tradingagents.errors import ModelFailure, ModelUnreachable
from tradingagents.graph.trading_graph import TradingAgentsGraph

CANARY = "sk-canary-7f3a9e51d0c2"


def assert_canary_is_nowhere(home: Path, watch: Watch, *texts: str) -> None:
    found = [path for path in home.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]
    assert found == []
    assert not [event for event in watch.events if CANARY in json.dumps(event.to_dict())]
    for text in texts:
        assert CANARY not in text


async def test_a_key_reaches_the_server_and_no_file_event_or_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", CANARY)
    watch = Watch()
    with OpenAIServer() as server:
        graph = TradingAgentsGraph(config=server_config(server, tmp_path))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    assert {request["key"] for request in server.requests} == {CANARY}
    assert not any(CANARY in request["prompt"] for request in server.requests)
    assert_canary_is_nowhere(
        tmp_path, watch, repr(graph.config), str(run), repr(graph.desk), json.dumps(run.record), repr(run.state)
    )


@pytest.mark.parametrize(
    ("answer", "key", "error"),
    [
        (None, "another-key", ModelUnreachable),
        (Answer(status=500, error=f"boom, your key was {CANARY}"), None, ModelFailure),
        (Answer(status=429, error=f"slow down, {CANARY}"), None, ModelFailure),
        (Answer(status=400, error=f"no such thing, {CANARY}"), None, ModelFailure),
        (Answer(status=403, error=f"not for {CANARY}"), None, ModelUnreachable),
        (Answer(text="half", cut=True), None, ModelFailure),
    ],
    ids=["401", "500", "429", "400", "403", "cut"],
)
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_key_that_the_server_quotes_back_is_nowhere(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: Answer | None,
    key: str | None,
    error: type[Exception],
    stream: bool,
):
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", CANARY)
    watch = Watch()
    with OpenAIServer(key=key) as server:
        if answer:
            server.always(answer)
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, stream_tokens=stream))
        with pytest.raises(error) as failure:
            await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    assert card_in(tmp_path)["status"] == "failed"
    assert_canary_is_nowhere(tmp_path, watch, "".join(traceback.format_exception(failure.value)))


async def test_a_key_quoted_back_late_in_the_run_is_nowhere_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", CANARY)
    watch = Watch()
    with OpenAIServer() as server:
        for role in ("Bear Researcher", "Risk Manager"):
            server.always(Answer(status=500, error=f"boom, your key was {CANARY}"), role=role)
        graph = TradingAgentsGraph(config=server_config(server, tmp_path))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    assert run.record["status"] == "no_decision"
    assert "boom, your key was ***" in run.record["reports"]["final_trade_decision"]
    assert_canary_is_nowhere(tmp_path, watch, repr(run))


async def test_a_password_in_the_server_s_url_is_not_recorded(tmp_path: Path):
    watch = Watch()
    with OpenAIServer() as server:
        url = server.url.replace("http://", f"http://user:{CANARY}@")
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, backend_url=url, quick_think_backend_url=url))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.desk.models.aclose()
    assert run.record["settings"]["backend_url"] == server.url
    assert_canary_is_nowhere(tmp_path, watch, json.dumps(run.record))
