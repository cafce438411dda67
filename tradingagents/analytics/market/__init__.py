"""Figures about the whole market: sectors, industries, macro, calendars."""
