"""The graph that answers a question about filings, one part a file."""
