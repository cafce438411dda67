"""What agents remember: situations and the lessons drawn from them."""
