"""Share figures on two bases: an unlisted split that the closes or the counts show."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import numpy as np
import pytest

from tests.support.fakes import RowsVendor, clock, make_prices
from tradingagents.capabilities.company import earnings, get_fundamentals, get_income_statement
from tradingagents.capabilities.figures import get_statement_figure
from tradingagents.capabilities.news import get_insider_transactions
from tradingagents.dataflows.gateway.checks.share_jumps import basis_gap
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import (
    EarningsEvent,
    InsiderTransaction,
    PriceBreak,
    Prices,
    Profile,
    Split,
    Statement,
)
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

PAGE = "docs/reference/data-faults.md#share-basis"
SPLIT_DAY = date(2024, 6, 10)
LATER = date(2024, 11, 15)
ENDS = (date(2023, 12, 31), date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30))
BOUGHT = InsiderTransaction(
    "ACME", "A. Person", "CFO", "buy", 10.0, 500.0, date(2024, 6, 3), datetime(2024, 6, 5, tzinfo=UTC)
)


class Local(RowsVendor):
    local = True


def prices(ratio: float = 10.0, *splits: Split, until: date | None = None) -> Prices:
    """Closes of 50 up to the split, and of 50 over the ratio after it: not adjusted."""
    flat = replace(make_prices(start=50.0, step=0.0), splits=splits)
    after = flat.days >= np.datetime64(SPLIT_DAY)
    if until is not None:
        after &= flat.days < np.datetime64(until)
    change = np.where(after, ratio, 1.0)
    levels = {name: getattr(flat, name) / change for name in ("open", "high", "low", "close", "adj_close")}
    return replace(flat, volume=flat.volume * change, **levels)


def quarter(end: date, shares: float, *, income: float = 1200.0) -> Statement:
    filed = datetime.combine(end + timedelta(days=30), time(20), tzinfo=UTC)
    items = {"revenue": 5000.0, "net_income": income, "eps_diluted": income / shares, "shares_diluted": shares}
    period = f"Q{(end.month + 2) // 3}"
    return Statement("ACME", "income", "quarterly", end.year, period, end, filed, "USD", "rows", items)


def quarters(*shares: float) -> list[Statement]:
    return [quarter(end, count) for end, count in zip(ENDS, shares, strict=True)]


def market(vendor: RowsVendor, as_of: date = LATER) -> MarketData:
    read = load_settings({"data_vendor": "rows"}, environ={})
    return MarketData(read, as_of, vendors=Vendors(read, {"rows": vendor}), now=clock)


def company(statements: list[Statement], bars: Prices, **rows: object) -> Local:
    return Local(
        prices={"ACME": bars},
        profiles={"ACME": Profile(symbol="ACME", name="Acme", kind="stock")},
        statements=statements,
        **rows,
    )


def counts(vendor: RowsVendor, as_of: date = LATER) -> list[float | None]:
    """Return the share counts, oldest first."""
    rows = market(vendor, as_of).statements("ACME", "income")
    return [row.items.get("shares_diluted") for row in reversed(rows)]


def broken(kind: str = "split-not-listed", *, ratio: float = 10.0, until: date | None = None) -> PriceBreak:
    back = None if until is None else 50.0
    return PriceBreak(date(2024, 6, 7), SPLIT_DAY, 50.0, 50.0 / ratio, until, back, "like a split", kind)


@pytest.mark.parametrize(
    ("cut", "splits", "doubted"),
    [
        (broken(), (), (date.min, SPLIT_DAY)),
        (broken("split-not-applied"), (Split(SPLIT_DAY, 10.0),), None),
        (broken("split-applied-twice"), (Split(SPLIT_DAY, 0.1),), None),
        (broken("split-not-applied", ratio=100.0), (Split(SPLIT_DAY, 0.1),), (date.min, SPLIT_DAY)),
        (broken(), (Split(date(2024, 6, 17), 10.0),), (SPLIT_DAY, date(2024, 6, 17))),
        (broken(), (Split(date(2024, 6, 3), 10.0),), (date(2024, 6, 3), SPLIT_DAY)),
        (broken(), (Split(date(2024, 1, 3), 10.0),), (date.min, SPLIT_DAY)),
        (broken(until=date(2024, 6, 20)), (), (SPLIT_DAY, date(2024, 6, 20))),
        (broken("unit-change", ratio=100.0), (), None),
        (broken("missing-days"), (), None),
        (None, (), None),
    ],
    ids=str,
)
def test_a_break_puts_the_days_in_doubt_that_the_listed_splits_do_not_explain(cut, splits, doubted):
    gap = basis_gap(replace(make_prices(), splits=splits, withheld=cut))
    assert (None if gap is None else (gap.first, gap.end)) == doubted


def test_counts_from_before_an_unlisted_split_of_the_closes_are_withheld_with_the_reason():
    vendor = company(quarters(100.0, 100.0, 1000.0, 1000.0), prices())
    assert counts(vendor) == [None, None, 1000.0, 1000.0]
    oldest = market(vendor).statements("ACME", "income")[-1]
    assert oldest.items["net_income"] == 1200.0
    assert oldest.withheld.keys() == {"eps_diluted", "shares_diluted"}
    reason = oldest.withheld["eps_diluted"]
    assert reason.startswith("ACME 2024-06-10: the close went from 50.00 on 2024-06-07 to 5.00 on 2024-06-10")
    assert "counted before 2024-06-10 are withheld" in reason
    assert PAGE in reason


def test_no_sum_of_two_bases_is_given():
    """12 + 12 + 1.2 + 1.2 is no figure: on the basis of the day it would be 4.8."""
    data = market(company(quarters(100.0, 100.0, 1000.0, 1000.0), prices()))
    with pytest.raises(NoData, match=r"data-faults\.md#share-basis"):
        get_statement_figure.ask(data, ticker="ACME", figure="diluted eps", period="twelve_months")
    found = get_fundamentals.ask(data, ticker="ACME", curr_date=LATER)
    assert (found.eps_ttm, found.pe_ttm) == (None, None)
    assert any(PAGE in reason for reason in found.withheld)
    assert found.shares == 1000.0


def test_prices_that_are_refused_still_tell_of_the_split():
    """Twenty sessions have not passed: there are no prices, and the counts before the jump are of another basis."""
    vendor = company(quarters(100.0, 100.0, 1000.0, 1000.0), prices())
    assert counts(vendor, date(2024, 6, 14)) == [None, None]


def test_a_listed_split_that_the_closes_lack_leaves_the_counts_right():
    vendor = company(quarters(100.0, 100.0, 1000.0, 1000.0), prices(10.0, Split(SPLIT_DAY, 10.0)))
    assert counts(vendor) == [1000.0, 1000.0, 1000.0, 1000.0]


def test_a_split_listed_upside_down_withholds_what_it_would_convert():
    vendor = company(quarters(1000.0, 1000.0, 100.0, 100.0), prices(0.01, Split(SPLIT_DAY, 10.0)))
    assert counts(vendor) == [None, None, 100.0, 100.0]


@pytest.mark.parametrize(
    ("shares", "shown"),
    [
        ((100.0, 100.0, 1000.0, 1000.0), [None, None, 1000.0, 1000.0]),
        ((100.0, 100.0, 100.0, 1000.0), [None] * 4),
        ((100.0, 103.0, 106.0, 110.0), [100.0, 103.0, 106.0, 110.0]),
    ],
    ids=["earlier", "which-cannot-be-told", "growth"],
)
def test_counts_that_jump_like_a_split_are_of_two_bases(shares, shown):
    vendor = company(quarters(*shares), make_prices(start=50.0, step=0.0))
    assert counts(vendor) == shown


def test_counts_of_the_future_are_not_looked_at():
    vendor = company(quarters(100.0, 100.0, 100.0, 1000.0), make_prices(start=50.0, step=0.0))
    assert counts(vendor, date(2024, 9, 30)) == [100.0, 100.0, 100.0]


def test_results_from_before_the_split_are_shown_without_their_eps():
    events = [
        EarningsEvent("ACME", "Acme", day, datetime.combine(day, time(20), tzinfo=UTC), eps=eps, revenue=5000.0)
        for day, eps in ((date(2024, 4, 30), 12.0), (date(2024, 7, 30), 1.2))
    ]
    data = market(company([], prices(), results=events))
    found = earnings.ask(data, ticker="ACME")
    assert [(one.day, one.eps, one.revenue) for one in found.quarters] == [
        (date(2024, 7, 30), 1.2, 5000.0),
        (date(2024, 4, 30), None, 5000.0),
    ]
    assert any(PAGE in note for note in found.notes)


def test_trades_from_before_the_split_are_in_no_sum():
    data = market(company([], prices(), insiders=[BOUGHT]), date(2024, 9, 30))
    found = get_insider_transactions.ask(data, ticker="ACME")
    assert (found.sentiment, found.net_shares) == ("withheld", None)
    assert any(PAGE in note for note in found.notes)


def test_a_count_that_no_trading_fits_is_in_no_table_either():
    """40 million shares change hands on a usual day, and 30 million are counted: it is none that is quoted."""
    bars = replace(make_prices(start=50.0, step=0.0), volume=np.full(len(make_prices()), 4e7))
    rows = [quarter(end, 3e7, income=3e7) for end in ENDS]
    data = market(company(rows, bars))
    found = get_income_statement.ask(data, ticker="ACME")
    assert set(found.items["shares_diluted"]) == set(found.items["eps_diluted"]) == {None}
    assert found.items["net_income"][0] == 3e7
    assert any("more shares are traded than the statements count" in note for note in found.notes)
    day = date(2024, 10, 30)
    event = EarningsEvent("ACME", "Acme", day, datetime.combine(day, time(20), tzinfo=UTC), eps=1.0, revenue=5e3)
    told = earnings.ask(market(company(rows, bars, results=[event])), ticker="ACME")
    assert [one.eps for one in told.quarters] == [None]
    assert any("data-faults.md#receipt-ratio" in note for note in told.notes)


@pytest.mark.real_data
def test_results_of_earlier_years_are_on_the_basis_of_the_day(test_data: Path):
    """Amazon reported 15.12 for the second quarter of 2021 and split 20 for 1 in June 2022: 0.756."""
    read = load_settings({"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}, environ={})
    vendors = Vendors(read, environ={})
    found = earnings.ask(MarketData(read, date(2023, 6, 1), vendors=vendors), ticker="AMZN")
    shown = {one.period_end: one.eps for one in found.quarters}
    assert shown[date(2021, 6, 30)] == pytest.approx(0.756)
    assert shown[date(2023, 3, 31)] == pytest.approx(0.31)
    before = earnings.ask(MarketData(read, date(2022, 5, 27), vendors=vendors), ticker="AMZN")
    assert {one.period_end: one.eps for one in before.quarters}[date(2021, 6, 30)] == pytest.approx(15.12)


@pytest.mark.parametrize("asked", ["statements", "statement_versions"])
def test_the_card_s_faults_name_a_share_basis_that_is_not_known(asked: str):
    data = market(company(quarters(100.0, 100.0, 1000.0, 1000.0), prices()))
    reason = getattr(data, asked)("ACME", "income")[-1].withheld["eps_diluted"]
    told = [one for one in data.sheet.faults if one["kind"] == "share-basis"]
    assert [(one["subject"], one["day"], one["method"], one["withholds"]) for one in told] == [
        ("ACME", "2024-06-10", "get_income_statement", True)
    ]
    assert reason == f"ACME 2024-06-10: {told[0]['what']}; {told[0]['done']} ({told[0]['page']})."


def test_counts_that_jump_are_among_the_card_s_faults():
    vendor = company(quarters(100.0, 100.0, 1000.0, 1000.0), make_prices(last=LATER))
    data = market(vendor)
    assert counts(vendor) == [None, None, 1000.0, 1000.0]
    data.statements("ACME", "income")
    assert [one["kind"] for one in data.sheet.faults] == ["share-basis"]


def test_figures_of_one_basis_have_no_such_fault():
    data = market(company(quarters(1000.0, 1000.0, 1000.0, 1000.0), make_prices(last=LATER)))
    data.statements("ACME", "income")
    assert data.sheet.faults == []
