"""Tools that other MCP servers lend to the assistant (setting `mcp_servers`)."""
