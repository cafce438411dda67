"""A report on one company: hypotheses, frozen evidence, both sides, a valuation."""
