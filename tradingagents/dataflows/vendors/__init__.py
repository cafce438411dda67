"""The vendors; each returns the row types of `dataflows.models`."""
