"""Turns of a conversation with the assistant: its tools over the kernel and the tasks, and what it may do unasked."""
