"""The workspace: everything a face needs over one home folder, in this process or behind a server."""
