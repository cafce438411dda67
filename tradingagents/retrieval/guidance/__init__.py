"""What companies say about coming periods, read from their calls and releases, and what came of it."""
