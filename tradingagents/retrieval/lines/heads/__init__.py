"""Heads of columns: periods, parts and quarters that lines above a table, or its first rows, give to them."""
