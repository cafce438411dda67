"""The agents: one file each, built by `builders`."""
