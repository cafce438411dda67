"""Days of a question that are not told by themselves: two windows side by side, and days that no reading gives."""
