"""`write_report_tree` by its public import path; it lives in `reports.report_tree`."""

from tradingagents.reports.report_tree import write_report_tree

__all__ = ["write_report_tree"]
