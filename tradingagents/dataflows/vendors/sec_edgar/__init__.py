"""SEC EDGAR: what US-listed companies file with their regulator: statements, the index of filings, insiders' trades."""

from tradingagents.dataflows.vendors.sec_edgar.vendor import SecEdgarVendor

__all__ = ["SecEdgarVendor"]
