"""Agents that answer questions about filings, calls and news: one file each, in running order in `agents`."""
