"""What a price did between two days, and what of it is absent where returns are withheld."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from tests.support.builders import AS_OF, KNOWN, bars
from tradingagents.analytics.price.price_change import price_change
from tradingagents.dataflows.gateway.checks.price_days import with_bars
from tradingagents.dataflows.models import Prices, Split
from tradingagents.errors import NoData


def test_change_and_total_return_are_of_the_two_closes():
    prices = bars([100.0] * 100 + [110.0] * 100, adj_close=np.array([99.0] * 100 + [110.0] * 100))
    found = price_change(prices, as_of=AS_OF, start=date(2024, 1, 2), end=AS_OF, known_at=KNOWN)
    assert found.price_change == pytest.approx(10.0)
    assert found.total_return == pytest.approx(100 * (110 / 99 - 1))
    assert found.derivation("total_return") is not None


def test_an_adjusted_close_holds_no_dividend_that_was_paid_later():
    """AAPL's was 195.75 on a day on which it closed at 196.89: dividends of the months after it were taken off."""
    paid_within = np.array([99.0] * 100 + [110.0] * 100)
    day = bars([1.0] * 200).days[149].item()
    for later in (1.0, 0.97):
        prices = bars([100.0] * 100 + [110.0] * 100, adj_close=paid_within * later)
        found = price_change(prices, as_of=AS_OF, start=date(2024, 1, 2), end=AS_OF, known_at=KNOWN)
        assert found.first_adjusted == pytest.approx(99.0)
        assert found.last_adjusted == pytest.approx(found.last_close)
        assert found.total_return == pytest.approx(100 * (110 / 99 - 1))
    # A request of the hundred and fiftieth session knows nothing of the 10 % paid after it; one of today does.
    fallen = bars([100.0] * 200, adj_close=np.array([90.0] * 150 + [100.0] * 50))
    on_the_day = price_change(fallen, as_of=day, start=date(2024, 1, 2), end=day, known_at=KNOWN)
    today = price_change(fallen, as_of=AS_OF, start=date(2024, 1, 2), end=day, known_at=KNOWN)
    assert (on_the_day.last_adjusted, today.last_adjusted) == (pytest.approx(100.0), pytest.approx(90.0))


def test_a_total_return_that_is_withheld_is_absent_and_the_change_of_the_price_is_not():
    adjusted = np.where(np.arange(200) < 150, np.nan, 110.0)
    prices = bars([100.0] * 100 + [110.0] * 100, adj_close=adjusted)
    found = price_change(prices, as_of=AS_OF, start=date(2024, 1, 2), end=AS_OF, known_at=KNOWN)
    assert found.price_change == pytest.approx(10.0)
    assert (found.total_return, found.first_adjusted, found.derivation("total_return")) == (None, None, None)
    assert "NaN" not in found.model_dump_json()


def test_a_change_from_a_session_without_a_bar_is_refused_and_one_from_a_holiday_is_not():
    prices = bars([100.0] * 100 + [110.0] * 100)
    day = prices.days[50].item()
    keep = np.arange(200) != 50
    columns = {name: getattr(prices, name)[keep] for name in ("open", "high", "low", "close", "adj_close", "volume")}
    lost = replace(prices, days=prices.days[keep], **columns, lost=(day,))
    with pytest.raises(NoData, match=f"no sound close on {day}"):
        price_change(lost, as_of=AS_OF, start=day, end=AS_OF, known_at=KNOWN)
    after = prices.days[51].item()
    assert price_change(lost, as_of=AS_OF, start=after, end=AS_OF, known_at=KNOWN).price_change == pytest.approx(10.0)


def test_a_split_since_the_first_day_is_counted_and_a_later_one_is_not():
    prices = bars([100.0] * 200)
    first, middle, day, last = (prices.days[at].item() for at in (20, 50, 150, 199))
    split = replace(prices, splits=(Split(first, 3.0), Split(middle, 4.0), Split(last, 2.0)))
    found = price_change(split, as_of=day, start=prices.days[30].item(), end=day, known_at=KNOWN)
    assert found.split_ratio == 4.0
    assert [figure.value for figure in found.figures() if figure.name == "split_ratio"] == [4.0]
    since = price_change(split, as_of=day, start=middle, end=day, known_at=KNOWN)
    assert since.split_ratio == 1.0
    assert "split_ratio" not in [figure.name for figure in since.figures()]


def test_no_split_is_claimed_where_a_source_does_not_list_all_of_them():
    prices = bars([100.0] * 200)
    for unlisted in (replace(prices, splits_listed=False), replace(prices, splits_since=prices.days[40].item())):
        found = price_change(unlisted, as_of=AS_OF, start=prices.days[30].item(), end=AS_OF, known_at=KNOWN)
        assert found.split_ratio is None


def without_bar(prices: Prices, at: int) -> Prices:
    """The bars of a source that lacks one, as the gateway hands them on."""
    keep = np.arange(len(prices)) != at
    return replace(with_bars(prices, keep), lost=(prices.days[at].item(),))


def test_a_session_without_a_sound_bar_counts_and_withholds_what_it_could_have_changed():
    closes = [100.0 + at for at in range(200)]
    whole, newest = bars(closes), bars(closes).days[199].item()
    start = whole.days[0].item()
    found = price_change(without_bar(whole, 198), as_of=newest, start=start, end=newest, known_at=KNOWN)
    assert (found.sessions, found.highest_close, found.highest_day, found.average_close) == (200, None, None, None)
    assert (found.lowest_close, found.lowest_day) == (100.0, start)
    shown = {figure.name: figure.value for figure in found.figures()}
    assert (shown["highest_close"], shown["price_change"]) == (None, pytest.approx(199.0))
    assert found.derivation("highest_close") is None
    assert found.derivation("lowest_close") is not None
    far = price_change(without_bar(whole, 100), as_of=newest, start=start, end=newest, known_at=KNOWN)
    assert (far.highest_close, far.lowest_close, far.average_close) == (299.0, 100.0, None)


def test_a_session_without_a_trade_has_no_close_and_withholds_nothing():
    lacking = without_bar(bars([100.0] * 100 + [110.0] * 100), 150)
    halted, start = replace(lacking, lost=(), untraded=lacking.lost), lacking.days[0].item()
    found = price_change(halted, as_of=AS_OF, start=start, end=AS_OF, known_at=KNOWN)
    assert (found.sessions, found.highest_close, found.lowest_close) == (199, 110.0, 100.0)
    assert found.average_close is not None
