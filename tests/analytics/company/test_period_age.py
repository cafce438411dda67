"""How old figures may be: quarters, half-years and years each by its own limit, at the day and the day after."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, KNOWN, bars, statement
from tradingagents.analytics.company.fundamental_screen import fundamental_screen
from tradingagents.analytics.company.fundamentals import Fundamentals, fundamentals
from tradingagents.analytics.company.peers import MULTIPLES, peer_multiples
from tradingagents.analytics.company.reported_periods import LONGEST_AGE, interim_interval, is_current
from tradingagents.analytics.company.trailing import trailing
from tradingagents.analytics.company.ttm import ttm
from tradingagents.dataflows.models import Frequency, Profile, Statement
from tradingagents.errors import NoData

PROFILE = Profile(symbol="MADE", name="Made Up Inc.", kind="stock", sector="technology", industry="Widgets")
ITEMS = {
    "revenue": 250.0,
    "operating_income": 60.0,
    "ebitda": 70.0,
    "net_income": 50.0,
    "eps_diluted": 0.5,
    "shares_diluted": 100.0,
}
SHEET = {"total_assets": 900.0, "equity": 500.0, "total_debt": 300.0, "cash": 100.0}
CASH = {"operating_cash_flow": 60.0, "capital_expenditure": -10.0}


def run_of(
    newest: date, count: int, apart: int, items: dict[str, float], kind: str, freq: Frequency
) -> list[Statement]:
    ends = [newest - timedelta(days=apart * number) for number in range(count)]
    return [statement(end, items, kind, freq) for end in ends]  # type: ignore[arg-type]


def valued(age: int, *, apart: int = 91, count: int = 8, freq: Frequency = "quarterly") -> Fundamentals:
    """A company whose newest period of all statements ended so many days before the day."""
    newest = AS_OF - timedelta(days=age)
    income, balance, cash = (
        run_of(newest, count, apart, items, kind, freq)
        for items, kind in ((ITEMS, "income"), (SHEET, "balance"), (CASH, "cashflow"))
    )
    return fundamentals(bars([40.0] * 260), income, balance, cash, PROFILE, as_of=AS_OF, benchmark=None, known_at=KNOWN)


@pytest.mark.parametrize(("apart", "interval"), [(91, "quarter"), (112, "quarter"), (182, "half-year")])
def test_the_interval_is_told_by_the_ends(apart: int, interval: str):
    assert interim_interval(AS_OF - timedelta(days=apart * number) for number in range(6)) == interval


def test_one_period_is_taken_for_a_quarter_and_one_gap_of_a_quarter_makes_a_quarterly_reporter():
    ends = [AS_OF, AS_OF - timedelta(days=182), AS_OF - timedelta(days=273)]
    assert interim_interval(ends) == "quarter"
    assert interim_interval(ends[:1]) == interim_interval([]) == "quarter"


@pytest.mark.parametrize("age", [200, 201])
def test_quarters_are_current_for_200_days(age: int):
    shown = valued(age)
    if age == 200:
        assert (shown.pe_ttm, shown.pb, shown.withheld) == (20.0, 8.0, ())
        return
    assert all(getattr(shown, name) is None for name in MULTIPLES)
    assert (shown.eps_ttm, shown.peg, shown.roa, shown.current_ratio) == (None,) * 4
    assert (shown.market_cap, shown.price) == (4000.0, 40.0), "price and share count are of the day, and say so"
    first, second = shown.withheld
    assert first.endswith(f"201 days before {AS_OF}: sums of twelve months, growth and multiples are withheld.")
    assert second.startswith("The newest balance sheet known is of")
    assert shown.warnings == (f"MADE: {first}", f"MADE: {second}")


@pytest.mark.parametrize("age", [300, 301])
def test_half_years_are_summed_by_two_and_current_for_300_days(age: int):
    shown = valued(age, apart=182, count=4)
    if age == 300:
        assert shown.basis == "ttm"
        assert shown.flows["revenue"] == 500.0
        assert shown.pe_ttm == pytest.approx(40.0)  # 40 over two half-years of 0.5
        assert "Two half-years to" in shown.body()
    else:
        assert (shown.basis, shown.pe_ttm) == ("none", None)
        assert len(shown.withheld) == 2


@pytest.mark.parametrize(("age", "known"), [(200, True), (201, False), (460, False)])
def test_a_year_stands_for_the_last_twelve_months_no_longer_than_quarters_do(age: int, known: bool):
    """The P/E of NVDA on 2024-03-01, 472.9 on the year to January 2023, was no P/E of the last twelve months."""
    shown = valued(age, apart=365, count=2, freq="annual")
    assert shown.basis == "annual"
    assert shown.roa is not None, "the year's own figures stay, with the year beside them"
    if known:
        assert (shown.pe_ttm, shown.of_year) == (80.0, {})
        return
    assert (shown.pe_ttm, shown.ps_ttm, shown.ev_ebitda, shown.fcf_yield, shown.pb) == (None,) * 5
    assert shown.of_year["pe_fy"] == 80.0
    texts = {figure.name: (figure.text, figure.over) for figure in shown.figures()}
    assert texts["pe_fy"] == ("80.00x", f"fiscal year to {shown.periods[0]}")
    assert texts["pe_ttm"] == ("n/a", "")
    assert f"{age} days before the price" in shown.withheld[0]


def test_a_year_is_withheld_after_460_days():
    shown = valued(461, apart=365, count=2, freq="annual")
    assert (shown.basis, shown.roa, shown.of_year) == ("none", None, {})
    newest = AS_OF - timedelta(days=461)
    found = ttm(
        run_of(newest, 2, 365, ITEMS, "income", "annual"),
        run_of(newest, 2, 365, SHEET, "balance", "annual"),
        run_of(newest, 2, 365, CASH, "cashflow", "annual"),
        as_of=AS_OF,
    )
    figures = {figure.name: figure.value for figure in found.figures()}
    assert set(figures.values()) == {None}
    assert len(found.warnings) == 2


def test_a_year_that_is_current_replaces_quarters_that_are_not():
    quarters = run_of(AS_OF - timedelta(days=400), 8, 91, ITEMS, "income", "quarterly")
    years = run_of(AS_OF - timedelta(days=130), 2, 365, ITEMS, "income", "annual")
    found = trailing([*quarters, *years], [], [], as_of=AS_OF)
    assert (found.basis, found.periods[0].end) == ("annual", AS_OF - timedelta(days=130))
    assert found.withheld == ()
    assert found.notes[0].startswith(f"The newest quarter known ended on {quarters[0].period_end}: figures are of")


def test_what_is_stale_stays_out_of_the_peers_medians_and_of_the_screens():
    own, old = valued(50), replace_symbol(valued(201), "PEER")
    found = peer_multiples(own, [old], as_of=AS_OF, sector="technology", known_at=KNOWN)
    assert set(found.medians.values()) == {None}
    newest = AS_OF - timedelta(days=201)
    statements = [
        one
        for items, kind in ((ITEMS, "income"), (SHEET, "balance"), (CASH, "cashflow"))
        for one in run_of(newest, 8, 91, items, kind, "quarterly")
    ]
    with pytest.raises(NoData, match=r"201 days before .* the screens are withheld\. Choose another vendor"):
        fundamental_screen(valued(201), statements, as_of=AS_OF, known_at=KNOWN)


def replace_symbol(shown: Fundamentals, symbol: str) -> Fundamentals:
    return shown.model_copy(update={"symbol": symbol})


@given(st.integers(0, 900), st.sampled_from([("quarterly", 91), ("quarterly", 182), ("annual", 365)]))
def test_a_figure_once_withheld_stays_withheld(age: int, reporter: tuple[Frequency, int]):
    freq, apart = reporter
    statements = run_of(AS_OF, 4, apart, ITEMS, "income", freq)
    interval = {91: "quarter", 182: "half-year", 365: "year"}[apart]
    day = AS_OF + timedelta(days=age)
    assert is_current(replace(statements[0]), statements, day) == (age <= LONGEST_AGE[interval])  # type: ignore[index]
