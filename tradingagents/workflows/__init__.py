"""The kinds of run, one file each: from a request to a record."""
