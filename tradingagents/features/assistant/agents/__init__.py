"""The assistant: its definition, those of the investor personas it consults, and the loop of model and tools."""
