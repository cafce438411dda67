"""What the user of a home folder holds, by day, as every interface stores and shows it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from tradingagents.dataflows.cutoff import parse_day
from tradingagents.dataflows.portfolio_file import portfolio_of_content
from tradingagents.dataflows.portfolio_store import book_days, completed, needed_book, remove_book, save_book
from tradingagents.schemas.portfolio import Portfolio
from tradingagents.schemas.workspace import StoredBook
from tradingagents.settings import Settings


class BookKeeper:
    """Stores, shows and removes books. Neither content nor holdings are in an error or a log."""

    def __init__(self, settings: Settings) -> None:
        """Set the home folder, and the market whose last day is that of holdings without one."""
        self._settings = settings

    def books(self) -> tuple[StoredBook, ...]:
        """Return what is stored, newest day first.

        Raises:
            UnreadableFile: A file is damaged.
        """
        home = self._settings.home_dir
        return tuple(_stored(needed_book(home, day)) for day in reversed(book_days(home)))

    def book(self, day: str | date | None) -> StoredBook:
        """Return the newest book of a day or earlier; None: the newest of all.

        Raises:
            BadDate: It is no day.
            NoBook: Nothing was stored by then.
            UnreadableFile: The file is damaged.
        """
        return _stored(needed_book(self._settings.home_dir, date.max if day is None else parse_day(day)))

    def store(self, content: bytes, day: str | date | None, cash: Mapping[str, float], *, store: bool) -> StoredBook:
        """Read a book from the content of a file, and store it; see `WorkspaceApi.store_book`.

        Raises:
            UsageError: The content cannot be read, the day is none, or the content names another.
            HomeNotWritable: The home cannot be written to.
        """
        stated = None if day is None else parse_day(day)
        found = portfolio_of_content(content, day=stated)
        book = completed(found, self._settings, day=stated, cash=cash)
        if store:
            save_book(self._settings.home_dir, book)
        return _stored(book, stored=store)

    def remove(self, day: str | date) -> None:
        """Remove the book of a day.

        Raises:
            BadDate: It is no day.
            NoBook: There is none of that day.
        """
        remove_book(self._settings.home_dir, parse_day(day))


def _stored(book: Portfolio, *, stored: bool = True) -> StoredBook:
    assert book.day is not None  # noqa: S101 - every stored book has one
    return StoredBook(day=book.day, hash=book.digest, book=book, stored=stored)
