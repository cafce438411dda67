"""Which items of the sources' balance sheets a valuation uses, which it does not, and how large those are.

An item is an input (the valuation adds or subtracts it), a part of the operations (what it earns and needs is in the
free cash flow), a total or a part of other items, or unused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tradingagents.dataflows.vendors.snapshot.items import POLYGON, Items
from tradingagents.dataflows.vendors.yfinance.line_items import STATEMENT_ROWS
from tradingagents.valuation.company.claims import CLAIM_ITEMS, UNCOUNTED

INPUTS = ("cash", "short_term_debt", "long_term_debt", "total_debt", "equity", *CLAIM_ITEMS, *UNCOUNTED)
"""Items that a valuation uses, or says that it does not count (`valuation.company.claims`)."""
OPERATIONS: Mapping[str, frozenset[str]] = {
    "polygon": frozenset(
        {
            "accounts_payable",
            "accounts_receivable",
            "fixed_assets",
            "intangible_assets",
            "inventory",
            "other_current_assets",
            "other_current_liabilities",
            "other_noncurrent_assets",
            "other_noncurrent_liabilities",
            "prepaid_expenses",
            "wages",
        }
    ),
    "yfinance": frozenset(
        {
            "AccountsPayable",
            "AccountsReceivable",
            "AccruedInterestReceivable",
            "AccumulatedDepreciation",
            "AllowanceForDoubtfulAccountsReceivable",
            "BuildingsAndImprovements",
            "ConstructionInProgress",
            "CurrentAccruedExpenses",
            "CurrentDeferredAssets",
            "CurrentDeferredLiabilities",
            "CurrentDeferredRevenue",
            "CurrentProvisions",
            "DuetoRelatedPartiesCurrent",
            "DuetoRelatedPartiesNonCurrent",
            "FinishedGoods",
            "Goodwill",
            "GoodwillAndOtherIntangibleAssets",
            "GrossAccountsReceivable",
            "GrossPPE",
            "IncomeTaxPayable",
            "InterestPayable",
            "InventoriesAdjustmentsAllowances",
            "Inventory",
            "LandAndImprovements",
            "Leases",
            "LongTermProvisions",
            "MachineryFurnitureEquipment",
            "NetPPE",
            "NonCurrentAccountsReceivable",
            "NonCurrentAccruedExpenses",
            "NonCurrentDeferredAssets",
            "NonCurrentDeferredLiabilities",
            "NonCurrentDeferredRevenue",
            "NonCurrentDeferredTaxesAssets",
            "NonCurrentDeferredTaxesLiabilities",
            "NonCurrentPrepaidAssets",
            "OtherCurrentAssets",
            "OtherCurrentLiabilities",
            "OtherIntangibleAssets",
            "OtherInventories",
            "OtherNonCurrentAssets",
            "OtherNonCurrentLiabilities",
            "OtherPayable",
            "OtherProperties",
            "OtherReceivables",
            "Payables",
            "PayablesAndAccruedExpenses",
            "PensionandOtherPostRetirementBenefitPlansCurrent",
            "PrepaidAssets",
            "Properties",
            "RawMaterials",
            "Receivables",
            "ReceivablesAdjustmentsAllowances",
            "TaxesReceivable",
            "TotalTaxPayable",
            "TradeandOtherPayablesNonCurrent",
            "WorkInProcess",
        }
    ),
}
"""Items by source that the free cash flow stands for."""
SUMS_AND_PARTS: Mapping[str, frozenset[str]] = {
    "polygon": frozenset(
        {
            "assets",
            "commitments_and_contingencies",
            "current_assets",
            "current_liabilities",
            "equity",
            "redeemable_noncontrolling_interest_common",
            "liabilities",
            "liabilities_and_equity",
            "noncurrent_assets",
            "noncurrent_liabilities",
            "temporary_equity_attributable_to_parent",
        }
    ),
    "yfinance": frozenset(
        {
            # of cash, investments and debt
            "AvailableForSaleSecurities",
            "CapitalLeaseObligations",
            "CashCashEquivalentsAndFederalFundsSold",
            "CashCashEquivalentsAndShortTermInvestments",
            "CashEquivalents",
            "CashFinancial",
            "CommercialPaper",
            "CurrentCapitalLeaseObligation",
            "CurrentNotesPayable",
            "HeldToMaturitySecurities",
            "InvestmentinFinancialAssets",
            "LineOfCredit",
            "LongTermCapitalLeaseObligation",
            "OtherCurrentBorrowings",
            "OtherInvestments",
            "TradingSecurities",
            # of equity
            "AdditionalPaidInCapital",
            "CapitalStock",
            "CommonStock",
            "CommonStockEquity",
            "ForeignCurrencyTranslationAdjustments",
            "GainsLossesNotAffectingRetainedEarnings",
            "MinimumPensionLiabilities",
            "OtherEquityAdjustments",
            "OtherEquityInterest",
            "RetainedEarnings",
            "TreasuryStock",
            "UnrealizedGainLoss",
            # totals, and counts of shares
            "CurrentAssets",
            "CurrentLiabilities",
            "InvestedCapital",
            "NetDebt",
            "NetTangibleAssets",
            "OrdinarySharesNumber",
            "PreferredSharesNumber",
            "ShareIssued",
            "TangibleBookValue",
            "TotalAssets",
            "TotalCapitalization",
            "TotalEquityGrossMinorityInterest",
            "TotalLiabilitiesNetMinorityInterest",
            "TotalNonCurrentAssets",
            "TotalNonCurrentLiabilitiesNetMinorityInterest",
            "TreasurySharesNumber",
            "WorkingCapital",
        }
    ),
}
"""Items by source that are sums or parts of others, or no money."""


@dataclass(frozen=True, slots=True)
class UnusedItem:
    """An item of a balance sheet that no input of a valuation uses."""

    name: str
    amount: float
    to_equity: float
    """Its size over that of the equity."""


def unused_items(source: str, items: Items) -> tuple[UnusedItem, ...]:
    """Return the items of a recorded balance sheet that no input of a valuation uses, the largest first.

    Args:
        source: `polygon` or `yfinance`.
        items: As recorded; None for an item not reported.

    Raises:
        KeyError: The source is another one.
    """
    names = {"polygon": POLYGON, "yfinance": STATEMENT_ROWS}[source]["balance"]
    used = {alias for item in INPUTS for alias in names.get(item, ())} | OPERATIONS[source] | SUMS_AND_PARTS[source]
    given = {name.replace(" ", ""): value for name, value in items.items() if value}
    equity = next((abs(value) for name in names["equity"] if (value := given.get(name))), 0.0)
    found = [
        UnusedItem(name, value, abs(value) / equity if equity else float("inf"))
        for name, value in given.items()
        if value is not None and name not in used
    ]
    return tuple(sorted(found, key=lambda one: (-one.to_equity, one.name)))
