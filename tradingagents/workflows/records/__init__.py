"""What is made of a run's record: exports, derivations of its figures, their verification, the log of its state."""
