"""What is known of a vendor's response beside its rows: what could not be read of it, and its shape."""
