"""XBRL tags of company facts by item name, for US GAAP and IFRS filers."""

from __future__ import annotations

from collections.abc import Mapping

from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

Recipe = tuple[str, ...]
"""Tags to add, all of which are required; one that begins with a minus is subtracted."""
Recipes = Mapping[str, tuple[Recipe, ...]]
"""Alternative recipes for an item, the preferred one first."""

_CONTRACTS = "RevenueFromContractWithCustomer"
_PRETAX = "IncomeLossFromContinuingOperationsBeforeIncomeTaxes"
_OPERATING, _INVESTING, _FINANCING = (
    f"NetCashProvidedByUsedIn{name}Activities" for name in ("Operating", "Investing", "Financing")
)
_CASH_CHANGE = "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecrease"
_BOTH_SIDES = "LiabilitiesAndStockholdersEquity"
_ALL_EQUITY = "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest"
COVER_SHARES = "EntityCommonStockSharesOutstanding"
"""On the cover of a filing, of the taxonomy `dei`: newer than the count of the balance sheet, and given once."""
_ALL_DEBT = "DebtLongtermAndShorttermCombinedAmount"
_DUE = ("LongTermDebtCurrent", "LongTermDebtAndCapitalLeaseObligationsCurrent")
"""Long-term debt that falls due within a year."""
_LONG_SECURITIES = (
    "MarketableSecuritiesNoncurrent",
    "AvailableForSaleSecuritiesDebtSecuritiesNoncurrent",
    "DebtSecuritiesAvailableForSaleNoncurrent",
)


def _any(*tags: str) -> tuple[Recipe, ...]:
    return tuple((tag,) for tag in tags)


