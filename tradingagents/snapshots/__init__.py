"""Snapshot folders: recorded from vendors, filled from files of one's own, checked."""
