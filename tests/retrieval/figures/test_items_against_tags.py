"""Items read from recorded annual reports equal what these reports tag in XBRL."""

from __future__ import annotations

import gzip
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tradingagents.retrieval.calculation import CalculationRequest, calculate
from tradingagents.retrieval.figures.statements import FilingStatements
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.reading.html import read_html

pytestmark = pytest.mark.real_data

TAGS = {
    "revenue": ("RevenueFromContractWithCustomerExcludingAssessedTax", "Revenues"),
    "cost_of_revenue": ("CostOfRevenue", "CostOfGoodsAndServicesSold"),
    "operating_income": ("OperatingIncomeLoss",),
    "net_income": ("NetIncomeLoss",),
    "income_tax": ("IncomeTaxExpenseBenefit",),
    "eps_diluted": ("EarningsPerShareDiluted",),
    "cash": ("CashAndCashEquivalentsAtCarryingValue",),
    "receivables": ("AccountsReceivableNetCurrent", "ReceivablesNetCurrent"),
    "inventories": ("InventoryNet",),
    "current_assets": ("AssetsCurrent",),
    "fixed_assets": ("PropertyPlantAndEquipmentNet",),
    "total_assets": ("Assets",),
    "accounts_payable": ("AccountsPayableCurrent",),
    "current_liabilities": ("LiabilitiesCurrent",),
    "total_liabilities": ("Liabilities",),
    "equity": ("StockholdersEquity",),
    "operating_cash_flow": ("NetCashProvidedByUsedInOperatingActivities",),
    "capital_expenditure": ("PaymentsToAcquirePropertyPlantAndEquipment", "PaymentsToAcquireProductiveAssets"),
    "depreciation_and_amortization": ("DepreciationDepletionAndAmortization", "DepreciationAndAmortization"),
    "dividends_paid": ("PaymentsOfDividends", "PaymentsOfDividendsCommonStock"),
    "share_repurchases": ("PaymentsForRepurchaseOfCommonStock",),
}


def test_items_equal_the_tags_of_the_filing(request: pytest.FixtureRequest, test_data: Path) -> None:
    """Of every fourth filing; of all with `--all`."""
    outcome: Counter[str] = Counter()
    share = 1 if request.config.getoption("--all") else 4
    for path in sorted((test_data / "market" / "filings" / "10k").glob("*.gz"))[::share]:
        known = datetime(2025, 9, 1, tzinfo=UTC)
        document = read_html(gzip.decompress(path.read_bytes()), known_at=known, name=path.name)
        statements = FilingStatements(document)
        for key, tags in TAGS.items():
            truth = _tagged(document, tags)
            if truth and document.info.fiscal_year is not None:
                outcome[_compare(statements, key, document.info.fiscal_year, truth)] += 1
    checked = sum(outcome.values())
    assert checked > 300 // share
    assert outcome["equal"] >= 0.96 * checked, outcome
    assert outcome["differs"] <= 0.015 * checked, outcome


def _tagged(document: SourceDocument, tags: tuple[str, ...]) -> list[float]:
    """Return the figures of the fiscal year that a filing tags with one of the concepts, for the company as a whole."""
    return [
        fact.value
        for fact in document.facts
        if fact.concept.partition(":")[2] in tags
        and not fact.dimensions
        and fact.period_end == document.info.period_end
        and (fact.period_start is None or (fact.period_end - fact.period_start).days > 340)
    ]


def _compare(statements: FilingStatements, key: str, year: int, truth: list[float]) -> str:
    reading = statements.read(key, year)
    if reading.refusal:
        return "refused"
    value = calculate(CalculationRequest(expression=reading.expression, operands=reading.operands)).value
    near = any(value is not None and abs(abs(value) - abs(one)) <= 0.005 * abs(one) for one in truth)
    return "equal" if near else "differs"
