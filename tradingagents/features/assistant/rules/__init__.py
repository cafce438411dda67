"""Fixed rules that stand in for the assistant's model and for those of the personas: lookups, comparisons, memos."""
