"""What is a secret in an address, a value that a user typed, and a text that outsiders wrote."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.files.redaction import (
    KnownSecrets,
    Redactor,
    looks_like_key,
    redacted_url,
    secrets_in_environment,
    secrets_in_url,
    shown_value,
    without_key_like_words,
)

KEY = "canary7f3a9e51d0c2"


@pytest.mark.parametrize(
    ("url", "shown", "secrets"),
    [
        ("http://user:pw@host:1/v1", "http://host:1/v1", {"pw"}),
        ("https://tok3n@host/v1", "https://host/v1", {"tok3n"}),
        ("postgresql+psycopg://postgres@host/db", "postgresql+psycopg://host/db", set()),
        ("postgresql+psycopg://me:hunter2@/db?host=/tmp/s", "postgresql+psycopg:///db?host=/tmp/s", {"hunter2"}),
        ("postgresql://u@h/db?password=hunter2&x=1", "postgresql://h/db?password=***&x=1", {"hunter2"}),
        (f"https://host/v1?api_key={KEY}", "https://host/v1?api_key=***", {KEY}),
        (f"https://host/v1?k={KEY}", "https://host/v1?k=***", {KEY}),
        (f"https://host/{KEY}/v1", "https://host/***/v1", {KEY}),
        ("https://host/token/abc/v1", "https://host/token/***/v1", {"abc"}),
        ("https://host/v1?api_key=a%2Fb%3D1", "https://host/v1?api_key=***", {"a%2Fb%3D1", "a/b=1"}),
        (
            "https://host/openai/deployments/gpt-4o-mini/v1beta",
            "https://host/openai/deployments/gpt-4o-mini/v1beta",
            set(),
        ),
        ("http://localhost:11434", "http://localhost:11434", set()),
        ("http://[::1", "http://[::1", set()),
        ("http://u:secret1@[::1", "http://***", set()),
        ("no address", "no address", set()),
    ],
)
def test_an_address_is_shown_without_its_secrets(url: str, shown: str, secrets: set[str]):
    assert redacted_url(url) == shown
    assert secrets_in_url(url) == secrets


def test_variables_hold_secrets_by_their_name_or_in_their_address():
    environ = {
        "OPENAI_API_KEY": "k1234567",
        "TRADINGAGENTS_BACKEND_URL": f"http://h/{KEY}/v1",
        "TRADINGAGENTS_VENDOR_URLS": "fred=http://h?token=abc;sec_edgar=http://u:pw@h",
        "HOME": "/home/someone",
    }
    assert secrets_in_environment(environ) == {"k1234567", KEY, "abc", "pw"}


@pytest.mark.parametrize("text", ["sk-proj-abcd1234efgh", KEY, "9f8e7d6c5b4a", "550e8400e29b41d4a716446655440000"])
def test_a_key_is_told_by_its_look(text: str):
    assert looks_like_key(text)
    assert shown_value(text, Redactor({})).strip("'") == "***"
    assert without_key_like_words(f"no such option: {text}.") == "no such option: ***."


@pytest.mark.parametrize("text", ["gpt-4o-2024-08-06", "claude-3-5-sonnet-20241022", "2025-03-14", "yfinance", "12.5"])
def test_names_and_dates_are_no_keys(text: str):
    assert not looks_like_key(text)
    assert shown_value(text, Redactor({})) == repr(text)


def test_a_long_value_is_cut():
    assert len(shown_value("x " * 5000, Redactor({}))) == 80


@dataclass(frozen=True)
class Row:
    title: str
    tags: tuple[str, ...]
    price: float
    counted: int = field(init=False, default=0)


def test_rows_and_replies_lose_known_values_only():
    secrets = KnownSecrets({KEY, "short", "12345678", "password"})
    row = Row(f"the key {KEY}", ("a", KEY), 1.5)
    assert secrets.value(row) == Row("the key ***", ("a", "***"), 1.5)
    plain = Row("a token=abc and a short 12345678", ("sk-abcdefgh12345",), 1.0)
    assert secrets.value(plain) is plain
    assert secrets.value({"a": [KEY, {KEY: 1}]}) == {"a": ["***", {"***": 1}]}


@pytest.mark.parametrize("size", [1, 2, 5, 100])
def test_a_key_split_over_pieces_of_a_stream_is_not_shown(size: int):
    text, shown = f"before {KEY} and {KEY[:6]} after", []
    stream = KnownSecrets({KEY}).stream(shown.append)
    for at in range(0, len(text), size):
        stream.add(text[at : at + size])
    stream.end()
    assert "".join(shown) == f"before *** and {KEY[:6]} after"


def test_without_secrets_a_stream_holds_nothing_back():
    shown: list[str] = []
    stream = KnownSecrets().stream(shown.append)
    stream.add("a")
    assert shown == ["a"]


@given(st.text(alphabet="ab \n=:'?&/@.-_*0123456789", max_size=60), st.integers(0, 60))
def test_masked_text_hides_what_outside_text_hides_in_the_same_length(around: str, at: int):
    secret = "sk-plantedkey0123456789"  # noqa: S105 - planted
    redactor = Redactor({"A_PASSWORD": "correct horse battery"})
    for hidden in (secret, "correct horse battery", "https://user:pw1234567890123456789012@host/"):
        text = f"{around[:at]} {hidden} {around[at:]}"
        masked = redactor.masked_text(text)
        assert len(masked) == len(text)
        assert (masked == text) == (redactor.outside_text(text) == text)
        assert secret not in masked
        assert "correct horse battery" not in masked
        assert "pw1234567890123456789012" not in masked
    assert redactor.masked_text(around) == around or redactor.outside_text(around) != around


def test_a_short_text_that_was_seen_before_is_hidden_once_it_is_known_to_be_secret() -> None:
    redactor = Redactor(environ={})
    assert redactor.outside_text("maple-syrup-42") == "maple-syrup-42"
    redactor.learn(["maple-syrup-42"])
    assert redactor.outside_text("maple-syrup-42") == "***"
