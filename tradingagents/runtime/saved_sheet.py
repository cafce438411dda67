"""A run's data sheet, kept row by row: a run that goes on has been given what earlier starts were given."""

from __future__ import annotations

from contextlib import suppress

from pydantic import TypeAdapter, ValidationError

from tradingagents.dataflows.data_sheet import DataSheet, DataSheetRow
from tradingagents.store.run_folder import RunFiles

_ROW = TypeAdapter(DataSheetRow)


def keep_sheet(sheet: DataSheet, folder: RunFiles) -> None:
    """Write every row, as it is given out, to the run's folder."""
    sheet.keep_with(lambda row: folder.append_row(_ROW.dump_json(row)))


def restore_sheet(sheet: DataSheet, folder: RunFiles) -> None:
    """Take in what earlier starts were given."""
    for line in folder.rows():
        with suppress(ValidationError):  # of another version: its answers are in the conversations all the same
            sheet.add(_ROW.validate_json(line))
