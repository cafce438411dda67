"""Ratios of a day, worked out by hand; splits, losses and what is missing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, KNOWN, QUARTER_ENDS, bars, statement, wander
from tests.support.figures import parse_figures
from tradingagents.analytics.company import share_counts
from tradingagents.analytics.company.fundamentals import FIGURES, Fundamentals, fundamentals
from tradingagents.analytics.company.trailing import trailing
from tradingagents.dataflows.gateway.share_basis import statement_in_shares_of
from tradingagents.dataflows.models import Dividend, Profile, Ratios, Split
from tradingagents.errors import NoData

PROFILE = Profile(symbol="MADE", name="Made Up Inc.", kind="stock", sector="technology", industry="Widgets")
SHARES = 100.0
ITEMS = {"revenue": 250.0, "ebitda": 60.0, "net_income": 50.0, "eps_diluted": 0.5, "shares_diluted": SHARES}
BEFORE = {**ITEMS, "net_income": 40.0, "eps_diluted": 0.4}
SHEET = {
    "total_assets": 2000.0,
    "equity": 500.0,
    "total_debt": 300.0,
    "cash": 100.0,
    "current_assets": 450.0,
    "current_liabilities": 300.0,
}
CASH = {"operating_cash_flow": 50.0, "capital_expenditure": -10.0}
LATER_SPLIT = Split(date(2024, 6, 10), 4.0)
"""After every filing below, before the day."""


def books(items=ITEMS, before=BEFORE):
    return [statement(end, items if index < 4 else before) for index, end in enumerate(QUARTER_ENDS)]


def asked(prices=None, income=None, sheet=SHEET, sheet_currency="USD", **changes) -> Fundamentals:
    """Value the company as a run does: its statements have been brought to the shares of the last bar."""
    arguments = {"profile": PROFILE, "benchmark": None, **changes}
    prices = bars([40.0] * 260) if prices is None else prices
    given = books() if income is None else income
    if prices.splits_listed:
        given = [statement_in_shares_of(AS_OF, one, prices.splits, cutoff=KNOWN) for one in given]
    return fundamentals(
        prices,
        given,
        [statement(QUARTER_ENDS[0], sheet, "balance", currency=sheet_currency)] if sheet else [],
        [statement(end, CASH, "cashflow") for end in QUARTER_ENDS],
        as_of=AS_OF,
        known_at=KNOWN,
        **arguments,
    )


def test_ratios_by_hand():
    result = asked()
    assert result.basis == "ttm"
    assert result.price == 40
    assert result.shares == SHARES
    assert result.market_cap == 4000
    assert result.eps_ttm == pytest.approx(2.0)
    assert result.pe_ttm == pytest.approx(20.0)
    assert result.ps_ttm == pytest.approx(4.0)
    assert result.pb == pytest.approx(8.0)
    assert result.peg == pytest.approx(0.8)  # 20 over growth of 25 %, from 1.6 to 2.0
    assert result.ev_ebitda == pytest.approx(17.5)  # (4000 + 300 - 100) / 240
    assert result.fcf_yield == pytest.approx(4.0)  # 160 / 4000
    assert result.roa == pytest.approx(10.0)
    assert result.current_ratio == pytest.approx(1.5)


def test_means_and_range_are_of_prices_as_traded():
    closes = [10.0] * 60 + [20.0] * 150 + [30.0] * 50
    result = asked(bars(closes))
    assert result.sma_50 == 30
    assert result.sma_200 == pytest.approx((150 * 20 + 50 * 30) / 200)
    assert (result.high_52w, result.low_52w) == (31, 9)
    assert asked(bars([10.0] * 199)).sma_200 is None


def test_a_split_after_the_filing_multiplies_shares_and_divides_earnings():
    result = asked(bars([10.0] * 260, splits=(LATER_SPLIT,)))
    assert result.shares == 400
    assert result.market_cap == 4000
    assert result.eps_ttm == pytest.approx(0.5)
    assert result.pe_ttm == pytest.approx(20.0)
    assert result.peg == pytest.approx(0.8)
    assert "Split of 4 for 1 on 2024-06-10: older share counts are in shares after it." in result.notes


def test_a_split_before_the_filing_is_already_in_it():
    split = Split(date(2024, 4, 10), 4.0)  # after the newest period, before its filing on 04-30
    older = {**ITEMS, "eps_diluted": 2.0, "shares_diluted": SHARES / 4}
    income = [statement(end, ITEMS if index == 0 else older) for index, end in enumerate(QUARTER_ENDS)]
    result = asked(income=income, prices=bars([40.0] * 260, splits=(split,)))
    assert result.shares == SHARES
    assert result.eps_ttm == pytest.approx(2.0)  # 0.5 and three times 2.0 / 4


def test_a_source_that_restates_old_statements_is_not_adjusted_twice():
    split = Split(date(2024, 4, 10), 4.0)
    restated = [replace(one, shares_as_of=KNOWN) for one in books()]  # every quarter counts 100 shares, at 0.5 each
    result = asked(prices=bars([40.0] * 260, splits=(split,)), income=restated)
    assert result.eps_ttm == pytest.approx(2.0)
    assert result.shares == SHARES


def test_a_share_count_that_jumps_without_a_listed_split_is_refused_in_words():
    older = {**ITEMS, "eps_diluted": 10.0, "shares_diluted": SHARES / 20}
    income = [statement(end, ITEMS if index == 0 else older) for index, end in enumerate(QUARTER_ENDS)]
    result = asked(income=income)
    assert (result.shares, result.market_cap, result.eps_ttm, result.pe_ttm, result.fcf_yield) == (None,) * 5
    reason = (
        "Shares rose by a factor of 20.00, from 5.00 (period to 2023-12-31) to 100.00 (period to 2024-03-31), and the "
        "source lists no split of 20 for 1 that explains it: market cap, EPS and the multiples are withheld."
    )
    assert reason in result.notes
    assert result.warnings == (f"MADE: {reason}",)
    assert result.roa == pytest.approx(10.0)


@pytest.mark.parametrize("times", [1000, 1e6, 1 / 1000])
def test_a_count_in_another_unit_is_refused_where_nothing_else_tells(times: float):
    """Without earnings per share nothing in the statement itself says that its count is in thousands."""
    now = {name: value for name, value in ITEMS.items() if name != "eps_diluted"}
    older = {**now, "shares_diluted": SHARES}
    income = [
        statement(end, {**now, "shares_diluted": SHARES * times} if index == 0 else older)
        for index, end in enumerate(QUARTER_ENDS)
    ]
    result = asked(income=income)
    assert (result.shares, result.market_cap, result.pe_ttm, result.ps_ttm) == (None,) * 4
    (reason,) = result.withheld
    factor = max(times, 1 / times)
    assert reason.startswith(f"Shares {'rose' if times > 1 else 'fell'} by a factor of {factor:.2f}, from 100.00 ")
    assert reason.endswith("and no split explains it: market cap, EPS and the multiples are withheld.")


def test_earnings_across_an_unlisted_split_are_refused_and_the_market_cap_of_newer_counts_is_not():
    older = {**ITEMS, "eps_diluted": 1.0, "shares_diluted": SHARES / 2}
    income = [statement(end, ITEMS if index < 2 else older) for index, end in enumerate(QUARTER_ENDS)]
    result = asked(income=income)
    assert (result.market_cap, result.eps_ttm, result.pe_ttm, result.peg) == (4000, None, None, None)
    assert any("no split of 2 for 1" in note and "EPS, P/E and PEG are withheld" in note for note in result.notes)


def test_earnings_per_share_that_jump_against_net_income_show_a_split_where_counts_are_missing():
    now = {"revenue": 250.0, "net_income": 50.0, "eps_diluted": 0.5}
    income = [
        statement(end, now if index < 2 else {**now, "eps_diluted": 5.0}) for index, end in enumerate(QUARTER_ENDS)
    ]
    result = asked(income=income)
    assert result.eps_ttm is None
    assert any("no split of 10 for 1" in note for note in result.notes)


def test_only_growth_is_refused_where_the_year_before_counts_other_shares():
    older = {**BEFORE, "eps_diluted": 1.2, "shares_diluted": SHARES / 3}
    result = asked(income=books(before=older))
    assert result.pe_ttm == pytest.approx(20.0)
    assert result.peg is None
    assert any("no split of 3 for 1" in note and note.endswith("PEG is withheld.") for note in result.notes)


def test_a_close_that_falls_like_a_split_which_is_not_listed_is_refused():
    halved = [80.0] * 240 + [40.0] * 20  # after the newest filing
    result = asked(bars(halved))
    assert (result.market_cap, result.pe_ttm) == (None, None)
    assert any(note.startswith("The close went from 80.00 on") for note in result.notes)
    listed = Split(bars(halved).days[240].item(), 2.0)
    assert asked(bars([40.0] * 260, splits=(listed,))).market_cap == pytest.approx(8000)
    assert asked(bars([55.0] * 240 + [40.0] * 20)).market_cap == pytest.approx(4000)


def test_prices_adjusted_for_unlisted_splits_do_not_go_with_shares_as_filed():
    unlisted = bars([40.0] * 260, splits_listed=False)
    result = asked(unlisted)
    assert (result.price, result.market_cap, result.pe_ttm) == (40, None, None)
    assert any("splits that it does not list" in warning for warning in result.warnings)
    restated = asked(unlisted, income=[replace(one, shares_as_of=KNOWN) for one in books()])
    assert (restated.market_cap, restated.pe_ttm) == (4000, pytest.approx(20.0))
    assert any("not known to be as traded" in note for note in restated.notes)


def test_a_spin_off_recorded_as_a_split_leaves_shares_alone():
    result = asked(bars([40.0] * 260, splits=(Split(date(2024, 6, 10), 1.128),)))
    assert result.shares == SHARES
    assert any("taken for a spin-off" in note for note in result.notes)


def test_a_fourth_quarter_derived_by_subtraction_has_no_share_count():
    derived = {**ITEMS, "shares_diluted": -1.0}
    income = [statement(QUARTER_ENDS[0], derived), *books()[1:]]
    assert asked(income=income).shares == SHARES
    assert "The share count is of the period to 2023-12-31." in asked(income=income).notes
    too_few = {**ITEMS, "shares_diluted": 3.0}  # 3 x 0.5 is nowhere near 50
    assert asked(income=[statement(QUARTER_ENDS[0], too_few), *books()[1:]]).shares == SHARES


def test_earnings_per_share_that_do_not_fit_net_income_are_recomputed():
    garbage = {**ITEMS, "eps_diluted": -7.0, "shares_diluted": -1.0}
    income = [books()[0], statement(QUARTER_ENDS[1], garbage), *books()[2:]]
    assert asked(income=income).eps_ttm == pytest.approx(2.0)  # 200 over 100 shares


def test_basic_figures_stand_in_for_diluted_ones():
    basic = {"net_income": 50.0, "eps_basic": 0.5, "shares_basic": SHARES}
    result = asked(income=books(basic))
    assert (result.shares, result.eps_ttm) == (SHARES, pytest.approx(2.0))


def test_a_loss_has_no_pe_and_says_so():
    result = asked(income=books({**ITEMS, "net_income": -50.0, "eps_diluted": -0.5}))
    assert result.eps_ttm == pytest.approx(-2.0)
    assert (result.pe_ttm, result.peg) == (None, None)
    assert result.roa == pytest.approx(-10.0)
    assert "The last twelve months made a loss: there is no P/E and no PEG." in result.notes
    assert "pe_ttm" not in parse_figures(result.to_markdown())


def test_shrinking_earnings_have_no_peg():
    result = asked(income=books(ITEMS, {**ITEMS, "net_income": 60.0, "eps_diluted": 0.6}))
    assert result.pe_ttm == pytest.approx(20)
    assert result.peg is None
    assert "No PEG: earnings per share did not grow from a profit." in result.notes


def test_a_quarter_missing_from_the_year_before_is_named():
    income = books()
    gone = income.pop(5)
    (note,) = [one for one in asked(income=income).notes if one.startswith("No PEG")]
    assert f"the quarter before {income[4].period_end} is missing" in note
    assert str(gone.period_end) not in note


def test_four_quarters_leave_growth_and_peg_unknown():
    result = asked(income=books()[:4])
    assert result.pe_ttm == pytest.approx(20)
    assert result.peg is None
    assert "No PEG: earnings of the twelve months before are not known." in result.notes


@pytest.mark.parametrize("missing", ["cash", "total_debt"])
def test_enterprise_value_needs_debt_and_cash(missing: str):
    result = asked(sheet={name: value for name, value in SHEET.items() if name != missing})
    assert result.ev_ebitda is None
    assert "No EV/EBITDA: debt or cash is not given." in result.notes


def test_equity_below_zero_has_no_price_to_book():
    result = asked(sheet={**SHEET, "equity": -5.0})
    assert result.pb is None
    assert "Equity is not positive: there is no P/B." in result.notes


def test_without_shares_there_is_no_market_cap():
    items = {"revenue": 250.0, "net_income": 50.0}
    result = asked(income=books(items, items))
    assert (result.market_cap, result.ps_ttm, result.eps_ttm) == (None, None, None)
    assert result.roa == pytest.approx(10.0)
    assert any("No usable share count" in note for note in result.notes)


def test_the_fiscal_year_stands_in_for_missing_quarters():
    year = {"revenue": 800.0, "net_income": 160.0, "eps_diluted": 1.6, "shares_diluted": SHARES}
    last = {**year, "eps_diluted": 1.28, "net_income": 128.0}
    income = [
        statement(date(2023, 12, 31), year, frequency="annual"),
        statement(date(2022, 12, 31), last, frequency="annual"),
    ]
    result = asked(income=income)
    assert result.basis == "annual"
    assert result.pe_ttm == pytest.approx(25.0)
    assert result.peg == pytest.approx(1.0)
    assert any("figures are of the fiscal year to 2023-12-31" in note for note in result.notes)


def test_dividends_of_the_last_year_over_the_price():
    paid = tuple(
        Dividend(day, 0.25) for day in (date(2023, 6, 30), date(2023, 9, 15), date(2023, 12, 15), date(2024, 6, 28))
    )
    old = Dividend(date(2023, 6, 29), 5.0)  # 365 days before the last bar
    assert asked(bars([40.0] * 300, dividends=(old, *paid))).dividend_yield == pytest.approx(2.5)


def test_no_dividend_is_zero_only_where_the_adjusted_close_confirms_it():
    assert asked(bars([40.0] * 260)).dividend_yield == 0
    adjusted = np.concatenate([np.full(100, 39.0), np.full(160, 40.0)])
    unknown = asked(bars([40.0] * 260, adj_close=adjusted))
    assert unknown.dividend_yield is None
    assert "The source gives no dividends: the yield is not known." in unknown.notes
    assert asked(bars([40.0] * 260, basis="fully_adjusted")).dividend_yield is None


def test_beta_against_the_benchmark():
    market = wander(300, symbol="MKT")
    moves = np.diff(market.adj_close) / market.adj_close[:-1]
    stock = bars(np.cumprod(np.concatenate([[40.0], 1 + 1.5 * moves])))
    result = asked(stock, benchmark=market)
    assert result.beta == pytest.approx(1.5)
    assert result.inputs == ("MKT",)
    assert asked(stock).beta is None
    assert asked(stock.since(date(2024, 5, 1)), benchmark=market).beta is None


def test_prices_and_books_in_different_currencies_are_not_mixed():
    income = [statement(end, ITEMS, currency="TWD") for end in QUARTER_ENDS]
    result = asked(income=income, sheet_currency="TWD")
    assert (result.market_cap, result.pe_ttm) == (None, None)
    assert result.roa == pytest.approx(10.0)
    assert "Prices are in USD, the books in TWD: ratios of the two are n/a." in result.notes
    assert "revenue 1000.00 TWD" in result.body()


def test_income_and_assets_in_two_currencies_have_no_ratio():
    income = [statement(end, ITEMS, currency="TWD") for end in QUARTER_ENDS]
    result = asked(income=income)
    assert result.roa is None
    assert any("its income statements are in TWD, its balance sheet in USD" in note for note in result.notes)


def test_a_fund_has_prices_and_no_books():
    profile = Profile(symbol="FUND", name="A Fund", kind="etf")
    result = fundamentals(bars([40.0] * 260), [], [], [], profile, as_of=AS_OF, benchmark=wander(300), known_at=KNOWN)
    assert (result.price, result.sma_200, result.market_cap, result.basis) == (40, 40, None, "none")
    assert any("kind of instrument (etf)" in note for note in result.notes)


def test_no_bars_no_ratios():
    with pytest.raises(NoData):
        asked(bars([]))


def test_a_vendors_own_ratios_are_added_and_named_never_mixed_in():
    ratios = Ratios("MADE", {"forward_pe": 18.0, "pe_ttm": 99.0}, "live", datetime(2024, 6, 28, 21, tzinfo=UTC))
    result = asked(ratios=ratios)
    read = parse_figures(result.to_markdown())
    assert (read["forward_pe"].value, read["forward_pe"].unit) == (18.0, "x")
    assert read["pe_ttm"].value == 20
    assert "forward_pe: live's own, as of 2024-06-28." in result.notes
    assert list(parse_figures(asked().to_markdown())) == [name for name in FIGURES if name != "beta"]


def test_what_the_company_does_is_told_in_the_words_of_its_source():
    at = datetime(2024, 6, 28, 21, tzinfo=UTC)
    ratios = Ratios("MADE", {"forward_pe": 18.0}, "live", at, business="Makes widgets in 3 plants.")
    assert 'in the words of live today: "Makes widgets in 3 plants."' in asked(ratios=ratios).body()
    assert "What the company does" not in asked(ratios=Ratios("MADE", {"forward_pe": 18.0}, "live", at)).body()
    assert "What the company does" not in asked().body()


def test_bars_after_the_day_do_not_matter():
    later = wander(400, last=date(2024, 7, 31))
    assert asked(later) == asked(later.upto(AS_OF))


def test_the_body_says_who_and_what_the_ratios_stand_on():
    body = asked().body()
    assert "Sector: Information Technology. Industry: Widgets." in body
    assert "Four quarters to 2024-03-31: revenue 1000.00 USD" in body


@given(st.sampled_from([2.0, 3.0, 10.0, 0.5, 0.1, 1.5]))
def test_a_split_changes_counts_and_prices_but_no_ratio(ratio: float):
    before = asked()
    after = asked(bars([40.0 / ratio] * 260, splits=(Split(LATER_SPLIT.day, ratio),)))
    for name in ("market_cap", "pe_ttm", "ps_ttm", "pb", "peg", "ev_ebitda", "fcf_yield"):
        assert getattr(after, name) == pytest.approx(getattr(before, name)), name


def test_share_count_is_of_the_newest_period_that_has_one():
    income = [statement(QUARTER_ENDS[0], {"revenue": 1.0}), statement(QUARTER_ENDS[1], {"shares_diluted": 7.0})]
    found = share_counts.latest_shares(trailing(income, [], [], as_of=AS_OF).quarters)
    assert found is not None
    assert (found[0], found[1].end) == (7.0, QUARTER_ENDS[1])


def test_there_is_no_yield_of_dividends_that_the_adjusted_close_contradicts():
    withheld = np.where(np.arange(300) < 200, np.nan, 40.0)
    paid = (Dividend(date(2024, 6, 14), 0.25),)
    assert asked(bars([40.0] * 300, dividends=paid)).dividend_yield == pytest.approx(0.625)
    assert asked(bars([40.0] * 300, dividends=paid, adj_close=withheld)).dividend_yield is None


@pytest.mark.parametrize("number", [0, 3, 4, 7])
def test_peg_is_absent_where_earnings_per_share_that_its_growth_rests_on_are_withheld(number: int):
    income = books()
    items = {name: value for name, value in income[number].items.items() if name != "eps_diluted"}
    income[number] = replace(income[number], items=items, withheld={"eps_diluted": "MADE: year to date."})
    result = asked(income=income)
    assert result.peg is None
    assert (
        "EPS of quarters that its growth rests on are withheld, and growth may be near zero: PEG is withheld."
        in result.notes
    )
    assert asked().peg == pytest.approx(0.8)