_US_INCOME: Recipes = {
    # The widest first: companies with leases or interest tag the part from contracts in addition to the total.
    "revenue": (
        *_any("Revenues", "RevenuesNetOfInterestExpense", f"{_CONTRACTS}ExcludingAssessedTax"),
        *_any(f"{_CONTRACTS}IncludingAssessedTax", "SalesRevenueNet"),
        ("SalesRevenueGoodsNet", "SalesRevenueServicesNet"),
        *_any("SalesRevenueGoodsNet", "SalesRevenueServicesNet"),
    ),
    "cost_of_revenue": _any("CostOfRevenue", "CostOfGoodsAndServicesSold", "CostOfGoodsSold"),
    "gross_profit": _any("GrossProfit"),
    "research_and_development": _any(
        "ResearchAndDevelopmentExpense", "ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost"
    ),
    "selling_general_administrative": (
        ("SellingGeneralAndAdministrativeExpense",),
        ("SellingAndMarketingExpense", "GeneralAndAdministrativeExpense"),
    ),
    "operating_expenses": _any("OperatingExpenses"),
    "operating_income": _any("OperatingIncomeLoss"),
    "depreciation_and_amortization": _any(
        "DepreciationDepletionAndAmortization", "DepreciationAmortizationAndAccretionNet", "DepreciationAndAmortization"
    ),
    "interest_expense": _any(
        "InterestExpense", "InterestExpenseNonoperating", "InterestExpenseDebt", "InterestAndDebtExpense"
    ),
    "pretax_income": _any(
        f"{_PRETAX}ExtraordinaryItemsNoncontrollingInterest",
        f"{_PRETAX}MinorityInterestAndIncomeLossFromEquityMethodInvestments",
    ),
    "income_tax": _any("IncomeTaxExpenseBenefit"),
    "net_income": _any("NetIncomeLoss", "ProfitLoss", "NetIncomeLossAvailableToCommonStockholdersBasic"),
    "eps_basic": _any("EarningsPerShareBasic", "EarningsPerShareBasicAndDiluted"),
    "eps_diluted": _any("EarningsPerShareDiluted", "EarningsPerShareBasicAndDiluted"),
    "shares_basic": _any(
        "WeightedAverageNumberOfSharesOutstandingBasic", "WeightedAverageNumberOfShareOutstandingBasicAndDiluted"
    ),
    "shares_diluted": _any(
        "WeightedAverageNumberOfDilutedSharesOutstanding", "WeightedAverageNumberOfShareOutstandingBasicAndDiluted"
    ),
    "net_income_to_common": _any("NetIncomeLossAvailableToCommonStockholdersBasic"),
    "convertible_shares": _any("IncrementalCommonSharesAttributableToConversionOfDebtSecurities"),
    "gain_on_property_sales": _any(
        "GainLossOnSaleOfProperties",
        "GainsLossesOnSalesOfInvestmentRealEstate",
        "GainLossOnSaleOfPropertyPlantEquipment",
    ),
    "property_impairment": _any("ImpairmentOfRealEstate"),
}
_US_BALANCE: Recipes = {
    "cash": _any("CashAndCashEquivalentsAtCarryingValue", "CashAndDueFromBanks", "Cash"),
    "receivables": _any(
        "AccountsReceivableNetCurrent",
        "ReceivablesNetCurrent",
        "AccountsNotesAndLoansReceivableNetCurrent",
        "AccountsAndOtherReceivablesNetCurrent",
    ),
    "inventory": _any("InventoryNet", "InventoryNetOfAllowancesCustomerAdvancesAndProgressBillings"),
    "current_assets": _any("AssetsCurrent"),
    "fixed_assets": _any(
        "PropertyPlantAndEquipmentNet",
        "PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAfterAccumulatedDepreciationAndAmortization",
    ),
    "total_assets": _any("Assets"),
    "accounts_payable": _any("AccountsPayableCurrent", "AccountsPayableTradeCurrent"),
    "short_term_debt": (
        ("DebtCurrent",),
        *((due, "NotesAndLoansPayable") for due in _DUE),
        *((due, "CommercialPaper", "OtherShortTermBorrowings") for due in _DUE),
        ("LongTermDebtCurrent", "CommercialPaper"),
        ("LongTermDebtCurrent", "ShortTermBorrowings"),
        ("LongTermDebtAndCapitalLeaseObligationsCurrent", "CommercialPaper"),
        ("LongTermDebtAndCapitalLeaseObligationsCurrent", "ShortTermBorrowings"),
        *((due, "OtherShortTermBorrowings") for due in _DUE),
        *_any("LongTermDebtCurrent", "LongTermDebtAndCapitalLeaseObligationsCurrent", "ShortTermBorrowings"),
        *_any("CommercialPaper", "ConvertibleDebtCurrent", "ConvertibleNotesPayableCurrent", "NotesPayableCurrent"),
    ),
    "current_liabilities": _any("LiabilitiesCurrent"),
    "long_term_debt": (
        *_any("LongTermDebtNoncurrent", "LongTermDebtAndCapitalLeaseObligations", "ConvertibleDebtNoncurrent"),
        *_any("ConvertibleLongTermNotesPayable", "SeniorLongTermNotes", "LongTermNotesPayable"),
        ("LongTermDebt", "-LongTermDebtCurrent"),
    ),
    "total_debt": _any(_ALL_DEBT),
    "total_liabilities": (
        ("Liabilities",),
        (
            _BOTH_SIDES,
            f"-{_ALL_EQUITY}",
            "-RedeemableNoncontrollingInterestEquityCarryingAmount",
        ),
        (_BOTH_SIDES, f"-{_ALL_EQUITY}"),
        (_BOTH_SIDES, "-StockholdersEquity"),
    ),
    "equity": (("StockholdersEquity",), (_ALL_EQUITY, "-MinorityInterest"), *_any(_ALL_EQUITY, "PartnersCapital")),
    "retained_earnings": _any("RetainedEarningsAccumulatedDeficit"),
    "short_term_investments": _any(
        "ShortTermInvestments",
        "MarketableSecuritiesCurrent",
        "AvailableForSaleSecuritiesDebtSecuritiesCurrent",
        "DebtSecuritiesAvailableForSaleCurrent",
    ),
    "long_term_investments": (
        ("LongTermInvestments",),
        *((tag, "EquityMethodInvestments") for tag in _LONG_SECURITIES),
        *_any(*_LONG_SECURITIES, "EquityMethodInvestments"),
    ),
    "equity_method_investments": _any("EquityMethodInvestments"),
    "preferred_equity": _any("PreferredStockValue", "PreferredStockIncludingAdditionalPaidInCapital"),
    "minority_interest": _any("MinorityInterest"),
    "temporary_equity": _any(
        "TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests",
        "TemporaryEquityCarryingAmountAttributableToParent",
        "RedeemableNoncontrollingInterestEquityCarryingAmount",
    ),
    # Rent of an operating lease is in operating income: as debt too it would count twice.
    "finance_leases": (
        ("FinanceLeaseLiability",),
        ("FinanceLeaseLiabilityNoncurrent", "FinanceLeaseLiabilityCurrent"),
        ("FinanceLeaseLiabilityNoncurrent",),
    ),
    "pension_deficit": _any(
        "PensionAndOtherPostretirementDefinedBenefitPlansLiabilitiesNoncurrent",
        "DefinedBenefitPensionPlanLiabilitiesNoncurrent",
    ),
    "convertible_debt": _any("ConvertibleNotesPayable", "ConvertibleDebtNoncurrent", "ConvertibleLongTermNotesPayable"),
    "restricted_cash": (
        ("RestrictedCash",),
        ("RestrictedCashCurrent", "RestrictedCashNoncurrent"),
        *_any("RestrictedCashCurrent", "RestrictedCashNoncurrent"),
    ),
    "goodwill_and_intangibles": (
        ("IntangibleAssetsNetIncludingGoodwill",),
        ("Goodwill", "IntangibleAssetsNetExcludingGoodwill"),
        ("Goodwill", "FiniteLivedIntangibleAssetsNet"),
        *_any("Goodwill", "IntangibleAssetsNetExcludingGoodwill", "FiniteLivedIntangibleAssetsNet"),
    ),
    "other_current_assets": _any("OtherAssetsCurrent"),
    "other_noncurrent_assets": _any("OtherAssetsNoncurrent"),
    "shares_outstanding": _any(COVER_SHARES),
}
_US_CASHFLOW: Recipes = {
    "operating_cash_flow": _any(_OPERATING),
    "capital_expenditure": _any(
        "PaymentsToAcquirePropertyPlantAndEquipment",
        "PaymentsToAcquireProductiveAssets",
        "PaymentsToAcquireOtherPropertyPlantAndEquipment",
    ),
    "investing_cash_flow": _any(_INVESTING),
    "financing_cash_flow": _any(_FINANCING),
    "dividends_paid": _any("PaymentsOfDividends", "PaymentsOfDividendsCommonStock", "PaymentsOfOrdinaryDividends"),
    "share_repurchases": _any("PaymentsForRepurchaseOfCommonStock", "PaymentsForRepurchaseOfEquity"),
    "net_change_in_cash": _any(
        f"{_CASH_CHANGE}IncludingExchangeRateEffect",
        f"{_CASH_CHANGE}ExcludingExchangeRateEffect",
        "CashAndCashEquivalentsPeriodIncreaseDecrease",
    ),
}
_IFRS_INCOME: Recipes = {
    "revenue": _any("Revenue", "RevenueFromContractsWithCustomers"),
    "cost_of_revenue": _any("CostOfSales"),
    "gross_profit": _any("GrossProfit"),
    "research_and_development": _any("ResearchAndDevelopmentExpense"),
    "selling_general_administrative": (
        ("SellingGeneralAndAdministrativeExpense",),
        ("DistributionCosts", "AdministrativeExpense"),
    ),
    "operating_expenses": _any("OperatingExpense"),
    "operating_income": _any("ProfitLossFromOperatingActivities"),
    "depreciation_and_amortization": _any(
        "DepreciationAndAmortisationExpense", "AdjustmentsForDepreciationAndAmortisationExpense"
    ),
    "interest_expense": _any("InterestExpense", "FinanceCosts"),
    "pretax_income": _any("ProfitLossBeforeTax"),
    "income_tax": _any("IncomeTaxExpenseContinuingOperations"),
    "net_income": _any("ProfitLossAttributableToOwnersOfParent", "ProfitLoss"),
    "eps_basic": _any("BasicEarningsLossPerShare"),
    "eps_diluted": _any("DilutedEarningsLossPerShare"),
    "shares_basic": _any("WeightedAverageShares"),
    "shares_diluted": _any("AdjustedWeightedAverageShares"),
}
_IFRS_BALANCE: Recipes = {
    "cash": _any("CashAndCashEquivalents"),
    "receivables": _any("TradeAndOtherCurrentReceivables", "CurrentTradeReceivables"),
    "inventory": _any("Inventories"),
    "current_assets": _any("CurrentAssets"),
    "fixed_assets": _any("PropertyPlantAndEquipment"),
    "total_assets": _any("Assets"),
    "accounts_payable": _any("TradeAndOtherCurrentPayables", "TradeAndOtherCurrentPayablesToTradeSuppliers"),
    "short_term_debt": (
        ("CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings",),
        ("ShorttermBorrowings", "CurrentPortionOfLongtermBorrowings"),
        *_any("ShorttermBorrowings", "CurrentPortionOfLongtermBorrowings"),
    ),
    "current_liabilities": _any("CurrentLiabilities"),
    "long_term_debt": _any("NoncurrentPortionOfNoncurrentBorrowings", "LongtermBorrowings"),
    "total_debt": _any("Borrowings"),
    "total_liabilities": _any("Liabilities"),
    "equity": _any("EquityAttributableToOwnersOfParent", "Equity"),
    "retained_earnings": _any("RetainedEarnings"),
    "short_term_investments": _any("CurrentInvestments", "OtherCurrentFinancialAssets"),
    "long_term_investments": (
        ("InvestmentAccountedForUsingEquityMethod", "OtherNoncurrentFinancialAssets"),
        *_any("InvestmentAccountedForUsingEquityMethod", "OtherNoncurrentFinancialAssets"),
    ),
    "equity_method_investments": _any("InvestmentAccountedForUsingEquityMethod"),
    "minority_interest": _any("NoncontrollingInterests"),
    "finance_leases": (
        ("LeaseLiabilities",),
        ("NoncurrentLeaseLiabilities", "CurrentLeaseLiabilities"),
        ("NoncurrentLeaseLiabilities",),
    ),
    "pension_deficit": _any("NoncurrentProvisionsForEmployeeBenefits", "NetDefinedBenefitLiabilityAsset"),
    "shares_outstanding": _any(COVER_SHARES),
}
_IFRS_CASHFLOW: Recipes = {
    "operating_cash_flow": _any("CashFlowsFromUsedInOperatingActivities"),
    "capital_expenditure": _any("PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities"),
    "investing_cash_flow": _any("CashFlowsFromUsedInInvestingActivities"),
    "financing_cash_flow": _any("CashFlowsFromUsedInFinancingActivities"),
    "dividends_paid": _any("DividendsPaidClassifiedAsFinancingActivities"),
    "share_repurchases": _any("PaymentsToAcquireOrRedeemEntitysShares"),
    "net_change_in_cash": _any("IncreaseDecreaseInCashAndCashEquivalents"),
}
RECIPES: Mapping[str, Mapping[StatementKind, Recipes]] = {
    "us-gaap": {"income": _US_INCOME, "balance": _US_BALANCE, "cashflow": _US_CASHFLOW},
    "ifrs-full": {"income": _IFRS_INCOME, "balance": _IFRS_BALANCE, "cashflow": _IFRS_CASHFLOW},
}
"""Recipes by taxonomy and statement."""
MORE_RECIPES: Mapping[StatementKind, Recipes] = {
    "income": {
        "net_income_with_minorities": _any("ProfitLoss", "NetIncomeLoss"),
        "restructuring": _any(
            "RestructuringCharges", "RestructuringCosts", "RestructuringCostsAndAssetImpairmentCharges"
        ),
    },
    "balance": {
        "goodwill": _any("Goodwill"),
        "intangibles": _any("IntangibleAssetsNetExcludingGoodwill", "FiniteLivedIntangibleAssetsNet"),
        "total_equity": _any(_ALL_EQUITY, "StockholdersEquity"),
    },
    "cashflow": {"stock_compensation": _any("ShareBasedCompensation")},
}
"""US GAAP recipes of items that questions ask for and statements of vendors lack."""
STAND_INS = {f"{tag}ContinuingOperations": tag for tag in (_OPERATING, _INVESTING, _FINANCING)}
"""Tags to use if another one is missing: some companies alternate between the two."""
MONEY_OUT = frozenset({"capital_expenditure", "dividends_paid", "share_repurchases"})
"""Items tagged as positive payments, which are negative here."""
ANCHORS: Mapping[StatementKind, tuple[frozenset[str], ...]] = {
    "income": (frozenset({"net_income"}), frozenset({"revenue", "operating_income", "pretax_income"})),
    "balance": (frozenset({"total_assets"}), frozenset({"equity", "total_liabilities"})),
    "cashflow": (frozenset({"operating_cash_flow"}), frozenset({"investing_cash_flow", "financing_cash_flow"})),
}
"""Required items of a statement: single figures of a period occur in many filings without the statement."""


