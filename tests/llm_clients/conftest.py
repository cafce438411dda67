"""The benchmark's model server in a thread, and real clients that ask it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from langchain_core.language_models import BaseChatModel

from benchmarks.openai_server import OpenAIServer
from tradingagents.llm_clients.providers import create_chat_model
from tradingagents.settings import Settings

KEY = "sk-test-3f9a2c"

MakeModel = Callable[..., BaseChatModel]


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def make_model() -> MakeModel:
    """Make a model of a compatible server; without retries unless told otherwise."""

    def make(url: str, *, model: str = "bench-model", **settings: object) -> BaseChatModel:
        chosen = Settings.model_validate({"llm_max_retries": 0, "llm_timeout": 5.0, **settings})
        return create_chat_model(
            "openai_compatible",
            model,
            base_url=url,
            settings=chosen,
            environ={"OPENAI_COMPATIBLE_API_KEY": KEY},
        )

    return make
