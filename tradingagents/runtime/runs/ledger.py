"""The ledger of a batch, `ledger.jsonl`: one line for each run it starts, written when the run starts."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tradingagents.errors import UsageError
from tradingagents.files.atomic import unreadable
from tradingagents.files.json_text import parse_json
from tradingagents.files.private_files import private
from tradingagents.files.regular_files import read_regular
from tradingagents.runtime.runs.run_folder import checked_component

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
    """Whether the run existed before the batch and is reused; its cost does not count towards the batch."""

    def line(self) -> str:
        """Return the entry as a line of the ledger."""
        known = {"run_id": self.run_id, "ticker": self.ticker, "started_at": self.started_at}
        return json.dumps({**known, "adopted": True} if self.adopted else known) + "\n"


class Ledger:
    """The runs a batch has started, over all its starts. Whether a run has ended is recorded on its own card."""

    def __init__(self, path: Path) -> None:
        """Read the ledger. The caller must hold the lock of its folder.

        An incomplete last line, left by a killed process, is removed: its run had only just started.

        Raises:
            UnreadableFile: A line is not a ledger entry.
            OSError: The file exists but cannot be opened.
        """
        self._path = path
        whole, _, rest = (read_regular(path) if path.exists() else b"").rpartition(b"\n")
        if rest:
            with path.open("r+b") as file:
                file.truncate(len(whole) + 1 if whole else 0)
        self._entries = [self._entry(line) for line in whole.splitlines()]

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """Every started run, oldest first."""
        return tuple(self._entries)

    def add(self, entry: LedgerEntry) -> None:
        """Append a run that starts; the line is on disk when this returns.

        Raises:
            OSError: The disk is full, or the folder is missing; the file is unchanged.
        """
        line = entry.line().encode()
        with open(self._path, "ab", buffering=0, opener=private) as file:
            before = file.tell()
            if file.write(line) < len(line):  # a full disk took part of the line; the next one would be appended to it
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
