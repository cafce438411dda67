"""Snapshot folders: record them from vendors, fill them from your own files, and check them."""
