"""Movers are the true ones of the session, from nothing later; earnings stand on the day they were filed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.dataflows.gateway.checks.statement_rows import quarters, scaled
from tradingagents.dataflows.models import Mover, Prices, Profile, Split, Statement
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.universe import (
    LOOK_BACK,
    MOVERS,
    QuarterlyResults,
    ranked,
    session_changes,
    session_movers,
)
from tradingagents.errors import NoData

SESSION, BEFORE = date(2025, 3, 14), date(2025, 3, 13)
CLOSE = sessions().close_of(SESSION)


def prices(symbol: str, closes: dict[date, float], volume: float = 1000.0, splits: tuple[Split, ...] = ()) -> Prices:
    close = np.array(list(closes.values()), dtype=np.float64)
    days = np.array(list(closes), dtype="datetime64[D]")
    return Prices(
        symbol,
        days,
        *(close for _ in range(5)),
        volume=np.full(len(close), volume),
        currency="USD",
        vendor="test",
        fetched_at=CLOSE,
        splits=splits,
    )


def changes(*recorded: Prices, kind: str = "stock", sector: str | None = None) -> dict[str, Mover]:
    def bars(symbol: str, start: date, end: date) -> Prices:
        found = table[symbol].since(start).upto(end)
        if not len(found):
            raise NoData("none; choose another")
        return found

    table = {row.symbol: row for row in recorded}
    companies = [Profile(symbol, f"{symbol} Inc", kind, sector=sector) for symbol in table]  # type: ignore[arg-type]
    return {row.symbol: row for row in session_changes(SESSION, companies, bars, CLOSE).movers}


def mover(symbol: str, change: float, volume: float = 1.0) -> Mover:
    return Mover(symbol, symbol, 10.0, change, volume, CLOSE)


def test_the_change_is_from_close_to_close():
    found = changes(prices("A", {date(2025, 3, 12): 1.0, BEFORE: 80.0, SESSION: 82.0}, volume=5e6), sector="energy")
    assert found["A"] == Mover("A", "A Inc", 82.0, pytest.approx(2.5), 5e6, CLOSE, None, "energy", "USD", among=1)


def test_a_change_needs_sound_bars_of_the_session_and_of_the_one_before():
    given = prices("A", {date(2025, 3, 12): 80.0, BEFORE: 80.0, SESSION: 82.0})
    assert "A" in changes(given)
    assert changes(prices("A", {date(2025, 3, 12): 80.0, SESSION: 82.0})) == {}  # the session before is missing
    for index in (1, 2):
        high = given.high.copy()
        high[index] *= 0.9
        assert changes(replace(given, high=high)) == {}


def test_prices_and_shares_read_as_traded_that_day():
    split = (Split(date(2025, 4, 1), 4.0),)
    found = changes(prices("A", {BEFORE: 25.0, SESSION: 20.0}, volume=4000.0, splits=split))["A"]
    assert (found.price, found.change_pct, found.volume) == (80.0, pytest.approx(-20.0), 1000.0)


def test_a_split_on_the_session_s_morning_is_no_fall():
    found = changes(prices("A", {BEFORE: 25.0, SESSION: 26.0}, splits=(Split(SESSION, 4.0),)))["A"]
    assert (found.price, found.change_pct) == (26.0, pytest.approx(4.0))


def test_who_did_not_trade_in_the_session_or_shortly_before_is_left_out():
    long_ago = SESSION - LOOK_BACK - timedelta(days=1)
    found = changes(
        prices("STALE", {date(2025, 3, 12): 10.0, BEFORE: 11.0}),
        prices("NEW", {SESSION: 10.0}),
        prices("BACK", {long_ago: 10.0, SESSION: 20.0}),
        prices("NONE", {long_ago: 10.0}),
        prices("ZERO", {BEFORE: 0.0, SESSION: 20.0}),
        prices("NAN", {BEFORE: float("nan"), SESSION: 20.0}),
        prices("GAP", {SESSION - LOOK_BACK: 10.0, SESSION: 20.0}),  # no change of one session
        prices("ACMQ", {BEFORE: 10.0, SESSION: 11.0}),
    )
    assert list(found) == ["ACMQ"]


def test_every_mover_says_among_how_many_it_was_ranked():
    found = changes(*(prices(name, {BEFORE: 10.0, SESSION: 11.0}) for name in "ABC"), prices("STALE", {BEFORE: 10.0}))
    assert {row.among for row in found.values()} == {3}


def test_fully_adjusted_prices_are_marked_as_not_as_traded():
    plain = prices("PLAIN", {BEFORE: 10.0, SESSION: 11.0})
    found = changes(plain, replace(plain, symbol="ADJUSTED", basis="fully_adjusted"))
    assert {name: row.adjusted for name, row in found.items()} == {"PLAIN": False, "ADJUSTED": True}


@pytest.mark.parametrize("kind", ["etf", "index"])
def test_only_stocks_move(kind: str):
    assert changes(prices("A", {BEFORE: 10.0, SESSION: 20.0}), kind=kind) == {}


def test_nothing_after_the_session_is_asked_for_or_read():
    asked: list[tuple[date, date]] = []

    def bars(symbol: str, start: date, end: date) -> Prices:
        asked.append((start, end))
        return prices(symbol, {BEFORE: 10.0, SESSION: 11.0, date(2025, 3, 17): 99.0})

    found = session_movers("day_gainers", SESSION, [Profile("A", "A Inc", "stock")], bars, CLOSE)
    assert [row.price for row in found] == [11.0]
    assert asked == [(SESSION - LOOK_BACK, SESSION)]


def test_gainers_rose_losers_fell_and_equals_go_by_symbol():
    rows = [mover("C", 2.0), mover("A", 2.0), mover("B", 3.0), mover("Z", 0.0), mover("D", -1.0), mover("E", -4.0)]
    assert [row.symbol for row in ranked("day_gainers", rows)] == ["B", "A", "C"]
    assert [row.symbol for row in ranked("day_losers", rows)] == ["E", "D"]


def test_the_most_active_are_those_of_which_most_shares_were_traded():
    rows = [mover("A", 9.0, 5.0), mover("B", 0.0, 7.0), mover("D", 0.0, 5.0), mover("C", -1.0, 0.0)]
    assert [row.symbol for row in ranked("most_actives", rows)] == ["B", "A", "D"]


@given(st.lists(st.floats(-50, 50).map(lambda x: round(x, 1)), max_size=60), st.integers(1, 40))
def test_the_first_of_a_category_beat_all_that_are_not_among_them(moves: list[float], limit: int):
    rows = [mover(f"S{number:02}", change) for number, change in enumerate(moves)]
    gainers, losers = ranked("day_gainers", rows, limit), ranked("day_losers", rows, limit)
    assert len(gainers) == min(limit, sum(change > 0 for change in moves))
    assert not {row.symbol for row in gainers} & {row.symbol for row in losers}
    for category, shown in (("day_gainers", gainers), ("day_losers", losers)):
        sign = 1 if category == "day_gainers" else -1
        worst = min((sign * row.change_pct for row in shown), default=float("inf"))
        rest = [row for row in rows if row not in shown and sign * row.change_pct > 0]
        assert all(sign * row.change_pct <= worst for row in rest)


def test_at_most_twenty_five_are_named():
    assert len(ranked("day_gainers", [mover(f"S{number}", 1.0) for number in range(40)])) == MOVERS == 25


FILED = datetime(2025, 1, 30, 21, 30, tzinfo=UTC)
QUARTER = Statement(
    "ACMQ",
    "income",
    "quarterly",
    2024,
    "Q4",
    date(2024, 12, 31),
    FILED,
    "EUR",
    "test",
    {"eps_diluted": 1.5, "revenue": 2e9},
)


def events(*rows: Statement):
    results = QuarterlyResults(rows, Profile("ACMQ", "ACMQ Inc", "stock", exchange="XNYS"))
    return results.between(date.min, date.max)


def test_a_quarterly_income_statement_is_an_event_on_its_filing_day():
    (event,) = events(QUARTER)
    assert (event.symbol, event.name, event.day, event.known_at) == ("ACMQ", "ACMQ Inc", date(2025, 1, 30), FILED)
    assert (event.period_end, event.fiscal_period) == (date(2024, 12, 31), "Q4")
    assert (event.eps, event.eps_estimate, event.revenue, event.currency) == (1.5, None, 2e9, "EUR")


def test_the_day_is_that_of_the_exchange_s_clock():
    late = replace(QUARTER, known_at=datetime(2025, 1, 31, 2, 30, tzinfo=UTC))
    assert events(late)[0].day == date(2025, 1, 30), "half past nine in the evening in New York"


def test_a_period_counts_as_first_filed():
    again = replace(QUARTER, known_at=FILED + timedelta(days=90), items={"eps_diluted": 9.0})
    assert [event.eps for event in events(again, QUARTER)] == [1.5]


def test_other_statements_and_assumed_filing_dates_make_no_event():
    assert (
        events(
            replace(QUARTER, kind="balance"),
            replace(QUARTER, frequency="annual"),
            replace(QUARTER, known_by="assumed"),
        )
        == ()
    )


def test_an_item_that_is_missing_is_none():
    (event,) = events(replace(QUARTER, items={}))
    assert (event.eps, event.revenue) == (None, None)


def test_events_come_by_day():
    later = replace(QUARTER, period_end=date(2025, 3, 31), known_at=FILED + timedelta(days=90))
    assert [event.day.month for event in events(later, QUARTER)] == [1, 4]


def test_a_result_is_judged_by_what_was_filed_by_then_though_later_filings_are_sound():
    """Half as much again as the quarter before: by then it may have been of the year to date."""
    *later, second, first = quarters("income", 15)
    wrong = scaled(second, 1.5, but=frozenset({"shares_basic", "shares_diluted"}))
    corrected = replace(second, known_at=second.known_at + timedelta(days=20))
    then = events(first, wrong)
    assert then[-1].revenue is None
    assert "cannot be told" in then[-1].withheld
    assert events(*later, corrected, wrong, first)[:2] == then


def test_results_of_some_days_are_those_of_all_days_filed_then():
    rows = quarters("income", 12)
    results = QuarterlyResults(rows, Profile("ACMQ", "Acme", "stock", exchange="XNYS"))
    every = results.between(date.min, date.max)
    start, end = every[3].day, every[7].day
    assert len(results) == len(every) == 12
    assert results.between(start, end) == every[3:8]
    assert results.between(start + timedelta(days=1), end - timedelta(days=1)) == every[4:7]
    assert results.between(end + timedelta(days=1), end + timedelta(days=5)) == ()


def test_who_has_bars_and_is_not_ranked_is_named_with_the_reason():
    whole = {date(2025, 3, 12): 80.0, BEFORE: 80.0, SESSION: 82.0}
    high = replace(prices("WRONG", whole), high=prices("WRONG", whole).high * 0.9)
    given = {
        "STALE": prices("STALE", {date(2025, 3, 12): 10.0, BEFORE: 11.0}),
        "WRONG": high,
        "GAP": prices("GAP", {date(2025, 3, 12): 80.0, SESSION: 82.0}),
        "NEW": prices("NEW", {SESSION: 10.0}),
        "ACMQ": prices("ACMQ", whole),
    }
    companies = [Profile(symbol, symbol, "stock") for symbol in given]
    found = session_changes(SESSION, companies, lambda symbol, start, end: given[symbol], CLOSE)
    assert [row.symbol for row in found.movers] == ["ACMQ"]
    assert found.left_out == (
        f"STALE is not ranked: it has no bar of {SESSION}, the last is of {BEFORE}.",
        f"WRONG is not ranked: its bar of {SESSION}, or the one before, cannot be true.",
        f"GAP is not ranked: the session before {SESSION} has no bar.",
    )
