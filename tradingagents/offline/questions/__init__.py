"""What the words of a question ask for: companies, days, lookups."""
