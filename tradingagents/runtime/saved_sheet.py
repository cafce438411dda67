"""Save a run's data sheet row by row, and restore it when the run is resumed."""

from __future__ import annotations

from contextlib import suppress

from pydantic import TypeAdapter, ValidationError

from tradingagents.dataflows.data_sheet import DataSheet, DataSheetRow
from tradingagents.runtime.runs.run_folder import RunFiles

_ROW = TypeAdapter(DataSheetRow)


def keep_sheet(sheet: DataSheet, folder: RunFiles) -> None:
    """Write every new row to the run's folder as soon as it is used."""
    sheet.keep_with(lambda row: folder.append_row(_ROW.dump_json(row)))


def restore_sheet(sheet: DataSheet, folder: RunFiles) -> None:
    """Add the rows of earlier starts."""
    for line in folder.rows():
        with suppress(ValidationError):  # a row of another version; its answer is in the saved messages anyway
            sheet.add(_ROW.validate_json(line))
