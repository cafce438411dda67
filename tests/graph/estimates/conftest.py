"""A model server as the benchmarks have it, and settings that price its model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import OpenAIServer
from tests.support.served_runs import MODEL, server_config
from tradingagents.settings import Settings, load_settings

PRICES = {MODEL: (1.0, 0.1, 8.0)}
REPLY_TOKENS = 600
"""As in the benchmarks."""
Given = Callable[..., Settings]


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(reply_tokens=REPLY_TOKENS) as running:
        yield running


@pytest.fixture
def given(server: OpenAIServer, tmp_path: Path) -> Given:
    """Return the settings of a question put to the server, on the simulated market.

    The server's reports name nobody and so are not asked about; see `test_the_question_is_counted_once_a_report`.
    """

    def settings(**changes: Any) -> Settings:
        config = {"model_prices": PRICES, "ask_report_company": False, **changes}
        return load_settings(server_config(server, tmp_path / "home", **config), environ={})

    return settings
