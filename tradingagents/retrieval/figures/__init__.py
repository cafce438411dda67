"""Single figures that questions ask for: how they are read, and how they are computed from statements."""
