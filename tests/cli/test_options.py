"""How a command line becomes settings and a request, and back."""

from __future__ import annotations

from dataclasses import fields
from datetime import date
from pathlib import Path

import pytest

from cli.flags import Flags, command_line, read_settings
from cli.options import FLAG_OF
from cli.request import looks_like_date, one_day, read_day, read_tickers, split_arguments
from tradingagents.errors import BadDate, SettingsError, UsageError
from tradingagents.settings import KEYS


def test_every_flag_is_a_setting_and_has_a_name():
    names = {field.name for field in fields(Flags)} - {"offline", "replay_only"}
    assert names == set(FLAG_OF)
    assert names <= set(KEYS)


def test_offline_is_offline_analysts_on_the_simulated_market_whatever_the_environment_says():
    environ = {
        "TRADINGAGENTS_LLM_PROVIDER": "openai",
        "TRADINGAGENTS_QUICK_THINK_LLM_PROVIDER": "google",
        "TRADINGAGENTS_DATA_VENDOR": "yfinance",
        "TRADINGAGENTS_TOOL_VENDORS": "get_news=yfinance",
    }
    settings = read_settings(Flags(offline=True), environ)
    assert (settings.llm_provider, settings.quick_think_llm_provider) == ("offline", None)
    assert (settings.data_vendor, settings.tool_vendors) == ("simulated", {})


@pytest.mark.parametrize(
    ("flags", "vendor", "provider"),
    [
        (Flags(offline=True, data_vendor="yfinance"), "yfinance", "offline"),
        (Flags(offline=True, data_dir=Path("/data")), "snapshot", "offline"),
        (Flags(data_dir=Path("/data")), "snapshot", "openai"),
        (Flags(offline=True, llm_provider="ollama"), "simulated", "ollama"),
        (Flags(), None, "openai"),
    ],
)
def test_a_named_vendor_or_provider_wins_over_what_offline_implies(flags: Flags, vendor: str | None, provider: str):
    settings = read_settings(flags, {})
    assert (settings.data_vendor, settings.llm_provider) == (vendor, provider)


def test_a_flag_that_names_the_default_beats_the_environment():
    environ = {"TRADINGAGENTS_MAX_DEBATE_ROUNDS": "5", "TRADINGAGENTS_STREAM_TOKENS": "true"}
    settings = read_settings(Flags(max_debate_rounds=2, stream_tokens=False), environ)
    assert (settings.max_debate_rounds, settings.stream_tokens) == (2, False)


@pytest.mark.parametrize(
    ("flags", "mode"),
    [
        (Flags(), "on"),
        (Flags(replay=True), "on"),
        (Flags(replay=False), "off"),
        (Flags(replay_only=True), "only"),
        (Flags(replay=True, replay_only=True), "only"),
    ],
)
def test_the_flags_of_a_replay_beat_the_environment(flags: Flags, mode: str):
    assert read_settings(flags, {"TRADINGAGENTS_REPLAY": "on"}).replay == mode


def test_one_provider_and_url_for_the_run_override_those_of_single_tiers():
    environ = {
        "TRADINGAGENTS_DEEP_THINK_LLM_PROVIDER": "anthropic",
        "TRADINGAGENTS_DEEP_THINK_BACKEND_URL": "http://elsewhere/v1",
    }
    settings = read_settings(Flags(llm_provider="openai_compatible", backend_url="http://here/v1"), environ)
    assert (settings.deep_think_llm_provider, settings.deep_think_backend_url) == (None, None)


def test_a_wrong_flag_is_a_usage_error_and_a_wrong_variable_a_configuration_error():
    with pytest.raises(UsageError, match=r"^--max-llm-calls cannot be 0"):
        read_settings(Flags(max_llm_calls=0), {})
    with pytest.raises(UsageError, match="did you mean snapshot"):
        read_settings(Flags(data_vendor="yfinance, snapshott"), {})
    with pytest.raises(SettingsError, match="TRADINGAGENTS_MAX_LLM_CALLS"):
        read_settings(Flags(), {"TRADINGAGENTS_MAX_LLM_CALLS": "0"})


def test_the_command_line_says_what_the_flags_say():
    flags = Flags(offline=True, analysts="market,news", max_debate_rounds=1, stream_tokens=False, home=Path("/my runs"))
    assert command_line(("VELQ", "OMBZ"), date(2025, 3, 14), flags, json=True) == (
        "tradingagents analyze VELQ OMBZ 2025-03-14 --offline --no-stream --analysts market,news --debate-rounds 1 "
        "--home '/my runs' --json"
    )


@pytest.mark.parametrize(
    "word", ["2025-03-14", "2025-3-14", "14.03.2025", "2025/03/14", "20250314", "today", "Today", "1-"]
)
def test_what_is_meant_as_a_date_is_read_as_one(word: str):
    assert looks_like_date(word)


@pytest.mark.parametrize("word", ["AAPL", "7203.T", "0700.HK", "005930.KS", "BTC-USD", "^GSPC", "BRK-B", "3M"])
def test_a_symbol_is_no_date(word: str):
    assert not looks_like_date(word)


def test_the_date_stands_last():
    assert split_arguments(["AAPL", "MSFT", "2025-03-14"]) == (("AAPL", "MSFT"), "2025-03-14")
    assert split_arguments(["AAPL", "MSFT"]) == (("AAPL", "MSFT"), None)
    with pytest.raises(UsageError, match="looks like a date"):
        split_arguments(["AAPL", "2025-03-14", "MSFT"])
    with pytest.raises(UsageError, match="looks like a date"):
        split_arguments(["AAPL", "2025-03-14", "2025-03-15"])


def test_tickers_are_normalised_and_studied_once():
    assert read_tickers(["aapl", "brk.b", "AAPL"], "Name one.") == ("AAPL", "BRK-B")
    with pytest.raises(UsageError, match="Name one"):
        read_tickers([], "Name one.")


def test_today_is_no_day():
    assert read_day("today") is None


@pytest.mark.parametrize("text", ["2025-02-30", "20250314", "2025-W11-5", "14.03.2025", "2025-3-14", "soon"])
def test_a_day_is_written_year_month_day(text: str):
    with pytest.raises(BadDate, match="YYYY-MM-DD"):
        read_day(text)


def test_a_date_may_be_an_argument_or_an_option_and_both_where_they_agree():
    assert (one_day("2025-03-14", None), one_day(None, ["today"]), one_day(None, None)) == ("2025-03-14", "today", None)
    assert one_day("2025-03-14", ["2025-03-14", "2025-03-14"]) == "2025-03-14"
    for argument, named in (("2025-03-14", ["today"]), (None, ["2025-03-14", "2025-03-13"])):
        with pytest.raises(UsageError, match="name one"):
            one_day(argument, named)
