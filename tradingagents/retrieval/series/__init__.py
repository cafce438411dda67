"""Any figure over any span: facts of filings and vendors, each with its period, its place and when it was known."""

from tradingagents.retrieval.series.build import series
from tradingagents.retrieval.series.fact import FactPeriod, FactPlace, MissingPeriod, Series, SeriesFact, Version
from tradingagents.retrieval.series.span import FiscalPeriod, Span

__all__ = [
    "FactPeriod",
    "FactPlace",
    "FiscalPeriod",
    "MissingPeriod",
    "Series",
    "SeriesFact",
    "Span",
    "Version",
    "series",
]
