"""FRED of the Federal Reserve Bank of St. Louis, over HTTP."""

from tradingagents.dataflows.vendors.fred.vendor import FredVendor

__all__ = ["FredVendor"]
