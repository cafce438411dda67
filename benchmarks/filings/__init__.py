"""Benchmark of questions over filings: finding the pages, and answering from them."""
