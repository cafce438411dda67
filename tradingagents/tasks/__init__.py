"""Tasks: long work in the background, with a journal, progress, cancellation and resumption."""
