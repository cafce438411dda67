"""What a person can ask for beyond one decision, one folder each; they know each other only through capabilities."""
