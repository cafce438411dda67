from __future__ import annotations

import importlib.util
from typing import Any

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from benchmarks.openai_server import OpenAIServer
from tests.llm_clients.conftest import KEY
from tradingagents.errors import ModelNotConfigured, SettingsError
from tradingagents.llm_clients.calls import call_model
from tradingagents.llm_clients.providers import OLLAMA_CONTEXT, create_chat_model
from tradingagents.llm_clients.servers import SharedConnections
from tradingagents.settings import Settings


def create(
    provider: str, model: str = "some-model", *, url: str | None = None, settings: Any = None, **environ: str
) -> BaseChatModel:
    return create_chat_model(
        provider, model, base_url=url, settings=Settings.model_validate(settings or {}), environ=environ
    )


@pytest.mark.parametrize(
    ("provider", "says"),
    [
        ("openai", "OPENAI_API_KEY in the environment or .env, or work without a key: llm_provider='offline'"),
        ("openai_compatible", "needs the server's URL: backend_url"),
        ("scripted", "TradingAgentsGraph(models="),
    ],
)
def test_what_a_provider_lacks_is_named_with_the_way_out(provider: str, says: str) -> None:
    with pytest.raises(ModelNotConfigured) as caught:
        create(provider)
    assert says in str(caught.value)


def test_an_empty_key_is_no_key() -> None:
    with pytest.raises(ModelNotConfigured, match="OPENAI_API_KEY"):
        create("openai", OPENAI_API_KEY="  ")


@pytest.mark.parametrize(
    ("provider", "package", "variable"),
    [
        ("anthropic", "langchain_anthropic", "ANTHROPIC_API_KEY"),
        ("google", "langchain_google_genai", "GOOGLE_API_KEY"),
    ],
)
def test_an_extra_says_which_package_or_key_is_missing(provider: str, package: str, variable: str) -> None:
    installed = importlib.util.find_spec(package) is not None
    with pytest.raises(ModelNotConfigured, match=variable):
        create(provider)
    if not installed:
        with pytest.raises(ModelNotConfigured, match="pip install langchain-"):
            create(provider, **{variable: KEY})


def test_an_unknown_provider_gets_the_nearest_one() -> None:
    with pytest.raises(SettingsError, match="did you mean anthropic"):
        create("antropic")


@pytest.mark.parametrize("url", ["localhost:8000/v1", "ftp://host/v1", "http://"])
def test_a_url_that_cannot_be_one_is_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="must begin with http"):
        create("openai_compatible", url=url)


@pytest.mark.parametrize("provider", ["ollama", "anthropic", "google"])
def test_a_provider_chosen_without_its_model_is_noticed(provider: str) -> None:
    with pytest.raises(ModelNotConfigured, match="name its models with quick_think_llm"):
        create(provider, "gpt-5-mini", ANTHROPIC_API_KEY=KEY, GOOGLE_API_KEY=KEY)


async def test_openais_key_never_reaches_another_host(server: OpenAIServer) -> None:
    for provider in ("openai", "openai_compatible"):
        model = create(provider, url=server.url, OPENAI_API_KEY=KEY)
        await call_model(model, [HumanMessage("hi")])
    assert [request["key"] for request in server.requests] == ["no-key-needed", "no-key-needed"]


async def test_a_compatible_server_gets_its_own_key(server: OpenAIServer) -> None:
    await call_model(create("openai_compatible", url=server.url, OPENAI_COMPATIBLE_API_KEY=KEY), [HumanMessage("hi")])
    assert server.requests[0]["key"] == KEY


def test_openai_goes_to_openai_with_its_key() -> None:
    model: Any = create("openai", "gpt-5-mini", OPENAI_API_KEY=KEY)
    assert model.openai_api_base == "https://api.openai.com/v1"
    assert model.openai_api_key.get_secret_value() == KEY
    assert KEY not in repr(model)
    assert KEY not in str(model.asdict())


async def test_settings_reach_the_server_where_the_model_takes_them(server: OpenAIServer) -> None:
    chosen = {"temperature": 0.2, "openai_reasoning_effort": "low", "max_output_tokens": 500}
    await call_model(create("openai_compatible", "bench-model", url=server.url, settings=chosen), [HumanMessage("x")])
    await call_model(create("openai_compatible", "gpt-5-mini", url=server.url, settings=chosen), [HumanMessage("x")])
    plain, reasoning = (one["request"] for one in server.requests)
    assert plain["temperature"] == 0.2
    assert "reasoning_effort" not in plain
    assert reasoning["reasoning_effort"] == "low"
    assert "temperature" not in reasoning


@pytest.mark.parametrize(
    ("url", "host", "expected"),
    [
        (None, "", "http://localhost:11434"),
        (None, "http://gpu-box:9999", "http://gpu-box:9999"),
        (None, "gpu-box", "http://gpu-box:11434"),
        (None, "gpu-box:9999", "http://gpu-box:9999"),
        (None, "0.0.0.0", "http://localhost:11434"),  # noqa: S104
        (None, ":9999", "http://localhost:9999"),
        (None, "https://gpu-box", "https://gpu-box:443"),
        ("http://other:1234", "gpu-box", "http://other:1234"),
        ("http://other:1234/v1/", "", "http://other:1234"),
    ],
)
def test_ollama_is_found_by_url_then_variable_then_default(url: str | None, host: str, expected: str) -> None:
    model: Any = create("ollama", "llama3.1", url=url, OLLAMA_HOST=host)
    assert model.base_url == expected


def test_ollama_is_asked_for_a_context_that_holds_our_prompts() -> None:
    assert create("ollama", "llama3.1").num_ctx == OLLAMA_CONTEXT  # type: ignore[attr-defined]
    assert create("ollama", "llama3.1", OLLAMA_CONTEXT_LENGTH="65536").num_ctx is None  # type: ignore[attr-defined]


def test_behind_a_proxy_the_clients_own_pool_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:3128")
    monkeypatch.setenv("NO_PROXY", "inside.example")
    proxied: Any = create("openai_compatible", url="https://outside.example/v1")
    direct: Any = create("openai_compatible", url="https://inside.example/v1")
    assert not isinstance(proxied.http_async_client._transport, SharedConnections)
    assert isinstance(direct.http_async_client._transport, SharedConnections)
