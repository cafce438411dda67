"""Cells of the rows that were found: of which period and in which unit each is, and which of several answers."""
