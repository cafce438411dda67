"""Items between operations and common shares: each counted once, with its sign, or said to be unknown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

import pytest

from tests.support.fakes import make_prices
from tests.valuation.company.test_facts import ENDS, PROFILE, income, statement
from tradingagents.dataflows.models import Prices, Statement
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES
from tradingagents.errors import NoData
from tradingagents.schemas.valuation_models import FittedModel
from tradingagents.valuation import ExcessReturnInputs, ValuationInputs, value_by_excess_returns, value_company
from tradingagents.valuation.company.answer_parts import SUMMED
from tradingagents.valuation.company.assumptions import BuiltInputs
from tradingagents.valuation.company.build import build_for_model
from tradingagents.valuation.company.claims import Claims, Sourced, claims_of
from tradingagents.valuation.company.facts import company_facts
from tradingagents.valuation.company.market_rates import MarketRates

RATES = MarketRates(Sourced(0.04, "test"), Sourced(0.045, "test"), regression=1.1, benchmark="SPY")
SHEET = {
    "equity": 300.0,
    "total_debt": 100.0,
    "cash": 40.0,
    "short_term_investments": 15.0,
    "long_term_investments": 25.0,
    "equity_method_investments": 20.0,
    "preferred_equity": 30.0,
    "minority_interest": 12.0,
    "temporary_equity": 3.0,
    "pension_deficit": 8.0,
    "finance_leases": 5.0,
}
COMMON = {"net_income_to_common": 11.0}


def sheet(items: Mapping[str, float] = SHEET, *, source: str = "yfinance", times: float = 1.0) -> Statement:
    return replace(
        statement("balance", ENDS[0], **{name: value * times for name, value in items.items()}), source=source
    )


def built(
    changes: Mapping[str, float] | None = None,
    given: Mapping[str, float] | None = None,
    *,
    model: FittedModel = "fcff",
    money: float = 1.0,
    shares: float = 1.0,
    source: str = "yfinance",
) -> BuiltInputs:
    """Build inputs from statements, with the sheet's items changed by amounts, and units scaled."""
    balance = {name: value + (changes or {}).get(name, 0.0) for name, value in SHEET.items()}
    rows = [replace(row, items=_scaled({**row.items, **COMMON}, money, shares)) for row in income()]
    facts = company_facts(_prices(money / shares), rows, [sheet(balance, source=source, times=money)], [], PROFILE)
    return build_for_model(model, facts, RATES, given or {}, as_of=date(2025, 3, 14))


def _scaled(items: Mapping[str, float], money: float, shares: float) -> dict[str, float]:
    factors = dict.fromkeys(SHARES, shares) | dict.fromkeys(PER_SHARE, money / shares)
    return {name: value * factors.get(name, money) for name, value in items.items()}


def _prices(times: float) -> Prices:
    prices = make_prices("ACMQ")
    return replace(
        prices,
        open=prices.open * times,
        high=prices.high * times,
        low=prices.low * times,
        close=prices.close * times,
        adj_close=prices.adj_close * times,
    )


def equity_value(one: BuiltInputs) -> float:
    assert isinstance(one.inputs, ValuationInputs)
    return value_company(one.inputs).equity_value


def per_share(one: BuiltInputs) -> float:
    if isinstance(one.inputs, ExcessReturnInputs):
        return value_by_excess_returns(one.inputs).value_per_share
    assert isinstance(one.inputs, ValuationInputs)
    return value_company(one.inputs).value_per_share


def test_each_item_is_counted_once_in_the_sums_of_the_kernel() -> None:
    inputs = built().inputs
    assert isinstance(inputs, ValuationInputs)
    assert inputs.cash == 40 + 15
    assert inputs.debt == 100 + 8 + 5
    assert inputs.minority_interest == 12 + 3 + 30
    assert inputs.non_operating_assets == 25  # the stakes by equity method are a part of it
    assert inputs.book_capital == 300 + 12 + 3 + 100 + 8 + 5 - 40 - 15 - 25


@pytest.mark.parametrize(
    ("changes", "change"),
    [
        ({"cash": 1.0, "equity": 1.0}, 1.0),
        ({"short_term_investments": 1.0, "equity": 1.0}, 1.0),
        ({"long_term_investments": 1.0, "equity": 1.0}, 1.0),
        ({"preferred_equity": 1.0}, -1.0),
        ({"minority_interest": 1.0, "equity": -1.0}, -1.0),
        ({"temporary_equity": 1.0, "equity": -1.0}, -1.0),
        ({"pension_deficit": 1.0, "equity": -1.0}, -1.0),
        ({"finance_leases": 1.0, "equity": -1.0}, -1.0),
        ({"cash": 1.0, "long_term_investments": -1.0}, 0.0),
        ({"equity_method_investments": 1.0}, 0.0),
    ],
)
def test_one_more_dollar_moves_the_equity_by_one_dollar(changes: dict[str, float], change: float) -> None:
    assert equity_value(built(changes)) - equity_value(built()) == pytest.approx(change, abs=1e-9)


