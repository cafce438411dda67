"""From market data to a valuation: facts, rates, assumptions and results of one company on one day."""
