"""Forward records: decisions that are committed before the next open, revealed later, and checked by anybody."""
