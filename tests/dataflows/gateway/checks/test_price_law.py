"""The law of the gate for prices: whatever is wrong is named with its day, or no figure is wrong by more than 1 %."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dataflows.gateway.checks.test_price_checks import NAMES
from tradingagents.analytics.price.returns import annualised_volatility, max_drawdown, mean_dollar_volume, simple_return
from tradingagents.analytics.price.stock_data import year_range
from tradingagents.dataflows.gateway.checks.price_checks import CheckedPrices, check_prices
from tradingagents.dataflows.models import Dividend, Floats, Prices, Split
from tradingagents.dataflows.reference.calendar import sessions

LAST = date(2025, 3, 14)
DAYS = sessions().between(date(2023, 3, 14), LAST)
COUNT, EX = len(DAYS), range(40, len(DAYS), 63)
Corrupt = Callable[[Prices, int, int], Prices]


def clean(seed: int) -> Prices:
    """Two years of a large company that pays a dividend each quarter, adjusted for it."""
    rng = np.random.default_rng(seed)
    close = np.round(80 * np.exp(np.cumsum(rng.normal(0.0003, 0.013, COUNT))), 2)
    opened = np.concatenate((close[:1], close[:-1]))
    kept = np.ones(COUNT)
    kept[list(EX)] = 1 - 0.6 / close[[index - 1 for index in EX]]
    after = np.append(np.cumprod(kept[::-1])[::-1][1:], 1.0)
    return Prices(
        "ACMQ",
        np.array(DAYS, "datetime64[D]"),
        open=opened,
        high=np.round(np.maximum(opened, close) * 1.006, 2),
        low=np.round(np.minimum(opened, close) * 0.994, 2),
        close=close,
        adj_close=close * after,
        volume=np.round(3e6 * np.exp(rng.normal(0, 0.25, COUNT))),
        currency="USD",
        vendor="made",
        fetched_at=datetime(2025, 3, 15, tzinfo=UTC),
        splits=(Split(DAYS[300], 2.0),),
        dividends=tuple(Dividend(DAYS[index], 0.6) for index in EX),
    )


def levels(prices: Prices, factor: Floats) -> Prices:
    return replace(prices, **{name: getattr(prices, name) * factor for name in NAMES})


def span(first: int, stop: int, factor: float) -> Floats:
    made = np.ones(COUNT)
    made[first:stop] = factor
    return made


def of_a_split(power: int, ratio: float) -> Corrupt:
    """Closes before a day that are wrong by a power of the ratio of the split that is listed for it."""

    def corrupt(prices: Prices, at: int, _: int) -> Prices:
        listed = (*prices.splits, Split(DAYS[at], ratio))
        return replace(levels(prices, span(0, at, ratio**power)), splits=listed)

    return corrupt


def in_another_unit(factor: float) -> Corrupt:
    return lambda prices, at, count: levels(prices, span(at, at + count, factor))


def reordered(order: Callable[[int, int], list[int]]) -> Corrupt:
    def corrupt(prices: Prices, at: int, count: int) -> Prices:
        chosen = order(at, count)
        arrays = {name: getattr(prices, name)[chosen] for name in (*NAMES, "volume")}
        return replace(prices, days=prices.days[chosen], **arrays)

    return corrupt


def shifted(by: int) -> Corrupt:
    return lambda prices, at, count: replace(prices, days=prices.days + np.timedelta64(by, "D"))


def with_close(change: float) -> Corrupt:
    """The same bar a second time with another close."""

    def corrupt(prices: Prices, at: int, _: int) -> Prices:
        chosen = np.insert(np.arange(COUNT), at, at)
        arrays = {name: getattr(prices, name)[chosen] for name in (*NAMES, "volume")}
        arrays["close"][at] *= change
        return replace(prices, days=prices.days[chosen], **arrays)

    return corrupt


def dividends(factor: float) -> Corrupt:
    paid = lambda prices: tuple(replace(one, amount=one.amount * factor) for one in prices.dividends)  # noqa: E731
    return lambda prices, at, count: replace(prices, dividends=paid(prices))


CORRUPTIONS: dict[str, Corrupt] = {
    **{f"split {ratio:g} not applied": of_a_split(1, ratio) for ratio in (1.25, 1.5, 2.0, 4.0, 0.1)},
    **{f"split {ratio:g} twice": of_a_split(-1, ratio) for ratio in (1.25, 1.5, 2.0, 4.0, 0.1)},
    **{f"split {ratio:g} inverse": of_a_split(-2, ratio) for ratio in (1.5, 4.0, 0.1)},
    **{f"in units of {factor:g}": in_another_unit(factor) for factor in (100.0, 0.01, 1000.0)},
    "shuffled": reordered(lambda at, count: [*range(at), *range(at + count, COUNT), *range(at, at + count)]),
    "a hole": reordered(lambda at, count: [*range(at), *range(at + count, COUNT)]),
    "two bars": with_close(1.002),
    "the same bar twice": with_close(1.0),
    "a day early": shifted(-1),
    "a day late": shifted(1),
    "a dividend doubled": dividends(2.0),
    "dividends in cents": dividends(100.0),
    "nothing adjusted": lambda prices, at, count: replace(prices, adj_close=prices.close),
    "adjusted twice": lambda prices, at, count: replace(prices, adj_close=prices.adj_close**2 / prices.close),
    "high and low exchanged": lambda prices, at, count: replace(
        prices,
        high=np.where(span(at, at + count, 0) == 0, prices.low, prices.high),
        low=np.where(span(at, at + count, 0) == 0, prices.high, prices.low),
    ),
    "volume in lots": lambda prices, at, count: replace(prices, volume=prices.volume * span(at, at + count + 1, 0.01)),
}


def figures(prices: Prices) -> dict[str, float | None]:
    high, low = year_range(prices)
    return {
        "last close": float(prices.close[-1]) if len(prices) else None,
        "return of a month": simple_return(prices, 21),
        "return of a year": simple_return(prices, 252),
        "volatility": annualised_volatility(prices),
        "drawdown": max_drawdown(prices),
        "high": high,
        "low": low,
        "money traded in a year": mean_dollar_volume(prices, 252),
    }


def untold(checked: CheckedPrices, sound: Prices) -> list[str]:
    """Return the figures that are wrong by more than 1 % (of the price, for returns)."""
    if checked.unusable is not None:
        return []
    true, given = figures(sound), figures(checked.prices)
    wrong = []
    for name, value in given.items():
        right = true[name]
        if value is None or right is None:
            continue
        scale = 1.0 if name in ("return of a month", "return of a year", "drawdown") else abs(right)
        if abs(value - right) > 0.01 * scale:
            wrong.append(f"{name} is {value:g} instead of {right:g}")
    return wrong


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 50),
    name=st.sampled_from(sorted(CORRUPTIONS)),
    at=st.integers(6, COUNT - 2),
    count=st.integers(1, 50),
)
def test_what_is_wrong_is_named_or_does_not_matter(seed: int, name: str, at: int, count: int):
    sound = clean(seed)
    assert check_prices(sound, LAST).faults == ()
    checked = check_prices(CORRUPTIONS[name](sound, at, min(count, COUNT - 1 - at)), LAST + timedelta(days=1))
    if not checked.faults:
        assert untold(checked, sound) == []
    else:
        assert all(fault.day is not None or checked.unusable for fault in checked.faults)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 50),
    name=st.sampled_from(sorted(CORRUPTIONS)),
    at=st.integers(6, COUNT - 2),
    count=st.integers(1, 50),
)
def test_figures_that_are_left_are_those_of_the_sound_series(seed: int, name: str, at: int, count: int):
    sound = clean(seed)
    checked = check_prices(CORRUPTIONS[name](sound, at, min(count, COUNT - 1 - at)), LAST + timedelta(days=1))
    if not any(fault.kind in ("missing-days", "bar-order") for fault in checked.faults):
        assert untold(checked, sound) == []
