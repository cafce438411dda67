"""What a person holds: what a view means for it, a list of orders that is feasible as a whole, and its risk."""
