"""Filings, calls and articles as documents: reading, storing and searching them."""
