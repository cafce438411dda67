"""Tampered futures: later rows of a folder or a vendor changed, removed and added."""
