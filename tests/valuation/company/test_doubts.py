"""What is doubtful about a value: each kind, with its effect by hand, in the order of the effects."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tests.valuation.company.test_capabilities import market
from tests.valuation.company.test_opening import bank, record
from tests.valuation.test_limited_liability import level
from tradingagents.capabilities.valuation import valuation
from tradingagents.capabilities.valuation_case import facts_of
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import NoData
from tradingagents.settings import load_settings
from tradingagents.valuation.company.answer_parts import ValuationAssumption
from tradingagents.valuation.company.assumptions import AnyInputs, BuiltInputs
from tradingagents.valuation.company.claims import Claims, Sourced
from tradingagents.valuation.company.doubts import Doubt, doubts_of, is_doubt, why_debt_withholds
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.history import OwnRecord, YearlyFigures
from tradingagents.valuation.dcf import value_company

LAST = date(2024, 12, 31)
OPERATIONS = 100.0


def facts(**changes: object) -> CompanyFacts:
    """A company of the simulated market without doubts of its own, at a price of 5."""
    found, _ = facts_of(market(), "VELQ")
    return replace(found, **{"price": 5.0, "record": OwnRecord(), "notes": (), **changes})


def row(name: str, value: float, source: str = "default: a convention", kind: str = "default") -> ValuationAssumption:
    return ValuationAssumption(name, value, kind, source)  # type: ignore[arg-type]


def doubts(inputs: AnyInputs, *rows: ValuationAssumption, **changes: object) -> dict[str, Doubt]:
    """Doubts by their first words, without the part that lies after the forecast."""
    model = "excess_returns" if inputs == bank() else "fcff"
    found = doubts_of(BuiltInputs(model, inputs, rows), facts(**changes))  # type: ignore[arg-type]
    return {" ".join(one.text.split()[:3]): one for one in found}


def test_a_default_debt_is_worth_what_it_takes() -> None:
    assert doubts(level(), row("debt", 60.0))["the debt is"].effect == pytest.approx(6.0)
    assert "the debt is" not in doubts(level(), row("debt", 60.0, "get_balance_sheet: debt", "data"))


def withheld(debt: float, price: float, *, kind: str = "default") -> str | None:
    """Why an assumed debt withholds the value of `level`: ten shares, whose operations are worth 100."""
    inputs = level(debt=debt)
    built = BuiltInputs("fcff", inputs, (row("debt", debt, kind=kind),))
    assert value_company(inputs).pv_after_failure == pytest.approx(OPERATIONS, rel=1e-3)
    assert inputs.shares_out == 10
    return why_debt_withholds(built, facts(price=price))


def test_an_assumed_debt_of_more_than_a_quarter_withholds_the_value() -> None:
    assert withheld(0.25 * OPERATIONS - 0.1, price=1000.0) is None
    large = withheld(0.4 * OPERATIONS, price=1000.0)
    assert large is not None
    assert "no source gives the debt of VELQ, and all its long-term liabilities" in large
    assert "40% of the value of its operations, would stand for it" in large
    assert large.endswith("or give debt=….")
    dear = withheld(0.2 * OPERATIONS, price=0.05 * OPERATIONS)  # half of OPERATIONS for ten shares
    assert dear is not None
    assert "40% of its market value" in dear


def test_a_debt_that_is_known_or_given_withholds_nothing() -> None:
    assert withheld(0.9 * OPERATIONS, price=1000.0, kind="data") is None
    assert withheld(0.9 * OPERATIONS, price=1000.0, kind="given") is None


@pytest.mark.real_data
def test_the_value_of_ibm_waits_for_its_debt(test_data: Path, tmp_path: Path) -> None:
    """It was 15.97 at a price of 248, since 81 billion of long-term liabilities stood for its debt."""
    given = {"data_vendor": "snapshot", "data_dir": test_data / "snapshot", "home": tmp_path}
    data = MarketData(load_settings(given, environ={}), date(2025, 3, 14))
    base = "base_period=2024-09-30"
    with pytest.raises(NoData, match=r"no source gives the debt of IBM, .*80\.96B USD, 85%.* give debt=…\.$"):
        valuation.ask(data, ticker="IBM", assumptions=base)
    assert valuation.ask(data, ticker="IBM", assumptions=f"{base}; debt=55e9").value_per_share > 40


def test_unknown_cash_is_as_large_as_the_assets_that_may_hold_it() -> None:
    nothing = Sourced(0.0, "default", assumed=True)
    claims = Claims(nothing, nothing, nothing, nothing, nothing, nothing, may_hold=30.0)
    rows = (row("cash", 0.0), row("non_operating_assets", 0.0), row("preferred_equity", 0.0))
    found = doubts(level(), *rows, claims=claims)
    assert found["cash and long-term"].effect == pytest.approx(3.0)
    assert found["preferred stock is"].effect is None
    assert list(found)[-2:] == ["preferred stock is", "by default inputs"]


def test_what_a_sheet_has_none_of_is_no_doubt() -> None:
    assert not {"preferred stock is"} & set(
        doubts(level(), row("preferred_equity", 0.0, "0: the balance sheet has none"))
    )


def test_conventions_have_the_effect_of_a_step() -> None:
    # Five points of tax take 0.5 of the yearly 10, for ever 5 of 100: 0.5 a share.
    assert doubts(level(), row("effective_tax", 0.25))["the tax rate"].effect == pytest.approx(0.5)


def test_an_assumption_at_a_bound_is_said_with_its_own_level() -> None:
    source = "get_income_statement: revenue, growth; 50.5%, taken within -5% to 25%"
    found = doubts(level(sales_to_capital=5.0), row("growth_years_1_to_5", 0.25, source, "data"))
    assert found["the growth of"].text == (
        "the growth of revenue stands at a bound, 25.0% (50.5%, taken within -5% to 25%)"
    )
    assert (found["the growth of"].effect or 0.0) > 0


def test_a_base_unlike_its_years_is_said_with_the_value_at_their_median() -> None:
    # Own margins have the quartiles 8 % and 12 % and the median 10 %; each point for ever is worth 1 a share.
    inputs = level(oper_margin=(0.15,) * 5, stable_margin=0.15)
    own = replace(record(), growth=YearlyFigures())
    found = doubts(inputs, record=own)["the operating margin"]
    path = sum((15 - year) / 1.1**year for year in range(1, 6)) + 10 / 0.1 / 1.1**5
    assert found.text.startswith(
        "the operating margin of 15.0% lies above the middle half of its own 5 years (8.0% to "
    )
    assert found.text.endswith(f"at their median, 10.0%, the value would be {(path - 60) / 10:,.2f}")
    assert found.effect == pytest.approx((150 - path) / 10)
    assert "the operating margin" not in doubts(level(), record=own)


def test_most_of_the_value_after_the_forecast_is_said() -> None:
    found = doubts(level(oper_margin=(0.01,) * 5))
    (told,) = (one for one in found.values() if "lies after the forecast" in one.text)
    assert told.text.startswith("94% of the value of operations")
    assert told.step == "half a point of growth there"
    assert not [one for one in doubts(level()).values() if "lies after the forecast" in one.text]  # 62 %


def test_the_lean_of_a_bank_is_what_the_fading_takes() -> None:
    fading = replace(bank(), return_on_equity=(0.12, 0.12, 0.12, 0.12, 0.10), stable_return_on_equity=0.10)
    rows = (row("stable_return_on_equity", 0.10),)
    worth = 100 + sum(2 / 1.1**year for year in range(1, 5))
    told, measured = doubts_of(BuiltInputs("excess_returns", fading, rows), facts(price=15.0))
    assert told.text == (
        "the method leans low: the return on equity of 12.0% falls to its cost of 10.0% within 5 years; held for ever "
        "the value would be 12.00"
    )
    assert told.effect == pytest.approx((120 - worth) / 10)
    assert measured.text.startswith("by default inputs the median of")
    # A price below the value is not what the lean explains.
    assert doubts_of(BuiltInputs("excess_returns", fading, rows), facts(price=5.0)) == (measured,)


def test_the_lean_of_a_firm_is_said_below_the_price_only() -> None:
    rows = (row("stable_roic", 0.15), row("stable_wacc", 0.10))
    inputs = level(stable_growth=0.03, stable_roic=0.15)
    assert "the method leans" in doubts(inputs, *rows, price=50.0)
    assert "the method leans" not in doubts(inputs, *rows, price=1.0)
    given = (row("stable_roic", 0.15, "given", "given"), row("stable_wacc", 0.10))
    assert "the method leans" not in doubts(inputs, *given, price=50.0)


def test_notes_of_doubt_come_among_the_doubts_and_others_do_not() -> None:
    notes = (
        "Cyclical: the base year's margin of 20.0% is at the 95th percentile of its own 10 years.",
        "Doubtful: the auditor resigned.",
        "Filing date assumed.",
    )
    rows = (row("margin_t0", 0.20, "data", "data"),)
    found = doubts(level(), *rows, notes=notes)
    # The margin of the base year for ever, 20 % instead of 10 % from year 5 on, on a straight line.
    path = sum((10 + 2 * year) / 1.1**year for year in range(1, 6)) + 20 / 0.1 / 1.1**5
    assert found["cyclical: the base"].effect == pytest.approx((path - 100) / 10)
    assert found["the auditor resigned"].text == "the auditor resigned"
    assert "Filing date assumed." not in {one.text for one in found.values()}
    assert [is_doubt(note) for note in notes] == [True, True, False]


def test_the_largest_effect_comes_first() -> None:
    found = list(doubts(level(), row("effective_tax", 0.25), row("debt", 60.0)).values())
    effects = [one.effect or 0.0 for one in found]
    assert effects == sorted(effects, reverse=True)
    assert len(effects) >= 2
