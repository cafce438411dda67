"""The screens of the books, worked out by hand: made-up books first, then one real company each for F, Z and M."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.support.builders import statement
from tradingagents.analytics.company.fiscal_years import FiscalYear, fiscal_years
from tradingagents.analytics.company.screens import (
    ScreenedCompany,
    altman_z,
    beneish_m,
    dupont,
    graham_number,
    magic_formula,
    piotroski_f,
    screen_figures,
)

LAST = {
    "revenue": 1000.0,
    "cost_of_revenue": 600.0,
    "selling_general_administrative": 150.0,
    "operating_income": 200.0,
    "depreciation_and_amortization": 50.0,
    "pretax_income": 180.0,
    "net_income": 120.0,
    "shares_basic": 100.0,
    "cash": 80.0,
    "receivables": 110.0,
    "current_assets": 400.0,
    "fixed_assets": 450.0,
    "total_assets": 1000.0,
    "current_liabilities": 200.0,
    "short_term_debt": 40.0,
    "long_term_debt": 200.0,
    "total_liabilities": 500.0,
    "equity": 500.0,
    "retained_earnings": 300.0,
    "operating_cash_flow": 160.0,
}
BEFORE = {
    "revenue": 800.0,
    "cost_of_revenue": 520.0,
    "selling_general_administrative": 100.0,
    "operating_income": 120.0,
    "depreciation_and_amortization": 50.0,
    "net_income": 64.0,
    "shares_basic": 100.0,
    "receivables": 80.0,
    "current_assets": 300.0,
    "fixed_assets": 400.0,
    "total_assets": 800.0,
    "current_liabilities": 200.0,
    "long_term_debt": 220.0,
    "operating_cash_flow": 90.0,
}
FIRST = {"total_assets": 800.0}
YEARS = tuple(FiscalYear(date(2024 - number, 12, 31), items) for number, items in enumerate((LAST, BEFORE, FIRST)))
COMPANY = ScreenedCompany(YEARS, 1500.0, 15.0, 1.2, 100.0, "industrials", "Machinery")


def with_last(**items: float) -> ScreenedCompany:
    return replace(COMPANY, years=(FiscalYear(YEARS[0].end, {**LAST, **items}), *YEARS[1:]))


def without(*names: str) -> ScreenedCompany:
    items = {name: value for name, value in LAST.items() if name not in names}
    return replace(COMPANY, years=(FiscalYear(YEARS[0].end, items), *YEARS[1:]))


def values(score) -> dict[str, float | None]:
    return {part.name: part.value for part in score.parts}


def test_all_nine_signals_hold_where_everything_improved():
    score = piotroski_f(COMPANY)
    assert score.score == 9
    assert score.reading == "9 of 9 signals hold (strong; 8-9 strong, 0-2 weak)."
    inputs = {part.name: part.inputs for part in score.parts}
    assert inputs["change_in_return_on_assets"] == {"roa": 120 / 800, "roa_before": 64 / 800}
    assert inputs["change_in_leverage"] == {"leverage": 200 / 900, "leverage_before": 220 / 800}
    assert inputs["change_in_liquidity"] == {"current_ratio": 2.0, "current_ratio_before": 1.5}
    assert inputs["change_in_gross_margin"] == {"gross_margin": 0.4, "gross_margin_before": 0.35}
    assert inputs["change_in_asset_turnover"] == {"asset_turnover": 1.25, "asset_turnover_before": 1.0}


@pytest.mark.parametrize(
    ("items", "signal"),
    [
        ({"net_income": -1.0}, "return_on_assets"),
        ({"operating_cash_flow": -1.0}, "operating_cash_flow"),
        ({"net_income": 64.0}, "change_in_return_on_assets"),
        ({"operating_cash_flow": 119.0}, "accruals"),
        ({"long_term_debt": 250.0}, "change_in_leverage"),
        ({"current_assets": 300.0}, "change_in_liquidity"),
        ({"shares_basic": 101.0}, "no_share_issue"),
        ({"cost_of_revenue": 650.0}, "change_in_gross_margin"),
        ({"revenue": 790.0}, "change_in_asset_turnover"),
    ],
)
def test_each_signal_can_fail(items: dict[str, float], signal: str):
    assert values(piotroski_f(with_last(**items)))[signal] == 0


def test_a_signal_without_its_input_is_named_and_not_counted():
    score = piotroski_f(without("long_term_debt", "current_assets"))
    assert score.score == 7
    assert score.reading == "7 of 7 signals hold; not computable: change_in_leverage, change_in_liquidity."


def test_without_a_third_balance_sheet_both_years_use_their_own_assets():
    inputs = {part.name: part.inputs for part in piotroski_f(replace(COMPANY, years=YEARS[:2])).parts}
    assert inputs["change_in_return_on_assets"] == {"roa": 0.12, "roa_before": 0.08}


def test_a_company_without_debt_in_both_years_keeps_the_leverage_signal():
    years = tuple(FiscalYear(year.end, {**year.items, "long_term_debt": 0.0}) for year in YEARS)
    assert values(piotroski_f(replace(COMPANY, years=years)))["change_in_leverage"] == 1


def test_altman_z_of_a_manufacturer():
    # 1.2 x 0.2 + 1.4 x 0.3 + 3.3 x 0.2 + 0.6 x 3 + 0.999 x 1
    score = altman_z(COMPANY)
    assert score.score == pytest.approx(0.24 + 0.42 + 0.66 + 1.8 + 0.999)
    assert score.reading.startswith("Z for a manufacturer: safe zone")


def test_altman_z_of_another_company_takes_book_equity_and_no_sales():
    # 6.56 x 0.2 + 3.26 x 0.3 + 6.72 x 0.2 + 1.05 x 1
    score = altman_z(replace(COMPANY, industry="Application Software", market_cap=None))
    assert score.score == pytest.approx(1.312 + 0.978 + 1.344 + 1.05)
    assert score.title == "Altman Z''-score"
    assert [part.name for part in score.parts] == ["x1", "x2", "x3", "x4"]


def test_altman_z_names_what_is_missing_and_refuses_a_bank():
    assert altman_z(without("retained_earnings")).reading == "Not computable: retained earnings not given."
    bank = altman_z(replace(COMPANY, sector="financials"))
    assert bank.score is None
    assert "banks, insurers" in bank.reading


def test_beneish_m():
    found = values(beneish_m(COMPANY))
    expected = {
        "dsri": 0.11 / 0.10,
        "gmi": 0.35 / 0.40,
        "aqi": 0.15 / 0.125,
        "sgi": 1.25,
        "depi": (50 / 450) / (50 / 500),
        "sgai": 0.15 / 0.125,
        "tata": -0.04,
        "lvgi": 0.4 / 0.525,
    }
    assert found == pytest.approx(expected)
    weights = {"dsri": 0.92, "gmi": 0.528, "aqi": 0.404, "sgi": 0.892, "depi": 0.115, "sgai": -0.172}
    weights |= {"tata": 4.679, "lvgi": -0.327}
    by_hand = -4.84 + sum(weight * expected[name] for name, weight in weights.items())
    assert beneish_m(COMPANY).score == pytest.approx(by_hand)
    assert beneish_m(COMPANY).reading.startswith("Does not resemble")
    assert beneish_m(with_last(net_income=600.0)).reading.startswith("Resembles")
    assert "two years" in beneish_m(replace(COMPANY, years=YEARS[:1])).reading
    assert "receivables to revenue" in beneish_m(without("receivables")).reading


def test_dupont_parts_multiply_to_the_return_on_equity():
    score, found = dupont(COMPANY), values(dupont(COMPANY))
    assert score.score == pytest.approx(24.0)
    product = found["net_margin"] * found["asset_turnover"] * found["equity_multiplier"]
    assert 100 * product == pytest.approx(score.score)
    longer = found["tax_burden"] * found["interest_burden"] * found["operating_margin"]
    assert longer == pytest.approx(found["net_margin"])
    assert dupont(with_last(equity=-1.0)).score is None


def test_graham_number():
    score = graham_number(COMPANY)  # √(22.5 x 1.2 x 5) = √135
    assert score.score == pytest.approx(135**0.5)
    assert score.reading == "The price is above it."
    assert graham_number(replace(COMPANY, eps=-1.0)).reading.startswith("Not computable")


def test_the_magic_formula_ranks_by_the_sum_of_two_ranks():
    # Enterprise value 1500 + 240 - 80 = 1660; capital (400 - 80) - (200 - 40) + 450 = 610
    assert values(magic_formula(COMPANY)) == pytest.approx(
        {"earnings_yield": 200 / 1660, "return_on_capital": 200 / 610}
    )
    dear = replace(COMPANY, market_cap=9000.0)
    assert magic_formula(COMPANY, {"DEAR": dear}).score == 1
    assert magic_formula(dear, {"CHEAP": COMPANY, "BANK": replace(COMPANY, sector="financials")}).reading == (
        "Rank 2 of 2 among CHEAP."
    )
    assert "no peer" in magic_formula(COMPANY).reading


def test_years_are_sums_of_quarters_where_they_reach_back():
    ends = [date(2024, 12, 31), date(2024, 9, 30), date(2024, 6, 30), date(2024, 3, 31)]
    ends += [day.replace(year=2023) for day in ends]
    income = [statement(end, {"revenue": 10.0 + number, "shares_basic": 5.0}) for number, end in enumerate(ends)]
    balance = [statement(end, {"total_assets": 100.0}, "balance") for end in (ends[0], ends[4])]
    years = fiscal_years(income, balance, [])
    assert years.basis == "ttm"
    assert [year.items["revenue"] for year in years.years] == [10 + 11 + 12 + 13, 14 + 15 + 16 + 17]
    assert years.years[0].items["shares_basic"] == 5
    assert fiscal_years(income[:5], balance, []).years[1:] == (FiscalYear(ends[4], {"total_assets": 100.0}),)
    assert fiscal_years(income[:3], balance, []).years == ()


def test_fractions_are_shown_in_percent_and_signals_as_whole_numbers():
    shown = {
        figure.name: figure.text
        for score in (dupont(COMPANY), piotroski_f(COMPANY))
        for figure in screen_figures(score, "USD")
    }
    assert (shown["dupont_roe"], shown["dupont_net_margin"], shown["dupont_asset_turnover"]) == (
        "24.00%",
        "12.00%",
        "1.00x",
    )
    assert (shown["piotroski_f_score"], shown["f_accruals"]) == ("9", "1")


# Real companies, worked out by hand from their statements as recorded


def real(test_data: Path, ticker: str):
    from tradingagents.service.kernel.ask import ask
    from tradingagents.settings import load_settings

    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}, environ={})
    return ask("fundamental_screen", ticker=ticker, as_of="2025-03-14", settings=settings)


@pytest.mark.real_data
def test_the_f_score_of_apple(test_data: Path):
    """Quarters to 2024-12-28 against the year before, in billions of dollars."""
    score = real(test_data, "AAPL").score("piotroski_f")
    # roa 96.150/353.514 = 27.20% after 100.913/346.747 = 29.10%; cash flow 108.294 > income 96.150; debt fell;
    # current ratio 133.240/144.365 = 0.92 after 143.692/133.973 = 1.07; fewer shares; margin and turnover rose.
    failed = {part.name for part in score.parts if part.value == 0}
    assert failed == {"change_in_return_on_assets", "change_in_liquidity"}
    assert score.score == 7
    inputs = {part.name: part.inputs for part in score.parts}
    assert inputs["change_in_return_on_assets"] == pytest.approx(
        {"roa": 96.150 / 353.514, "roa_before": 100.913 / 346.747}, rel=1e-4
    )
    assert inputs["change_in_liquidity"] == pytest.approx(
        {"current_ratio": 133.240 / 144.365, "current_ratio_before": 143.692 / 133.973}, rel=1e-4
    )


@pytest.mark.real_data
def test_the_z_score_of_exxon(test_data: Path):
    """Year to 2023-12-31, in millions of dollars; 4,052 million shares at the close of 111.90."""
    score = real(test_data, "XOM").score("altman_z")
    x1, x2, x3 = (96_609 - 65_316) / 376_317, 453_927 / 376_317, 44_461 / 376_317
    x4, x5 = 4_052 * 111.90 / 163_779, 334_697 / 376_317
    assert score.score == pytest.approx(1.2 * x1 + 1.4 * x2 + 3.3 * x3 + 0.6 * x4 + 0.999 * x5, abs=2e-3)
    assert score.score == pytest.approx(4.73, abs=5e-3)


@pytest.mark.real_data
def test_the_m_score_of_walmart(test_data: Path):
    """Years to 2024-01-31 and 2023-01-31, in millions of dollars."""
    score = real(test_data, "WMT").score("beneish_m")
    expected = {
        "dsri": (8_796 / 648_125) / (7_933 / 611_289),
        "gmi": ((611_289 - 463_721) / 611_289) / ((648_125 - 490_142) / 648_125),
        "aqi": (1 - (76_877 + 130_338) / 252_399) / (1 - (75_655 + 119_234) / 243_197),
        "sgi": 648_125 / 611_289,
        "depi": (10_945 / (10_945 + 119_234)) / (11_853 / (11_853 + 130_338)),
        "sgai": (130_971 / 648_125) / (127_140 / 611_289),
        "tata": (15_511 - 35_726) / 252_399,
        "lvgi": ((36_132 + 92_415) / 252_399) / ((34_649 + 92_198) / 243_197),
    }
    assert values(score) == pytest.approx(expected, rel=1e-9)
    weights = {"dsri": 0.92, "gmi": 0.528, "aqi": 0.404, "sgi": 0.892, "depi": 0.115, "sgai": -0.172}
    weights |= {"tata": 4.679, "lvgi": -0.327}
    assert score.score == pytest.approx(-4.84 + sum(weight * expected[name] for name, weight in weights.items()))
    assert score.score == pytest.approx(-2.79, abs=5e-3)
