"""Figures of a report that stand in stored filings: rows of tables, tagged facts, sentences."""
