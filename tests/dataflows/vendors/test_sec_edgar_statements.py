"""Statements from tagged figures: quarters by subtraction, versions, fiscal years, units, signs, totals."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources.sec_edgar import SOURCE
from tests.dataflows.vendors.sec_payloads import CIK, FACTS, SUBMISSIONS, Facts, entry, submissions, tickers
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tradingagents.dataflows.models import Frequency, Statement, StatementKind
from tradingagents.dataflows.reference.line_items import ITEMS, UNLISTED
from tradingagents.dataflows.reference.xbrl_tags import RECIPES, incomplete_debt, items_of
from tradingagents.errors import NoData, VendorDown

Q1, Q2, Q3 = ("2024-01-01", "2024-03-31"), ("2024-04-01", "2024-06-30"), ("2024-07-01", "2024-09-30")
HALF, NINE, YEAR = ("2024-01-01", "2024-06-30"), ("2024-01-01", "2024-09-30"), ("2024-01-01", "2024-12-31")
YEAR_23 = ("2023-01-01", "2023-12-31")
OCF, INVESTING = "NetCashProvidedByUsedInOperatingActivities", "NetCashProvidedByUsedInInvestingActivities"


@pytest.fixture
def server() -> Iterator[VendorServer]:
    with vendor_server() as running:
        running.answer("/files/company_tickers.json", tickers(ACMQ=CIK))
        yield running


@pytest.fixture
def ask(server: VendorServer, tmp_path: Path) -> Any:
    def statements(
        facts: Facts, kind: StatementKind, freq: Frequency, *entries: dict[str, str], **more: Any
    ) -> tuple[Statement, ...]:
        server.answer(SUBMISSIONS, submissions(*entries, **more))
        server.answer(FACTS, facts.page())
        return SOURCE.open(server, tmp_path).get_statements("ACMQ", kind, freq)

    return statements


def income(revenue: float, net: float) -> dict[str, float]:
    return {"Revenues": revenue, "NetIncomeLoss": net}


def test_the_names_of_items_are_ours():
    for kinds in RECIPES.values():
        for kind, recipes in kinds.items():
            assert set(recipes) <= {*ITEMS[kind], *UNLISTED.get(kind, ())}


def test_every_field_of_a_quarter(ask):
    facts = Facts().add(
        1,
        "10-Q",
        "2024-05-01",
        Q1,
        Revenues=1000,
        CostOfRevenue=600,
        ResearchAndDevelopmentExpense=50,
        SellingAndMarketingExpense=30,
        GeneralAndAdministrativeExpense=20,
        OperatingExpenses=100,
        OperatingIncomeLoss=300,
        DepreciationDepletionAndAmortization=40,
        InterestExpense=5,
        IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest=295,
        IncomeTaxExpenseBenefit=45,
        NetIncomeLoss=250,
    )
    facts.add(1, "10-Q", "2024-05-01", Q1, "USD/shares", EarningsPerShareBasic=2.5, EarningsPerShareDiluted=2.4)
    facts.add(1, "10-Q", "2024-05-01", Q1, "shares", WeightedAverageNumberOfSharesOutstandingBasic=100)
    facts.add(1, "10-Q", "2024-05-01", Q1, "shares", WeightedAverageNumberOfDilutedSharesOutstanding=104)
    assert ask(facts, "income", "quarterly", entry(1, "10-Q", "2024-05-01T20:30:15.000Z")) == (
        Statement(
            symbol="ACMQ",
            kind="income",
            frequency="quarterly",
            fiscal_year=2024,
            fiscal_period="Q1",
            period_end=date(2024, 3, 31),
            known_at=datetime(2024, 5, 1, 20, 30, 15, tzinfo=UTC),
            currency="USD",
            source="sec_edgar",
            items={
                "revenue": 1000.0,
                "cost_of_revenue": 600.0,
                "gross_profit": 400.0,
                "research_and_development": 50.0,
                "selling_general_administrative": 50.0,
                "operating_expenses": 100.0,
                "operating_income": 300.0,
                "depreciation_and_amortization": 40.0,
                "ebitda": 340.0,
                "interest_expense": 5.0,
                "pretax_income": 295.0,
                "income_tax": 45.0,
                "net_income": 250.0,
                "eps_basic": 2.5,
                "eps_diluted": 2.4,
                "shares_basic": 100.0,
                "shares_diluted": 104.0,
            },
            period_start=date(2024, 1, 1),
        ),
    )


def test_a_balance_sheet(ask):
    facts = Facts().add(
        1,
        "10-Q",
        "2024-05-01",
        "2024-03-31",
        CashAndCashEquivalentsAtCarryingValue=100,
        AccountsReceivableNetCurrent=50,
        InventoryNet=20,
        AssetsCurrent=200,
        PropertyPlantAndEquipmentNet=300,
        Assets=900,
        AccountsPayableCurrent=30,
        LongTermDebtCurrent=10,
        CommercialPaper=5,
        LiabilitiesCurrent=120,
        LongTermDebtNoncurrent=250,
        LiabilitiesAndStockholdersEquity=900,
        StockholdersEquity=400,
    )
    (sheet,) = ask(facts, "balance", "quarterly")
    assert sheet.items == {
        "cash": 100.0,
        "receivables": 50.0,
        "inventory": 20.0,
        "current_assets": 200.0,
        "fixed_assets": 300.0,
        "total_assets": 900.0,
        "accounts_payable": 30.0,
        "short_term_debt": 15.0,
        "current_liabilities": 120.0,
        "long_term_debt": 250.0,
        "total_debt": 265.0,
        "total_liabilities": 500.0,
        "equity": 400.0,
    }
    assert (sheet.period_start, sheet.period_end, sheet.fiscal_period) == (None, date(2024, 3, 31), "Q1")
    assert sheet.known_at == datetime(2024, 5, 2, 13, 30, tzinfo=UTC), "a day only: known at the next open"
    assert sheet.known_by == "accepted"


def cash(operating: float, capex: float, **more: float) -> dict[str, float]:
    return {
        OCF: operating,
        INVESTING: -capex,
        "PaymentsToAcquirePropertyPlantAndEquipment": capex,
        "PaymentsOfDividends": capex / 2,
        "PaymentsForRepurchaseOfCommonStock": 0,
        **more,
    }


def test_quarters_of_cash_flows_are_the_year_to_date_less_that_of_the_quarter_before(ask):
    facts = Facts()
    for number, (form, filed, span, operating) in enumerate(
        [
            ("10-Q", "2024-05-01", Q1, 100),
            ("10-Q", "2024-08-01", HALF, 250),
            ("10-Q", "2024-11-01", NINE, 300),
            ("10-K", "2025-02-10", YEAR, 800),
        ]
    ):
        facts.add(number, form, filed, span, **cash(operating, operating / 10))
    found = ask(facts, "cashflow", "quarterly")
    assert [(one.fiscal_period, one.period_start, one.items["operating_cash_flow"]) for one in found] == [
        ("Q4", date(2024, 10, 1), 500.0),
        ("Q3", date(2024, 7, 1), 50.0),
        ("Q2", date(2024, 4, 1), 150.0),
        ("Q1", date(2024, 1, 1), 100.0),
    ]
    assert found[0].known_at == datetime(2025, 2, 11, 14, 30, tzinfo=UTC), "the fourth is known with the 10-K"
    assert found[0].items == {
        "operating_cash_flow": 500.0,
        "capital_expenditure": -50.0,
        "free_cash_flow": 450.0,
        "investing_cash_flow": -50.0,
        "dividends_paid": -25.0,
        "share_repurchases": 0.0,
    }
    (year,) = ask(facts, "cashflow", "annual")
    assert (year.fiscal_period, year.items["operating_cash_flow"]) == ("FY", 800.0)


def test_the_fourth_quarter_has_earnings_a_share_but_no_average_of_shares(ask):
    facts = (
        Facts()
        .add(3, "10-Q", "2024-11-01", NINE, **income(2100, 300))
        .add(4, "10-K", "2025-02-10", YEAR, **income(3000, 450))
    )
    facts.add(3, "10-Q", "2024-11-01", NINE, "USD/shares", EarningsPerShareDiluted=3.1)
    facts.add(4, "10-K", "2025-02-10", YEAR, "USD/shares", EarningsPerShareDiluted=4.6)
    shares = "WeightedAverageNumberOfDilutedSharesOutstanding"
    facts.add(3, "10-Q", "2024-11-01", NINE, "shares", **{shares: 97}).add(
        4, "10-K", "2025-02-10", YEAR, "shares", **{shares: 98}
    )
    (fourth,) = ask(facts, "income", "quarterly")
    assert fourth.items == {"revenue": 900.0, "net_income": 150.0, "eps_diluted": 1.5}


def test_without_the_part_before_there_is_no_quarter(ask):
    facts = (
        Facts().add(1, "10-Q", "2024-05-01", Q1, **cash(100, 10)).add(4, "10-K", "2025-02-10", YEAR, **cash(800, 80))
    )
    assert [one.fiscal_period for one in ask(facts, "cashflow", "quarterly")] == ["Q1"]


@pytest.mark.parametrize(("part_restated", "revenue"), [(False, None), (True, 900.0)])
def test_a_year_on_a_new_basis_gives_a_fourth_quarter_where_its_part_is_on_it_too(ask, part_restated: bool, revenue):
    """The year before was sold for 2000, and restated to 1500: without what was sold off. Its nine months were 1400."""
    nine_23 = ("2023-01-01", "2023-09-30")
    facts = Facts().add(1, "10-Q", "2023-11-01", nine_23, Revenues=1400, NetIncomeLoss=100, OperatingIncomeLoss=110)
    facts.add(2, "10-K", "2024-02-10", YEAR_23, Revenues=2000, NetIncomeLoss=160, OperatingIncomeLoss=180)
    facts.add(3, "10-Q", "2024-11-01", NINE, Revenues=2100, NetIncomeLoss=300, OperatingIncomeLoss=330)
    if part_restated:
        facts.add(3, "10-Q", "2024-11-01", nine_23, Revenues=1050, NetIncomeLoss=100, OperatingIncomeLoss=110)
    facts.add(4, "10-K", "2025-02-10", YEAR, Revenues=3000, NetIncomeLoss=450, OperatingIncomeLoss=500)
    facts.add(4, "10-K", "2025-02-10", YEAR_23, Revenues=1500, NetIncomeLoss=160, OperatingIncomeLoss=180)
    found = {one.period_end: one for one in ask(facts, "income", "quarterly")}
    fourth = found[date(2024, 12, 31)].items
    assert fourth.get("revenue") == revenue
    assert (fourth["net_income"], fourth["operating_income"]) == (150.0, 170.0)


def test_every_version_that_changes_a_figure_is_a_row_and_a_repetition_is_none(ask):
    facts = Facts()
    facts.add(1, "10-K", "2024-02-10", YEAR_23, **income(2000, 160), CostOfRevenue=900)
    facts.add(2, "10-K/A", "2024-03-10", YEAR_23, **income(2000, 160))
    facts.add(3, "10-K", "2025-02-10", YEAR_23, **income(1990, 160))
    facts.add(3, "10-K", "2025-02-10", YEAR, **income(3000, 450))
    found = ask(facts, "income", "annual")
    assert [(one.fiscal_year, one.known_at.date().isoformat(), dict(one.items)) for one in found] == [
        (2024, "2025-02-11", {"revenue": 3000.0, "net_income": 450.0}),
        (2023, "2025-02-11", {"revenue": 1990.0, "net_income": 160.0}),  # its own figures, and no other's cost
        (
            2023,
            "2024-02-12",
            {"revenue": 2000.0, "net_income": 160.0, "cost_of_revenue": 900.0, "gross_profit": 1100.0},
        ),
    ]


def test_a_later_filing_that_only_adds_figures_makes_a_version_with_both(ask):
    facts = Facts().add(1, "10-K", "2024-02-10", YEAR_23, OperatingIncomeLoss=200, **income(2000, 160))
    facts.add(3, "10-K", "2025-02-10", YEAR_23, CostOfRevenue=900, **income(2000, 160))
    newest, first = ask(facts, "income", "annual")
    assert first.items == {"revenue": 2000.0, "net_income": 160.0, "operating_income": 200.0}
    assert newest.items == first.items | {"cost_of_revenue": 900.0, "gross_profit": 1100.0}


def test_share_figures_that_a_later_filing_does_not_repeat_stay_in_the_shares_of_the_first(ask):
    """Between the two filings shares may have been split."""
    facts = Facts().add(1, "10-K", "2024-02-10", YEAR_23, **income(2000, 160))
    facts.add(1, "10-K", "2024-02-10", YEAR_23, "USD/shares", EarningsPerShareDiluted=4.0)
    facts.add(3, "10-K", "2025-02-10", YEAR_23, CostOfRevenue=900, **income(2000, 160))
    newest, first = ask(facts, "income", "annual")
    assert newest.items["eps_diluted"] == first.items["eps_diluted"] == 4.0
    assert (first.shares_as_of, newest.shares_as_of) == (None, first.known_at)


def test_figures_of_a_period_that_make_no_statement_are_none(ask):
    facts = (
        Facts()
        .add(1, "10-Q", "2024-05-01", Q1, **income(1000, 100))
        .add(1, "10-Q", "2024-05-01", "2024-03-31", Assets=1, StockholdersEquity=1)
    )
    facts.add(1, "10-Q", "2024-05-01", "2022-12-31", StockholdersEquity=400)
    facts.add(1, "10-Q", "2024-05-01", ("2023-01-01", "2023-03-31"), NetIncomeLoss=90)
    assert [one.period_end for one in ask(facts, "income", "quarterly")] == [date(2024, 3, 31)]
    assert [one.period_end for one in ask(facts, "balance", "quarterly")] == [date(2024, 3, 31)]


def test_the_fiscal_year_comes_from_the_year_s_end_and_not_from_fy_and_fp(ask):
    """Years end on the last Sunday of January; `fy` and `fp` of every fact say 1999 Q2."""
    facts = Facts()
    facts.add(1, "10-K", "2024-02-21", ("2023-01-30", "2024-01-28"), **income(4000, 400))
    facts.add(2, "10-Q", "2024-05-29", ("2024-01-29", "2024-04-28"), **income(1000, 100))
    facts.add(3, "10-Q", "2024-08-28", ("2024-04-29", "2024-07-28"), **income(1000, 100))
    facts.add(4, "10-Q", "2024-11-20", ("2024-01-29", "2024-10-27"), **income(3000, 300))
    facts.add(5, "10-K", "2025-02-26", ("2024-01-29", "2025-01-26"), **income(4500, 500))
    assert [(one.fiscal_year, one.fiscal_period) for one in ask(facts, "income", "quarterly")] == [
        (2025, "Q4"),
        (2025, "Q2"),
        (2025, "Q1"),
    ]
    assert [one.fiscal_year for one in ask(facts, "income", "annual")] == [2025, 2024]


@pytest.mark.parametrize(
    ("year_end", "span", "expected"),
    [
        ("1231", Q1, (2024, "Q1")),
        ("0630", Q1, (2024, "Q3")),
        ("0930", ("2023-10-01", "2023-12-31"), (2024, "Q1")),
        ("0131", ("2024-02-01", "2024-04-30"), (2025, "Q1")),
        (None, Q2, (2024, "Q2")),
    ],
)
def test_before_the_first_annual_report_the_index_says_when_years_end(ask, year_end, span, expected):
    (quarter,) = ask(
        Facts().add(1, "10-Q", "2024-08-01", span, **income(10, 1)), "income", "quarterly", fiscalYearEnd=year_end
    )
    assert (quarter.fiscal_year, quarter.fiscal_period) == expected


def test_a_year_that_ends_in_the_first_days_of_january_is_called_after_the_year_before(ask):
    facts = Facts().add(1, "10-K", "2023-02-21", ("2022-01-03", "2023-01-01"), **income(4000, 400))
    (year,) = ask(facts, "income", "annual")
    assert (year.fiscal_year, year.fiscal_period) == (2022, "FY")


def test_quarters_of_sixteen_weeks_follow_by_subtraction(ask):
    facts = Facts().add(1, "10-Q", "2024-06-06", ("2023-09-04", "2024-05-12"), **income(2500, 60))
    facts.add(2, "10-K", "2024-10-08", ("2023-09-04", "2024-09-01"), **income(3700, 90))
    (fourth,) = ask(facts, "income", "quarterly")
    assert (fourth.fiscal_period, fourth.period_start, fourth.items["revenue"]) == ("Q4", date(2024, 5, 13), 1200.0)


def test_a_tag_that_comes_and_goes_for_the_same_total_is_one(ask):
    facts = Facts().add(1, "10-Q", "2024-05-01", Q1, **cash(100, 10))
    renamed = {f"{OCF}ContinuingOperations" if tag == OCF else tag: value for tag, value in cash(250, 25).items()}
    facts.add(2, "10-Q", "2024-08-01", HALF, **renamed)
    assert [one.items["operating_cash_flow"] for one in ask(facts, "cashflow", "quarterly")] == [150.0, 100.0]


def test_a_translation_into_another_currency_is_left_out(ask):
    facts = Facts("ifrs-full").add(1, "20-F", "2024-04-20", YEAR_23, "CNY", Revenue=700, ProfitLoss=70, GrossProfit=300)
    facts.add(1, "20-F", "2024-04-20", YEAR_23, "USD", Revenue=100, ProfitLoss=10)
    facts.add(1, "20-F", "2024-04-20", YEAR_23, "CNY/shares", BasicEarningsLossPerShare=0.7)
    facts.add(1, "20-F", "2024-04-20", YEAR_23, "USD/shares", DilutedEarningsLossPerShare=0.1)
    (year,) = ask(facts, "income", "annual")
    assert year.currency == "CNY"
    assert year.items == {"revenue": 700.0, "gross_profit": 300.0, "net_income": 70.0, "eps_basic": 0.7}
    with pytest.raises(NoData, match="no quarterly income statements of ACMQ"):
        ask(facts, "income", "quarterly")


def test_a_registration_is_no_statement_and_a_recast_in_an_8_k_is(ask):
    facts = Facts().add(1, "S-1", "2024-01-10", YEAR_23, **income(1, 1))
    with pytest.raises(NoData, match="no annual income statements of ACMQ"):
        ask(facts, "income", "annual")
    facts.add(2, "10-K", "2024-02-10", YEAR_23, **income(2000, 160)).add(
        3, "8-K", "2024-06-10", YEAR_23, **income(1500, 160)
    )
    assert [one.items["revenue"] for one in ask(facts, "income", "annual")] == [1500.0, 2000.0]


@pytest.mark.parametrize("value", [None, "1000", True, float("nan"), float("inf"), 10**400, {}])
def test_a_value_that_is_no_number_is_not_there(ask, value: Any):
    facts = Facts().add(1, "10-Q", "2024-05-01", Q1, CostOfRevenue=value, **income(1000, 100))
    (quarter,) = ask(facts, "income", "quarterly")
    assert quarter.items == {"revenue": 1000.0, "net_income": 100.0}


@pytest.mark.parametrize(
    "wrong",
    [{"end": "soon"}, {"filed": None}, {"filed": "2024-03-30"}, {"start": "2024-04-01"}, {"accn": 7}, {"form": None}],
)
def test_figures_that_are_all_unusable_are_unreadable(server: VendorServer, ask, wrong: dict[str, Any]):
    facts = Facts().add(1, "10-Q", "2024-05-01", Q1, **income(1000, 100))
    for units in facts.tags.values():
        units["USD"][0].update(wrong)
    with pytest.raises(VendorDown, match="answer for quarterly income statements of ACMQ cannot be read"):
        ask(facts, "income", "quarterly")


@pytest.mark.parametrize("tag", [None, [], {"units": None}, {"units": {"USD": None}}, {"units": {"USD": [None, 7]}}])
def test_a_tag_of_another_shape_is_passed_over(server: VendorServer, ask, tag: Any):
    facts = Facts().add(1, "10-Q", "2024-05-01", Q1, **income(1000, 100))
    page = facts.page()
    page["facts"]["us-gaap"]["CostOfRevenue"] = tag
    facts.page = lambda: page  # type: ignore[method-assign]
    assert len(ask(facts, "income", "quarterly")) == 1


def test_a_company_without_figures_has_no_statements(server: VendorServer, ask, tmp_path: Path):
    with pytest.raises(NoData, match="no annual balance statements of ACMQ"):
        ask(Facts(), "balance", "annual")
    server.answer(FACTS, Reply({"error": "NoSuchKey"}, status=404))
    with pytest.raises(NoData, match="no annual balance statements of ACMQ"):
        SOURCE.open(server, tmp_path).get_statements("ACMQ", "balance", "annual")


def test_three_statements_of_both_kinds_cost_one_download(server: VendorServer, tmp_path: Path):
    SOURCE.fill(server, None)
    vendor = SOURCE.open(server, tmp_path)
    kinds: tuple[StatementKind, ...] = ("income", "balance", "cashflow")
    for kind in kinds:
        assert len(vendor.get_statements("ACMQ", kind, "quarterly")) == 8
        assert len(vendor.get_statements("ACMQ", kind, "annual")) == 2
    assert (server.count(FACTS), server.count(SUBMISSIONS), server.count()) == (1, 1, 3)


def test_items_between_operations_and_common_shares_are_read_once() -> None:
    values = {
        "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest": 310.0,
        "MinorityInterest": 10.0,
        "MarketableSecuritiesCurrent": 15.0,
        "MarketableSecuritiesNoncurrent": 25.0,
        "EquityMethodInvestments": 20.0,
        "PreferredStockValue": 30.0,
        "RedeemableNoncontrollingInterestEquityCarryingAmount": 3.0,
        "FinanceLeaseLiabilityNoncurrent": 4.0,
        "FinanceLeaseLiabilityCurrent": 1.0,
        "OperatingLeaseLiability": 50.0,
        "LongTermDebtNoncurrent": 100.0,
    }
    read = items_of("balance", "us-gaap", values)
    assert read == {
        "equity": 300.0,
        "minority_interest": 10.0,
        "short_term_investments": 15.0,
        "long_term_investments": 45.0,
        "equity_method_investments": 20.0,
        "preferred_equity": 30.0,
        "temporary_equity": 3.0,
        "finance_leases": 5.0,
        "long_term_debt": 100.0,
    }
    with_leases = {**values, "LongTermDebtAndCapitalLeaseObligations": 105.0}
    del with_leases["LongTermDebtNoncurrent"]
    assert "finance_leases" not in items_of("balance", "us-gaap", with_leases)


ALL_DEBT = "DebtLongtermAndShorttermCombinedAmount"
SHEET = {"Assets": 900.0, "StockholdersEquity": 400.0, "LongTermDebtNoncurrent": 200.0}


@pytest.mark.parametrize(
    ("current", "short", "total"),
    [
        # Loans of one row, of which commercial paper is a part told in the notes.
        ({"LongTermDebtCurrent": 30.0, "NotesAndLoansPayable": 50.0, "CommercialPaper": 40.0}, 80.0, 280.0),
        ({"LongTermDebtCurrent": 30.0, "OtherShortTermBorrowings": 20.0}, 50.0, 250.0),
        ({"LongTermDebtCurrent": 30.0, "CommercialPaper": 40.0, "OtherShortTermBorrowings": 5.0}, 75.0, 275.0),
        ({"LongTermDebtCurrent": 30.0, "ShortTermBorrowings": 30.0}, 30.0, 230.0),  # one row with two tags
        ({"DebtCurrent": 90.0, "CommercialPaper": 95.0}, 90.0, 290.0),  # all of it, by its definition
        ({"LongTermDebtCurrent": 30.0, "ConvertibleDebtCurrent": 12.0}, 30.0, 230.0),  # a part of it
        ({"ShortTermBorrowings": 30.0, "ConvertibleDebtCurrent": 12.0}, None, None),
        ({"ShortTermBorrowings": 30.0, "ConvertibleDebtCurrent": 0.0}, 30.0, 230.0),
        ({"LongTermDebtCurrent": 30.0, "LoansPayableCurrent": 7.0}, None, None),
        ({"LongTermDebtCurrent": 30.0, "LoansPayableCurrent": 7.0, ALL_DEBT: 237.0}, None, None),
        ({"DebtCurrent": 30.0, ALL_DEBT: 230.0}, 30.0, 230.0),
        ({"DebtCurrent": 30.0, ALL_DEBT: 220.0}, 30.0, None),
    ],
)  # fmt: skip
def test_debt_of_which_the_tags_lack_a_part_is_withheld_with_its_reason(
    ask: Any, current: dict[str, float], short: float | None, total: float | None
) -> None:
    facts = Facts().add(1, "10-K", "2024-02-20", "2023-12-31", **SHEET, **current)
    (found,) = ask(facts, "balance", "annual")
    assert (found.items.get("short_term_debt"), found.items.get("total_debt")) == (short, total)
    assert found.items["long_term_debt"] == 200.0
    gone = {item for item, value in (("short_term_debt", short), ("total_debt", total)) if value is None}
    assert set(found.withheld) == gone
    assert all(reason.startswith("The filing tags ") for reason in found.withheld.values())


def test_debt_is_whole_as_far_as_other_taxonomies_tell() -> None:
    assert incomplete_debt("balance", "ifrs-full", {"Borrowings": 5.0}) == {}
    assert incomplete_debt("income", "us-gaap", {"ShortTermBorrowings": 3.0, "ConvertibleDebtCurrent": 9.0}) == {}


def test_the_count_on_the_cover_is_of_the_newest_sheet_of_its_filing(ask):
    sheet = {"Assets": 900, "StockholdersEquity": 400}
    facts = Facts().add(1, "10-K", "2024-02-20", "2023-12-31", **sheet)
    facts.add(2, "10-Q", "2024-05-02", "2023-12-31", **sheet).add(2, "10-Q", "2024-05-02", "2024-03-31", **sheet)
    facts.cover(1, "10-K", "2024-02-20", "2024-02-09", 4000).cover(2, "10-Q", "2024-05-02", "2024-04-26", 4300)
    found = ask(facts, "balance", "quarterly")
    assert [(one.period_end.isoformat(), one.items["shares_outstanding"]) for one in found] == [
        ("2024-03-31", 4300.0),
        ("2023-12-31", 4000.0),
    ]
    only_cover = Facts().cover(1, "10-K", "2024-02-20", "2024-02-09", 4000)
    with pytest.raises(NoData):
        ask(only_cover.add(1, "10-K", "2024-02-20", YEAR_23, NetIncomeLoss=1), "balance", "annual")


def test_shares_of_convertible_debt_are_read_by_name(ask):
    facts = Facts().add(1, "10-K", "2024-02-20", YEAR_23, **income(1000, 250))
    facts.add(
        1, "10-K", "2024-02-20", YEAR_23, "shares", IncrementalCommonSharesAttributableToConversionOfDebtSecurities=7
    )
    (year,) = ask(facts, "income", "annual")
    assert year.items["convertible_shares"] == 7.0
