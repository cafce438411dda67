"""The server: HTTP with server-sent events, the web page, and MCP, over one workspace."""
