"""A batch's ledger, `ledger.jsonl`: the id of each run it starts, a line a run, written as the run starts."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tradingagents.errors import UsageError
from tradingagents.json_text import parse_json
from tradingagents.regular_files import read_regular
from tradingagents.store.atomic import unreadable
from tradingagents.store.run_folder import checked_component

WAY_OUT = "move it away, and the batch starts anew"


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A run that was started."""

    run_id: str
    ticker: str | None
    """None for the scan."""
    started_at: str
    """ISO 8601 instant, UTC."""
    adopted: bool = False
    """Whether the run was made by itself before, and is used here: its cost is not the batch's."""

    def line(self) -> str:
        """Return the entry as its line of the ledger."""
        known = {"run_id": self.run_id, "ticker": self.ticker, "started_at": self.started_at}
        return json.dumps({**known, "adopted": True} if self.adopted else known) + "\n"


class Ledger:
    """Which runs a batch started, over all its starts. Whether one ended is for its own card to say."""

    def __init__(self, path: Path) -> None:
        """Read what earlier starts left. Whoever opens a ledger holds the lock of its folder.

        Half a last line, which a killed process may leave, is taken off: its run had only just begun.

        Raises:
            UnreadableFile: A line is none of ours.
            OSError: The file is there, but cannot be opened.
        """
        self._path = path
        whole, _, rest = (read_regular(path) if path.exists() else b"").rpartition(b"\n")
        if rest:
            with path.open("r+b") as file:
                file.truncate(len(whole) + 1 if whole else 0)
        self._entries = [self._entry(line) for line in whole.splitlines()]

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """Every run started, oldest first."""
        return tuple(self._entries)

    def add(self, entry: LedgerEntry) -> None:
        """Write that a run starts; on disk when this returns.

        Raises:
            OSError: The disk is full, or the folder is gone; the file is as it was.
        """
        line = entry.line().encode()
        with self._path.open("ab", buffering=0) as file:
            before = file.tell()
            if file.write(line) < len(line):  # what a full disk still had room for: the next line would join it
                file.truncate(before)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._entries.append(entry)

    def _entry(self, line: bytes) -> LedgerEntry:
        try:
            known: dict[str, Any] = parse_json(line)
            entry = LedgerEntry(known["run_id"], known["ticker"], known["started_at"], known.get("adopted") is True)
            checked_component(entry.run_id)
        except (ValueError, KeyError, TypeError, UsageError) as error:
            raise unreadable(self._path, f"{line[:40]!r} names no run", WAY_OUT) from error
        return entry
