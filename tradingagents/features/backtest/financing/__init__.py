"""What an account earns, borrows and exchanges: interest, shares sold short, other currencies; and its prices."""
