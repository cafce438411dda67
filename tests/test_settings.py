"""Settings: one frozen object, read once; an unknown name or a bad value is an error that shows the way."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from pydantic import ValidationError

from tradingagents.default_config import DEFAULT_CONFIG
from tradingagents.errors import SettingsError
from tradingagents.llm_clients.providers import PROVIDERS
from tradingagents.schemas.mcp_servers import McpServer
from tradingagents.settings import (
    CATEGORIES,
    DEFAULT_TOOL_VENDORS,
    KEYS,
    MODEL_PROVIDERS,
    Settings,
    assert_provider,
    environment,
    load_settings,
    secrets_of,
    without_secrets,
)


def test_the_documented_defaults():
    settings = load_settings(environ={})
    assert (settings.quick_think_llm, settings.mid_think_llm, settings.deep_think_llm) == (
        "gpt-5-mini",
        None,
        "gpt-5.2",
    )
    assert (settings.max_debate_rounds, settings.max_risk_discuss_rounds) == (2, 2)
    assert settings.data_vendors == {
        **dict.fromkeys(CATEGORIES, "yfinance"),
        "core_stock_apis": "yfinance,alpha_vantage",
        "scanner_data": "yfinance,alpha_vantage",
        "calendar_data": "finnhub,yfinance",
        "macro_data": "fred",
        "social_data": "stocktwits,reddit",
        "filing_data": "sec_edgar",
    }
    assert settings.tool_vendors["get_insider_transactions"].startswith("finnhub,")


def test_default_config_has_every_setting_and_validates_as_it_is():
    assert tuple(DEFAULT_CONFIG) == KEYS
    assert load_settings(DEFAULT_CONFIG, environ={}) == load_settings(environ={})


def test_settings_are_frozen():
    with pytest.raises(ValidationError):
        Settings().llm_provider = "offline"  # type: ignore[misc]


def test_a_copy_of_the_defaults_can_be_changed_without_changing_the_defaults():
    config = DEFAULT_CONFIG.copy()
    config["data_vendors"]["news_data"] = "snapshot"
    assert DEFAULT_CONFIG["data_vendors"]["news_data"] == "yfinance"


@pytest.mark.parametrize("key", KEYS)
def test_every_setting_has_its_variable(key: str):
    examples = {
        "analysts": ("news,market", ("news", "market")),
        "data_vendors": ("news_data=snapshot;core_stock_apis=simulated", None),
        "tool_vendors": ("get_news=snapshot", {**DEFAULT_TOOL_VENDORS, "get_news": "snapshot"}),
        "vendor_rates": ("finnhub=300/minute", {"finnhub": "300/minute"}),
        "vendor_urls": (
            "fred=http://127.0.0.1:1;sec_edgar=http://h",
            {"fred": "http://127.0.0.1:1", "sec_edgar": "http://h"},
        ),
        "model_prices": ('{"my-model": [1, 0.1, 4]}', {"my-model": (1.0, 0.1, 4.0)}),
        "model_rates": ("openai=500/minute", {"openai": "500/minute"}),
        "knowledge_cutoffs": ('{"my-model": "2025-06-30"}', {"my-model": date(2025, 6, 30)}),
        "openai_reasoning_effort": ("low", "low"),
        "anthropic_effort": ("low", "low"),
        "mcp_servers": ('{"fund": {"command": "fund-server"}}', {"fund": McpServer(command="fund-server")}),
        "assistant_tier": ("deep", "deep"),
        "persona_tier": ("quick", "quick"),
        "personas_dir": ("/personas", Path("/personas")),
        "assistant_context_tokens": ("16384", 16384),
        "google_thinking_level": ("low", "low"),
        "structured_output": ("json_mode", "json_mode"),
        "stream_tokens": ("true", True),
        "auto_settle": ("false", False),
        "ask_report_company": ("false", False),
        "checkpoint_enabled": ("false", False),
        "approve": ("true", True),
        "fetch_valuation": ("true", True),
        "filings_vectors": ("local", "local"),
        "filings_vector_weight": ("0.5", 0.5),
        "replay": ("only", "only"),
        "log_file": ("/log", Path("/log")),
        "log_format": ("json", "json"),
        "log_level": ("debug", "debug"),
        "keep_replies": ("false", False),
        "temperature": ("0.5", 0.5),
        "data_dir": ("/data", Path("/data")),
        "home": ("/elsewhere", Path("/elsewhere")),
        "results_dir": ("/results", Path("/results")),
        "max_auto_tickers": ("9", 9),
        "max_recur_limit": ("50", 50),
        "price_history_days": ("900", 900),
        "sell_means": ("close", "close"),
        "second_vendor": ("off", "off"),
        "debate_mode": ("simultaneous", "simultaneous"),
        "decide_at": ("open", "open"),
        "settle": ("true", True),
        "settle_max_asks": ("9", 9),
        "unsettled_action": ("HOLD", "HOLD"),
        "task_engine": ("ray", "ray"),
        "backtest_engine": ("processes", "processes"),
        "backtest_workers": ("3", 3),
        "database_url": ("sqlite:////lessons.sqlite", "sqlite:////lessons.sqlite"),
        "max_position_size": ("0.5", 0.5),
        "server_allowed_origins": ("https://a.example,http://b:80", ("https://a.example", "http://b:80")),
        "server_allowed_hosts": ("desk.example, desk", ("desk.example", "desk")),
        "server_max_body_bytes": ("5000", 5_000),
        "server_max_connections": ("50", 50),
    }
    numeric = isinstance(DEFAULT_CONFIG[key], (int, float)) or key in (
        "budget_usd",
        "max_llm_calls",
        "max_output_tokens",
    )
    text, expected = examples.get(key, ("3", 3) if numeric else ("word", "word"))
    settings = load_settings(environ={f"TRADINGAGENTS_{key.upper()}": text})
    if key == "data_vendors":
        assert settings.data_vendors["news_data"] == "snapshot"
        assert settings.data_vendors["core_stock_apis"] == "simulated"
        assert settings.data_vendors["fundamental_data"] == "yfinance"
    else:
        assert getattr(settings, key) == expected


@pytest.mark.parametrize("origin", ["a.example", "https://a.example/", "ftp://a.example", "https://", "*", "null"])
def test_an_allowed_origin_is_one(origin: str):
    with pytest.raises(SettingsError, match="origin"):
        load_settings({"server_allowed_origins": (origin,)}, environ={})


def test_arguments_win_over_the_environment_and_the_environment_over_defaults():
    environ = {"TRADINGAGENTS_LLM_PROVIDER": "ollama", "TRADINGAGENTS_MAX_DEBATE_ROUNDS": "3"}
    settings = load_settings({"llm_provider": "offline"}, environ=environ)
    assert (settings.llm_provider, settings.max_debate_rounds) == ("offline", 3)


def test_a_config_that_repeats_the_defaults_leaves_the_environment_its_say():
    settings = load_settings(DEFAULT_CONFIG.copy(), environ={"TRADINGAGENTS_LLM_PROVIDER": "ollama"})
    assert settings.llm_provider == "ollama"


def test_an_empty_variable_counts_as_unset():
    assert load_settings(environ={"TRADINGAGENTS_LLM_PROVIDER": "  "}).llm_provider == "openai"


def test_a_vendor_by_category_joins_those_of_the_config():
    config = DEFAULT_CONFIG.copy()
    config["data_vendors"]["news_data"] = "simulated"
    settings = load_settings(config, environ={"TRADINGAGENTS_VENDOR_CORE_STOCK_APIS": "snapshot"})
    assert settings.data_vendors["news_data"] == "simulated"
    assert settings.data_vendors["core_stock_apis"] == "snapshot"


@pytest.mark.parametrize(
    ("overrides", "environ", "words"),
    [
        ({"max_debate_round": 2}, {}, ["max_debate_round", "did you mean max_debate_rounds?"]),
        ({"max_debate_rounds": -1}, {}, ["max_debate_rounds", "-1"]),
        ({"analysts": ["markets"]}, {}, ["analysts", "'markets'", "market, social, news, fundamentals"]),
        ({"analysts": []}, {}, ["analysts", "at least one"]),
        ({"data_vendors": {"newsdata": "x"}}, {}, ["data_vendors", "newsdata", "news_data"]),
        ({}, {"TRADINGAGENTS_MAX_DEBATE_ROUNDS": "two"}, ["TRADINGAGENTS_MAX_DEBATE_ROUNDS", "'two'", "integer"]),
        ({}, {"TRADINGAGENTS_MAX_DEBAT_ROUNDS": "2"}, ["did you mean TRADINGAGENTS_MAX_DEBATE_ROUNDS?"]),
        ({}, {"TRADINGAGENTS_VENDOR_NEWS": "x"}, ["TRADINGAGENTS_VENDOR_NEWS", "did you mean news_data?"]),
        ({}, {"TRADINGAGENTS_TOOL_VENDORS": "get_news"}, ["TRADINGAGENTS_TOOL_VENDORS", "name=value"]),
        ({}, {"TRADINGAGENTS_MODEL_PRICES": "cheap"}, ["TRADINGAGENTS_MODEL_PRICES", "JSON"]),
    ],
)
def test_a_wrong_setting_is_named_with_the_way_out(overrides, environ, words):
    with pytest.raises(SettingsError) as caught:
        load_settings(overrides, environ=environ)
    for word in words:
        assert word in str(caught.value)


def test_the_env_file_is_read_first_and_the_process_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / ".env").write_text("TRADINGAGENTS_LLM_PROVIDER=ollama\nTRADINGAGENTS_DEEP_THINK_LLM=big\n", "utf-8")
    monkeypatch.setenv("TRADINGAGENTS_DEEP_THINK_LLM", "bigger")
    settings = load_settings()
    assert (settings.llm_provider, settings.deep_think_llm) == ("ollama", "bigger")


def test_reading_the_env_file_leaves_the_process_environment_alone(tmp_path: Path):
    import os

    (tmp_path / ".env").write_text("SOME_API_KEY=secret-of-the-file\n", "utf-8")
    assert environment()["SOME_API_KEY"] == "secret-of-the-file"
    assert "SOME_API_KEY" not in os.environ


def test_one_vendor_for_everything_and_a_tool_of_its_own():
    settings = load_settings({"data_vendor": "snapshot", "tool_vendors": {"get_news": "simulated"}}, environ={})
    assert settings.vendors_for("get_stock_data", "core_stock_apis") == ("snapshot",)
    assert settings.vendors_for("get_news", "news_data") == ("simulated",)


def test_the_usual_vendors_of_a_tool_give_way_to_one_for_everything_and_to_a_choice_of_ones_own():
    def asked(**given: object) -> tuple[str, ...]:
        return load_settings(given, environ={}).vendors_for("get_insider_transactions", "news_data")

    assert asked()[:2] == ("finnhub", "financial_datasets")
    assert asked(data_vendor="snapshot") == ("snapshot",)
    own = {"get_insider_transactions": "sec_edgar"}
    assert asked(data_vendor="snapshot", tool_vendors=own) == ("sec_edgar",)
    assert asked(tool_vendors={"get_news": "finnhub"})[0] == "finnhub"


def test_what_is_given_explicitly_wins_even_where_it_is_the_default():
    environ = {"TRADINGAGENTS_LLM_PROVIDER": "ollama", "TRADINGAGENTS_TOOL_VENDORS": "get_news=yfinance"}
    assert load_settings({"llm_provider": "openai"}, environ=environ).llm_provider == "ollama"
    settings = load_settings(explicit={"llm_provider": "openai", "tool_vendors": {}}, environ=environ)
    assert (settings.llm_provider, settings.tool_vendors) == ("openai", {})


def test_a_wrong_explicit_value_is_named_as_its_giver_calls_it():
    with pytest.raises(SettingsError, match=r"^--debate-rounds cannot be -1: "):
        load_settings(
            explicit={"max_debate_rounds": -1},
            names={"max_debate_rounds": "--debate-rounds"},
            environ={"TRADINGAGENTS_MAX_DEBATE_ROUNDS": "3"},
        )


def test_an_unknown_explicit_setting_is_refused():
    with pytest.raises(SettingsError, match="did you mean"):
        load_settings(explicit={"llm_providr": "openai"}, environ={})


@pytest.mark.parametrize("key", ["llm_timeout", "vendor_timeout", "drain_seconds", "budget_usd"])
@pytest.mark.parametrize("value", ["inf", "nan", "-1", "1e999"])
def test_a_number_that_is_none_or_negative_is_refused(key: str, value: str):
    with pytest.raises(SettingsError, match=f"TRADINGAGENTS_{key.upper()} cannot be"):
        load_settings(environ={f"TRADINGAGENTS_{key.upper()}": value})


@pytest.mark.parametrize("prices", ["[1, 0.1, -4]", "[1e400, 0.1, 4]", "[NaN, 0, 0]", "[-0.5, 0, 0]"])
def test_a_price_below_zero_or_without_end_is_refused(prices: str):
    with pytest.raises(SettingsError, match="TRADINGAGENTS_MODEL_PRICES cannot be"):
        load_settings(environ={"TRADINGAGENTS_MODEL_PRICES": f'{{"m": {prices}}}'})


def test_prices_nested_without_end_are_refused():
    with pytest.raises(SettingsError, match="is not JSON"):
        load_settings(environ={"TRADINGAGENTS_MODEL_PRICES": "[" * 100_000})


@pytest.mark.parametrize("key", [key for key in KEYS if key.endswith("_url")])
def test_an_address_that_is_none_is_refused(key: str):
    with pytest.raises(SettingsError, match="it is not an address"):
        load_settings({key: "http://[::1"}, environ={})


@pytest.mark.parametrize("value", ["caf\udce9", "two\nlines", "escape\x1b[2J", "nul\0"])
@pytest.mark.parametrize("key", ["quick_think_llm", "output_language", "data_dir", "benchmark_ticker", "backend_url"])
def test_text_that_no_file_can_hold_is_refused(key: str, value: str):
    with pytest.raises(SettingsError, match=f"{key} cannot be"):
        load_settings({key: value}, environ={})


@pytest.mark.parametrize("path", ["~nobody-of-this-name/x", "/" + "a" * 5000, "/" + "é" * 200, ""])
def test_a_path_that_cannot_be_is_refused(path: str):
    with pytest.raises(SettingsError, match="home cannot be") as refused:
        load_settings({"home": path}, environ={})
    assert len(str(refused.value)) < 250


def test_a_key_in_the_wrong_setting_is_not_repeated():
    key = "abcd1234efgh5678"
    for name in ("LLM_TIMEOUT", "ANALYSTS", "VENDOR_URLS", "TEMPERATURE"):
        with pytest.raises(SettingsError) as refused:
            load_settings(environ={f"TRADINGAGENTS_{name}": key})
        assert key not in str(refused.value)


def test_a_record_of_settings_holds_no_secret_of_their_addresses():
    settings = load_settings(
        {
            "backend_url": "http://h/v1?api_key=abc",
            "deep_think_backend_url": "http://u:pw@h/v1",
            "vendor_urls": {"fred": "http://h/token/xyz"},
            "database_url": "postgresql://h/db?password=hunter2",
        },
        environ={},
    )
    plain = without_secrets(settings.model_dump(mode="json"))
    assert secrets_of(settings) == {"abc", "pw", "xyz", "hunter2"}
    assert not [one for one in secrets_of(settings) if one in str(plain)]
    assert plain["deep_think_backend_url"] == "http://h/v1"
    assert load_settings(plain, environ={}).backend_url == "http://h/v1?api_key=***"


def test_an_unknown_provider_is_named_with_the_nearest():
    with pytest.raises(SettingsError, match="did you mean ollama"):
        assert_provider("olama")
    assert tuple(PROVIDERS) == MODEL_PROVIDERS
