"""Research questions with known answers: `python -m benchmarks.research`."""
