"""A symbol with two companies in its history: the bars of the earlier one are withheld, by a known change and a gap."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np

from tests.support.fakes import make_prices
from tradingagents.dataflows.gateway.checks.price_days import without_earlier_company
from tradingagents.dataflows.models import Prices

LAST = date(2025, 7, 1)


def joined(symbol: str, gap_to: date) -> Prices:
    """Bars up to 2022-06-08, when FB became META, and again from a day on."""
    whole = make_prices(symbol, first=date(2022, 1, 3), last=LAST)
    there = (whole.days < np.datetime64("2022-06-09")) | (whole.days >= np.datetime64(gap_to))
    columns = {name: getattr(whole, name)[there] for name in ("days", "open", "high", "low", "close", "adj_close")}
    return replace(whole, **columns, volume=whole.volume[there])


def test_bars_of_the_earlier_company_are_withheld_and_named():
    kept, fault = without_earlier_company(joined("FB", date(2025, 6, 17)), LAST)
    assert kept.days[0].item() == date(2025, 6, 17)
    assert fault is not None
    assert (fault.kind, fault.withholds, fault.day) == ("symbol-reused", True, date(2025, 6, 17))
    assert fault.what == (
        "bars up to 2022-06-08 are of the company that is META since 2022-06-09, those from 2025-06-17 on of another "
        "one"
    )
    assert kept.gate_notes[0].startswith("Prices of FB before 2025-06-17 are withheld: bars up to 2022-06-08 ")


def test_a_source_that_goes_on_under_the_old_symbol_has_one_company():
    prices = joined("FB", date(2022, 6, 9))
    assert without_earlier_company(prices, LAST) == (prices, None)


def test_what_was_known_later_changes_nothing():
    prices = joined("FB", date(2025, 6, 17))
    assert without_earlier_company(prices, date(2022, 6, 1)) == (prices, None)


def test_other_symbols_are_left_alone():
    prices = joined("ACME", date(2025, 6, 17))
    assert without_earlier_company(prices, LAST) == (prices, None)
