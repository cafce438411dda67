"""What an account borrows and exchanges: shares that it sells short, and money of other currencies."""
