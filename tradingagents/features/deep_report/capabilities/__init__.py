"""What deep reports lend as tools: their theses, and what would break them."""
