"""How a table writes numbers and days, told by the whole file: `1.234,56` or `1,234.56`, `03/04/2025` or `04/03/2025`.

A single cell is often ambiguous (`1,234`, `03/04/2025`), a file rarely: one number with cents and one 25th of a month
tell it. A file that tells both, or neither, is refused with what is needed to read it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any, Literal

Decimal = Literal["point", "comma"]
Order = Literal["month_first", "day_first"]

_COMMA_CENTS = re.compile(r"-?(?:\d{1,3}(?:[.\s'\u2019]\d{3})+|\d+),(?:\d{1,2}|\d{4,})")
_COMMA_GROUPS = re.compile(r"-?\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?|-?\d{1,3}(?:\.\d{3})+,\d+")
_POINT_CENTS = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d+)\.(?:\d{1,2}|\d{4,})")
_POINT_GROUPS = re.compile(r"-?\d{1,3}(?:,\d{3}){2,}(?:\.\d+)?|-?\d{1,3}(?:,\d{3})+\.\d+")
_AMBIGUOUS_NUMBER = re.compile(r"-?\d{1,3}[.,]\d{3}")
_SLASHED = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[ T]0?0:00(?::00)?)?")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_WITH_MONTH = ("%b %d, %Y", "%B %d, %Y", "%d %b %Y", "%d %B %Y", "%d-%b-%Y", "%d-%b-%y", "%b %d %Y", "%Y-%b-%d")
_EPOCH = re.compile(r"\d{10}|\d{13}")
_MILLISECONDS = 1000
MAGNITUDES = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
"""Letters behind an amount, such as the volume of Investing.com."""


class UnclearStyle(ValueError):
    """A file whose numbers or days can be read in two ways; says which, and what would tell."""


def decimal_of(cells: Iterable[Any], *, delimiter: str) -> Decimal:
    """Return the decimal sign of a file's numbers.

    Args:
        cells: The cells of all columns of numbers; other than texts are not looked at.
        delimiter: What separates the file's cells; a semicolon stands for the comma that numbers need.

    Raises:
        UnclearStyle: Some cells are written in one way, some in the other, or none tells.
    """
    texts = [_plain(cell) for cell in cells if isinstance(cell, str)]
    comma = next((text for text in texts if _COMMA_CENTS.fullmatch(text) or _COMMA_GROUPS.fullmatch(text)), None)
    point = next((text for text in texts if _POINT_CENTS.fullmatch(text) or _POINT_GROUPS.fullmatch(text)), None)
    if comma and point:
        raise UnclearStyle(f"it writes numbers both like {comma} and like {point}; write all in one way")
    if comma:
        return "comma"
    unclear = next((text for text in texts if _AMBIGUOUS_NUMBER.fullmatch(text)), None)
    if unclear and not point and delimiter != ",":
        raise UnclearStyle(
            f"{unclear} can be read in two ways, and no other number tells; say decimal='point' or 'comma'"
        )
    return "point"


def number_text(cell: Any, decimal: Decimal) -> Any:
    """Return a cell of a number in the plain spelling, `1234.56`; other than texts as they are.

    Groups, currency signs and blanks go; parentheses mean below zero, a letter behind is a magnitude.
    """
    if not isinstance(cell, str):
        return cell
    text = _plain(cell)
    if text.startswith("(") and text.endswith(")"):
        text = f"-{text[1:-1]}"
    text = text.replace(".", "").replace(",", ".") if decimal == "comma" else text.replace(",", "")
    text = re.sub(r"(?<=\d)['\u2019](?=\d)", "", text)
    magnitude = MAGNITUDES.get(text[-1:].upper()) if len(text) > 1 and text[-2].isdigit() else None
    if magnitude is None:
        return text
    try:
        return repr(float(text[:-1]) * magnitude)
    except ValueError:
        return text


def order_of(cells: Iterable[Any]) -> Order | None:
    """Return whether days like 03/04/2025 have the month first; None where the file has no such days.

    Raises:
        UnclearStyle: The days tell both, or neither.
    """
    found = [match for cell in cells if isinstance(cell, str) and (match := _SLASHED.fullmatch(cell.strip()))]
    found = [match for match in found if not _DOTTED.fullmatch(match[0].partition(" ")[0])]
    if not found:
        return None
    day_first = next((match[0] for match in found if int(match[1]) > 12), None)
    month_first = next((match[0] for match in found if int(match[2]) > 12), None)
    if day_first and month_first:
        raise UnclearStyle(f"it writes days both like {day_first} and like {month_first}; write them like 2025-03-14")
    if not day_first and not month_first:
        raise UnclearStyle(f"{found[0][0]} can be read in two ways, and no other day tells; write days like 2025-03-14")
    return "day_first" if day_first else "month_first"


def day_text(cell: Any, order: Order | None) -> Any:
    """Return a cell of a day as `2025-03-14` where it is written in another way; anything else as it is.

    Read are days with the name of a month, `14.03.2025`, days of a known order, and seconds since 1970 (UTC).
    """
    if isinstance(cell, (int, float)) and not isinstance(cell, bool) and 1e8 <= cell < 1e13:
        return _from_epoch(float(cell))
    if not isinstance(cell, str):
        return cell
    text = " ".join(cell.split())
    if _EPOCH.fullmatch(text):
        return _from_epoch(float(text))
    if dotted := _DOTTED.fullmatch(text):
        return _iso(dotted[3], dotted[2], dotted[1]) or cell
    if order and (slashed := _SLASHED.fullmatch(text)):
        month, day = (1, 2) if order == "month_first" else (2, 1)
        return _iso(slashed[3], slashed[month], slashed[day]) or cell
    for style in _WITH_MONTH:
        try:
            return datetime.strptime(text, style).date().isoformat()  # noqa: DTZ007 - a day without a time
        except ValueError:
            continue
    return cell


def period_day(name: str) -> date | None:
    """Return the last day of a period that is the name of a column; None for any other name."""
    text = str(day_text(name.partition(" 00:00")[0].strip(), "month_first"))
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def days_between(newest_first: Sequence[date]) -> list[int]:
    """Return the days between neighbours."""
    return [(later - earlier).days for later, earlier in pairwise(newest_first)]


def _from_epoch(seconds: float) -> str:
    moment = datetime.fromtimestamp(seconds / _MILLISECONDS if seconds >= 1e11 else seconds, UTC)
    return moment.isoformat()


def _iso(year: str, month: str, day: str) -> str | None:
    try:
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def _plain(cell: str) -> str:
    """Return a text without blanks and currency signs."""
    return re.sub(r"[\s\u00a0\u202f$\u20ac\u00a3\u00a5]", "", cell)
