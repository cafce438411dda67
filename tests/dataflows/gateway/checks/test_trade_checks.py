"""Insider trades: an amended form and a form listed twice count once; a price that the day cannot have had does not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np
import pytest

from tradingagents.dataflows.gateway.checks.trade_checks import distinct_trades, possible_trades
from tradingagents.dataflows.models import InsiderTransaction, Prices

FILED, AMENDED = datetime(2025, 3, 5, 21, tzinfo=UTC), datetime(2025, 3, 12, 21, tzinfo=UTC)
CUTOFF = datetime(2025, 3, 14, 20, tzinfo=UTC)
SALE = InsiderTransaction("ACMQ", "Jane Roe", "CEO", "sell", 1000.0, 200_000.0, date(2025, 3, 3), FILED)


def bars(close: float = 200.0) -> Prices:
    days = np.array(["2025-02-28", "2025-03-03", "2025-03-04"], "datetime64[D]")
    level = np.full(3, close)
    return Prices("ACMQ", days, level, level, level, level, level, level, "USD", "rows", CUTOFF)


def test_a_sale_listed_twice_and_amended_counts_once_as_first_reported():
    amended = replace(SALE, insider="JANE  ROE", known_at=AMENDED)
    found, faults = distinct_trades((amended, SALE, SALE), CUTOFF)
    assert found == (SALE,)
    assert [(fault.kind, fault.withholds) for fault in faults] == [("repeated-row", False)] * 2
    assert faults[-1].text() == ("ACMQ 2025-03-03: a sell of 1,000 shares by JANE ROE is reported again on 2025-03-12")


@pytest.mark.parametrize(
    "other",
    [
        {"shares": 1001.0},
        {"value": 200_100.0},
        {"insider": "John Roe"},
        {"transaction_date": date(2025, 3, 4)},
        {"kind": "buy"},
        {"text": "Sale at price 200.00 per share. Lot 2."},
    ],
    ids=str,
)
def test_trades_that_differ_are_two(other: dict[str, object]):
    trades = (SALE, replace(SALE, **other))  # type: ignore[arg-type]
    assert distinct_trades(trades, CUTOFF) == (trades, ())


def test_an_amendment_of_later_is_not_looked_at():
    later = replace(SALE, known_at=CUTOFF.replace(day=20))
    trades = (later, SALE)
    assert distinct_trades(trades, CUTOFF) == (trades, ())


def test_a_purchase_at_one_dollar_while_the_close_was_two_hundred_is_withheld():
    bought = replace(SALE, kind="buy", value=1000.0)
    found, (fault,) = possible_trades((bought, SALE), bars())
    assert found == (replace(bought, value=None, withheld=fault.reason), SALE)
    assert fault.reason == (
        "ACMQ 2025-03-03: a buy of 1,000 shares by Jane Roe was made at 1.00 a share, while the close was 200.00 USD; "
        "its value and shares are in no sum (docs/reference/data-faults.md#impossible-price)."
    )
    assert fault.withholds


@pytest.mark.parametrize(
    ("change", "possible"),
    [
        ({"value": 600_000.0}, True),  # three times the close
        ({"value": 600_001.0}, False),
        ({"value": 66_700.0}, True),
        ({"value": 66_600.0}, False),
        ({"value": -1000.0}, False),
        ({"kind": "exercise", "value": 1000.0}, True),
        ({"kind": "grant", "value": 0.0}, True),
        ({"value": None}, True),
        ({"transaction_date": date(2025, 2, 20), "value": 1.0}, True),  # no close of that day is known
        ({"transaction_date": date(2025, 3, 14), "value": 1.0}, True),  # nor of one shortly before
    ],
    ids=str,
)
def test_only_a_price_in_the_open_market_is_held_against_the_close(change: dict[str, object], possible: bool):
    trade = replace(SALE, **change)  # type: ignore[arg-type]
    assert (possible_trades((trade,), bars())[0] == (trade,)) is possible


@pytest.mark.parametrize(
    ("text", "possible"),
    [
        ("Sale at price 200.00 per share.", True),
        ("Sale at price 198.10 per share.", True),  # 1 % and half a cent
        ("Sale at price 198.00 per share.", False),
        ("Sale at price 190.00 - 203.00 per share.", True),
        ("Sale at price 190.00 - 198.00 per share.", False),
        ("Sale at price 1,200.00 per share.", False),
        ("Sale.", True),
    ],
)
def test_the_price_must_be_the_one_stated_in_words(text: str, possible: bool):
    trade = replace(SALE, text=text)
    (found,), faults = possible_trades((trade,), bars())
    assert (found == trade) is possible
    if not possible:
        assert f"was made at 200.00 a share, while its source states {text[14:-11].replace(' - ', ' to ')}" in (
            faults[0].text()
        )


def test_the_price_stated_is_that_of_a_share_of_the_day_of_the_trade():
    """Ten shares of the cut-off stand for one that was sold at 200."""
    trade = replace(SALE, shares=10_000.0, share_factor=10.0, text="Sale at price 200.00 per share.")
    assert possible_trades((trade,), bars(20.0)) == ((trade,), ())
    assert possible_trades((replace(trade, share_factor=1.0),), bars(20.0))[1]
