"""Altered answers keep what they must keep: returns and ratios, or the close of the day."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np
import pytest

from tests.support.fakes import make_prices
from tradingagents.dataflows.models import Dividend, InsiderTransaction, NewsItem, Prices, Statement
from tradingagents.dataflows.vendor import METHODS
from tradingagents.features.backtest.contamination.altered_data import Levels, levels_by_seed, mirrored, rescaled

ASKED = METHODS["get_stock_data"]
DAY = date(2024, 6, 28)
HALF = Levels(money=0.5, shares=2.0)
NOW = datetime(2024, 6, 1, tzinfo=UTC)


def halved(answer: object) -> object:
    return rescaled(lambda _: HALF)(ASKED, answer)


def test_prices_and_volumes_are_rescaled_and_returns_stay():
    given = make_prices(dividends=[Dividend(date(2024, 5, 10), 0.4)])
    found = halved(given)
    assert isinstance(found, Prices)
    assert found.close[0] == given.close[0] / 4
    assert found.volume[0] == given.volume[0] * 2
    assert found.dividends == (Dividend(date(2024, 5, 10), 0.1),)
    assert found.close[1:] / found.close[:-1] == pytest.approx(given.close[1:] / given.close[:-1])


def test_a_statement_keeps_its_ratios():
    given = Statement(
        symbol="ACME", kind="income", frequency="quarterly", fiscal_year=2024, fiscal_period="Q1",
        period_end=date(2024, 3, 31), known_at=NOW, currency="USD", source="made",
        items={"revenue": 100.0, "net_income": 20.0, "eps_diluted": 2.0, "shares_diluted": 10.0},
    )  # fmt: skip
    (found,) = halved((given,))  # type: ignore[misc]
    assert found.items == {"revenue": 50.0, "net_income": 10.0, "eps_diluted": 0.5, "shares_diluted": 20.0}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Revenue of $94.9 billion", "Revenue of $47.5 billion"),
        ("$1.52 a share on €1,200M", "$0.38 a share on €600M"),
        ("Debt of 3 million dollars", "Debt of 2 million dollars"),
        ("It sold 12 million phones, up 5%", "It sold 12 million phones, up 5%"),
    ],
)
def test_amounts_of_money_in_articles_are_rescaled(text: str, shown: str):
    article = NewsItem(title=text, published_at=NOW, known_at=NOW, summary=text, symbol="ACME")
    (found,) = halved((article,))  # type: ignore[misc]
    assert (found.title, found.summary) == (shown, shown)
    (market,) = halved((replace(article, symbol=None),))  # type: ignore[misc]
    assert market.title == text


def test_a_trade_of_an_insider_is_rescaled():
    given = InsiderTransaction("ACME", "A. Boss", "CEO", "sell", 100.0, 5000.0, DAY, NOW, text="Sale at 50 a share")
    (found,) = halved((given,))  # type: ignore[misc]
    assert (found.shares, found.value, found.text) == (200.0, 2500.0, "")


def test_volatility_indices_are_left_as_they_are():
    given = make_prices("^VIX")
    assert halved(given) is given


def test_levels_depend_on_seed_and_symbol_and_are_never_near_one():
    drawn = [levels_by_seed("s")(f"T{n}") for n in range(300)]
    factors = np.array([(one.money, one.shares) for one in drawn])
    assert np.all((factors > 1 / 3.01) & (factors < 3.01) & (np.abs(np.log(factors)) > 0.2))
    assert levels_by_seed("s")("ACME") == levels_by_seed("s")("ACME") != levels_by_seed("t")("ACME")


def test_mirrored_prices_keep_the_close_of_the_day_and_turn_every_return():
    given = make_prices()
    found = mirrored(DAY)(ASKED, given)
    place = int(np.searchsorted(given.days, np.datetime64(DAY, "D")))
    assert found.close[place] == pytest.approx(given.close[place])
    assert np.log(found.close[1:] / found.close[:-1]) == pytest.approx(-np.log(given.close[1:] / given.close[:-1]))
    assert np.all((found.high >= found.close) & (found.low <= found.close) & (found.high >= found.open))
    twice = mirrored(DAY)(ASKED, found)
    assert twice.close == pytest.approx(given.close)
    short = given.upto(date(2024, 1, 31))
    assert mirrored(date(2022, 1, 3))(ASKED, short) is short
