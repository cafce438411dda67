"""The ledger of an account: one line for each session, chained by hashes; the book is folded from it.

A line holds the postings of a session and the mark at its close. A session is on disk whole or not at all, so that an
account that was killed continues with the next session. A line that was changed, or marks that its postings do not
give, stop everything.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from tradingagents.features.backtest.book import Book, BookMismatch
from tradingagents.features.backtest.postings import Posting, posting_of
from tradingagents.files.atomic import unreadable
from tradingagents.files.json_text import parse_json
from tradingagents.files.private_files import private
from tradingagents.files.regular_files import read_regular

START = "0" * 64
"""What the first line is chained to."""
WAY_OUT = "move it away, and the account is computed anew from its stored decisions"


@dataclass(frozen=True, slots=True)
class SessionMark:
    """An account at the close of a session, in cents."""

    day: date
    equity: int
    cash: int
    prices: Mapping[str, float]
    """Closes of the positions held, by symbol; of a halted one the last."""


@dataclass(frozen=True, slots=True)
class SessionLine:
    """One line of a ledger."""

    postings: tuple[Posting, ...]
    mark: SessionMark
    hash: str


class BookLedger:
    """A ledger on disk, or in memory, with the book folded from it."""

    def __init__(self, path: Path | None = None, *, to_read: bool = False) -> None:
        """Read a ledger and fold its book.

        Args:
            path: The file, created with the first session; None: in memory.
            to_read: Leave the file as it is: another process may be writing to it.

        Raises:
            UnreadableFile: A line was changed, or is none.
            BookMismatch: The postings do not give a line's mark.
        """
        self._path = path
        self._lines: list[SessionLine] = []
        self._content: list[bytes] = []
        self.book = Book()
        content = read_regular(path) if path is not None and path.exists() else b""
        whole, _, rest = content.rpartition(b"\n")
        if rest and path is not None and not to_read:  # a killed process wrote part of a line
            with path.open("r+b") as file:
                file.truncate(len(whole) + 1 if whole else 0)
        for number, line in enumerate(whole.splitlines(), start=1):
            self._take(self._parsed(number, line))
            self._content.append(line + b"\n")

    @property
    def lines(self) -> tuple[SessionLine, ...]:
        """Every session, the oldest first."""
        return tuple(self._lines)

    @property
    def content(self) -> bytes:
        """The ledger as the bytes of its file."""
        return b"".join(self._content)

    @property
    def last_day(self) -> date | None:
        """The last session; None for a new ledger."""
        return self._lines[-1].mark.day if self._lines else None

    @property
    def head(self) -> str:
        """The hash of the last line, which stands for the whole ledger."""
        return self._lines[-1].hash if self._lines else START

    def upto(self, day: date) -> BookLedger:
        """Return the ledger as it was after the close of a day."""
        if self.last_day is None or self.last_day <= day:
            return self
        found = BookLedger()
        for line, content in zip(self._lines, self._content, strict=True):
            if line.mark.day > day:
                break
            found._take(line)
            found._content.append(content)
        return found

    def append(self, day: date, postings: Sequence[Posting], prices: Mapping[str, float]) -> SessionMark:
        """Add a session; it is on disk when this returns.

        Args:
            day: The session, after the last one.
            postings: What happened, in order.
            prices: Closes of the positions held after it.

        Raises:
            BookMismatch: The postings cannot be true, or the books do not close.
            OSError: The disk is full; the file is unchanged.
        """
        book, value = self._folded(day, postings, prices)
        mark = SessionMark(day, value, book.cash, {symbol: prices[symbol] for symbol in sorted(book.lots)})
        text = _text(postings, mark)
        line = SessionLine(tuple(postings), mark, _hash(self.head, text))
        written = f'{{"hash":"{line.hash}",{text[1:]}\n'.encode()
        self._write(written)
        self._content.append(written)
        self.book = book
        self._lines.append(line)
        return mark

    def _folded(self, day: date, postings: Sequence[Posting], prices: Mapping[str, float]) -> tuple[Book, int]:
        """Return the book after a session, and its value."""
        if self.last_day is not None and day <= self.last_day:
            raise BookMismatch(f"The ledger has reached {self.last_day}; {day} cannot follow.")
        book = self.book.copy()
        book.apply_all(day, postings)
        missing = [symbol for symbol in book.lots if symbol not in prices]
        if missing:
            raise BookMismatch(f"{day}: {', '.join(sorted(missing))} has no price, so the account has no value.")
        value = book.value(prices)
        if value != (explained := book.explained_at(value)):
            raise BookMismatch(f"{day}: the account is worth {value}, explained are {explained}.")
        return book, value

    def _take(self, line: SessionLine) -> None:
        mark = line.mark
        book, value = self._folded(mark.day, line.postings, mark.prices)
        if (value, book.cash) != (mark.equity, mark.cash):
            raise BookMismatch(f"{self._path}: the postings of {mark.day} do not give its mark; {WAY_OUT}.")
        self.book = book
        self._lines.append(line)

    def _parsed(self, number: int, line: bytes) -> SessionLine:
        try:
            known: dict[str, Any] = parse_json(line)
            postings = tuple(posting_of(posting) for posting in known["postings"])
            written = known["mark"]
            mark = SessionMark(
                date.fromisoformat(written["day"]), written["equity"], written["cash"], written["prices"]
            )
            found = SessionLine(postings, mark, known["hash"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise unreadable(self._path or Path(), f"line {number} is no session", WAY_OUT) from error
        if _hash(self.head, _text(postings, mark)) != found.hash:
            raise unreadable(self._path or Path(), f"line {number} or one before it was changed", WAY_OUT)
        return found

    def _write(self, line: bytes) -> None:
        if self._path is None:
            return
        with open(self._path, "ab", buffering=0, opener=private) as file:
            before = file.tell()
            if file.write(line) < len(line):  # a full disk took part of the line
                file.truncate(before)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _text(postings: Sequence[Posting], mark: SessionMark) -> str:
    """Return a session as JSON with sorted names and without white space: the same session gives the same text."""
    marked = {"day": mark.day.isoformat(), "equity": mark.equity, "cash": mark.cash, "prices": dict(mark.prices)}
    plain = {"postings": [posting.to_json() for posting in postings], "mark": marked}
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _hash(before: str, text: str) -> str:
    return hashlib.sha256(f"{before}{text}".encode()).hexdigest()
