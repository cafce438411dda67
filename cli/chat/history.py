"""The lines that a person typed in earlier conversations: a private file in the home folder, without secrets."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from tradingagents.files.redaction import Redactor

FILE = "chat_history"
KEPT = 1000
"""Lines that are kept; the file is shortened to them once it has twice as many."""
LONGEST = 4000
"""Characters of a line; a longer one is not kept."""


class ChatHistory:
    """One JSON text a line, the oldest first. More than one process may append."""

    def __init__(self, home: Path, environ: Mapping[str, str]) -> None:
        """Set the place; nothing is read or written yet.

        Args:
            environ: Variables whose secrets never reach the file.
        """
        self.path = home / FILE
        self._redactor = Redactor(environ)

    def lines(self) -> list[str]:
        """Return the lines, the newest last; damaged ones are left out."""
        try:
            written = self.path.read_text("utf-8", errors="replace").splitlines()
        except OSError:
            return []
        found = []
        for line in written:
            with suppress(ValueError):
                text = json.loads(line)
                if isinstance(text, str):
                    found.append(text)
        if len(written) > 2 * KEPT:
            self._shorten(found[-KEPT:])
        return found[-KEPT:]

    def add(self, text: str) -> None:
        """Append a line without secrets. A file that cannot be written is no reason to end a conversation."""
        if len(text) > LONGEST or not text.strip():
            return
        line = json.dumps(self._redactor.outside_text(text), ensure_ascii=False) + "\n"
        with suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            try:
                os.fchmod(file, 0o600)
                os.write(file, line.encode("utf-8", errors="replace"))
            finally:
                os.close(file)

    def _shorten(self, lines: list[str]) -> None:
        draft = self.path.with_name(f".{FILE}.{os.getpid()}")
        with suppress(OSError):
            file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(file, "w", encoding="utf-8") as written:
                written.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
            draft.replace(self.path)
