"""What the check of reports lends as a tool."""
