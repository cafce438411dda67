"""Reference tables: calendar, symbols, sectors, line items, macro series, topics."""
