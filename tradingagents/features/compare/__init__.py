"""Companies side by side: research on each, then one answer with a table."""
