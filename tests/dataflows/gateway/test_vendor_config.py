"""Access: keys are read, refused where they cannot be sent, and struck out of what libraries log."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from tradingagents.dataflows.gateway.limits import RateLimiter
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.errors import RateLimited, SettingsError, VendorNotConfigured
from tradingagents.settings import load_settings

KEY = "SECRET/of+acme=1234"


def access(environ: dict[str, str] | None = None, limiter: RateLimiter | None = None, **given: object) -> Access:
    settings = load_settings(given, environ={})
    return Access(
        "acme",
        settings=settings,
        environ={} if environ is None else environ,
        url="https://acme.example/v1/",
        variables=("ACME_API_KEY",),
        rates="2/day",
        limiter=limiter,
        sign_up="https://acme.example/keys",
    )


def test_a_key_is_read_and_a_missing_one_is_named_with_where_it_is_had():
    assert access({"ACME_API_KEY": f" {KEY} "}).key("ACME_API_KEY") == KEY
    with pytest.raises(VendorNotConfigured, match=r"acme needs ACME_API_KEY: .*https://acme\.example/keys"):
        access().key("ACME_API_KEY")
    with pytest.raises(VendorNotConfigured, match="needs ACME_API_KEY"):
        access({"ACME_API_KEY": "  "}).key("ACME_API_KEY")
    assert access().optional_key("ACME_API_KEY") is None


@pytest.mark.parametrize("value", ["two\nlines", "schlüssel", "tab\tbed", "null\0"])
def test_a_key_that_cannot_be_sent_is_refused_unseen(value: str):
    with pytest.raises(VendorNotConfigured, match="ACME_API_KEY holds") as caught:
        access({"ACME_API_KEY": value}).key("ACME_API_KEY")
    assert value not in str(caught.value)


def test_the_address_is_the_settings_where_they_name_one():
    assert access().url == "https://acme.example/v1"
    assert access(vendor_urls={"acme": "http://127.0.0.1:1/"}).url == "http://127.0.0.1:1"


def test_it_shows_no_key():
    made = access({"ACME_API_KEY": KEY})
    made.key("ACME_API_KEY")
    assert KEY not in repr(made)


@pytest.mark.parametrize("name", ["urllib3.connectionpool", "httpx", "httpcore.http11"])
@pytest.mark.parametrize("form", [KEY, "SECRET%2Fof%2Bacme%3D1234", "SECRET/of%2Bacme%3D1234"])
def test_libraries_log_it_struck_out_however_it_is_written(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, name: str, form: str
):
    monkeypatch.setattr(logging.getLogger(name), "filters", [])  # those of other tests strike out other words
    access({"ACME_API_KEY": KEY}).key("ACME_API_KEY")
    with caplog.at_level(logging.DEBUG, logger=name):  # the command line hushes some of them
        logging.getLogger(name).debug("GET %s?apikey=%s&x=1", "https://acme.example/v1", form)
        logging.getLogger(name).debug("nothing to hide: %d", 7)
    assert caplog.messages == ["GET https://acme.example/v1?apikey=***&x=1", "nothing to hide: 7"]


def test_a_filter_is_not_added_twice():
    for _ in range(3):
        access({"ACME_API_KEY": "SECRET-once"}).key("ACME_API_KEY")
    added = [one for one in logging.getLogger("httpx").filters if "SECRET-once" in getattr(one, "_secrets", ())]
    assert len(added) == 1


def test_turns_are_counted_for_each_key_and_the_count_shows_none(tmp_path: Path):
    limiter = RateLimiter(tmp_path / "limits.sqlite", clock=lambda: 1000.0)
    for key in ("SECRET-one", "SECRET-two"):
        mine = access({"ACME_API_KEY": key}, limiter)
        mine.wait_turn()
        mine.wait_turn()
        with pytest.raises(RateLimited, match="acme may be asked 2/day"):
            mine.wait_turn()
    assert limiter.used("acme:", 60) == 4
    assert b"SECRET" not in (tmp_path / "limits.sqlite").read_bytes()


def test_a_rate_of_ones_own_wins_and_one_that_is_none_is_refused(tmp_path: Path):
    limiter = RateLimiter(tmp_path / "limits.sqlite", clock=lambda: 1000.0)
    more = access({}, limiter, vendor_rates={"acme": "5/second"})
    for _ in range(5):
        more.wait_turn()
    with pytest.raises(SettingsError, match="'often' is not a rate"):
        access(vendor_rates={"acme": "often"})
