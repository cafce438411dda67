"""Every request to Yahoo waits for its turn: also those that yfinance makes on its own, for its cookie and crumb."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.support import yahoo_server as yahoo
from tests.support.yahoo_server import LocalSession, YahooServer
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import RateLimited

NOW = datetime(2025, 3, 14, 22, 0, tzinfo=UTC)
QUESTIONS: dict[str, Callable[[YFinanceVendor], object]] = {
    "prices": lambda vendor: vendor.get_stock_data("ZYXW", date(2025, 3, 10), date(2025, 3, 14)),
    "profile": lambda vendor: vendor.get_profile("ZYXW"),
    "statements": lambda vendor: vendor.get_statements("ZYXW", "income", "quarterly"),
    "ratios": lambda vendor: vendor.get_fundamentals("ZYXW"),
    "insiders": lambda vendor: vendor.get_insider_transactions("ZYXW"),
    "news": lambda vendor: vendor.get_news("ZYXW", NOW.replace(day=1), NOW),
    "market news": lambda vendor: vendor.get_global_news(NOW.replace(day=1), NOW),
    "movers": lambda vendor: vendor.get_market_movers("day_gainers", date(2025, 3, 14)),
    "members": lambda vendor: vendor.get_industry_performance("technology"),
    "topic": lambda vendor: vendor.get_topic_news("oil", NOW.replace(day=1), NOW),
    "earnings": lambda vendor: vendor.get_earnings_calendar(date(2025, 3, 10), date(2025, 3, 14)),
    "economy": lambda vendor: vendor.get_economic_calendar(date(2025, 3, 10), date(2025, 3, 14)),
}


@pytest.fixture
def server() -> Iterator[YahooServer]:
    with yahoo.yahoo_server() as running:
        yield running


def _vendor(server: YahooServer, tmp_path: Path, wait_turn: Callable[[], None]) -> YFinanceVendor:
    session = LocalSession(server.address)
    return YFinanceVendor(timeout=5.0, cache_dir=tmp_path, session=session, wait_turn=wait_turn, now=lambda: NOW)


def test_each_request_takes_a_turn(server: YahooServer, tmp_path: Path):
    turns: list[int] = []
    server.answer("chart", yahoo.chart("ZYXW", {"2025-03-13": (1.0, 1.0, 1.0, 1.0, 1.0, 1)}))
    vendor = _vendor(server, tmp_path, lambda: turns.append(len(server.asked)))
    QUESTIONS["prices"](vendor)
    assert len(turns) == len(server.asked) > 0
    assert turns == list(range(len(turns))), "each turn is taken before its request"


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_rate_that_is_used_up_is_told_and_nothing_is_sent(server: YahooServer, tmp_path: Path, question: str):
    def used_up() -> None:
        raise RateLimited("yfinance may be asked 1/day; try again later.", retry_after=3600.0)

    with pytest.raises(RateLimited, match="1/day") as caught:
        QUESTIONS[question](_vendor(server, tmp_path, used_up))
    assert caught.value.retry_after == 3600.0
    assert server.asked == []
