"""Offline analysts: a chat model that answers for every agent by stated rules, without a language model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.offline.brief import Brief, ObjectRule, OfflineRule, ReportRule, TextRule
    from tradingagents.offline.readings import Reading, Row, Shown
    from tradingagents.offline.reports import Draft, write_report

__all__ = [
    "Brief",
    "Draft",
    "ObjectRule",
    "OfflineRule",
    "Reading",
    "ReportRule",
    "Row",
    "Shown",
    "TextRule",
    "write_report",
]

__getattr__ = lazy_names(
    __name__,
    {
        "Brief": "brief",
        "Draft": "reports",
        "ObjectRule": "brief",
        "OfflineRule": "brief",
        "Reading": "readings",
        "ReportRule": "brief",
        "Row": "readings",
        "Shown": "readings",
        "TextRule": "brief",
        "write_report": "reports",
    },
)
