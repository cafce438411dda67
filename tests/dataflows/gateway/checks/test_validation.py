"""What a run does with faulty rows: leave them out and say so, ask the next vendor, or end with a typed error."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from tests.dataflows.gateway.checks.test_price_checks import LAST, prices
from tests.support.fakes import RowsVendor
from tradingagents.capabilities.prices import fetch_prices
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import InsiderTransaction, NewsItem, Profile, Split
from tradingagents.errors import AllVendorsFailed
from tradingagents.settings import load_settings

NOW = datetime(2025, 6, 30, 22, tzinfo=UTC)
AT = datetime(2025, 3, 13, 12, tzinfo=UTC)
LATE = datetime(2025, 3, 17, 12, tzinfo=UTC)
ARTICLE = NewsItem("Title", AT, AT, symbol="ACMQ")
ZERO = prices(close={-1: 0.0})


class Second(RowsVendor):
    name = "second"


def market(*vendors: RowsVendor) -> MarketData:
    order = ",".join(vendor.name for vendor in vendors)
    chosen = {"data_vendors": {"core_stock_apis": order, "news_data": order}}
    settings = load_settings({**chosen, "tool_vendors": {"get_insider_transactions": order}}, environ={})
    return MarketData(settings, LAST, vendors=Vendors(settings, {one.name: one for one in vendors}), now=lambda: NOW)


def test_prices_whose_newest_bar_is_zero_end_a_question_with_a_typed_error():
    data = market(RowsVendor(prices={"ACMQ": ZERO}))
    with pytest.raises(AllVendorsFailed, match="rows's prices of ACMQ cannot be used") as caught:
        data.prices("ACMQ")
    assert caught.value.exit_code == 4
    assert "ACMQ 2025-03-14: close is 0" in str(caught.value)
    assert data.sheet.warnings == (
        "rows: ACMQ 2025-03-14: close is 0; its prices are not used (docs/reference/data-faults.md#invalid-value).",
    )


def test_the_next_vendor_answers_instead():
    data = market(RowsVendor(prices={"ACMQ": ZERO}), Second(prices={"ACMQ": prices()}))
    assert data.prices("ACMQ").close[-1] == 100.0
    assert data.sheet.substitutions == ("get_stock_data was answered by second since rows was unavailable.",)
    assert (
        "rows: ACMQ 2025-03-14: close is 0; its prices are not used (docs/reference/data-faults.md#invalid-value)."
        in data.sheet.warnings
    )


def test_a_comparison_goes_on_without_and_the_run_is_warned():
    data = market(RowsVendor(prices={"ACMQ": prices(), "^VIX": replace(ZERO, symbol="^VIX")}))
    assert set(fetch_prices(data, ("ACMQ", "^VIX"))) == {"ACMQ"}
    assert data.sheet.warnings == (
        "rows: ^VIX 2025-03-14: close is 0; its prices are not used (docs/reference/data-faults.md#invalid-value).",
    )


def test_a_bar_within_is_left_out_and_named():
    data = market(RowsVendor(prices={"ACMQ": prices(adj_close={100: float("inf")})}))
    assert len(data.prices("ACMQ")) == len(prices()) - 1
    (warning,) = data.sheet.warnings
    assert warning.endswith(": adj_close is inf; the bar is left out (docs/reference/data-faults.md#invalid-value).")
    assert any(warning in row["notes"] for row in data.sheet.to_records())


def test_a_split_of_nothing_is_a_typed_error():
    data = market(RowsVendor(prices={"ACMQ": replace(prices(), splits=(Split(date(2025, 6, 2), 0.0),))}))
    with pytest.raises(AllVendorsFailed, match="the split ratio is 0"):
        data.prices("ACMQ")


def test_faulty_rows_are_left_out_and_those_of_the_future_are_not_looked_at():
    faulty = replace(ARTICLE, title=7)  # type: ignore[arg-type]
    later = replace(ARTICLE, title=8, published_at=LATE, known_at=LATE)  # type: ignore[arg-type]
    data = market(RowsVendor(articles=(ARTICLE, faulty, later)))
    assert data.news("ACMQ", date(2025, 3, 10), LAST) == (ARTICLE,)
    assert data.sheet.warnings == (
        "rows: ACMQ 2025-03-13: title is 7; the row is left out (docs/reference/data-faults.md#invalid-value).",
    )


def test_a_trade_of_a_number_that_cannot_be_is_left_out():
    good = InsiderTransaction("ACMQ", "A. Person", "CEO", "buy", 100.0, 5e4, date(2025, 3, 3), AT)
    data = market(RowsVendor(insiders=(good, replace(good, shares=float("inf")), replace(good, value=1e300))))
    known = data.insider_transactions("ACMQ")
    assert [row.value for row in known] == [5e4, None]
    assert len(data.sheet.warnings) == 2


def test_a_faulty_profile_still_tells_who_it_is():
    profile = Profile("ACMQ", "Acme", "stock", currency=7)  # type: ignore[arg-type]
    data = market(RowsVendor(profiles={"ACMQ": profile}))
    assert data.instrument("ACMQ").currency == "USD"
    assert data.sheet.warnings == (
        "rows: ACMQ: currency of its profile is 7; USD is taken (docs/reference/data-faults.md#invalid-value).",
    )


def test_a_good_answer_says_nothing():
    data = market(RowsVendor(prices={"ACMQ": prices()}, articles=(ARTICLE,)))
    data.prices("ACMQ", days=int(timedelta(days=200).days))
    data.news("ACMQ", date(2025, 3, 10), LAST)
    assert data.sheet.warnings == ()
