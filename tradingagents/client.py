"""Python clients of a server: `Client` and `AsyncClient`, with the methods of the workspace."""
