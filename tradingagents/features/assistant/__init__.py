"""The assistant: conversations, its tools and the personas it asks."""
