"""What is said of the figures of lines: what is computed over them, and which of them is highest or lowest."""
