"""Adjusted and traded closes: where they and the listed dividends disagree, returns are absent, and closes are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest

from tests.dataflows.gateway.checks.test_price_checks import DAYS, LAST, prices, said
from tradingagents.analytics.price.returns import annualised_volatility, beta, max_drawdown, simple_return
from tradingagents.dataflows.gateway.checks.price_checks import CheckedPrices, check_prices
from tradingagents.dataflows.models import Dividend, Floats, Prices

EX = (60, 123, 186)
PAID = 0.75
"""Of a close of 100: 0.75 %."""


def adjusted(close: Floats, paid: dict[int, float]) -> Floats:
    """Closes less what was paid since, as Yahoo computes it."""
    kept = np.ones(len(close))
    for index, amount in paid.items():
        kept[index] = 1 - amount / close[index - 1]
    return close * np.append(np.cumprod(kept[::-1])[::-1][1:], 1.0)


def paying(amounts: dict[int, float] | None = None, listed: dict[int, float] | None = None) -> Prices:
    """A year of closes around 100, adjusted for some amounts, with others listed; the same unless told."""
    given = prices()
    close = 100 + np.sin(np.arange(len(given)))
    amounts = dict.fromkeys(EX, PAID) if amounts is None else amounts
    levels = {"open": close, "high": close + 1, "low": close - 1, "close": close}
    paid = tuple(Dividend(DAYS[index], amount) for index, amount in (amounts if listed is None else listed).items())
    return replace(given, **levels, adj_close=adjusted(close, amounts), dividends=paid)


def withheld_before(checked: CheckedPrices) -> object:
    """The day before which returns are withheld; None if none are."""
    known = np.isfinite(checked.prices.adj_close)
    return None if known.all() else checked.prices.days[int(known.argmax())].item()


@pytest.mark.parametrize("digits", [2, 4, 12])
def test_an_adjusted_close_that_follows_the_dividends_is_used(digits: int):
    given = paying()
    checked = check_prices(replace(given, adj_close=np.round(given.adj_close, digits)), LAST)
    assert (checked.faults, checked.unusable, withheld_before(checked)) == ((), None, None)


def test_dividends_that_the_adjusted_close_does_not_know():
    """As of a source that adjusts nothing: its closes are in the steps of trading."""
    checked = check_prices(in_steps(paying(amounts={}, listed=dict.fromkeys(EX, PAID))), LAST)
    assert withheld_before(checked) == DAYS[186]
    assert len(checked.faults) == 3
    assert said(checked)[-1].startswith(
        f"ACMQ {DAYS[186]}: the adjusted close takes off 0.00 %, and the listed dividend "
    )
    assert {fault.kind for fault in checked.faults} == {"dividends-disagree"}
    assert all(fault.withholds for fault in checked.faults)
    bars = checked.prices
    assert np.isfinite(bars.close).all()
    assert simple_return(bars, 126) is None
    assert max_drawdown(bars) is None
    assert beta(bars, bars) is None
    assert annualised_volatility(bars) is not None
    (note,) = bars.notes
    assert note.startswith(
        f"Returns of ACMQ that reach back before {DAYS[186]} are withheld, for they include dividends: "
    )
    assert note.endswith("(docs/reference/data-faults.md#dividends-disagree).")


def in_steps(given: Prices) -> Prices:
    levels = {
        name: np.round(getattr(given, name) + 0.01 * np.arange(len(given)), 3)
        for name in ("open", "high", "low", "close")
    }
    return replace(given, **levels, adj_close=levels["close"])


def test_closes_that_may_be_adjusted_themselves_are_not_used():
    """As of yfinance's `history()`: closes adjusted for dividends, under the name of traded ones."""
    given = paying()
    factor = given.adj_close / given.close
    levels = {name: getattr(given, name) * factor for name in ("open", "high", "low", "close")}
    checked = check_prices(replace(given, **levels), LAST)
    assert checked.unusable == "its closes may be adjusted for dividends"
    assert [fault.kind for fault in checked.faults] == ["dividends-disagree"]


@pytest.mark.parametrize(
    ("amounts", "listed", "day"),
    [
        ({60: 2 * PAID, 123: PAID}, {60: PAID, 123: PAID}, 60),  # counted twice
        ({60: PAID, 123: PAID}, {60: 2 * PAID, 123: PAID}, 60),  # listed twice
        ({60: PAID}, {60: PAID, 186: 12.0}, 186),  # a special dividend that is listed only
        ({60: PAID, 90: PAID}, {60: PAID}, 90),  # one that is not listed
        ({60: PAID, 123: 4 * PAID}, {60: PAID, 123: PAID}, 123),  # in other shares
        ({60: PAID, 123: PAID / 100}, {60: PAID, 123: PAID}, 123),  # in pence
        ({60: PAID, 124: PAID}, {60: PAID, 123: PAID}, 124),  # a day late
    ],
)
def test_a_day_that_disagrees_is_named(amounts: dict[int, float], listed: dict[int, float], day: int):
    checked = check_prices(paying(amounts, listed), LAST)
    assert withheld_before(checked) == DAYS[day]
    assert checked.faults[-1].day == DAYS[day]


def falling(given: Prices, index: int, share: float) -> Prices:
    """The same with closes that fall by a share at a bar; the adjusted close does not know of it."""
    factor = np.where(np.arange(len(given)) < index, 1.0, 1 - share)
    levels = {name: getattr(given, name) * factor for name in ("open", "high", "low", "close")}
    return replace(given, **levels)


@pytest.mark.parametrize("share", [0.08, 0.18, 0.24])
def test_a_spin_off_that_its_source_adjusts_for_and_does_not_list_is_right(share: float):
    given = falling(paying({60: PAID}), 150, share)
    known = replace(given, adj_close=given.adj_close * (1 - share), volume=np.full(len(given), 1_000_000.0))
    checked = check_prices(known, LAST)
    assert (checked.unusable, withheld_before(checked)) == (None, None)


def test_a_step_of_the_adjusted_close_that_the_closes_do_not_show_is_not():
    given = paying({60: PAID})
    wrong = given.adj_close * np.where(np.arange(len(given)) < 150, 0.85, 1.0)
    assert withheld_before(check_prices(replace(given, adj_close=wrong), LAST)) == DAYS[150]


def test_a_source_need_not_list_dividends_or_those_of_long_ago():
    amounts = dict.fromkeys(EX, PAID)
    for listed in ({}, {186: PAID}, {123: PAID, 186: PAID}):
        assert check_prices(paying(amounts, listed), LAST).faults == ()


@pytest.mark.parametrize("basis", ["fully_adjusted", "index"])
def test_where_closes_contain_the_dividends_the_adjusted_close_is_the_close(basis: Literal["fully_adjusted", "index"]):
    given = replace(paying(amounts={}, listed=dict.fromkeys(EX, PAID)), basis=basis)
    assert check_prices(given, LAST).faults == ()
    wrong = given.adj_close * np.where(np.arange(len(given)) < 150, 0.9, 1.0)
    assert withheld_before(check_prices(replace(given, adj_close=wrong), LAST)) == DAYS[150]


def test_a_dividend_of_a_later_day_changes_nothing():
    given = paying({60: PAID}, {60: PAID, 250: PAID})
    assert check_prices(given, DAYS[249]).faults == ()
