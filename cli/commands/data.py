"""`tradingagents data`: cached, recorded and imported data."""

from __future__ import annotations

from ..groups import CommandEntry, command_group

_CODES = "Exit codes: 0 done · 2 usage · 3 configuration · 4 {four} · 130 interrupted."

app = command_group(
    "Manage market data: cache statistics, recording, import and checks.",
    {
        "status": CommandEntry(
            "data_status:status",
            "Show cached answers, their dates and hits, and the requests of the last hour and day.",
        ),
        "record": CommandEntry(
            "data_record:record",
            "Record the data that analyses of tickers on a range of days need, into a snapshot folder.",
            _CODES.format(four="data unavailable, or not all of it"),
        ),
        "import": CommandEntry(
            "data_import:import_",
            "Import prices, statements, news, trades, actions or profiles from a file into a snapshot folder.",
            _CODES.format(four="the file cannot be used"),
        ),
        "check": CommandEntry(
            "data_check:check",
            "Check a folder of recorded data (files, bars, splits, dates, duplicates) and list what it can answer.",
            _CODES.format(four="the folder has errors"),
        ),
    },
)
