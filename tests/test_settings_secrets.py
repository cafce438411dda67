"""Keys and passwords in place of settings are refused, and not repeated."""

from __future__ import annotations

import pytest

from tradingagents.errors import SettingsError
from tradingagents.settings import load_settings


@pytest.mark.parametrize("setting", ["quick_think_llm", "benchmark_ticker", "output_language", "backend_url", "home"])
@pytest.mark.parametrize(
    "key", ["sk-proj-abcd1234efgh", "gsk_4f9a81b2c3d4e5f6", f"hf_{'aB3' * 11}", f"AIza{'x1' * 17}"]
)
def test_a_key_in_place_of_a_setting_is_refused(setting: str, key: str):
    with pytest.raises(SettingsError, match=r"it looks like a key; give keys in variables of their own") as refused:
        load_settings({setting: key}, environ={})
    assert key not in str(refused.value)


@pytest.mark.parametrize("model", ["hf_mistral-7b-instruct-v0.3", "gpt-4o-2024-08-06", "sky-t1-32b", "pkm:1b"])
def test_the_name_of_a_model_is_no_key(model: str):
    assert load_settings({"quick_think_llm": model}, environ={}).quick_think_llm == model


@pytest.mark.parametrize("url", ["nonsense://Tr0ub4dor-99x", "Tr0ub4dor-99x", "://x", "/path/to/file.sqlite"])
def test_a_database_of_no_known_kind_is_refused_and_not_repeated(url: str):
    with pytest.raises(SettingsError, match=r"database_url cannot be \*\*\*: no such kind of database") as refused:
        load_settings({"database_url": url}, environ={})
    assert url not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["sqlite:////tmp/x.sqlite", "postgresql+psycopg://u@h/d", "mysql://u:p@h/d", "postgresql:/d?host=/tmp/s"]
)
def test_every_kind_of_database_that_can_be_used_is_taken(url: str):
    assert load_settings({"database_url": url}, environ={}).database_url == url
