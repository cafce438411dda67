"""`tradingagents data status`: as text and as JSON, and emptied."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache, Question
from tradingagents.dataflows.models import NewsItem
from tradingagents.dataflows.vendor import Vendor

NOW = datetime(2025, 3, 14, 22, tzinfo=UTC)


@pytest.fixture
def filled(home: Path) -> DiskCache:
    cache = DiskCache(home / CACHE_FILE)
    for vendor in ("finnhub", "yfinance"):
        question = Question(vendor, Vendor.get_news, ("ZYX",), NOW, live=False)
        cache.put(question, (NewsItem("Zyxolar rises", NOW, NOW),), now=NOW)
        for _ in range(3):
            cache.get(question, now=NOW)
    return cache


def test_an_empty_cache_says_where_it_will_be(command: Command, home: Path):
    outcome = command("data", "status")
    assert outcome.code == 0
    assert f"Nothing is cached yet in {home / CACHE_FILE}." in outcome.out
    assert "0 of 60/minute" in outcome.out


@pytest.mark.usefixtures("filled")
def test_it_fits_eighty_columns(command: Command, home: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COLUMNS", "80")
    outcome = command("data", "status")
    lines = outcome.out.splitlines()
    assert all(len(line.rstrip()) <= 80 for line in lines if str(home) not in line)
    assert str(home / CACHE_FILE) in lines
    assert any(line.startswith("finnhub  ") for line in lines)
    (row, _) = (line.split() for line in lines if line.startswith("get_news"))
    assert row[1] == "1"
    assert row[-3:] == ["100%", "of", "3"]


def test_json_is_one_object_and_one_vendor_can_be_emptied(command: Command, filled: DiskCache):
    found = json.loads(command("data", "status", "--json").out)
    assert [kind["vendor"] for kind in found["kinds"]] == ["finnhub", "yfinance"]
    assert "removed" not in found
    found = json.loads(command("data", "status", "--clear", "finnhub", "--json").out)
    assert found["removed"] == 1
    assert [kind["vendor"] for kind in found["kinds"]] == ["yfinance"]
    assert "Removed 1 answers of every vendor." in command("data", "status", "--clear", "all").out
    assert filled.held() == ()


def test_an_unknown_vendor_is_refused(command: Command, filled: DiskCache):
    outcome = command("data", "status", "--clear", "finhub")
    assert (outcome.code, outcome.errors) == (2, ["error: Unknown data vendor 'finhub'; did you mean finnhub?"])
    assert len(filled.held()) == 2


def test_a_broken_cache_is_named(command: Command, home: Path):
    path = home / CACHE_FILE
    path.parent.mkdir(parents=True)
    path.write_text("this is no database, but long enough to be read as one" * 40)
    outcome = command("data", "status")
    assert outcome.code == 3
    assert "remove it" in outcome.errors[0]
