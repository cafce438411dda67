"""Results about the whole market: indices, sectors, industries, macro data, calendars."""