PARTIAL = {
    "cost_of_revenue": frozenset(
        {"PolicyholderBenefitsAndClaimsIncurredNet", "PolicyholderBenefitsAndClaimsIncurredHealthCare"}
    )
}
"""Tags beside which the tag of an item is a part of it only: what an insurer pays is no cost of goods that it sells."""
BORROWINGS: Mapping[str, frozenset[str]] = {
    "short-term borrowings": frozenset(
        {"ShortTermBorrowings", "CommercialPaper", "OtherShortTermBorrowings", "NotesAndLoansPayable"}
        | {"LoansPayableCurrent", "LinesOfCreditCurrent", "LoansPayableToBankCurrent", "NotesPayableToBankCurrent"}
        | {"ShortTermBankLoansAndNotesPayable", "ShortTermNonBankLoansAndNotesPayable"}
    ),
    "long-term debt that falls due": frozenset(
        {*_DUE, "ConvertibleDebtCurrent", "ConvertibleNotesPayableCurrent", "NotesPayableCurrent", "SeniorNotesCurrent"}
        | {"OtherLongTermDebtCurrent", "LongTermCommercialPaperCurrent", "UnsecuredDebtCurrent", "SecuredDebtCurrent"}
    ),
}
"""The two families of debt of within a year: of each, short-term debt holds at least the largest tagged figure."""
_UNEQUAL = 1e-3


