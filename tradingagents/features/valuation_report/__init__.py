"""What a company is worth, as a page and as a workbook."""
