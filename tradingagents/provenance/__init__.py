"""Check that every figure in a text can be traced to the data sheet."""
