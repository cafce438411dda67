"""The gateway: checks and processing that every vendor's answer passes through first."""
