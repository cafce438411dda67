"""What the five agents of a market scan go by."""
