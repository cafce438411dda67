"""Companies researched side by side, then compared topic by topic."""
