"""What the runs of a home came to, and what they used."""
