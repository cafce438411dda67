"""The data sheet in short: a row for each tool and vendor, for files that are read on paper."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.reports import formatting as words
from tradingagents.reports.document import Table
from tradingagents.reports.names import tool_label
from tradingagents.schemas.records import DataSheetRecord

_MOST_SYMBOLS = 12


def compact_sheet(sheet: Sequence[DataSheetRecord]) -> Table | None:
    """Return what was read, without its figures, which the page and the workbook have; None for nothing."""
    groups: dict[tuple[str, str], list[DataSheetRecord]] = {}
    for row in sheet:
        groups.setdefault((row["method"], row["vendor"]), []).append(row)
    rows = [
        (
            tool_label(method),
            _symbols(found),
            vendor,
            words.window(
                min((one["start"] for one in found if one["start"]), default=None),
                max((one["end"] for one in found if one["end"]), default=None),
            ),
            words.count(sum(one["rows"] for one in found)),
            words.instant(max((one["known_at"] for one in found if one["known_at"]), default=None)),
        )
        for (method, vendor), found in groups.items()
    ]
    return Table(("Data", "Companies", "Source", "Period", "Rows", "Newest known by"), rows) if rows else None


def _symbols(rows: Sequence[DataSheetRecord]) -> str:
    names = list(dict.fromkeys(row["symbol"] or "market" for row in rows))
    shown = ", ".join(names[:_MOST_SYMBOLS])
    return f"{shown} and {len(names) - _MOST_SYMBOLS} more" if len(names) > _MOST_SYMBOLS else shown
