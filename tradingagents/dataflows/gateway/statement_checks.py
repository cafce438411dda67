"""Validity of financial statements as a series: periods, sizes, and items against each other.

Rows known after an instant are neither checked nor used to check others, so the answer for a day is that of the rows
known by then.
"""

from __future__ import annotations

from datetime import datetime

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.gateway.flow_periods import check_flow_periods
from tradingagents.dataflows.models import Statement


def check_statements(rows: tuple[Statement, ...], instant: datetime) -> tuple[tuple[Statement, ...], tuple[Fault, ...]]:
    """Return the statements of one company, kind and frequency with what cannot be true withheld, and the faults.

    Args:
        rows: Every version of every period, in any order.
        instant: The cut-off.

    Returns:
        `rows` itself where nothing is withheld, noted or worked out.
    """
    if not any(row.known_at <= instant for row in rows):
        return rows, ()
    rows, faults = check_flow_periods(rows, instant)
    return rows, faults
