"""A question, planned, carried out, judged and answered with sources."""
