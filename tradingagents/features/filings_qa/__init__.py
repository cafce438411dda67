"""Questions about filings, earnings calls and news, answered with citations."""
