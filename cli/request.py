"""Tickers, days and words of a command, read from its arguments."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Annotated, Any

import typer

from tradingagents.errors import BadDate, UsageError

from . import options

_DATE_LIKE = re.compile(r"\d{1,4}[-/.]\d.*|\d+-.*|\d{8}", re.DOTALL)
TODAY = "today"
"""Denotes today."""
DAY_HELP = "The day as YYYY-MM-DD: nothing known only later is used; without one: today, or the last recorded day."


def looks_like_date(word: str) -> bool:
    """Return whether an argument is meant as the date, valid or not; symbols such as 7203.T or 0700.HK aren't."""
    return word.strip().lower() == TODAY or _DATE_LIKE.fullmatch(word.strip()) is not None


def split_arguments(arguments: Sequence[str]) -> tuple[tuple[str, ...], str | None]:
    """Return the tickers and the date as written; None if there is no date.

    Raises:
        UsageError: A date isn't the last argument.
    """
    *before, last = arguments or [""]
    dated = looks_like_date(last)
    tickers = tuple(before) if dated else tuple(word for word in arguments if word)
    if misplaced := next((word for word in tickers if looks_like_date(word)), None):
        raise UsageError(
            f"{misplaced[:40]!r} looks like a date; one date may follow the tickers: AAPL MSFT 2025-03-14."
        )
    return tickers, last if dated else None


DateArgument = Annotated[str | None, typer.Argument(metavar="[DATE]", help=DAY_HELP, show_default=False)]
"""The day of a command, as its last argument; every command that has one takes `DateOption`, too."""
DateOption = Annotated[list[str] | None, options.RUN.option("--date, --as-of DATE", "The same as the argument.")]


def read_tickers(words: Sequence[str], wanted: str) -> tuple[str, ...]:
    """Return tickers normalised and without duplicates.

    Args:
        words: As written.
        wanted: What is said where there is none.

    Raises:
        BadSymbol: An invalid ticker.
        UsageError: There is no ticker.
    """
    from tradingagents.dataflows.reference.symbols import normalise

    if not words:
        raise UsageError(wanted)
    return tuple(dict.fromkeys(normalise(word) for word in words))


def read_day(text: str | None) -> date | None:
    """Parse a day; None for none and for `today`.

    Raises:
        BadDate: It isn't YYYY-MM-DD.
    """
    if text is None or text.strip().lower() == TODAY:
        return None
    if day := _iso_day(text):
        return day
    raise BadDate(f"{text[:40]!r} is not a date; write it as YYYY-MM-DD, for example 2025-03-14, or today.")


def read_calendar_day(flag: str, text: str | None) -> date | None:
    """Parse a calendar day, on which markets may be closed; None for none.

    Raises:
        BadDate: It isn't YYYY-MM-DD; the message names the flag.
    """
    if text is None:
        return None
    if day := _iso_day(text):
        return day
    raise BadDate(f"{flag} cannot be {text[:40]!r}; write it as YYYY-MM-DD, for example 2025-03-14.")


def _iso_day(text: str) -> date | None:
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text.strip()):
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        return None


def read_one_of(flag: str, text: str, known: Collection[str]) -> str:
    """Parse one of the known words, ignoring case.

    Raises:
        UsageError: It isn't one of them; the message names the flag.
    """
    word = text.strip().lower()
    if word not in known:
        raise UsageError(f"{flag} cannot be {text.strip()[:40]!r}; it is one of {', '.join(known)}.")
    return word


def one_day(argument: str | None, named: Sequence[str] | None) -> str | None:
    """Return the date given as an argument, or with `--date` or `--as-of`; None if none is.

    Args:
        argument: The argument.
        named: The values of the options.

    Raises:
        UsageError: Two different ones are given.
    """
    given = list(dict.fromkeys(([] if argument is None else [argument]) + list(named or ())))
    if len(given) > 1:
        raise UsageError(f"The date is {given[0][:40]!r} and {given[1][:40]!r}; name one.")
    return given[0] if given else None


def day_asked(given: Mapping[str, Any]) -> str | None:
    """Return the first date among a command's arguments, for an error that tells what was asked for."""
    named: Sequence[str] = given["date_option"] or ()
    return given.get("day") or next(iter(named), None)
