"""Financial Datasets, over HTTP."""

from tradingagents.dataflows.vendors.financial_datasets.vendor import FinancialDatasetsVendor

__all__ = ["FinancialDatasetsVendor"]
