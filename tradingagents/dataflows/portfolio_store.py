"""The book in a home: what its owner holds, a file a day in `<home>/book/`, read as it stood on a day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

from pydantic import ValidationError

from tradingagents.dataflows.cutoff import parse_day
from tradingagents.dataflows.look_up import default_day
from tradingagents.dataflows.reference.currencies import CODES
from tradingagents.errors import BadDate, NotFound, UsageError
from tradingagents.files.atomic import UnreadableFile, as_json, read_object, write_whole, writing
from tradingagents.schemas.portfolio import Portfolio
from tradingagents.settings import Settings

FOLDER = "book"
NO_BOOK = "No book is stored; import one with: tradingagents book import positions.csv"

AGAIN = "import the book of that day anew"


class NoBook(NotFound):
    """No book is stored of a day or earlier."""


def completed(found: Portfolio, settings: Settings, *, day: date | None, cash: Mapping[str, float]) -> Portfolio:
    """Return what was read from a file as the book to store: with its day, and with the cash that is stated.

    Args:
        found: As read.
        settings: Choose the market, whose last day is that of holdings without one.
        day: The day that the reader states; None: that of the file.
        cash: Amounts by currency, in place of the file's.

    Raises:
        UsageError: The file names another day than the reader, or an amount is in no currency.
    """
    if unknown := sorted(set(cash) - CODES):
        raise UsageError(f"{unknown[0]} is no currency code; name the currency of cash like USD.")
    known = found.day or day or default_day(settings)  # the day that a question without one is about
    if day is not None and day != known:
        raise UsageError(f"The holdings are of {known} by their own word, not of {day}; leave the day out.")
    return found.model_copy(update={"day": known, "cash": dict(sorted({**found.cash, **cash}.items()))})


def save_book(home: Path, book: Portfolio) -> Path:
    """Store a book under its day, in place of one of the same day; return the file.

    Raises:
        UsageError: It has no day.
        HomeNotWritable: The home cannot be written to.
    """
    if book.day is None:
        raise UsageError("A book is stored under its day; name the day of the holdings.")
    path = home / FOLDER / f"{book.day}.json"
    with writing(home):
        write_whole(path, as_json(book.as_json()))
    return path


def book_days(home: Path) -> tuple[date, ...]:
    """Return the days of which books are stored, ascending."""
    days = []
    for path in (home / FOLDER).glob("????-??-??.json"):
        try:
            days.append(parse_day(path.stem))
        except BadDate:  # not ours
            continue
    return tuple(sorted(days))


def book_on(home: Path, day: date) -> Portfolio | None:
    """Return the newest book of a day or earlier; None where nothing was stored by then.

    Raises:
        UnreadableFile: The file is damaged.
    """
    known = [stored for stored in book_days(home) if stored <= day]
    if not known:
        return None
    path = home / FOLDER / f"{known[-1]}.json"
    try:
        return Portfolio.model_validate(read_object(path, way_out=AGAIN))
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"]) or "the file"
        raise UnreadableFile(f"{path} is damaged at {where}; {AGAIN}.") from None


def needed_book(home: Path, day: date) -> Portfolio:
    """Return the newest book of a day or earlier.

    Raises:
        NoBook: Nothing was stored by then; the message says since when there are books.
        UnreadableFile: The file is damaged.
    """
    found = book_on(home, day)
    if found is None:
        first = next(iter(book_days(home)), None)
        if first is None:
            raise NoBook(NO_BOOK)
        raise NoBook(
            f"No book is stored of {day} or earlier (the first is of {first}); store what was held then with: "
            f"tradingagents book import FILE --day {day}"
        )
    return found


def remove_book(home: Path, day: date) -> None:
    """Remove the book of a day.

    Raises:
        NoBook: There is none of that day.
    """
    path = home / FOLDER / f"{day}.json"
    if day not in book_days(home):
        raise NoBook(f"No book of {day} is stored.")
    with writing(home):
        path.unlink(missing_ok=True)
