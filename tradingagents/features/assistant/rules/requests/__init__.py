"""What becomes of a request: the calls that answer it, what its reply leaves out, why it is declined."""
