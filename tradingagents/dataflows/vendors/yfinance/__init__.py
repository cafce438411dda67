"""Yahoo Finance, through yfinance."""

from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor

__all__ = ["YFinanceVendor"]
