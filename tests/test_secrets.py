"""A key reaches the server it is for, and no file, event, error or log of a run, whatever the server does with it."""

from __future__ import annotations

import json
import traceback
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from benchmarks.openai_server import Answer, OpenAIServer, ToolCall
from tests.support.graph_factory import COMPANY, DAY, VERDICT, Watch
from tests.support.served_runs import card_in, server_config
from tradingagents.agents import create_bull_researcher, create_market_analyst
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.models import NewsItem
from tradingagents.dataflows.vendors.simulated.vendor import SimulatedVendor
from tradingagents.errors import ModelFailure, ModelUnreachable, TradingAgentsError
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.settings import load_settings

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
        await graph.services.models.aclose()
    assert {request["key"] for request in server.requests} == {CANARY}
    assert not any(CANARY in request["prompt"] for request in server.requests)
    assert_canary_is_nowhere(
        tmp_path,
        watch,
        repr(graph.config),
        str(run),
        repr(graph.services),
        json.dumps(run.record.as_json()),
        repr(run.state),
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
        await graph.services.models.aclose()
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
        await graph.services.models.aclose()
    assert run.record["status"] == "no_decision"
    assert "boom, your key was ***" in run.record["reports"]["final_trade_decision"]
    assert_canary_is_nowhere(tmp_path, watch, repr(run))


QUOTING = Answer(text=f"Your key is {CANARY}. The last close is 96.58. " + "Plain words follow. " * 20)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
async def test_a_key_that_a_good_reply_quotes_is_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stream: bool):
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", CANARY)
    watch = Watch()
    with OpenAIServer() as server:
        for role in ("Market Analyst", "Bull Researcher", "Neutral Analyst"):
            server.always(QUOTING, role=role)
        asks = Answer(tool_calls=(ToolCall("get_news", {"symbol": CANARY}),))
        server.answer(asks, role="News Analyst")
        verdict = ToolCall("Verdict", {**VERDICT, "rationale": f"The key is {CANARY}."})
        server.always(Answer(tool_calls=(verdict,)), role="Research Manager")
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, stream_tokens=stream))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.services.models.aclose()
    assert run.record["reports"]["market_report"].startswith("Your key is ***.")
    assert not any(CANARY in request["prompt"] for request in server.requests)
    tokens = "".join(event.message for event in watch.events if event.type == "token")
    assert_canary_is_nowhere(tmp_path, watch, json.dumps(run.record.as_json()), repr(run.state), tokens)


@pytest.mark.parametrize("where", ["environment", "model"])
def test_a_key_that_a_reply_quotes_to_an_agent_outside_a_graph_is_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
):
    monkeypatch.setenv("TRADINGAGENTS_DATA_VENDOR", "simulated")
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(tmp_path))
    if where == "environment":
        monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", CANARY)
    with OpenAIServer() as server:
        server.always(QUOTING)
        model = ChatOpenAI(
            model="m", base_url=server.url, api_key=SecretStr(CANARY if where == "model" else "other"), max_retries=0
        )
        asked = {"company_of_interest": COMPANY, "trade_date": DAY}
        state = create_market_analyst(model)(asked)
        assert state["market_report"].startswith("Your key is ***. The last close is 96.58.")
        debate = {"history": "", "bull_history": "", "bear_history": "", "current_response": "", "count": 0}
        state |= create_bull_researcher(model)({**asked, **state, "investment_debate_state": debate})
    assert CANARY not in repr(state)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and CANARY.encode() in path.read_bytes()]


async def test_a_key_that_only_a_model_object_holds_is_nowhere(tmp_path: Path):
    watch = Watch()
    with OpenAIServer() as server:
        server.always(QUOTING, role="Market Analyst")
        model = ChatOpenAI(model="m", base_url=server.url, api_key=SecretStr(CANARY), max_retries=0)
        config = {"data_vendor": "simulated", "home": str(tmp_path)}
        run = await TradingAgentsGraph(config=config, models=TierModels.same(model)).arun(
            COMPANY, DAY, subscribers=[watch]
        )
    assert run.record["reports"]["market_report"].startswith("Your key is ***.")
    assert not any(CANARY in request["prompt"] for request in server.requests)
    assert_canary_is_nowhere(tmp_path, watch, json.dumps(run.record.as_json()), repr(run.state))


async def test_tokens_in_addresses_are_nowhere(tmp_path: Path):
    watch = Watch()
    segment = "a1b2c3d4e5f6a7b8"
    log_file = tmp_path / "log.txt"
    with OpenAIServer() as server:
        graph = TradingAgentsGraph(
            config=server_config(
                server,
                tmp_path,
                backend_url=f"{server.url}?api_key={CANARY}",
                deep_think_backend_url=server.url.replace("/v1", f"/{segment}/v1"),
                vendor_urls={"fred": f"http://127.0.0.1:1/?token={CANARY}"},
                log_file=log_file,
                log_level="debug",
            )
        )
        with suppress(ModelFailure):
            await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.services.models.aclose()
    assert log_file.stat().st_size > 0
    written = [path for path in tmp_path.rglob("*") if path.is_file() and segment.encode() in path.read_bytes()]
    assert written == []
    assert_canary_is_nowhere(tmp_path, watch, json.dumps(card_in(tmp_path)))


async def test_the_password_of_a_database_that_does_not_answer_is_nowhere(tmp_path: Path):
    watch = Watch()
    with OpenAIServer() as server:
        url = f"postgresql+psycopg://127.0.0.1:1/none?password={CANARY}"
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, database_url=url))
        with pytest.raises(TradingAgentsError) as failure:
            await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.services.models.aclose()
    assert_canary_is_nowhere(tmp_path, watch, "".join(traceback.format_exception(failure.value)))


async def test_a_key_that_an_article_quotes_reaches_no_prompt_and_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("VENDOR_API_KEY", CANARY)
    watch = Watch()
    with OpenAIServer() as server:
        config = server_config(server, tmp_path)
        vendors = Vendors(load_settings(config), {"simulated": Quoting()})
        graph = TradingAgentsGraph(config=config, vendors=vendors)
        await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.services.models.aclose()
    assert any("the key is ***" in request["prompt"] for request in server.requests)
    assert not any(CANARY in request["prompt"] for request in server.requests)
    assert_canary_is_nowhere(tmp_path, watch)


class Quoting(SimulatedVendor):
    """The simulated market with articles that quote a key, and publishers without end."""

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        found = super().get_news(symbol, start, end)
        return tuple(replace(one, title=f"{one.title}; the key is {CANARY}", source="P" * 200_000) for one in found)


async def test_publishers_without_end_do_not_flood_the_prompts(tmp_path: Path):
    with OpenAIServer() as server:
        config = server_config(server, tmp_path)
        vendors = Vendors(load_settings(config), {"simulated": Quoting()})
        graph = TradingAgentsGraph(config=config, vendors=vendors)
        await graph.arun(COMPANY, DAY)
        await graph.services.models.aclose()
    assert max(len(request["prompt"]) for request in server.requests) < 100_000


async def test_a_password_in_the_server_s_url_is_not_recorded(tmp_path: Path):
    watch = Watch()
    with OpenAIServer() as server:
        url = server.url.replace("http://", f"http://user:{CANARY}@")
        graph = TradingAgentsGraph(config=server_config(server, tmp_path, backend_url=url, quick_think_backend_url=url))
        run = await graph.arun(COMPANY, DAY, subscribers=[watch])
        await graph.services.models.aclose()
    assert run.record["settings"]["backend_url"] == server.url
    assert_canary_is_nowhere(tmp_path, watch, json.dumps(run.record.as_json()))
