"""Paper trading: accounts that decide after each close and trade at the next open, with no money."""
