"""The two managers, who decide."""
