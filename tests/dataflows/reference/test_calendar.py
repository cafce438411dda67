"""Sessions, closes and half-days."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.errors import BadSymbol


def test_a_session_closes_at_its_exchange_s_hour_in_utc():
    nyse = sessions()
    assert nyse.close_of(date(2025, 3, 14)) == datetime(2025, 3, 14, 20, tzinfo=UTC)  # summer time
    assert nyse.close_of(date(2025, 1, 15)) == datetime(2025, 1, 15, 21, tzinfo=UTC)  # winter time
    assert nyse.close_of(date(2024, 11, 29)) == datetime(2024, 11, 29, 18, tzinfo=UTC)  # half-day


def test_a_bar_counts_from_the_very_close():
    nyse = sessions()
    close = nyse.close_of(date(2025, 3, 14))
    assert nyse.last_closed(close) == date(2025, 3, 14)
    assert nyse.last_closed(close.replace(hour=19, minute=59)) == date(2025, 3, 13)


def test_holidays_and_weekends_are_no_sessions():
    nyse = sessions()
    assert not nyse.is_session(date(2025, 1, 9))  # day of mourning
    assert nyse.on_or_before(date(2025, 3, 16)) == date(2025, 3, 14)
    assert nyse.after(date(2025, 3, 14)) == date(2025, 3, 17)
    assert nyse.after(date(2025, 3, 15), 2) == date(2025, 3, 18)
    assert nyse.between(date(2025, 3, 13), date(2025, 3, 17)) == (
        date(2025, 3, 13),
        date(2025, 3, 14),
        date(2025, 3, 17),
    )


def test_what_has_a_day_only_is_known_at_the_next_open():
    assert sessions().next_open(date(2025, 3, 14)) == datetime(2025, 3, 17, 13, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("symbol", "exchange"),
    [
        ("AAPL", "XNYS"),
        ("7203.T", "XTKS"),
        ("VOD.L", "XLON"),
        ("BTC-USD", "24/7"),
        ("EURUSD=X", "24/5"),
        ("BRK-B", "XNYS"),
    ],
)
def test_the_exchange_follows_from_the_symbol(symbol: str, exchange: str):
    assert exchange_of(symbol) == exchange


@pytest.mark.parametrize("symbol", ["600519.SH", "ABC.QQ", "AAPL.", "7203.TYO"])
def test_a_suffix_that_is_not_known_is_never_new_york(symbol: str):
    with pytest.raises(BadSymbol, match="suffix of no known exchange"):
        exchange_of(symbol)


def test_a_share_class_is_of_new_york():
    assert exchange_of("BRK.B") == "XNYS"


def test_an_unknown_exchange_is_refused():
    with pytest.raises(ValueError, match="NOWHERE"):
        sessions("NOWHERE")


def test_an_exchange_the_library_knows_for_a_shorter_time_begins_later():
    assert sessions("XTKS").days[0] == date(1997, 1, 6)
    assert sessions("XTKS").is_session(date(2025, 3, 14))
