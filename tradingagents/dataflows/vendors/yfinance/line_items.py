"""Map Yahoo's names: statement rows, ratios, instrument types, and currencies quoted in hundredths."""

from __future__ import annotations

from collections.abc import Mapping

from tradingagents.dataflows.models import InstrumentKind, StatementKind
from tradingagents.dataflows.reference.currencies import NOT_STATED, major_unit

INCOME: Mapping[str, tuple[str, ...]] = {
    "revenue": ("TotalRevenue", "OperatingRevenue"),
    "cost_of_revenue": ("CostOfRevenue", "ReconciledCostOfRevenue"),
    "gross_profit": ("GrossProfit",),
    "research_and_development": ("ResearchAndDevelopment",),
    "selling_general_administrative": ("SellingGeneralAndAdministration",),
    "operating_expenses": ("OperatingExpense",),
    "operating_income": ("OperatingIncome", "TotalOperatingIncomeAsReported"),
    "depreciation_and_amortization": ("ReconciledDepreciation", "DepreciationAndAmortizationInIncomeStatement"),
    "ebitda": ("EBITDA",),
    "interest_expense": ("InterestExpense", "InterestExpenseNonOperating"),
    "pretax_income": ("PretaxIncome",),
    "income_tax": ("TaxProvision",),
    "net_income": ("NetIncome", "NetIncomeCommonStockholders"),
    "eps_basic": ("BasicEPS",),
    "eps_diluted": ("DilutedEPS",),
    "shares_basic": ("BasicAverageShares",),
    "shares_diluted": ("DilutedAverageShares",),
    "net_income_to_common": ("NetIncomeCommonStockholders",),
    "special_charges": ("SpecialIncomeCharges",),
    "gain_on_property_sales": ("GainOnSaleOfPPE",),
    "property_impairment": ("ImpairmentOfCapitalAssets",),
}
BALANCE: Mapping[str, tuple[str, ...]] = {
    "cash": ("CashAndCashEquivalents",),
    "receivables": ("AccountsReceivable", "Receivables"),
    "inventory": ("Inventory",),
    "current_assets": ("CurrentAssets",),
    "fixed_assets": ("NetPPE",),
    "total_assets": ("TotalAssets",),
    "accounts_payable": ("AccountsPayable",),
    "short_term_debt": ("CurrentDebt", "CurrentDebtAndCapitalLeaseObligation"),
    "current_liabilities": ("CurrentLiabilities",),
    "long_term_debt": ("LongTermDebt", "LongTermDebtAndCapitalLeaseObligation"),
    "total_debt": ("TotalDebt",),
    "total_liabilities": ("TotalLiabilitiesNetMinorityInterest",),
    "equity": ("StockholdersEquity", "CommonStockEquity"),
    "retained_earnings": ("RetainedEarnings",),
    "short_term_investments": ("OtherShortTermInvestments",),
    "long_term_investments": ("InvestmentsAndAdvances", "InvestmentinFinancialAssets"),
    "equity_method_investments": ("LongTermEquityInvestment", "InvestmentsInOtherVenturesUnderEquityMethod"),
    "preferred_equity": ("PreferredStockEquity", "PreferredStock"),
    "minority_interest": ("MinorityInterest",),
    "temporary_equity": ("PreferredSecuritiesOutsideStockEquity",),
    # Its `TotalDebt` holds leases. `PensionandOtherPostRetirementBenefitPlansCurrent` holds accrued wages.
    "pension_deficit": ("NonCurrentPensionAndOtherPostretirementBenefitPlans", "EmployeeBenefits"),
    "restricted_cash": ("RestrictedCash",),
    "dividends_payable": ("DividendsPayable",),
    "assets_held_for_sale": ("AssetsHeldForSaleCurrent",),
    "liabilities_held_for_sale": ("LiabilitiesHeldforSaleNonCurrent",),
    "pension_surplus": ("DefinedPensionBenefit",),
    "derivative_assets": ("HedgingAssetsCurrent",),
    "derivative_liabilities": ("DerivativeProductLiabilities",),
    "goodwill_and_intangibles": ("GoodwillAndOtherIntangibleAssets",),
    "other_current_assets": ("OtherCurrentAssets",),
    "other_noncurrent_assets": ("OtherNonCurrentAssets",),
    "shares_outstanding": ("OrdinarySharesNumber",),
}
CASHFLOW: Mapping[str, tuple[str, ...]] = {
    "operating_cash_flow": ("OperatingCashFlow", "CashFlowFromContinuingOperatingActivities"),
    "capital_expenditure": ("CapitalExpenditure",),
    "free_cash_flow": ("FreeCashFlow",),
    "investing_cash_flow": ("InvestingCashFlow", "CashFlowFromContinuingInvestingActivities"),
    "financing_cash_flow": ("FinancingCashFlow", "CashFlowFromContinuingFinancingActivities"),
    "dividends_paid": ("CashDividendsPaid", "CommonStockDividendPaid"),
    "share_repurchases": ("RepurchaseOfCapitalStock", "CommonStockPayments"),
    "net_change_in_cash": ("ChangesInCash",),
}
STATEMENT_ROWS: Mapping[StatementKind, Mapping[str, tuple[str, ...]]] = {
    "income": INCOME,
    "balance": BALANCE,
    "cashflow": CASHFLOW,
}
"""Yahoo's rows by item and statement, the preferred one first; signs as in `dataflows.reference.line_items`."""

