"""What a person can ask for beyond one decision: one folder a feature."""
