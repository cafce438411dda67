"""Teams of LLM agents study a market and say what they would do, and why."""
