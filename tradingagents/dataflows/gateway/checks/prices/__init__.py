"""Checks of prices: bars, their days, volumes, dividends, and jumps like unlisted splits."""
