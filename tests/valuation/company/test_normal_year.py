"""What is normal for a company: one-offs, cycles, growth, turnover and return on equity, with figures by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.support.fakes import make_prices
from tradingagents.capabilities.valuation import build_valuation_inputs
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Profile, Statement, StatementKind
from tradingagents.errors import NoData
from tradingagents.settings import load_settings
from tradingagents.valuation.company.assumptions import AssumptionBook
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.equity_inputs import excess_return_inputs
from tradingagents.valuation.company.facts import CompanyFacts, company_facts
from tradingagents.valuation.company.history import (
    MARGIN,
    TAX,
    OneOff,
    QuarterRate,
    find_one_offs,
    past_growth,
    without,
)
from tradingagents.valuation.company.market_rates import MarketRates
from tradingagents.valuation.company.normal_year import cycle_of, stand_in_range
from tradingagents.valuation.company.operations import growth_of, margins_of, turnover_of, usual_tax
from tradingagents.valuation.company.results import CompanyValuationInputs

LAST = date(2024, 12, 31)
PROFILE = Profile(symbol="ACMQ", name="Acme", kind="stock", sector="technology", industry="Application Software")
OIL = replace(PROFILE, sector="energy", industry="Integrated Oil & Gas")
BANK = replace(PROFILE, sector="financials", industry="Regional Banks")
ECONOMY = 0.04


def quarter_ends(count: int) -> list[date]:
    """Return the ends of calendar quarters, newest first."""
    months = ((12, 31), (9, 30), (6, 30), (3, 31))
    return [date(LAST.year - number // 4, *months[number % 4]) for number in range(count)]


def statement(kind: StatementKind, end: date, source: str = "test", **items: float) -> Statement:
    return Statement(
        symbol="ACMQ",
        kind=kind,
        frequency="quarterly",
        fiscal_year=end.year,
        fiscal_period=f"Q{(end.month + 2) // 3}",
        period_end=end,
        known_at=datetime(end.year, end.month, end.day, tzinfo=UTC) + timedelta(days=30),
        currency="USD",
        source=source,
        items=items,
    )


def quarters(
    margins: Sequence[float], revenue: Sequence[float] | float = 100.0, taxes: Sequence[float] | float = 0.2
) -> list[Statement]:
    """Return income statements of quarters with given margins, newest first; income before tax is operating income."""
    count = len(margins)
    sales = [revenue] * count if isinstance(revenue, float) else revenue
    rates = [taxes] * count if isinstance(taxes, float) else taxes
    return [
        statement(
            "income", end, revenue=sold, operating_income=margin * sold, pretax_income=margin * sold,
            income_tax=rate * margin * sold, net_income=(1 - rate) * margin * sold, shares_diluted=50.0,
        )
        for end, margin, sold, rate in zip(quarter_ends(count), margins, sales, rates, strict=True)
    ]  # fmt: skip


def facts(income: Sequence[Statement], profile: Profile = PROFILE, balance: Sequence[Statement] = ()) -> CompanyFacts:
    sheets = balance or [statement("balance", LAST, equity=300.0, total_debt=100.0)]
    return company_facts(make_prices("ACMQ"), income, sheets, [], profile)


def rates(*values: float) -> list[QuarterRate]:
    return [QuarterRate(end, value, 100.0) for end, value in zip(quarter_ends(len(values)), values, strict=True)]


def source_of(book: AssumptionBook, name: str) -> str:
    return next(row.source for row in book.rows if row.name == name)


# One-offs


def test_a_court_charge_in_the_tax_of_one_quarter_is_found_and_shown() -> None:
    taxes = [0.16, 0.50, 0.16, 0.16, 0.15, 0.16, 0.17, 0.16]
    found = facts(quarters([0.3] * 8, taxes=taxes))
    tax = usual_tax(found)
    assert tax.value == pytest.approx(0.16)  # instead of (0.16 + 0.50 + 0.16 + 0.16) / 4 = 0.245
    assert tax.source.endswith(
        "four quarters to 2024-12-31; without a one-off: quarter to 2024-09-30 at 16.0%, its usual rate"
    )
    (told,) = found.norms.one_offs
    assert told == (
        "One-off: the tax rate of the quarter to 2024-09-30 was 50.0%, usually 16.0%, a difference of 10. "
        "The usual rate stands for it."
    )
    assert told in found.notes


def test_a_charge_in_one_quarter_does_not_make_the_margin() -> None:
    income = quarters([0.2, 0.2, -0.4, 0.2, *[0.2, 0.21, 0.19, 0.2] * 2])
    book = AssumptionBook({})
    now, target = margins_of(facts(income), book)
    # Second quarters: -0.4, 0.19, 0.19, so usually 0.19. (0.2 + 0.2 + 0.19 + 0.2) / 4 = 0.1975 instead of 0.05.
    assert now == pytest.approx(0.1975)
    assert "quarter to 2024-06-30 at 19.0%, its usual rate" in source_of(book, "margin_t0")
    assert target == now


def test_a_given_margin_replaces_the_one_without_one_offs() -> None:
    book = AssumptionBook({"margin_t0": 0.05, "target_margin": 0.06})
    assert margins_of(facts(quarters([0.2, -0.4, *[0.2] * 10])), book) == (0.05, 0.06)


def test_a_change_that_persists_is_no_one_off() -> None:
    before = [0.2, 0.21, 0.19, 0.2] * 3
    assert find_one_offs(rates(0.2, 0.2, 0.05, 0.05, *before), MARGIN) == ()
    assert find_one_offs(rates(0.2, 0.05, 0.12, 0.2, *before), MARGIN) == ()  # half of the way is on the way
    (found,) = find_one_offs(rates(0.2, 0.05, 0.2, 0.2, *before), MARGIN)
    assert (found.rate, found.usual) == (0.05, 0.21)


def test_seasons_are_no_one_offs_of_a_margin() -> None:
    season = [0.35, 0.05, 0.05, 0.05]
    assert find_one_offs(rates(*season * 3), MARGIN) == ()


def test_what_is_near_the_usual_one_is_no_one_off_however_even_the_others_are() -> None:
    assert find_one_offs(rates(0.2, 0.171, *[0.2] * 8), MARGIN) == ()
    assert len(find_one_offs(rates(0.2, 0.169, *[0.2] * 8), MARGIN)) == 1
    assert find_one_offs(rates(0.2, 0.151, *[0.2] * 8), TAX) == ()
    assert len(find_one_offs(rates(0.2, 0.149, *[0.2] * 8), TAX)) == 1


def test_fewer_than_eight_quarters_show_no_one_off() -> None:
    assert find_one_offs(rates(0.2, -0.4, *[0.2] * 5), MARGIN) == ()
    assert len(find_one_offs(rates(0.2, -0.4, *[0.2] * 6), MARGIN)) == 1


def test_only_the_last_twelve_months_are_searched() -> None:
    assert find_one_offs(rates(*[0.2] * 4, -0.4, *[0.2] * 7), MARGIN) == ()


def test_the_amount_of_a_one_off_is_its_distance_from_the_usual_rate() -> None:
    odd = OneOff(LAST, 0.05, 0.2, 4e9)
    assert odd.amount == pytest.approx(-0.6e9)
    assert "a difference of 600m" in odd.in_words(MARGIN)
    assert "was more than all of what it is of" in replace(odd, rate=1222.0).in_words(TAX)
    assert without(rates(0.1, 0.3), ()) == pytest.approx(0.2)


def test_the_tax_rate_is_of_income_after_tax_where_none_is_given_before() -> None:
    income = [
        replace(one, items={name: value for name, value in one.items.items() if name != "pretax_income"})
        for one in quarters([0.3] * 4, taxes=0.18)
    ]
    tax = usual_tax(facts(income))
    assert tax.value == pytest.approx(0.18)
    assert tax.source.startswith("get_income_statement: income_tax over net_income + income_tax")


def test_a_tax_rate_that_is_no_usual_one_gives_the_convention() -> None:
    tax = usual_tax(facts(quarters([0.3] * 4, taxes=-0.5)))
    assert (tax.value, tax.assumed) == (0.25, True)


def test_special_charges_that_operating_income_leaves_out_are_said() -> None:
    def years(*charges: float) -> tuple[str, ...]:
        income = [
            replace(one, frequency="annual", fiscal_period="FY", items={**one.items, "special_charges": charge})
            for one, charge in zip(quarters([0.2] * 12)[::4], charges, strict=True)
        ]
        return facts(income).norms.one_offs

    (told,) = years(-3.0, 0.0, -5.0)
    assert told.startswith(
        "Special charges of 3.0% of revenue (fiscal year to 2024-12-31): not in the operating income"
    )
    assert told.endswith("such charges of 1% or more came in 2 of 3 fiscal years.")
    assert years(-3.0, -2.0, -5.0)[0].endswith("The margin of a normal year holds them: give target_margin=….")
    assert years(-0.9, -2.0, -5.0) == ()


# Cycles


@pytest.mark.parametrize(
    ("sector", "industry", "name", "cycle"),
    [
        ("energy", "Integrated Oil & Gas", "Exxon Mobil", "price"),
        ("energy", "Oil & Gas Integrated", "Exxon Mobil", "price"),  # Yahoo's words
        ("energy", "Oil & Gas Storage & Transportation", "Kinder Morgan", None),
        ("materials", "Steel", "Nucor", "price"),
        ("materials", "Copper", "Freeport-McMoRan", "price"),
        ("materials", "Other Industrial Metals & Mining", "Vale", "price"),
        ("materials", "Specialty Chemicals", "Sherwin-Williams", None),
        ("industrials", "Marine Shipping", "ZIM", "price"),
        ("industrials", "Passenger Airlines", "Delta", "volume"),
        ("industrials", "Airlines", "Delta", "volume"),
        ("industrials", "Aerospace & Defense", "Boeing", "volume"),
        ("industrials", "Farm & Heavy Construction Machinery", "Caterpillar", "volume"),
        ("industrials", "Construction Machinery & Heavy Transportation Equipment", "Caterpillar", "volume"),
        ("consumer-discretionary", "Automobile Manufacturers", "Tesla", "volume"),
        ("consumer-discretionary", "Auto Manufacturers", "Tesla", "volume"),
        ("technology", "Semiconductors", "Micron Technology, Inc.", "price"),
        ("technology", "Semiconductors", "NVIDIA", None),
        ("financials", "Banks - Diversified", "JPMorgan Chase", "volume"),
        ("financials", "Property & Casualty Insurance", "Travelers", None),
        ("technology", "Application Software", "Salesforce", None),
        (None, None, "Nobody", None),
    ],
)
def test_one_table_marks_the_cyclical_trades(
    sector: str | None, industry: str | None, name: str, cycle: str | None
) -> None:
    assert cycle_of(Profile(symbol="X", name=name, kind="stock", sector=sector, industry=industry)) == cycle


def test_the_percentile_counts_years_alike_half() -> None:
    stand = stand_in_range((0.2, 0.1, 0.15, 0.2, 0.25))
    assert stand.percentile == 60  # two of five below, two alike: (2 + 1) / 5
    assert stand_in_range((0.3, 0.1)).percentile == 75
    assert "at the 75th percentile of its own 2 years (10.0% to 30.0%)" in stand_in_range((0.3, 0.1)).in_words("margin")


def test_a_cyclical_company_at_its_top_gets_the_median_of_its_years() -> None:
    yearly = [0.16, 0.04, 0.08, 0.10, 0.06, 0.12]  # newest first; the median of the first five is 0.08
    found = facts(quarters([margin for margin in yearly for _ in range(4)]), OIL)
    book = AssumptionBook({})
    assert margins_of(found, book) == pytest.approx((0.16, 0.08))
    assert "median of 5 years; cyclical" in source_of(book, "target_margin")
    assert found.norms.stand == (
        "Cyclical: the base year's operating margin of 16.0% is at the 92nd percentile of its own 6 years "
        "(4.0% to 16.0%)."
    )
    assert margins_of(facts(quarters([margin for margin in yearly for _ in range(4)])), AssumptionBook({})) == (
        pytest.approx((0.16, 0.16))
    )


def test_three_years_are_no_cycle_and_the_answer_says_so() -> None:
    found = facts(quarters([margin for margin in (0.16, 0.04, 0.08) for _ in range(4)]), OIL)
    book = AssumptionBook({})
    assert margins_of(found, book)[1] == pytest.approx(0.08)
    assert "median of 3 years, which are no cycle: none is known" in source_of(book, "target_margin")
    assert found.norms.stand.endswith("; 3 years are no cycle, so that none is known.")
    one = facts(quarters([0.16] * 4), OIL).norms.stand
    assert one == "Cyclical: only the operating margin of one year is known, 16.0%, which is no cycle."


def test_a_loss_at_the_bottom_of_a_cycle_is_no_norm() -> None:
    income = quarters([margin for margin in (-0.1, 0.1, 0.08, 0.12, 0.1) for _ in range(4)])
    assert margins_of(facts(income, OIL), AssumptionBook({}))[1] == pytest.approx(0.1)
    lost = quarters([margin for margin in (-0.1, -0.1, -0.08, 0.12, 0.1) for _ in range(4)])
    with pytest.raises(
        NoData, match=r"In its 2 profitable years of 5 it had 11.0%. .*at the 20th percentile of its own 5"
    ):
        margins_of(facts(lost, OIL), AssumptionBook({}))


def test_a_margin_below_each_of_four_years_moves_halfway_to_the_median() -> None:
    low = facts(quarters([margin for margin in (0.10, 0.30, 0.32, 0.34, 0.36) for _ in range(4)]))
    book = AssumptionBook({})
    assert margins_of(low, book) == pytest.approx((0.10, 0.21))  # (0.10 + 0.32) / 2
    assert "halfway from 10.0%, below each of the 4 years before, to 32.0%" in source_of(book, "target_margin")


# Growth


def revenues(*years: float) -> list[Statement]:
    """Return quarters whose revenue adds up to those of years, newest first."""
    sold = [year / 4 for year in years for _ in range(4)]
    return quarters([0.2] * len(sold), sold)


def test_growth_is_the_median_of_years_and_not_of_two_ends() -> None:
    boom = facts(revenues(200.0, 110.0, 105.0, 100.0))  # 82 %, 4.8 %, 5 %
    assert boom.growth is not None
    assert boom.growth.value == pytest.approx(0.05)
    assert boom.growth.source.endswith("median of 3 yearly growth rates, from 2021-12-31 to 2024-12-31")


def test_growth_of_few_years_weighs_less_than_that_of_many() -> None:
    two, ten = facts(revenues(121.0, 110.0, 100.0)), facts(revenues(*[100 * 1.1**year for year in range(10, -1, -1)]))
    book = AssumptionBook({})
    assert growth_of(two, book, ECONOMY) == pytest.approx(2 / 5 * 0.10 + 3 / 5 * 0.04)
    assert "10.0%; it weighs 40%, the growth of the economy of 4.0% the rest" in source_of(book, "growth_years_1_to_5")
    assert growth_of(ten, AssumptionBook({}), ECONOMY) == pytest.approx(10 / 13 * 0.10 + 3 / 13 * 0.04)
    assert growth_of(ten, AssumptionBook({"growth_years_1_to_5": 0.07}), ECONOMY) == 0.07


def test_growth_that_rests_on_a_price_is_not_read_from_a_part_of_its_cycle() -> None:
    years = [100 * 1.1**year for year in range(9, -1, -1)]
    book = AssumptionBook({})
    assert growth_of(facts(revenues(*years[:8]), OIL), book, ECONOMY) == ECONOMY
    why = source_of(book, "growth_years_1_to_5")
    assert why == (
        "default: the growth of the economy; cyclical: its revenue follows a price, and 7 years are no full cycle of it"
    )
    full = growth_of(facts(revenues(*years[:9]), OIL), AssumptionBook({}), ECONOMY)
    assert full == pytest.approx(8 / 11 * 0.10 + 3 / 11 * 0.04)


def test_growth_ends_at_a_year_without_revenue() -> None:
    ends = [(date(2024 - number, 12, 31), sold, None) for number, sold in enumerate((121.0, 110.0, 0.0, 90.0))]
    found = past_growth(ends)
    assert found is not None
    assert found.value == pytest.approx(0.1)
    assert past_growth(ends[2:]) is None
    assert past_growth(ends[:1]) is None


# Reinvestment


def sheets(capital: Sequence[float], source: str = "yfinance", **items: float) -> list[Statement]:
    """Return balance sheets at year ends with a given equity, no debt, and the same other items."""
    return [
        statement("balance", date(2024 - number, 12, 31), source, equity=size, total_debt=0.0, **items)
        for number, size in enumerate(capital)
    ]


def test_goodwill_is_no_cost_of_growth_without_acquisitions() -> None:
    income = revenues(400.0, 400.0, 400.0)
    bought = sheets((500.0, 500.0, 500.0), goodwill_and_intangibles=300.0)
    found, book = facts(income, balance=bought), AssumptionBook({})
    assert turnover_of(found, book) == pytest.approx(2.0)  # 400 / (500 - 300)
    assert "goodwill and acquired intangibles, median of 3 years" in source_of(book, "turnover")
    none = facts(income, balance=sheets((500.0, 500.0, 500.0)))
    assert turnover_of(none, AssumptionBook({})) == pytest.approx(0.8)  # the source has goodwill, the sheet none
    assert turnover_of(none, AssumptionBook({"turnover": 1.1})) == 1.1


def test_turnover_is_the_median_of_years() -> None:
    found = facts(revenues(400.0, 400.0, 400.0), balance=sheets((800.0, 200.0, 250.0)))
    assert turnover_of(found, AssumptionBook({})) == pytest.approx(1.6)  # of 0.5, 2 and 1.6


def test_goodwill_that_a_sheet_hides_makes_no_turnover() -> None:
    income, parts = revenues(400.0), {"current_assets": 100.0, "fixed_assets": 100.0}
    hidden = facts(income, balance=sheets((500.0,), "polygon", total_assets=500.0, **parts))
    book = AssumptionBook({})
    assert turnover_of(hidden, book) == 1.5
    assert source_of(book, "turnover").startswith("default: 1.5, its sheet gives 0.80, goodwill included")
    plain = facts(income, balance=sheets((500.0,), "polygon", total_assets=300.0, **parts))  # 100 of 500 may hide it
    assert turnover_of(plain, AssumptionBook({})) == pytest.approx(0.8)


# Banks


def test_a_bank_earns_the_median_of_its_years() -> None:
    earned = [30.0, 8.0, 12.0, 11.0, 10.0]
    income = quarters([0.1] * 20)
    income = [
        replace(one, items={**one.items, "net_income": earned[number // 4] / 4}) for number, one in enumerate(income)
    ]
    balance = sheets((100.0,) * 5, "test")
    found = facts(income, BANK, balance)
    market = MarketRates(Sourced(0.04, "test"), Sourced(0.045, "test"), 1.1, "SPY")
    built = excess_return_inputs("bank", found, market, AssumptionBook({}))
    roe = next(row for row in built.assumptions if row.name == "return_on_equity")
    assert roe.value == pytest.approx(0.11)
    assert roe.source.endswith("median of 5 years, 2020-12-31 to 2024-12-31")
    given = excess_return_inputs("bank", found, market, AssumptionBook({"return_on_equity": 0.14}))
    assert next(row.value for row in given.assumptions if row.name == "return_on_equity") == 0.14
    assert "return on equity of 30.0% is at the 90th percentile of its own 5 years" in found.norms.stand


def test_year_ends_reach_back_ten_years_of_growth() -> None:
    found = facts(revenues(*[100.0] * 13))
    assert found.norms.growth_years == 10
    assert len(found.norms.margins) == 10
    assert len(found.years) == 5


# Recorded companies


@pytest.mark.real_data
def test_norms_of_recorded_companies_hold_what_was_known_by_the_day(test_data: Path) -> None:
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}, environ={})
    vendors = Vendors(settings)

    def known(symbol: str, day: date) -> CompanyValuationInputs:
        return build_valuation_inputs.ask(MarketData(settings, day, vendors=vendors), ticker=symbol)

    before, after = known("AAPL", date(2024, 10, 15)), known("AAPL", date(2025, 3, 14))
    taxes = [next(row.value for row in one.assumptions if row.name == "effective_tax") for one in (before, after)]
    assert taxes == pytest.approx([0.154, 0.154], abs=0.006)
    assert not [note for note in before.notes if note.startswith("One-off")]  # the court ruled in that quarter
    assert [note for note in after.notes if "the tax rate of the quarter to 2024-09-28 was 50.2%" in note]
    for symbol, stand in (("XOM", "50th percentile of its own 3 years"), ("MU", "50th percentile of its own 3 years")):
        assert [note for note in known(symbol, date(2025, 3, 14)).notes if stand in note]
    with pytest.raises(NoData, match="Cyclical: the base year's operating margin"):
        known("BA", date(2025, 3, 14))
