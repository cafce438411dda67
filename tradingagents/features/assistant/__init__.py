"""The assistant: turns of a conversation, the personas it consults, and the sessions that keep what was said."""
