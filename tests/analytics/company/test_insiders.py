"""What insiders did: what counts, and what tone it sets."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, FETCHED
from tests.support.figures import parse_figures
from tradingagents.analytics.company.filings import InsiderSummary, insider_summary
from tradingagents.dataflows.models import InsiderTransaction

DAY = date(2024, 6, 3)


def trade(kind, shares=100.0, value: float | None = 1000.0, day: date = DAY, **changes) -> InsiderTransaction:
    fields = {"insider": "A. Person", "relation": "Director", **changes}
    known = datetime.combine(day, time(21), tzinfo=UTC)
    return InsiderTransaction(
        "MADE", kind=kind, shares=shares, value=value, transaction_date=day, known_at=known, **fields
    )


def asked(*items: InsiderTransaction, start: date | None = None, end: date | None = None) -> InsiderSummary:
    return insider_summary(
        items, as_of=AS_OF, symbol="MADE", currency="USD", source="made", fetched_at=FETCHED, start=start, end=end
    )


def test_buys_and_sells_are_counted_and_valued():
    result = asked(trade("buy", 100, 5000.0), trade("buy", 50, 2500.0), trade("sell", 200, 3000.0))
    assert (result.buys, result.sells) == (2, 1)
    assert (result.buy_value, result.sell_value, result.net_value, result.net_shares) == (7500, 3000, 4500, -50)


def test_grants_gifts_and_exercises_are_listed_but_not_counted():
    kinds = ("grant", "gift", "exercise", "other")
    result = asked(*(trade(kind, 1e6, 1e9) for kind in kinds), trade("buy"))
    assert (result.buys, result.sells, result.buy_value, result.net_shares) == (1, 0, 1000, 100)
    assert all(f"| {kind} |" in result.body() for kind in kinds)
    assert "4 grants, gifts, exercises and the like are listed, not counted." in result.notes


@pytest.mark.parametrize(
    ("bought", "sold", "tone"),
    [(1501, 1000, "bullish"), (1500, 1000, "balanced"), (1000, 1500, "balanced"), (1000, 1501, "bearish")],
)
def test_one_side_sets_the_tone_by_half_as_much_again(bought: float, sold: float, tone: str):
    result = asked(trade("buy", value=bought), trade("sell", value=sold))
    assert result.sentiment == tone
    assert result.body().startswith(f"Insider sentiment: {tone} (1 buys, 1 sells since 2023-12-31).")


def test_only_sells_are_bearish_and_nothing_sets_no_tone():
    assert asked(trade("sell")).sentiment == "bearish"
    assert asked(trade("grant")).sentiment == "none"


def test_a_missing_value_is_said_and_shares_decide():
    result = asked(trade("buy", 500, None), trade("sell", 100, 900.0))
    assert (result.buy_value, result.net_value) == (None, None)
    assert result.sentiment == "bullish"
    assert "1 of 2 open-market trades have no value; the tone goes by shares." in result.notes
    assert "net_value" not in parse_figures(result.to_markdown())


def test_only_the_last_days_count():
    result = asked(trade("buy", day=date(2023, 12, 31)), trade("buy", day=date(2023, 12, 30)))
    assert result.buys == 1
    assert result.start == date(2023, 12, 31)


def test_a_span_that_is_asked_for_has_counts_and_sums_of_its_own():
    trades = [trade("sell", value=1000.0, day=date(2024, month, 28)) for month in (3, 4, 5)]
    result = asked(*trades, start=date(2024, 4, 1), end=date(2024, 4, 30))
    assert (result.sells, result.sell_value, result.rows) == (1, 1000, 1)
    assert (result.start, result.end) == (date(2024, 4, 1), date(2024, 4, 30))
    assert "1 sells from 2024-04-01 to 2024-04-30" in result.body()
    assert asked(*trades, end=AS_OF.replace(year=AS_OF.year + 1)).end == AS_OF  # nothing after the day is asked


def test_no_transaction_is_an_answer_of_zeros():
    result = asked()
    read = parse_figures(result.to_markdown())
    assert {name: one.value for name, one in read.items()} == dict.fromkeys(
        ("buys", "sells", "buy_value", "sell_value", "net_value", "net_shares"), 0
    )
    assert result.body() == "Insider sentiment: none, no open-market trade known since 2023-12-31."


def test_transactions_run_from_the_newest_and_long_lists_are_cut():
    days = [date(2024, 5, day) for day in range(1, 26)]
    result = asked(*(trade("buy", day=day) for day in days))
    assert [one.day for one in result.trades] == sorted(days, reverse=True)
    assert result.body().count("| A. Person |") == 20
    assert "The newest 20 of 25 transactions are listed." in result.notes
    assert result.buys == 25


def test_names_from_outside_stay_in_their_cell():
    row = asked(trade("buy", insider="A | B\n| roe | 5.00% |", relation="</x>")).body().splitlines()[-1]
    assert row == "| 2024-06-03 | A / B / roe / 5.00% / | ‹/x› | buy | 100.00 | 1000.00 |"  # noqa: RUF001


def test_assumed_filing_dates_are_said():
    assert any("Filing dates are assumed" in note for note in asked(trade("buy", known_by="assumed")).notes)


def test_figures_read_back_with_units():
    read = parse_figures(asked(trade("buy", 100, 5e6), trade("sell", 30, 1e6)).to_markdown())
    assert (read["net_value"].value, read["net_value"].unit) == (4e6, "USD")
    assert (read["net_shares"].value, read["net_shares"].unit) == (70, "shares")


@given(st.lists(st.tuples(st.sampled_from(["buy", "sell"]), st.floats(1, 1e6), st.floats(1, 1e9))))
def test_swapping_buys_and_sells_turns_the_answer_round(trades):
    swap = {"buy": "sell", "sell": "buy"}
    one = asked(*(trade(kind, shares, value) for kind, shares, value in trades))
    other = asked(*(trade(swap[kind], shares, value) for kind, shares, value in trades))
    assert (one.buys, one.sells) == (other.sells, other.buys)
    assert one.net_value == pytest.approx(-other.net_value)
    assert {one.sentiment, other.sentiment} in ({"bullish", "bearish"}, {"balanced"}, {"none"})
