"""Teaching examples of five kinds: a utility, two stages, a winding-up, a payer of all it earns, a cost of capital.

Sources, figures only:

- Con Edison at the end of 2000: A. Damodaran, slides on the dividend discount model (Investment Valuation, chapter 13).
- Procter & Gamble in May 2011: A. Damodaran, Investment Valuation, 3rd edition, chapter 13, as given in the lectures of
  R. J. Hawkins, Econ 136, University of California, Berkeley.
- Bugg Properties: J. Pinto and others, Equity Asset Valuation (CFA Institute), residual income, examples 3 and 4.
- ABC Corp: a practice question of the CFA curriculum's reading on residual income (analystnotes.com, RBJS2OA27).
- Disney in 2004: A. Damodaran, Applied Corporate Finance, the current cost of capital.
"""

from __future__ import annotations

import pytest

from tradingagents.valuation import (
    DividendInputs,
    ExcessReturnInputs,
    value_by_dividends,
    value_by_excess_returns,
)
from tradingagents.valuation.cost_of_capital import CapitalStructure, cost_of_capital


def test_con_edison_by_growth_for_ever() -> None:
    cost = 0.051 + 0.80 * 0.04
    inputs = DividendInputs(
        dividend_t0=2.18,
        dividend_growth=(0.03,) * 5,
        cost_of_equity=(cost,) * 5,
        stable_growth=0.03,
        stable_cost_of_equity=cost,
    )
    assert round(value_by_dividends(inputs).value_per_share, 2) == 42.37


def test_procter_and_gamble_in_two_stages() -> None:
    """Payout rises from 50 to 75 % in year 6, so that the dividend grows by 1.03 times 1.5 in that year."""
    inputs = DividendInputs(
        dividend_t0=1.91,
        dividend_growth=(*(0.10,) * 5, 1.03 * 0.75 / 0.50 - 1, *(0.03,) * 4),
        cost_of_equity=(*(0.08,) * 5, *(0.085,) * 5),
        stable_growth=0.03,
        stable_cost_of_equity=0.085,
    )
    found = value_by_dividends(inputs)
    first = sum(year.pv for year in found.years[:5])
    assert round(first, 2) == 10.09
    assert round(found.value_per_share - first, 2) == 58.81
    assert round(found.value_per_share, 2) == 68.90


def test_bugg_properties_until_it_winds_up() -> None:
    """Earnings of 2.00, 2.50 and 4.00, dividends of 1.00, 1.25 and 12.25: the last leaves no book value."""
    inputs = ExcessReturnInputs(
        book_equity=6.0,
        shares_out=1.0,
        return_on_equity=(2.00 / 6.00, 2.50 / 7.00, 4.00 / 8.25, 0.10, 0.10),
        cost_of_equity=(0.10,) * 5,
        payout=(1.00 / 2.00, 1.25 / 2.50, 12.25 / 4.00, 1.0, 1.0),
        stable_growth=0.0,
        stable_return_on_equity=0.10,
        stable_cost_of_equity=0.10,
    )
    found = value_by_excess_returns(inputs)
    assert [round(year.excess_return or 0.0, 3) for year in found.years] == [1.4, 1.8, 3.175, 0.0, 0.0]
    assert [round(year.pv, 4) for year in found.years[:3]] == [1.2727, 1.4876, 2.3854]
    assert round(found.value_per_share, 2) == 11.15
    paid = (1.00 / 1.1, 1.25 / 1.1**2, 12.25 / 1.1**3)
    assert found.value_per_share == pytest.approx(sum(paid))  # and so by its dividends


def test_abc_corp_pays_out_all_it_earns() -> None:
    inputs = ExcessReturnInputs(
        book_equity=7.58,
        shares_out=1.0,
        return_on_equity=(0.95 / 7.58,) * 5,
        cost_of_equity=(0.11,) * 5,
        payout=(1.0,) * 5,
        stable_growth=0.0,
        stable_return_on_equity=0.95 / 7.58,
        stable_cost_of_equity=0.11,
    )
    found = value_by_excess_returns(inputs)
    assert round(found.pv_explicit + found.pv_terminal, 2) == 1.06
    assert round(found.value_per_share, 2) == 8.64


def test_disney_pays_for_capital_at_market_values() -> None:
    """Beta 1.25 of the equity: its published cost of 10.00 % is 10.025 % cut, so that the sum is 8.61 %."""
    debt_to_equity, tax = 14.668 / 55.101, 0.373
    yields = 0.04 + 0.0125
    found = cost_of_capital(
        CapitalStructure(
            risk_free=0.04,
            equity_premium=0.0482,
            unlevered_beta=1.25 / (1 + (1 - tax) * debt_to_equity),
            tax_rate=tax,
            equity=55.101,
            debt=14.668,
            interest=14.668 * yields,
            debt_spread=0.0125,
        )
    )
    assert found.market_debt == pytest.approx(14.668)
    assert round(found.equity_weight, 2) == 0.79
    assert round(found.cost_of_debt * (1 - tax), 4) == 0.0329
    assert found.cost_of_equity == pytest.approx(0.1000, abs=0.0003)
    assert found.wacc == pytest.approx(0.0859, abs=0.0003)
