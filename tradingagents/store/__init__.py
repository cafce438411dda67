"""Files under the home folder: run folders, their index, costs, exports, and atomic writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.store.atomic import UnreadableFile, read_object, write_whole
    from tradingagents.store.json_file import JsonFile
    from tradingagents.store.ledger import Ledger, LedgerEntry
    from tradingagents.store.lock import Locked, locked
    from tradingagents.store.run_costs import CostRecord, costs
    from tradingagents.store.run_export import export_runs
    from tradingagents.store.run_folder import NoSuchRun, RunBusy, RunFiles, RunFolder
    from tradingagents.store.run_index import IndexedRun, RunIndex
    from tradingagents.store.run_rows import RunRow
    from tradingagents.store.watch_list import WatchList

__all__ = [
    "CostRecord",
    "IndexedRun",
    "JsonFile",
    "Ledger",
    "LedgerEntry",
    "Locked",
    "NoSuchRun",
    "RunBusy",
    "RunFiles",
    "RunFolder",
    "RunIndex",
    "RunRow",
    "UnreadableFile",
    "WatchList",
    "costs",
    "export_runs",
    "locked",
    "read_object",
    "write_whole",
]

__getattr__ = lazy_names(
    __name__,
    {
        "CostRecord": "run_costs",
        "IndexedRun": "run_index",
        "JsonFile": "json_file",
        "Ledger": "ledger",
        "LedgerEntry": "ledger",
        "Locked": "lock",
        "NoSuchRun": "run_folder",
        "RunBusy": "run_folder",
        "RunFiles": "run_folder",
        "RunFolder": "run_folder",
        "RunIndex": "run_index",
        "RunRow": "run_rows",
        "WatchList": "watch_list",
        "UnreadableFile": "atomic",
        "costs": "run_costs",
        "export_runs": "run_export",
        "locked": "lock",
        "read_object": "atomic",
        "write_whole": "atomic",
    },
)
