"""Figures that only sentences of a report tell: how many employees a company has, amounts of items of a year."""
