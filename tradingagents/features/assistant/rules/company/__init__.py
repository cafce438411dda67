"""Sentences on one company by what was asked about it: its prices, its figures, its dividends, its dates."""
