"""Finnhub, through finnhub-python."""

from tradingagents.dataflows.vendors.finnhub.vendor import FinnhubVendor

__all__ = ["FinnhubVendor"]
