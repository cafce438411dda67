"""Sources of the contract tests, one file a vendor: what its server holds, clean and poisoned, and what it is asked."""
