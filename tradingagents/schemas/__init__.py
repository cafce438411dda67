"""The records that are written to disk or printed as JSON, in one versioned set."""
