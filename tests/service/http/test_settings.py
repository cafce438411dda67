"""The settings over HTTP, tried and never stored; and paper accounts made from a plan."""

from __future__ import annotations

import httpx
import pytest

from tests.service.http.test_routes import error_of
from tests.support.server_process import ServerProcess
from tradingagents.errors import SettingsError, UsageError
from tradingagents.features.backtest.paper.account import PaperAccount
from tradingagents.service.client import Client
from tradingagents.service.workspace.settings_shown import GROUPS, shown_settings
from tradingagents.settings import KEYS, Settings


def test_settings_are_shown_without_keys_passwords_and_folders(http: httpx.Client, client: Client) -> None:
    found = http.get("/v1/settings/shown").json()
    assert [one["setting"] for one in found] == [name for names in GROUPS.values() for name in names]
    assert {one["setting"] for one in found} <= set(KEYS)
    assert not {"home", "data_dir", "database_url", "log_file", "mcp_servers"} & {one["setting"] for one in found}
    assert tuple(one.model_dump() for one in client.shown_settings()) == tuple(found)
    secret = shown_settings(Settings(backend_url="https://me:hush@models.example/v1?api_key=hush"))
    assert "hush" not in str(secret)


def test_models_and_data_are_asked_with_changes_that_are_not_stored(client: Client) -> None:
    assert {one.state for one in client.check_settings("models")} == {"works offline"}
    (tried, *_) = client.check_settings("models", {"llm_provider": "openai", "quick_think_llm": "gpt-5-mini"})
    assert (tried.about, tried.works) == ("quick: gpt-5-mini", False)
    assert "OPENAI_API_KEY" in tried.trouble
    assert [(one.about, one.works) for one in client.check_settings("data")] == [("simulated", True)]
    assert {one.setting: one.now for one in client.shown_settings()}["llm_provider"] == "offline"


@pytest.mark.parametrize(
    ("what", "changes", "error"),
    [
        ("keys", {}, UsageError),
        ("models", {"backend_url": "http://169.254.169.254/"}, UsageError),
        ("models", {"home": "elsewhere"}, UsageError),
        ("models", {"budget_usd": -1}, SettingsError),
    ],
)
def test_what_cannot_be_tried_is_refused(
    client: Client, what: str, changes: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        client.check_settings(what, changes)


def test_a_paper_account_is_made_once_from_a_plan(http: httpx.Client, client: Client, server: ServerProcess) -> None:
    made = http.post("/v1/paper", json={"plan": {"name": "by-http", "tickers": ["velq"], "deposit": 5000}})
    assert (made.status_code, made.json()["plan"]["tickers"]) == (201, ["VELQ"])
    assert PaperAccount(server.home, "by-http").plan.deposit == 5000
    again = http.post("/v1/paper", json={"plan": {"name": "by-http"}})
    assert (again.status_code, error_of(again)["code"]) == (400, "usage_error")
    assert str(server.home) not in again.text
    for wrong in (
        {"name": "../x"},
        {"name": "w", "deposit": "much"},
        {"name": "w", "tickers": "VELQ"},
        {"name": "w", "every": 1.5},
        {"name": "w", "leverage": 3},
        {"name": "w", "scheme": "luck"},
    ):
        with pytest.raises(UsageError):
            client.open_paper_account(wrong)
    assert not (server.home / "paper" / "w").exists()
