"""Cost estimates before a run: no model is called, and nothing is written."""
