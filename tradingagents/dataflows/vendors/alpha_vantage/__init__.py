"""Alpha Vantage through the alpha_vantage library: prices, statements, dated news, insiders, companies, movers."""

from tradingagents.dataflows.vendors.alpha_vantage.vendor import AlphaVantageVendor

__all__ = ["AlphaVantageVendor"]
