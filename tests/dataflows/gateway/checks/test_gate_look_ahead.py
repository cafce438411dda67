"""What the data gate says of an instant does not change with what became known later."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dataflows.gateway.checks.statement_rows import quarters, scaled, with_items, years
from tests.dataflows.gateway.checks.test_price_checks import DAYS, LAST, NAMES, at, prices, said
from tests.dataflows.gateway.checks.test_price_dividends import EX, paying
from tests.dataflows.gateway.checks.test_price_law import CORRUPTIONS, COUNT, clean
from tests.support.tiers import examples
from tradingagents.dataflows.gateway.checks.price_checks import CheckedPrices, check_prices
from tradingagents.dataflows.gateway.checks.statement_checks import check_statements
from tradingagents.dataflows.gateway.checks.trade_checks import distinct_trades
from tradingagents.dataflows.gateway.checks.validation import check_observations
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import (
    Dividend,
    InsiderTransaction,
    MacroObservation,
    MacroSeries,
    Prices,
    Profile,
    Split,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.vendors.universe import QuarterlyResults

LATER = LAST + timedelta(days=400)


def split_later(known: Prices, *ratios: float) -> Prices:
    """The same bars as a source gives them once these splits were made, each on a day of its own."""
    factor = float(np.prod(ratios))
    made = tuple(Split(LATER + timedelta(days=30 * place), ratio) for place, ratio in enumerate(ratios))
    return replace(
        known,
        **{name: getattr(known, name) / factor for name in NAMES},
        volume=known.volume * factor,
        dividends=tuple(replace(paid, amount=paid.amount / factor) for paid in known.dividends),
        splits=(*known.splits, *made),
    )


def assert_same(given_later: CheckedPrices, then: CheckedPrices) -> None:
    """Both say the same, and leave the same prices as traded."""
    assert [(fault.text(), fault.done, fault.kind, fault.withholds) for fault in given_later.faults] == [
        (fault.text(), fault.done, fault.kind, fault.withholds) for fault in then.faults
    ]
    assert given_later.unusable == then.unusable
    found, wanted = given_later.prices.as_traded(LAST), then.prices.as_traded(LAST)
    assert found.days.tolist() == wanted.days.tolist()
    for name in (*NAMES, "volume"):
        np.testing.assert_allclose(getattr(found, name), getattr(wanted, name), rtol=1e-9)
    assert [paid.day for paid in found.dividends] == [paid.day for paid in wanted.dividends]
    for name in ("splits", "notes", "untraded", "lost"):
        assert getattr(found, name) == getattr(wanted, name)


def thin() -> Prices:
    """A jump by a quarter without trade in a share of which 300 are traded a session: too few to tell an error."""
    close = 8 + 0.02 * np.sin(np.arange(len(DAYS)))
    close[120:] /= 1.25
    levels = {"open": close, "high": close + 0.02, "low": close - 0.02, "close": close, "adj_close": close}
    return replace(prices("THIN"), **levels, volume=np.full(len(DAYS), 300.0))


def thick() -> Prices:
    """The same where 3,000 are traded: a split that is not listed."""
    return replace(thin(), volume=np.full(len(DAYS), 3000.0))


def adjusted_closes() -> Prices:
    """Closes that are adjusted for dividends under the name of traded ones, so that they are in no steps."""
    known = paying()
    factor = known.adj_close / known.close
    return replace(known, **{name: getattr(known, name) * factor for name in NAMES if name != "adj_close"})


def in_lots() -> Prices:
    """Volumes in lots of a hundred up to a day, of a share of which 40,000 are traded: too few to tell."""
    volume = np.full(len(DAYS), 40_000.0)
    volume[:100] /= 100
    return replace(prices(), volume=volume)


FAULTY: dict[str, Callable[[], Prices]] = {
    "thin": thin,
    "thick": thick,
    "adjusted closes": adjusted_closes,
    "lots": in_lots,
    "a bar out of order": lambda: prices(high={100: 99.0}),
    "a bar a little out of order": lambda: prices(high={100: 99.7}),
    "a price below zero": lambda: prices(low={100: -3.0}),
    "a price too high": lambda: prices(high={100: 2e9}),
    "no number": lambda: prices(close={100: float("nan")}),
    "a volume that cannot be": lambda: prices(volume={100: 5e15, 101: -3.0}),
    "tenfold for a week": lambda: prices(**at(1000.0, 100, 105)),
    "tenfold at the end": lambda: prices(**at(1000.0, len(DAYS) - 5, len(DAYS))),
    "a dividend below zero": lambda: replace(prices(), dividends=(Dividend(DAYS[60], -2.5),)),
    "dividends not in the adjusted close": lambda: paying(amounts={}, listed=dict.fromkeys(EX, 0.75)),
    "no trade": lambda: prices(volume={100: 0.0, 101: 0.0}),
}


@pytest.mark.parametrize("ratios", [(10.0,), (0.1,), (3.0,), (2.0, 0.5), (4.0, 10.0)], ids=str)
@pytest.mark.parametrize("name", FAULTY)
def test_a_later_split_changes_nothing_that_is_said_of_a_series(name: str, ratios: tuple[float, ...]):
    known = FAULTY[name]()
    assert_same(check_prices(split_later(known, *ratios), LAST), check_prices(known, LAST))


def test_texts_state_prices_as_they_were_traded():
    known = prices(high={100: 99.0})
    assert said(check_prices(split_later(known, 10.0), LAST)) == [
        f"ACMQ {DAYS[100]}: the high 99 lies below the low 100"
    ]


def test_a_sound_series_is_returned_as_it_is_though_split_later():
    known = split_later(clean(1), 10.0)
    assert check_prices(known, date(2025, 3, 14)).prices is known


@pytest.mark.parametrize("day", [LAST + timedelta(days=3), LATER])
def test_a_split_listed_after_the_last_session_explains_no_jump_on_it(day: date):
    """A list that misses the day by one session is looked at once its day has come."""
    known = prices(**at(10.0, len(DAYS) - 1, len(DAYS)))
    listed = replace(split_later(known, 10.0), splits=(Split(day, 10.0),))
    assert_same(check_prices(listed, LAST), check_prices(known, LAST))


def test_a_later_split_that_is_listed_twice_counts_once_and_is_not_named():
    known = prices()
    later = split_later(known, 10.0)
    twice = replace(later, splits=(*later.splits, Split(LATER + timedelta(days=1), 10.0)))
    assert_same(check_prices(twice, LAST), check_prices(known, LAST))


@pytest.mark.parametrize("ratios", [(0.0,), (10.0, 20.0)])
def test_a_later_split_that_cannot_be_is_refused_without_its_day_and_ratio(ratios: tuple[float, ...]):
    later = replace(prices(), splits=tuple(Split(LATER, ratio) for ratio in ratios))
    checked = check_prices(later, LAST)
    assert checked.unusable is not None
    told = f"{checked.unusable} {checked.faults[0].reason}"
    assert str(LATER) not in told
    assert "20" not in told.replace("2025", "")
    assert checked.faults[0].row in later.splits


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 50),
    name=st.sampled_from(sorted(CORRUPTIONS)),
    at=st.integers(6, COUNT - 2),
    count=st.integers(1, 50),
    ratio=st.sampled_from([2.0, 4.0, 8.0, 0.5, 0.125, 0.0625]),
)
def test_no_corruption_is_judged_by_what_came_later(seed: int, name: str, at: int, count: int, ratio: float):
    """Ratios are powers of two, so that levels are scaled without rounding."""
    known = CORRUPTIONS[name](clean(seed), at, min(count, COUNT - 1 - at))
    last = LAST + timedelta(days=1)
    assert_same(check_prices(split_later(known, ratio), last), check_prices(known, last))


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 50),
    name=st.sampled_from(sorted(CORRUPTIONS)),
    at=st.integers(6, COUNT - 2),
    count=st.integers(1, 50),
    seen=st.integers(5, COUNT - 1),
)
def test_bars_splits_and_dividends_known_later_change_nothing(seed: int, name: str, at: int, count: int, seen: int):
    """The whole series checked for a day against the bars, splits and dividends up to it alone."""
    whole = CORRUPTIONS[name](clean(seed), at, min(count, COUNT - 1 - at))
    last: date = clean(seed).days[seen].item()
    known = whole.days <= np.datetime64(last)
    arrays = {column: getattr(whole, column)[known] for column in (*NAMES, "volume")}
    then = replace(whole, days=whole.days[known], **arrays, splits=whole.splits, dividends=whole.dividends)
    factor = float(np.prod([split.ratio for split in whole.splits if split.day > last]))
    alone = replace(
        then,
        **{column: getattr(then, column) * factor for column in NAMES},
        volume=then.volume / factor,
        splits=tuple(split for split in then.splits if split.day <= last),
        dividends=tuple(replace(paid, amount=paid.amount * factor) for paid in then.dividends if paid.day <= last),
    )
    later, at_once = check_prices(whole, last), check_prices(alone, last)
    assert [fault.text() for fault in later.faults] == [fault.text() for fault in at_once.faults]
    assert later.unusable == at_once.unusable
    assert later.prices.upto(last).as_traded(last).notes == at_once.prices.as_traded(last).notes


def told(faults: Iterable[Fault]) -> list[str]:
    return [f"{fault.text()}: {fault.done} {fault.kind} {fault.withholds}" for fault in faults]


def altered(row: Statement, random: Random) -> Statement:
    """A row with one of the faults of statements, or as it is."""
    names = sorted(row.items)
    change: Callable[[], Statement] = random.choice(
        (
            *(4 * (lambda: row,)),
            lambda: scaled(row, random.choice((1000.0, 1e6, 0.001, 100.0))),
            lambda: scaled(row, random.choice((1000.0, 0.001, -1.0, 1.7)), random.choice(names)),
            lambda: replace(row, currency="CNY"),
            lambda: with_items(row, **{random.choice(names): random.choice((0.0, 1e9, -2e9, 3e10))}),
            lambda: replace(row, period_end=row.period_end - timedelta(days=random.choice((1, 2, 91)))),
            lambda: replace(row, items={**row.items, **quarters(row.kind, 12)[random.randrange(12)].items}),
        )
    )
    return change()


def filings(kind: StatementKind, random: Random) -> tuple[Statement, ...]:
    """Statements of twelve periods with faults, filed and filed again at various times, in any order."""
    given = quarters(kind, 12) if random.random() < 0.7 else years(kind, 6)
    first = [altered(row, random) for row in given]
    later = [
        replace(altered(row, random), known_at=row.known_at + timedelta(days=random.choice((20, 91, 365))))
        for row in given
        if random.random() < 0.4
    ]
    rows = [*first, *later]
    random.shuffle(rows)
    return tuple(rows)


def year_to_date(kind: StatementKind, random: Random) -> tuple[Statement, ...]:
    """Flows of which some rows are of the year to date, or of a year where a quarter is stated."""
    given = quarters(kind, 12)
    rows = []
    for age, row in enumerate(given):
        months = (row.period_end.month - 1) // 3 + 1
        if random.random() < 0.6 and age + months <= len(given):
            parts = given[age : age + months]
            names = [name for name in row.items if "shares" not in name]
            rows.append(with_items(row, **{name: sum(part.items[name] for part in parts) for name in names}))
        else:
            rows.append(row)
        if random.random() < 0.3:
            rows.append(replace(row, known_at=row.known_at + timedelta(days=100)))
    random.shuffle(rows)
    return tuple(rows)


@settings(max_examples=300, deadline=None)
@given(
    kind=st.sampled_from(("income", "balance", "cashflow")),
    make=st.sampled_from((filings, year_to_date)),
    random=st.randoms(use_true_random=False),
    place=st.integers(0, 30),
)
def test_statements_filed_later_change_nothing(kind: StatementKind, make: Any, random: Random, place: int):
    rows = make(kind, random)
    instants = sorted(row.known_at for row in rows)
    instant = instants[place % len(instants)]
    known = tuple(row for row in rows if row.known_at <= instant)
    found, faults = check_statements(rows, instant)
    then, said_then = check_statements(known, instant)
    assert told(faults) == told(said_then)
    assert [row for row in found if row.known_at <= instant] == list(then)
    assert [row for row in found if row.known_at > instant] == [row for row in rows if row.known_at > instant]


@settings(max_examples=150, deadline=None)
@given(random=st.randoms(use_true_random=False), place=st.integers(0, 30))
def test_trades_reported_later_change_nothing(random: Random, place: int):
    trades = tuple(
        InsiderTransaction(
            "ACMQ",
            random.choice(("Jane Roe", "JANE  ROE", "John Roe")),
            "CEO",
            random.choice(("buy", "sell")),
            random.choice((1000.0, 2000.0)),
            random.choice((2e5, 4e5, None)),
            date(2025, 3, random.choice((3, 4))),
            datetime(2025, 3, random.choice((5, 6, 12, 20)), 21, tzinfo=UTC),
        )
        for _ in range(random.randint(2, 12))
    )
    instant = sorted(trade.known_at for trade in trades)[place % len(trades)]
    found, faults = distinct_trades(trades, instant)
    then, said_then = distinct_trades(tuple(trade for trade in trades if trade.known_at <= instant), instant)
    assert told(faults) == told(said_then)
    assert tuple(trade for trade in found if trade.known_at <= instant) == then


@settings(max_examples=150, deadline=None)
@given(random=st.randoms(use_true_random=False), place=st.integers(0, 60))
def test_observations_published_later_change_nothing(random: Random, place: int):
    rows = []
    for month in range(30):
        day = date(2022 + month // 12, month % 12 + 1, 1)
        value = (4 + random.random()) * random.choice((1.0, 1.0, 1.0, 1.0, 100.0, 1000.0))
        published = datetime(day.year, day.month, 20, tzinfo=UTC)
        rows.append(MacroObservation(day, value, published))
        if random.random() < 0.3:
            revised = published + timedelta(days=random.choice((0, 30, 90)))
            rows.append(MacroObservation(day, value * random.choice((1.0, 1.01, 100.0)), revised))
    if random.random() < 0.3:
        random.shuffle(rows)
    instant = sorted(row.known_at for row in rows)[place % len(rows)]
    series = MacroSeries("UNRATE", "Unemployment rate", tuple(rows), "%", "monthly")
    known = tuple(row for row in rows if row.known_at <= instant)
    found, faults = check_observations(series, instant)
    then, said_then = check_observations(replace(series, observations=known), instant)
    assert told(faults) == told(said_then)
    assert [row for row in found.observations if row.known_at <= instant] == list(then.observations)
    assert found.gate_notes == then.gate_notes


@settings(max_examples=examples(150, fast=50), deadline=None)
@given(random=st.randoms(use_true_random=False), place=st.integers(0, 30))
def test_results_of_a_day_do_not_change_with_what_is_filed_later(random: Random, place: int):
    rows = filings("income", random) if random.random() < 0.5 else year_to_date("income", random)
    instant = sorted(row.known_at for row in rows)[place % len(rows)]
    profile = Profile("ACMQ", "Acme", "stock", exchange="XNYS")
    known = [row for row in rows if row.known_at <= instant]
    found, then = (QuarterlyResults(some, profile).between(date.min, date.max) for some in (rows, known))
    assert tuple(event for event in found if event.known_at <= instant) == then
