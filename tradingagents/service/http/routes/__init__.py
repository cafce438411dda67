"""The routes of the HTTP interface: one file a subject, each method of the workspace once."""