@pytest.mark.parametrize("model", ["fcff", "excess_returns"])
@pytest.mark.parametrize(("money", "shares"), [(1000.0, 1.0), (1.0, 4.0), (0.007, 1.0), (1.0, 0.1)])
def test_value_over_price_does_not_depend_on_units_and_splits(model: FittedModel, money: float, shares: float) -> None:
    base, other = built(model=model), built(model=model, money=money, shares=shares)
    assert per_share(other) == pytest.approx(per_share(base) * money / shares, rel=1e-9)


def test_a_bank_is_valued_on_common_equity_and_what_it_earned_for_it() -> None:
    inputs = built(model="excess_returns").inputs
    assert isinstance(inputs, ExcessReturnInputs)
    assert inputs.book_equity == 300 - 30
    first = value_by_excess_returns(inputs).years[0]
    assert first.net_income == pytest.approx(4 * 11.0)  # no jump: the first year earns what the last one did


def test_a_source_without_preferred_stock_holds_all_income_against_all_equity() -> None:
    balance = {name: value for name, value in SHEET.items() if name != "preferred_equity"}
    rows = [replace(row, items={**row.items, **COMMON}) for row in income()]
    facts = company_facts(make_prices("ACMQ"), rows, [sheet(balance, source="polygon")], [], PROFILE)
    found = build_for_model("excess_returns", facts, RATES, {}, as_of=date(2025, 3, 14)).inputs
    assert isinstance(found, ExcessReturnInputs)
    assert found.book_equity == 300
    assert found.return_on_equity[0] == pytest.approx(48 / 300)
    told = build_for_model("excess_returns", facts, RATES, {"preferred_equity": 30.0}, as_of=date(2025, 3, 14)).inputs
    assert isinstance(told, ExcessReturnInputs)
    assert told.book_equity == 270
    assert told.return_on_equity[0] == pytest.approx(44 / 270)


def test_given_numbers_replace_their_item_and_no_other() -> None:
    inputs = built(given={"debt": 50.0, "cash": 10.0, "preferred_equity": 0.0, "pension_deficit": 20.0}).inputs
    assert isinstance(inputs, ValuationInputs)
    assert (inputs.debt, inputs.cash, inputs.minority_interest) == (50 + 20 + 5, 10 + 15, 15)


def test_a_statement_without_an_item_says_none_only_where_the_source_would_give_it() -> None:
    yahoo, polygon, unknown = (
        claims_of(sheet({"equity": 300.0}, source=one)) for one in ("yfinance", "polygon", "own")
    )
    assert yahoo.preferred_equity == Sourced(0.0, "0: the balance sheet of 2024-12-31 has none", assumed=True)
    assert yahoo.knows_preferred
    assert polygon.preferred_equity.source == "default: 0, not known: polygon gives no such item"
    assert polygon.minority_interest.source == "0: the balance sheet of 2024-12-31 has none"
    assert not polygon.knows_preferred
    assert unknown.investments.source == "default: 0, not known: own gives no such item"
    assert claims_of(None).investments.source == "default: 0, no balance sheet is known"


def test_an_item_that_the_data_gate_withholds_refuses_the_valuation() -> None:
    row = replace(sheet({"equity": 300.0, "total_debt": 1.0}), withheld={"minority_interest": "Why."})
    with pytest.raises(NoData, match=r"cannot be valued without minority_interest of 2024-12-31\. Why\."):
        company_facts(make_prices("ACMQ"), income(), [row], [], PROFILE)


def test_a_negative_part_of_others_is_no_asset() -> None:
    claims = claims_of(sheet({"equity": -300.0, "minority_interest": -6.0}))
    assert claims.minority_interest.value == 0
    assert claims.minority_interest.assumed


def test_items_of_size_that_are_not_counted_are_said() -> None:
    def notes(**items: float) -> tuple[str, ...]:
        return claims_of(sheet({"equity": 100.0, **items})).notes

    assert notes(cash=1.0, restricted_cash=1.9) == ()
    assert notes(cash=1.0, restricted_cash=30.0) == ("Not counted: restricted_cash 30.00 of 2024-12-31.",)
    assert "other_noncurrent_assets 50.00" in notes(other_noncurrent_assets=50.0)[0]
    assert notes(cash=1.0, other_noncurrent_assets=50.0) == ()
    assert notes(cash=1.0, convertible_debt=20.0)[0].startswith("Counted as debt: convertible_debt 20.00")
    bank: Claims = claims_of(sheet({"equity": 100.0, "other_noncurrent_assets": 50.0}), is_firm=False)
    assert bank.notes == ()


def test_the_parts_of_a_sum_of_the_kernel_are_named_beside_it() -> None:
    found = built()
    amounts = {row.name: row.value for row in found.assumptions}
    assert isinstance(found.inputs, ValuationInputs)
    for name, parts in SUMMED.items():
        assert getattr(found.inputs, name) == sum(amounts[one] for one in (name, *parts))
