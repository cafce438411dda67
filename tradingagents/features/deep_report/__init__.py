"""A report on one company, from hypotheses to claims that trace to frozen evidence."""
