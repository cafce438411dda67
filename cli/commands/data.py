"""`tradingagents data`: cached, recorded and imported data."""

from __future__ import annotations

from ..help import GroupedCommand, command_group
from . import data_check, data_import, data_record, data_status

app = command_group("Manage market data: cache statistics, recording, import and checks.")
_CODES = "Exit codes: 0 done · 2 usage · 3 configuration · 4 {four} · 130 interrupted."
app.command("status", cls=GroupedCommand)(data_status.status)
app.command("record", cls=GroupedCommand, epilog=_CODES.format(four="data unavailable, or not all of it"))(
    data_record.record
)
app.command("import", cls=GroupedCommand, epilog=_CODES.format(four="the file cannot be used"))(data_import.import_)
app.command("check", cls=GroupedCommand, epilog=_CODES.format(four="the folder has errors"))(data_check.check)
