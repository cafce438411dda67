"""The three kinds of agent: those that report, those that debate, those that decide."""
