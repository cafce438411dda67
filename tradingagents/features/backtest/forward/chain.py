"""A file of JSON lines, each chained to the one before by its hash; lines are only ever added."""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tradingagents.files.atomic import unreadable
from tradingagents.files.json_text import parse_json
from tradingagents.files.private_files import make_folder, private
from tradingagents.files.regular_files import read_regular

FIRST = "0" * 64
"""What the first line is chained to."""
WAY_OUT = "restore it from a copy; nothing is added to it until then"

Entry = Mapping[str, Any]


class HashChain:
    """A chain on disk. The caller holds a lock while it adds lines."""

    def __init__(self, path: Path, *, to_read: bool = False) -> None:
        """Read a chain and verify it.

        Args:
            path: The file; it is made with the first line.
            to_read: Leave the file as it is; otherwise the part of a line that a killed process left is removed.

        Raises:
            UnreadableFile: A line is none, or was changed, moved or removed.
        """
        self._path = path
        self._entries: list[Entry] = []
        whole, _, rest = (read_regular(path) if path.exists() else b"").rpartition(b"\n")
        if rest and not to_read:
            with path.open("r+b") as file:
                file.truncate(len(whole) + 1 if whole else 0)
        for number, line in enumerate(whole.splitlines(), start=1):
            self._entries.append(self._checked(number, line))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every line, the oldest first."""
        return tuple(self._entries)

    @property
    def head(self) -> str:
        """The hash of the last line, which stands for all of them."""
        return str(self._entries[-1]["hash"]) if self._entries else FIRST

    def __len__(self) -> int:
        """How many lines there are."""
        return len(self._entries)

    def add(self, kind: str, said: Entry) -> Entry:
        """Add a line; it is on disk when this returns.

        Args:
            kind: What it says, such as `commit`.
            said: Further names and values, JSON-able.

        Returns:
            The line, with `number` from 1, `previous` and `hash`.

        Raises:
            OSError: The disk is full; the file is unchanged.
        """
        entry = {**said, "kind": kind, "number": len(self) + 1, "previous": self.head}
        entry["hash"] = hash_of(entry)
        line = f"{canonical(entry)}\n".encode()
        make_folder(self._path.parent)
        with open(self._path, "ab", buffering=0, opener=private) as file:
            before = file.tell()
            if file.write(line) < len(line):  # a full disk took part of the line
                file.truncate(before)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file.fileno())
        self._entries.append(entry)
        return entry

    def _checked(self, number: int, line: bytes) -> Entry:
        try:
            entry = parse_json(line)
            fits = (entry["number"], entry["previous"], entry["hash"]) == (number, self.head, hash_of(entry))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise unreadable(self._path, f"line {number} is none of a chain", WAY_OUT) from error
        if not fits:
            raise unreadable(self._path, f"line {number} or one before it was changed", WAY_OUT)
        return dict(entry)


def canonical(entry: Entry) -> str:
    """Return JSON with sorted names and without white space: the same entry gives the same text."""
    return json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def hash_of(entry: Entry) -> str:
    """Return the SHA-256 of an entry without its own hash."""
    return hashlib.sha256(canonical({name: entry[name] for name in entry if name != "hash"}).encode()).hexdigest()
