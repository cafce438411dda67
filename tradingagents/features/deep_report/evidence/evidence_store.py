"""The evidence of a company: appended by every report, recalled as of a day, frozen for each report.

Files under `<home>/evidence/<TICKER>/`: `items.jsonl`, a line for each item, and `bundles/<sha256>.json`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import HomeNotWritable
from tradingagents.files.atomic import unreadable, writing
from tradingagents.files.json_text import parse_json
from tradingagents.files.lock import Locked, locked
from tradingagents.files.private_files import make_folder, private
from tradingagents.files.regular_files import read_regular
from tradingagents.provenance.evidence_bundle import EvidenceBundle, freeze, read_bundle, write_bundle
from tradingagents.schemas.evidence import EvidenceItem
from tradingagents.valuation.canonical import canonical_json

WAIT_SECONDS = 10.0
"""Longest wait for another process that appends."""
WAY_OUT = "move it away, and the next report gathers its evidence again"


class EvidenceStore:
    """What is known about one company; several reports and processes share it."""

    def __init__(self, home: Path, ticker: str) -> None:
        """Set the folder; nothing is read or written yet.

        Raises:
            BadSymbol: This is no ticker.
        """
        self._home, self.ticker = home, normalise(ticker)
        self.folder = home / "evidence" / self.ticker
        self._path = self.folder / "items.jsonl"
        self._seen: tuple[tuple[int, int, int], frozenset[str]] | None = None
        # Threads of this process wait for each other here, without the pauses between two looks at the file's lock.
        self._turn = threading.Lock()

    def append(self, items: Iterable[EvidenceItem]) -> list[EvidenceItem]:
        """Add items; return those that were new. They are on disk when this returns.

        Raises:
            UnreadableFile: The file is damaged.
            HomeNotWritable: The disk is full, the folder is not writable, or another process holds the file.
        """
        with self._changing():
            known = self._known_ids()
            new = [item for item in {item.id: item for item in items}.values() if item.id not in known]
            if new:
                self._write("".join(canonical_json(item.model_dump(mode="json")) + "\n" for item in new).encode())
                self._seen = (self._signs(), known | {item.id for item in new})
        return new

    def recall(
        self, as_of: datetime, *, hypothesis: str | None = None, least_confidence: float = 0.0
    ) -> list[EvidenceItem]:
        """Return what was known at an instant, the surest first.

        Args:
            as_of: Items that became known later are left out.
            hypothesis: Only what was gathered for this one.
            least_confidence: Only what is at least this sure.

        Raises:
            UnreadableFile: The file is damaged.
        """
        found = [
            item
            for item in self._read()
            if item.source.known_at <= as_of
            and item.confidence >= least_confidence
            and hypothesis in (None, item.hypothesis)
        ]
        return sorted(found, key=lambda item: (-item.confidence, item.id))

    def freeze(self, as_of: datetime, items: Iterable[EvidenceItem]) -> EvidenceBundle:
        """Freeze items for a report and return the bundle; the same items give the same bundle.

        Raises:
            UsageError: An item became known after `as_of`.
            HomeNotWritable: The bundle cannot be written.
        """
        bundle = freeze(self.ticker, as_of, items)
        with writing(self._home):
            write_bundle(self._bundles, bundle)
        return bundle

    def bundle(self, sha256: str) -> EvidenceBundle:
        """Return a frozen bundle, its hash checked. Raises as `read_bundle` does."""
        return read_bundle(self._bundles, sha256)

    def bundles(self) -> list[str]:
        """Return the hashes of all frozen bundles, in alphabetical order."""
        return sorted(path.stem for path in self._bundles.glob("*.json")) if self._bundles.is_dir() else []

    @property
    def _bundles(self) -> Path:
        return self.folder / "bundles"

    def _known_ids(self) -> frozenset[str]:
        """Return the ids of all items; the file is read again only where someone else has written it since."""
        signs = self._signs()
        if self._seen is None or self._seen[0] != signs:
            self._seen = (signs, frozenset(item.id for item in self._read()))
        return self._seen[1]

    def _signs(self) -> tuple[int, int, int]:
        """Return what changes when the file is written or replaced; zeros where there is none."""
        try:
            stat = self._path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return (0, 0, 0)
        return (stat.st_ino, stat.st_size, stat.st_mtime_ns)

    def _read(self) -> Iterator[EvidenceItem]:
        """Yield all items; an incomplete last line, left by a killed process, does not count."""
        try:
            content = read_regular(self._path)
        except (FileNotFoundError, NotADirectoryError):
            return
        for number, line in enumerate(content.rpartition(b"\n")[0].splitlines(), start=1):
            try:
                known = parse_json(line)
                marked = known.pop("id")
                item = EvidenceItem.model_validate(known)
            except (ValueError, KeyError, AttributeError, TypeError, ValidationError) as error:
                raise unreadable(self._path, f"line {number} is no evidence", WAY_OUT) from error
            if item.id != marked:
                raise unreadable(self._path, f"line {number} was changed: its id does not follow from it", WAY_OUT)
            yield item

    def _write(self, lines: bytes) -> None:
        """Append whole lines, after a last line that a killed process left incomplete is removed."""
        with writing(self._home):
            make_folder(self.folder)
            with open(self._path, "a+b", opener=private) as file:
                file.seek(0)
                whole = len(file.read().rpartition(b"\n")[0])
                file.truncate(whole + 1 if whole else 0)
                file.write(lines)
                file.flush()
                os.fsync(file.fileno())

    @contextmanager
    def _changing(self) -> Iterator[None]:
        with self._turn, ExitStack() as stack:
            try:
                with writing(self._home):
                    stack.enter_context(locked(self.folder / "items.lock", wait=WAIT_SECONDS))
            except Locked:
                raise HomeNotWritable(
                    f"Another process has locked {self._path}; end it, or name another folder with the setting home."
                ) from None
            yield