def _tags(wanted: frozenset[str] | None = None) -> frozenset[str]:
    return frozenset(
        tag.lstrip("-")
        for kinds in RECIPES.values()
        for recipes in kinds.values()
        for item, ways in recipes.items()
        if wanted is None or item in wanted
        for way in ways
        for tag in way
    )


ITEM_TAGS = _tags() | STAND_INS.keys()
"""Tags that give items."""
TAGS = ITEM_TAGS.union(*PARTIAL.values(), *BORROWINGS.values())
"""All tags that are read: also those that tell that an item is incomplete."""
PER_SHARE_TAGS = _tags(PER_SHARE)
SHARE_TAGS = _tags(SHARES)
"""Averages over a period, whose quarter doesn't follow from longer ones by subtraction, and counts of a day."""


def items_of(kind: StatementKind, taxonomy: str, values: Mapping[str, float]) -> dict[str, float]:
    """Return the items of a statement from its tagged values; items without tags are missing.

    Computed if both parts are present: gross profit, free cash flow (operating cash flow plus capital expenditure),
    EBITDA (operating income plus depreciation and amortization), total debt (long-term plus short-term).

    Args:
        taxonomy: `us-gaap` or `ifrs-full`.
        values: By tag, of one period.
    """
    found: dict[str, float] = {}
    holds_leases = False
    for item in RECIPES[taxonomy][kind]:
        way = recipe_of(item, kind, taxonomy, values)
        if way is not None:
            total = sum(-values[tag[1:]] if tag.startswith("-") else values[tag] for tag in way)
            found[item] = -total if item in MONEY_OUT else total
            if item == "long_term_debt" and "LongTermDebtAndCapitalLeaseObligations" in way:
                holds_leases = True
    if holds_leases:
        found.pop("finance_leases", None)
    for item, (first, sign, other) in SUMS.items():
        if item not in found and first in found and other in found:
            found[item] = found[first] + sign * found[other]
    for item in incomplete_debt(kind, taxonomy, values):
        found.pop(item, None)
    return {item: value + 0.0 for item, value in found.items()}  # + 0.0: no negative zero


