"""Questions about what one holds: stated in a line or stored in the home, valued and measured as of a day."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from tradingagents.capabilities.book import book, book_risk, rebalance
from tradingagents.capabilities.scanner import get_earnings_calendar as earnings_calendar_of
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.portfolio_store import save_book
from tradingagents.errors import NoData, UsageError
from tradingagents.features.assistant.sessions.session_store import SessionStore
from tradingagents.schemas.portfolio import Portfolio, Position
from tradingagents.service.kernel.caller import Caller
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.settings import Settings, load_settings

DAY = date(2025, 3, 14)
STATED = "60 % VELQ and 40 % MODZ"


def settings_of(home: Path) -> Settings:
    return load_settings({"data_vendor": "simulated", "home": home}, environ={})


def market(home: Path, day: date = DAY, memo: Memo | None = None) -> MarketData:
    return MarketData(settings_of(home), day, memo=memo)


def test_the_risk_of_stated_weights_by_hand(tmp_path: Path):
    data = market(tmp_path)
    found = book_risk.ask(data, holdings=STATED)
    both = [data.prices(symbol) for symbol in ("VELQ", "MODZ")]
    changes = np.column_stack([bars.adj_close[1:] / bars.adj_close[:-1] - 1 for bars in both])
    own = changes @ np.array([0.6, 0.4])
    spy = data.prices("SPY").adj_close
    index = spy[1:] / spy[:-1] - 1
    assert found.volatility == pytest.approx(float(np.std(own, ddof=1)) * math.sqrt(252))
    assert found.beta == pytest.approx(float(np.cov(own, index)[0, 1] / np.var(index, ddof=1)))
    assert found.benchmark == "SPY"
    assert {part.symbol: part.weight for part in found.holdings} == {"VELQ": 0.6, "MODZ": 0.4}
    assert sum(part.contribution for part in found.holdings) == pytest.approx(1)
    assert found.effective_holdings == pytest.approx(1 / (0.36 + 0.16))
    assert found.sectors == {"technology": 0.6, "consumer-discretionary": 0.4}
    assert found.currencies == pytest.approx({"USD": 1.0})
    figures = {figure.name: figure.value for figure in found.figures()}
    assert figures["book_volatility"] == pytest.approx(100 * found.volatility)


def test_cash_is_the_rest_and_lowers_the_risk(tmp_path: Path):
    data = market(tmp_path)
    whole, half = (book_risk.ask(data, holdings=text) for text in ("100% VELQ", "50% VELQ, 50% cash"))
    assert half.volatility == pytest.approx(whole.volatility / 2)
    assert half.sectors == pytest.approx({"technology": 0.5, "cash": 0.5})


def test_stated_positions_are_valued(tmp_path: Path):
    data = market(tmp_path)
    found = book.ask(data, holdings="100 VELQ at 80, 20 MODZ")
    price = float(data.prices("VELQ").close[-1])
    held = {holding.symbol: holding for holding in found.holdings}
    assert held["VELQ"].value == pytest.approx(100 * price)
    assert held["VELQ"].gain == pytest.approx(price / 80 - 1)
    assert sum(holding.weight or 0 for holding in found.holdings) == pytest.approx(1)
    assert found.book_day is None
    assert found.holdings[0].symbol == "VELQ"


def test_results_within_the_days_are_named(tmp_path: Path):
    """What is due follows from last year where nothing is announced. One day less, and it is not said."""
    data = market(tmp_path)
    due = earnings_calendar_of.ask(data, from_date=date(2025, 3, 16), to_date=date(2025, 5, 10), symbol="VELQ").events[
        0
    ]
    days = (due.day - DAY).days
    found = book.ask(data, holdings="100% VELQ", days_ahead=days)
    assert (found.holdings[0].next_results, found.holdings[0].results_expected) == (due.day, True)
    assert f"VELQ on {due.day} (by last year)" in found.to_markdown()
    before = book.ask(data, holdings="100% VELQ", days_ahead=days - 1)
    assert "No holding is known to report within" in before.to_markdown()


def test_the_stored_book_as_it_stood_on_the_day(tmp_path: Path):
    save_book(tmp_path, Portfolio(positions=(Position(symbol="VELQ", quantity=3),), cash={"USD": 10.0}, day=DAY))
    later = Portfolio(positions=(Position(symbol="MODZ", quantity=5),), day=date(2025, 3, 20))
    save_book(tmp_path, later)
    found = book.ask(market(tmp_path))
    assert [(holding.symbol, holding.quantity) for holding in found.holdings] == [("VELQ", 3.0)]
    assert (found.book_day, found.cash) == (DAY, 10.0)
    assert book_risk.ask(market(tmp_path, date(2025, 3, 21))).holdings[0].symbol == "MODZ"


def test_without_a_book_the_way_out_is_named(tmp_path: Path):
    for asked in (book, book_risk):
        with pytest.raises(UsageError, match="book import"):
            asked.ask(market(tmp_path))


def test_a_flat_book_is_an_answer_and_has_no_risk(tmp_path: Path):
    save_book(tmp_path, Portfolio(cash={"USD": 10.0}, day=DAY))
    assert "Nothing is held" in book.ask(market(tmp_path)).to_markdown()
    with pytest.raises(NoData, match="no risk"):
        book_risk.ask(market(tmp_path))


def test_a_changed_book_is_read_anew_though_other_answers_are_remembered(tmp_path: Path):
    memo = Memo(64)
    save_book(tmp_path, Portfolio(positions=(Position(symbol="VELQ", quantity=3),), day=DAY))
    assert book.ask(market(tmp_path, memo=memo)).holdings[0].quantity == 3
    save_book(tmp_path, Portfolio(positions=(Position(symbol="VELQ", quantity=4),), day=DAY))
    assert book.ask(market(tmp_path, memo=memo)).holdings[0].quantity == 4


def test_what_has_no_price_is_left_out_and_named(tmp_path: Path):
    found = book_risk.ask(market(tmp_path), holdings="60% VELQ, 40% AAPL")
    assert [part.symbol for part in found.holdings] == ["VELQ"]
    assert any("without AAPL" in note for note in found.notes)


def test_rebalancing_to_equal_weights_by_hand(tmp_path: Path):
    data = market(tmp_path)
    velq, modz = (float(data.prices(symbol).close[-1]) for symbol in ("VELQ", "MODZ"))
    found = rebalance.ask(data, holdings="100 VELQ, 20 MODZ")
    half = (100 * velq + 20 * modz) / 2
    orders = {row.symbol: row.shares for row in found.holdings}
    sold = math.floor((100 * velq - half) / velq)
    assert orders == {"VELQ": -sold, "MODZ": math.floor(min(half - 20 * modz, sold * velq) / modz)}
    assert found.cash_after >= 0
    assert found.cash_after == pytest.approx(-sum(row.money for row in found.holdings))
    assert [row.weight_after for row in found.holdings] == pytest.approx([0.5, 0.5], abs=0.01)


def test_rebalancing_by_risk_gives_the_calmer_one_more(tmp_path: Path):
    found = rebalance.ask(market(tmp_path), holdings="100 VELQ, 200 MODZ", scheme="inverse_volatility")
    wanted = {row.symbol: row.wanted for row in found.holdings}
    assert sum(wanted.values()) == pytest.approx(1)
    assert wanted["MODZ"] > wanted["VELQ"]


def test_rebalancing_uses_the_cash_and_leaves_shorts_alone(tmp_path: Path):
    positions = (Position(symbol="VELQ", quantity=10), Position(symbol="MODZ", quantity=-5))
    save_book(tmp_path, Portfolio(positions=positions, cash={"USD": 1000.0}, day=DAY))
    found = rebalance.ask(market(tmp_path))
    assert [row.symbol for row in found.holdings] == ["VELQ"]
    assert found.cash_after >= 0


def test_weights_alone_cannot_be_rebalanced(tmp_path: Path):
    with pytest.raises(UsageError, match="need quantities"):
        rebalance.ask(market(tmp_path), holdings=STATED)


@pytest.mark.parametrize("holdings", ["777 ../x", "777%", "777 VELQ MODZ"])
def test_no_error_quotes_what_is_held(tmp_path: Path, holdings: str):
    with pytest.raises(UsageError) as caught:
        Kernel(settings_of(tmp_path)).invoke("book_risk", {"holdings": holdings}, as_of=DAY)
    assert "777" not in str(caught.value)


def test_the_audit_of_a_session_says_that_holdings_were_given_and_not_which(tmp_path: Path):
    store = SessionStore(settings_of(tmp_path))
    session = store.create("assistant")
    kernel = Kernel(settings_of(tmp_path), sessions=store)
    kernel.invoke("book_risk", {"holdings": STATED}, as_of=DAY, caller=Caller(session_id=session.session_id))
    (row,) = store.audit_log(session.session_id)
    store.close()
    assert row["arguments"].keys() == {"holdings"}
    assert "VELQ" not in str(row)
