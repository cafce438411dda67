"""The kinds of tasks of this package, one file a kind; found by `service.tasks.registry`."""
