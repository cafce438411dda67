"""Questions that leave out what the one before said, written out by it."""
