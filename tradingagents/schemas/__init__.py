"""The records that are written to disk or printed, one versioned set."""
