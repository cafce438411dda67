"""Results about one company: statements, ratios, peers, news, posts, insiders, filings."""
