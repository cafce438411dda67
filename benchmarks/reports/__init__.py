"""Reports with planted errors, in the wording of several houses, for `benchmarks.check`."""
