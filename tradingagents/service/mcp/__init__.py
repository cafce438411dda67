"""The MCP server of a workspace: capabilities and tasks as tools, runs as resources, questions as prompts."""
