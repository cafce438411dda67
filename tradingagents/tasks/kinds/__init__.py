"""The kinds of tasks of this package, one file a kind; found by `tasks.registry`."""
