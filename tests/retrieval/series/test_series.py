"""Series over fiscal years and quarters: versions, derived quarters, bases, missing periods, and no look-ahead."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.retrieval.series.filings import COMPANY, filings, history, quarter, report, to_date, year
from tests.support.builders import statement
from tradingagents.dataflows.models import Statement
from tradingagents.errors import UsageError
from tradingagents.retrieval.series import Span, series
from tradingagents.retrieval.series.fact import FactPeriod, SeriesFact, WithheldFact
from tradingagents.retrieval.series.functions import growth_by_period, over_series
from tradingagents.retrieval.series.history import FactHistory
from tradingagents.retrieval.series.items import composed
from tradingagents.retrieval.series.reported import facts_of_reported, facts_of_statements, withheld_of_statements

REVENUE = {2021: 800e6, 2022: 1000e6, 2023: 1200e6, 2024: 1500e6}
RESTATED = {2022: 1040e6}
FACTS = list(filings(range(2021, 2025), REVENUE, RESTATED))
SOURCE = history(FACTS)
RESTATED_ON = date(2023, 11, 9)


def values(found) -> dict[str, float]:
    return {row.period.fiscal.label: row.value for row in found}


def test_years_as_first_stated_and_as_stated_last():
    span = Span.between(2021, 2024)
    assert values(series(SOURCE, COMPANY, "revenue", span, version="first")) == {
        "FY2021": 800e6, "FY2022": 1000e6, "FY2023": 1200e6, "FY2024": 1500e6,
    }  # fmt: skip
    latest = series(SOURCE, COMPANY, "revenue", span)
    assert values(latest) == {"FY2021": 800e6, "FY2022": 1040e6, "FY2023": 1200e6, "FY2024": 1500e6}
    assert latest.row(2022).place.form == "10-K"
    assert any("FY2022 was restated from" in note for note in latest.notes)
    assert any("after FY2021 was last stated" in note for note in latest.notes)


def test_a_restatement_is_not_known_before_it_is_filed():
    before, after = (datetime(2023, 11, day, 23, tzinfo=UTC) for day in (8, 9))
    asked = [series(SOURCE, COMPANY, "revenue", Span.years(2022), when).row(2022).value for when in (before, after)]
    assert asked == [1000e6, 1040e6]


def test_the_fourth_quarter_is_the_year_less_nine_months_and_says_so():
    found = series(SOURCE, COMPANY, "revenue", Span.quarters((2024, 3), (2024, 4)))
    assert values(found) == {"Q3 FY2024": 375e6, "Q4 FY2024": 375e6}
    assert found.row(2024, 3).derivation is None
    worked = found.row(2024, 4)
    assert worked.derivation.formula == "year - nine_months"
    assert [cell.value for cell in worked.derivation.cells] == [1500e6, 1125e6]
    assert (worked.period.start, worked.period.end) == quarter(2024, 4)
    assert found.notes == ("No filing states Q4 FY2024: worked out by subtraction.",)


def test_a_fourth_quarter_whose_year_alone_was_restated_is_withheld_as_of_then_and_known_before():
    span = Span.quarters((2022, 4))
    assert values(series(SOURCE, COMPANY, "revenue", span, version="first")) == {"Q4 FY2022": 250e6}
    withheld = series(SOURCE, COMPANY, "revenue", span)
    assert not withheld.rows
    assert "its year was restated and its nine months was not" in withheld.missing[0].reason
    earlier = series(SOURCE, COMPANY, "revenue", span, datetime(2023, 6, 1, tzinfo=UTC))
    assert values(earlier) == {"Q4 FY2022": 250e6}


def test_instants_and_amounts_per_share_are_not_subtracted():
    span = Span.quarters((2024, 4))
    per_share = series(SOURCE, COMPANY, "eps_diluted", span)
    assert not per_share.rows
    assert "do not follow by subtraction" in per_share.missing[0].reason
    assert values(series(SOURCE, COMPANY, "total_assets", span)) == {"Q4 FY2024": 2 * (1500e6 + 1200e6)}


def test_money_paid_out_is_positive_and_free_cash_flow_takes_it_off():
    assert values(series(SOURCE, COMPANY, "capital_expenditure", Span.years(2024))) == {"FY2024": 75e6}
    flow = series(SOURCE, COMPANY, "free_cash_flow", Span.years(2024)).row(2024)
    assert flow.value == pytest.approx(225e6)
    assert flow.derivation.formula == "operating_cash_flow - capital_expenditure"


def test_periods_without_a_figure_are_named_beside_those_with_one():
    found = series(SOURCE, COMPANY, "revenue", Span.between(2020, 2026))
    assert [row.period.label for row in found.missing] == ["FY2020", "FY2025", "FY2026"]
    assert "begin with FY2021" in found.missing[0].reason
    assert "had not been reported" in found.missing[1].reason
    assert len(found) == 4


def test_the_last_periods_are_those_reported_by_the_day():
    day = datetime(2024, 2, 20, tzinfo=UTC)
    years = series(SOURCE, COMPANY, "revenue", Span.last_years(2), day)
    assert list(values(years)) == ["FY2022", "FY2023"]
    quarters = series(SOURCE, COMPANY, "revenue", Span.last_quarters(3), day)
    assert list(values(quarters)) == ["Q3 FY2023", "Q4 FY2023", "Q1 FY2024"]


def test_amounts_per_share_of_before_a_split_are_withheld():
    facts = [
        *report("10-K", date(2022, 11, 9), {year(2022): 1000e6, year(2021): 800e6}, year(2022)[1]),
        *report("10-K", date(2023, 11, 9), {year(2023): 1200e6, year(2022): 1000e6}, year(2023)[1], factor=4),
    ]
    source, span = history(facts), Span.between(2021, 2023)
    latest = series(source, COMPANY, "eps_diluted", span)
    assert values(latest) == {"FY2022": 0.25, "FY2023": 0.3}
    assert "in shares before a 4-for-1 split" in latest.missing[0].reason
    first = series(source, COMPANY, "eps_diluted", span, version="first")
    assert values(first) == {"FY2023": 0.3}
    assert values(series(source, COMPANY, "eps_diluted", Span.years(2021, 2022), version="first")) == {
        "FY2021": 0.8, "FY2022": 1.0,
    }  # fmt: skip


def test_two_equal_figures_of_one_row_are_not_added():
    facts = report("10-K", date(2024, 11, 9), {year(2024): 1500e6}, year(2024)[1])
    debts = {"ShortTermBorrowings": 63e6, "LongTermDebtCurrent": 63e6, "LongTermDebtNoncurrent": 400e6}
    sheet = next(fact for fact in facts if fact.tag == "us-gaap:Assets")
    facts += [replace(sheet, tag=f"us-gaap:{tag}", value=value) for tag, value in debts.items()]
    assert values(series(history(facts), COMPANY, "total_debt", Span.years(2024))) == {"FY2024": 463e6}


def test_no_older_period_stands_for_one_whose_figure_is_withheld():
    ends = [date(2024, 3, 31), date(2024, 6, 30), date(2024, 9, 30), date(2024, 12, 31)]
    items = {"operating_cash_flow": 100.0, "capital_expenditure": -20.0}
    books = [statement(end, items, "cashflow") for end in ends]
    why = "Amounts are about 1,000,000 times greater than in the others; these items are withheld."
    books[3] = replace(books[3], items={"operating_cash_flow": 100.0}, withheld={"capital_expenditure": why})
    facts, withheld = list(facts_of_statements(books)), list(withheld_of_statements(books))
    source = FactHistory(books[0].symbol, facts, "books", withheld)
    found = series(source, source.company, "free_cash_flow", Span.last_quarters(2))
    assert values(found) == {"Q3 FY2024": 80.0}
    assert [(row.period.label, row.reason) for row in found.missing] == [("Q4 FY2024", why.rstrip("."))]
    before = series(source, source.company, "free_cash_flow", Span.last_quarters(2), as_of=books[2].known_at)
    assert list(values(before)) == ["Q2 FY2024", "Q3 FY2024"]
    assert len(series(source, source.company, "operating_cash_flow", Span.last_quarters(4))) == 4


def restated(books: list[Statement], which: int, item: str) -> FactHistory:
    """Return the facts of statements of which one was stated anew a month later, with an item that is withheld."""
    former = books[which]
    later = replace(
        former,
        known_at=former.known_at + timedelta(days=30),
        items={name: value for name, value in former.items.items() if name != item},
        withheld={item: "Its parts do not add up to it."},
    )
    every = [*books, later]
    return FactHistory(former.symbol, facts_of_statements(every), "books", withheld_of_statements(every))


@pytest.mark.parametrize("item", ["operating_cash_flow", "free_cash_flow"])
def test_no_older_statement_of_a_period_stands_for_a_newer_one_that_is_withheld(item: str):
    items = {"operating_cash_flow": 100.0, "capital_expenditure": -20.0}
    books = [statement(end, items, "cashflow") for end in (date(2024, 9, 30), date(2024, 12, 31))]
    source = restated(books, 1, "operating_cash_flow")
    span = Span.last_quarters(2)
    found = series(source, source.company, item, span)
    assert list(values(found)) == ["Q3 FY2024"]
    day = (books[1].known_at + timedelta(days=30)).date()
    why = f"withheld as stated last, known on {day}: Its parts do not add up to it"
    assert [(row.period.label, row.reason) for row in found.missing] == [("Q4 FY2024", why)]
    before = series(source, source.company, item, span, as_of=books[1].known_at)
    first = series(source, source.company, item, span, version="first")
    assert list(values(before)) == list(values(first)) == ["Q3 FY2024", "Q4 FY2024"]


def test_a_statement_that_is_withheld_is_not_replaced_by_a_later_one_where_the_first_is_asked_for():
    items = {"operating_cash_flow": 100.0, "capital_expenditure": -20.0}
    books = [statement(date(2024, 12, 31), items, "cashflow", filed=date(2025, 3, 14))]
    former = replace(
        books[0],
        known_at=books[0].known_at - timedelta(days=30),
        items={"capital_expenditure": -20.0},
        withheld={"operating_cash_flow": "Its parts do not add up to it."},
    )
    every = [former, *books]
    source = FactHistory(books[0].symbol, facts_of_statements(every), "books", withheld_of_statements(every))
    span = Span.last_quarters(1)
    assert values(series(source, source.company, "operating_cash_flow", span)) == {"Q4 FY2024": 100.0}
    found = series(source, source.company, "operating_cash_flow", span, version="first")
    assert found.missing[0].reason.startswith("withheld as stated first")


def test_no_quarter_is_subtracted_from_a_year_whose_newest_statement_is_withheld():
    span, facts = Span.quarters((2024, 4)), facts_of_reported(FACTS)
    assert len(series(FactHistory(COMPANY, facts), COMPANY, "operating_cash_flow", span)) == 1
    start, end = year(2024)
    why, known_at = "Its parts do not add up to it.", max(fact.known_at for fact in facts) + timedelta(days=30)
    withheld = [WithheldFact("operating_cash_flow", FactPeriod(end, start), why, known_at)]
    source = FactHistory(COMPANY, facts, withheld=withheld)
    found = series(source, COMPANY, "operating_cash_flow", span)
    assert f"its year to {end} is withheld as stated last, known on {known_at.date()}" in found.missing[0].reason
    assert len(series(source, COMPANY, "operating_cash_flow", span, version="first")) == 1
    assert len(series(source, COMPANY, "revenue", span)) == 1


def test_a_figure_that_a_filing_gives_twice_with_two_values_is_none():
    facts = report("10-K", date(2024, 11, 9), {year(2024): 1500e6}, year(2024)[1])
    revenue = next(fact for fact in facts if fact.tag == "us-gaap:Revenues")
    found = series(history([*facts, replace(revenue, value=1e9)]), COMPANY, "us-gaap:Revenues", Span.years(2024))
    assert not found.rows


def test_a_company_that_names_its_years_by_their_beginning_is_asked_in_its_own_words():
    """As a document says what it calls its period."""
    facts = facts_of_reported(report("10-K", date(2024, 11, 9), {year(2024): 1e9}, year(2024)[1]))
    own = [replace(fact, period=replace(fact.period, fiscal_year=2023)) for fact in facts]
    assert values(series(FactHistory(COMPANY, own), COMPANY, "revenue", Span.years(2023))) == {"FY2023": 1e9}


def test_a_tag_of_continuing_operations_is_the_same_where_a_period_has_both_alike():
    tag = "us-gaap:NetCashProvidedByUsedInOperatingActivities"
    facts = []
    for filed, periods in ((2022, (2021, 2022)), (2023, (2022, 2023))):
        found = report("10-K", date(filed, 11, 9), {year(number): number * 1e6 for number in periods}, year(filed)[1])
        continuing = {tag: f"{tag}ContinuingOperations"} if filed == 2022 else {}
        facts += [replace(fact, tag=continuing.get(fact.tag, fact.tag)) for fact in found]
    span = Span.between(2021, 2023)
    alike = series(history(facts), COMPANY, "operating_cash_flow", span)
    assert values(alike) == pytest.approx({f"FY{number}": number * 2e5 for number in (2021, 2022, 2023)})
    without = [fact for fact in facts if not (fact.filed_on.year == 2023 and fact.period_end == year(2022)[1])]
    apart = series(history(without), COMPANY, "operating_cash_flow", span)
    assert list(values(apart)) == ["FY2023"]
    assert "continuing operations only" in apart.missing[0].reason


def test_whether_a_tag_is_the_same_is_told_by_what_was_known_on_the_day():
    tag = "us-gaap:NetCashProvidedByUsedInOperatingActivities"
    facts = []
    for filed, periods in ((2020, (2020,)), (2022, (2021, 2022)), (2023, (2022, 2023))):
        found = report("10-K", date(filed, 11, 9), {year(number): number * 1e6 for number in periods}, year(filed)[1])
        continuing = {tag: f"{tag}ContinuingOperations"} if filed == 2022 else {}
        facts += [replace(fact, tag=continuing.get(fact.tag, fact.tag)) for fact in found]
    asked = (COMPANY, "operating_cash_flow", Span.between(2020, 2022), datetime(2022, 12, 31, tzinfo=UTC))
    known = [fact for fact in facts if fact.filed_on.year <= 2022]
    assert values(series(history(facts), *asked)) == values(series(history(known), *asked))
    assert list(values(series(history(known), *asked))) == ["FY2021", "FY2022"]


def test_an_unknown_item_version_and_company():
    with pytest.raises(UsageError, match="no line item"):
        series(SOURCE, COMPANY, "happiness", Span.years(2024))
    with pytest.raises(UsageError, match="no version 'as_of'"):
        series(SOURCE, COMPANY, "revenue", Span.years(2024), version="as_of")
    assert "nothing is known of ZYX" in series(SOURCE, "ZYX", "revenue", Span.years(2024)).missing[0].reason


def test_functions_over_a_series_show_their_formula():
    found = series(SOURCE, COMPANY, "revenue", Span.between(2021, 2024), version="first")
    growth, cagr, average, total, highest, lowest = (
        over_series(found, name) for name in ("growth", "cagr", "average", "sum", "highest", "lowest")
    )
    assert growth.value == pytest.approx(87.5)
    assert cagr.value == pytest.approx(23.3106, abs=1e-4)
    assert growth.calculation.expression == "growth(revenue@2021, revenue@2024)"
    assert (average.value, total.value) == (1125e6, 4500e6)
    assert (highest.periods[0].label, highest.value) == ("FY2024", 1500e6)
    assert (lowest.periods[0].label, lowest.value) == ("FY2021", 800e6)
    assert [step.value for step in growth_by_period(found)] == pytest.approx([25.0, 20.0, 25.0])


def test_a_function_whose_periods_are_missing_or_do_not_add_up_is_withheld():
    gap = series(SOURCE, COMPANY, "revenue", Span.between(2023, 2025))
    for name in ("growth", "cagr", "average", "sum", "highest"):
        assert "FY2025 is missing" in over_series(gap, name).withheld
    sheets = series(SOURCE, COMPANY, "total_assets", Span.between(2022, 2024))
    assert "do not add up" in over_series(sheets, "sum").withheld
    shares = series(SOURCE, COMPANY, "eps_diluted", Span.between(2022, 2024))
    assert "do not add up" in over_series(shares, "sum").withheld
    one = series(SOURCE, COMPANY, "revenue", Span.years(2024))
    assert "two periods" in over_series(one, "growth").withheld


@given(
    day=st.dates(date(2020, 11, 1), date(2025, 6, 1)),
    item=st.sampled_from(["revenue", "net_income", "total_assets", "free_cash_flow", "eps_diluted"]),
    version=st.sampled_from(["first", "latest"]),
    quarterly=st.booleans(),
)
def test_nothing_filed_later_changes_an_answer(day: date, item: str, version: str, quarterly: bool):
    """An answer of a day is that of a world which ends with the day, whatever is filed afterwards."""
    as_of = datetime(day.year, day.month, day.day, 23, tzinfo=UTC)
    span = Span.last_quarters(6) if quarterly else Span.last_years(4)
    world = history([fact for fact in FACTS if fact.known_at <= as_of])
    asked, then = (series(source, COMPANY, item, span, as_of, version) for source in (SOURCE, world))
    assert asked == then
    assert all(row.known_at <= as_of for row in asked)
    restated = [row for row in asked if row.period.fiscal == (2022, None) and item == "revenue" and version == "latest"]
    assert all((row.value == 1040e6) == (day >= RESTATED_ON) for row in restated)


@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("FY2024", ["FY2024"]),
        ("q3 fy2024", ["Q3 FY2024"]),
        ("2021, 2023 and 2022", ["FY2021", "FY2022", "FY2023"]),
        ("2022..2024", ["FY2022", "FY2023", "FY2024"]),
        ("between 2022 and 2023", ["FY2022", "FY2023"]),
        ("Q3 FY2023..Q1 FY2024", ["Q3 FY2023", "Q4 FY2023", "Q1 FY2024"]),
        ("since 2023", ["FY2023", "FY2024"]),
        ("last 2 years", ["FY2023", "FY2024"]),
    ],
)
def test_spans_are_read(text: str, periods: list[str]):
    span = Span.read(text)
    newest = SOURCE.names(None).newest_period(quarterly=span.quarterly)
    assert [period.label for period in span.resolve(newest)] == periods


@pytest.mark.parametrize(
    "text", ["", "lately", "2024, Q1 FY2023", "2024..2021", "last 500 years", "2024..Q1 FY2025", "since then", "1066"]
)
def test_a_span_that_cannot_be_is_refused(text: str):
    with pytest.raises(UsageError):
        Span.read(text)


def test_cash_flows_stated_from_the_start_of_the_year_give_the_second_quarter():
    facts = []
    for which in (1, 2, 3):
        end = quarter(2024, which)[1]
        facts += report("10-Q", end + timedelta(days=35), {to_date(2024, which): which * 100e6}, end)
    found = series(history(facts), COMPANY, "operating_cash_flow", Span.quarters((2024, 1), (2024, 2), (2024, 3)))
    assert [row.value for row in found] == pytest.approx([20e6, 20e6, 20e6])
    assert [row.derivation.formula if row.derivation else "" for row in found] == [
        "", "half_year - first_quarter", "nine_months - half_year",
    ]  # fmt: skip


def test_the_cost_of_goods_of_an_insurer_is_no_cost_of_revenue():
    fact = next(fact for fact in facts_of_reported(report("10-K", RESTATED_ON, {year(2023): 1e9}, year(2023)[1])))

    def tagged(**values: float) -> dict[str, SeriesFact]:
        return {tag: replace(fact, tag=f"us-gaap:{tag}", value=value) for tag, value in values.items()}

    sold = tagged(Revenues=3500e6, CostOfGoodsAndServicesSold=450e6)
    whole = composed("gross_profit", "income", "us-gaap", sold)
    assert whole is not None
    assert whole.value == 3050e6
    claims = tagged(PolicyholderBenefitsAndClaimsIncurredNet=2400e6)
    assert composed("cost_of_revenue", "income", "us-gaap", sold | claims) is None
    assert composed("gross_profit", "income", "us-gaap", sold | claims) is None


def test_debt_of_which_a_part_has_no_tag_is_missing_with_its_reason():
    sheet = next(fact for fact in FACTS if fact.tag == "us-gaap:Assets" and fact.form == "10-K")
    debts = {"ShortTermBorrowings": 30e6, "LongTermDebtNoncurrent": 200e6}
    whole = [replace(sheet, tag=f"us-gaap:{tag}", value=value) for tag, value in debts.items()]
    span = Span.years(sheet.period_end.year)
    assert list(values(series(history([*FACTS, *whole]), COMPANY, "total_debt", span)).values()) == [230e6]
    convertible = replace(sheet, tag="us-gaap:ConvertibleDebtCurrent", value=50e6)
    found = series(history([*FACTS, *whole, convertible]), COMPANY, "total_debt", span)
    assert found.rows == ()
    (gap,) = found.missing
    assert gap.reason.startswith(
        "the filing tags ConvertibleDebtCurrent beside ShortTermBorrowings: a part of the debt is missing ("
    )
    before = series(
        history([*FACTS, *whole, convertible]), COMPANY, "total_debt", span, sheet.known_at - timedelta(days=1)
    )
    assert "ConvertibleDebtCurrent" not in before.missing[0].reason
