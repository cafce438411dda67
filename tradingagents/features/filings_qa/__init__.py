"""Answers from filings and earnings calls, with citations."""
