"""The grammar of sentences that state figures."""
