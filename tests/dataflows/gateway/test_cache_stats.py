"""Status: what is cached and how often it served; the requests of the last hour and day beside the rates."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache, Question
from tradingagents.dataflows.gateway.cache_stats import data_status
from tradingagents.dataflows.gateway.limits import LIMITS_FILE, Rate, RateLimiter
from tradingagents.dataflows.gateway.registry import BUILT_IN
from tradingagents.dataflows.models import NewsItem
from tradingagents.dataflows.vendor import Vendor
from tradingagents.settings import load_settings

NOW = datetime(2025, 3, 14, 22, tzinfo=UTC)
QUESTION = Question("finnhub", Vendor.get_news, ("ZYX",), NOW, live=True)


def test_an_empty_home_is_looked_at_without_making_anything(tmp_path: Path):
    found = data_status(load_settings({"home": tmp_path / "new"}, environ={}))
    assert (found.size, found.kinds) == (0, ())
    assert [one.vendor for one in found.requests] == [name for name, known in BUILT_IN.items() if known.rates]
    assert all(one.last_day == 0 for one in found.requests)
    assert not (tmp_path / "new").exists()


def test_entries_uses_and_requests_are_told_as_they_are(tmp_path: Path):
    cache = DiskCache(tmp_path / CACHE_FILE)
    cache.get(QUESTION, now=NOW)
    cache.put(QUESTION, (NewsItem("Zyxolar rises", NOW, NOW),), now=NOW)
    cache.get(QUESTION, now=NOW + timedelta(minutes=1))
    clock = NOW.timestamp()
    limiter = RateLimiter(tmp_path / LIMITS_FILE, clock=lambda: clock)
    for seconds, key in ((7200, "a"), (1800, "a"), (30, "b"), (0, "a")):
        clock = NOW.timestamp() - seconds
        limiter.wait(f"finnhub:{key}", [Rate(60, 60)], patience=0)
    settings = load_settings({"home": tmp_path, "vendor_rates": {"finnhub": "300/minute"}}, environ={})
    found = data_status(settings, clock=NOW.timestamp)
    plain = found.to_json()
    (kind,) = plain["kinds"]
    assert (kind["vendor"], kind["method"], kind["entries"], kind["subjects"]) == ("finnhub", "get_news", 1, 1)
    assert (kind["oldest"], kind["hits"], kind["misses"], kind["hit_rate"]) == (NOW.isoformat(), 1, 1, 0.5)
    assert plain["size"] >= kind["size"] > 0
    assert next(one for one in plain["requests"] if one["vendor"] == "finnhub") == {
        "vendor": "finnhub",
        "last_hour": 3,
        "last_day": 4,
        "rates": [{"rate": "300/minute", "used": 2}],
    }
