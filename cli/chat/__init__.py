"""The conversation with the assistant in the terminal."""
