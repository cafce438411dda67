"""What graphs of several kinds of runs share."""
