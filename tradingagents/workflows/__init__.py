"""The run kinds, one file each: from a request to a record."""
