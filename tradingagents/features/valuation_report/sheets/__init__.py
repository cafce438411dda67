"""The sheets of a valuation's workbook, each filled from the kernel's results."""
