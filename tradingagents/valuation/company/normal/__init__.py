"""What is normal for a company: one-offs, cycles, and its usual margin, tax and return (`norms.norms_of`)."""