RATIOS: Mapping[str, tuple[str, ...]] = {
    "market_cap": ("marketCap",),
    "pe_ttm": ("trailingPE",),
    "forward_pe": ("forwardPE",),
    "ps_ttm": ("priceToSalesTrailing12Months",),
    "pb": ("priceToBook",),
    "peg": ("trailingPegRatio", "pegRatio"),
    "ev_ebitda": ("enterpriseToEbitda",),
    "beta": ("beta",),
    "current_ratio": ("currentRatio",),
}
"""Ratios without a change of unit."""

QUOTED: Mapping[str, tuple[str, ...]] = {
    "price": ("regularMarketPrice", "currentPrice"),
    "high_52w": ("fiftyTwoWeekHigh",),
    "low_52w": ("fiftyTwoWeekLow",),
    "sma_50": ("fiftyDayAverage",),
    "sma_200": ("twoHundredDayAverage",),
}
"""Amounts in the unit the symbol is quoted in."""

FRACTIONS: Mapping[str, tuple[str, ...]] = {
    "roa": ("returnOnAssets",),
    "dividend_yield": ("trailingAnnualDividendYield",),
}
"""Fractions, converted to percent. Yahoo's `dividendYield` isn't among them: it is a fraction in one of the two answers
that yfinance merges and a percentage in the other."""

KINDS: Mapping[str, InstrumentKind] = {
    "EQUITY": "stock",
    "ETF": "etf",
    "MUTUALFUND": "etf",
    "INDEX": "index",
    "CRYPTOCURRENCY": "crypto",
    "CURRENCY": "currency",
    "FUTURE": "future",
}

SECTOR_PAGES: Mapping[str, str] = {
    "technology": "technology",
    "healthcare": "healthcare",
    "financials": "financial-services",
    "energy": "energy",
    "consumer-discretionary": "consumer-cyclical",
    "consumer-staples": "consumer-defensive",
    "industrials": "industrials",
    "materials": "basic-materials",
    "real-estate": "real-estate",
    "utilities": "utilities",
    "communication-services": "communication-services",
}
"""Yahoo's sector pages by our sector keys."""


def currency_unit(code: str | None) -> tuple[str, float]:
    """Return the ISO currency and the value of one quoted unit in it: `GBp` (pence) is 0.01 GBP."""
    if not code:
        return NOT_STATED, 1.0
    return major_unit(code)
