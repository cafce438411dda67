"""One sentence about coming periods: its figures, what each is of, and whether it is guided to."""