SUMS: Mapping[str, tuple[str, float, str]] = {
    "gross_profit": ("revenue", -1.0, "cost_of_revenue"),
    "ebitda": ("operating_income", 1.0, "depreciation_and_amortization"),
    "total_debt": ("long_term_debt", 1.0, "short_term_debt"),
    "free_cash_flow": ("operating_cash_flow", 1.0, "capital_expenditure"),
}
"""Items that two others give where no tag does: the first, plus or minus the second."""


def recipe_of(item: str, kind: StatementKind, taxonomy: str, values: Mapping[str, float]) -> Recipe | None:
    """Return the tags that give an item of a statement, the preferred recipe of those whose tags are all there.

    A sum of two equal figures is none: some companies put two tags on one row, such as short-term debt.
    """
    if PARTIAL.get(item, frozenset()) & values.keys():
        return None
    ways = RECIPES[taxonomy][kind].get(item) or (MORE_RECIPES[kind].get(item, ()) if taxonomy == "us-gaap" else ())
    return next(
        (way for way in ways if all(tag.lstrip("-") in values for tag in way) and not _counts_twice(way, values)), None
    )


def incomplete_debt(kind: StatementKind, taxonomy: str, values: Mapping[str, float]) -> dict[str, str]:
    """Return why short-term and total debt are not whole, where the tags of a balance sheet tell it; mostly nothing.

    A company may put a tag of its own on a row of its debt, which company facts lack: the other rows are too small
    then. What tells it is another tag of the same filing and day: of a larger figure of the same family of borrowings
    (`BORROWINGS`), or of all debt that is not the sum of its parts.

    Args:
        kind: Of the statement; there is nothing to tell but of a balance sheet.
        taxonomy: `us-gaap`, or another one, of which nothing is known.
        values: By tag.
    """
    if kind != "balance" or taxonomy != "us-gaap":
        return {}
    found: dict[str, str] = {}
    way = recipe_of("short_term_debt", kind, taxonomy, values) or ()
    if way and "DebtCurrent" not in way and (beside := _untaken(way, values)):
        reason = f"The filing tags {beside} beside {' and '.join(way)}: a part of the debt is missing."
        found = {"short_term_debt": reason, **({} if _ALL_DEBT in values else {"total_debt": reason})}
    long_way = recipe_of("long_term_debt", kind, taxonomy, values)
    if way and long_way and _ALL_DEBT in values:
        parts = sum(values[tag.lstrip("-")] * (-1 if tag.startswith("-") else 1) for tag in (*way, *long_way))
        if abs(values[_ALL_DEBT] - parts) > _UNEQUAL * abs(parts):
            reason = f"The filing tags {values[_ALL_DEBT]:,.0f} as all debt, and its parts add up to {parts:,.0f}."
            found["total_debt"] = reason
    return found


def _untaken(way: Recipe, values: Mapping[str, float]) -> str:
    """Return a tag of borrowings within a year that a sum of others does not hold whole; empty where none is."""
    taken = {values[tag] for tag in way}
    for family in BORROWINGS.values():
        held = sum(values[tag] for tag in way if tag in family)
        beside = [tag for tag in sorted(family & values.keys()) if tag not in way and values[tag] not in taken]
        largest = max(beside, key=lambda tag: values[tag], default="")
        if largest and values[largest] > held * (1 + _UNEQUAL):
            return largest
    return ""


def _counts_twice(way: Recipe, values: Mapping[str, float]) -> bool:
    added = [values[tag] for tag in way if not tag.startswith("-") and values[tag]]
    return len(set(added)) < len(added)


def whole(kind: StatementKind, items: Mapping[str, float]) -> bool:
    """Return whether the items form a statement (see `ANCHORS`)."""
    return all(any(item in items for item in anchor) for anchor in ANCHORS[kind])
