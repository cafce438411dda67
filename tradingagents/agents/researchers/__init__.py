"""Bull and bear."""
