"""Parts of the deep report: summary, valuation, exhibits, appendix of evidence, comparison, workbook."""
