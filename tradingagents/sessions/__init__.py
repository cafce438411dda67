"""Sessions: conversations with their transcripts, state and artifacts, on disk."""
