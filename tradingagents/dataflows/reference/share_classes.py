"""Classes of shares of one company: which symbols are one company, and how their economic rights compare.

Only classes with an equal claim on profits and dividends for each share are listed together, or with a fixed rate of
exchange (BRK-A and BRK-B), from the companies' articles and annual reports. Votes differ, which moves prices by a few
percent; share counts and earnings of the statements are of all classes together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from tradingagents.dataflows.reference.receipts import QuotedShare

CLASSES: tuple[tuple[str, ...], ...] = (
    ("GOOGL", "GOOG"),
    ("BRK-B", "BRK-A"),
    ("FOXA", "FOX"),
    ("NWSA", "NWS"),
    ("UAA", "UA"),
    ("LEN", "LEN-B"),
    ("HEI", "HEI-A"),
    ("BF-B", "BF-A"),
    ("DISCA", "DISCB", "DISCK"),
    ("PARA", "PARAA"),
    ("VIAC", "VIACA"),
    ("Z", "ZG"),
    ("LBTYA", "LBTYB", "LBTYK"),
    ("MOG-A", "MOG-B"),
    ("CWEN", "CWEN-A"),
    ("RUSHA", "RUSHB"),
    ("GEF", "GEF-B"),
)
"""The most traded class first."""
UNEQUAL = frozenset({"GEF-B"})
"""Classes with another claim than the rest (Greif pays half as much again on B): no statements of theirs value it."""
_SIBLINGS: Mapping[str, tuple[str, ...]] = {
    symbol: tuple(other for other in company if other != symbol) for company in CLASSES for symbol in company
}
_A, _B = 1.44e6, 1500 * 1.44e6
"""Shares of Berkshire in the equivalent of class A, which its own statements count, and of class B."""
_SINCE = date(2010, 1, 21)
"""Since then one share of class A turns into 1,500 of class B."""
CLASS_RATIOS: Mapping[str, QuotedShare] = {
    "BRK-A": QuotedShare(((_A, 1.0), (_B, 1500.0)), "one share of class A is 1,500 of class B", _SINCE),
    "BRK-B": QuotedShare(((_A, 1 / 1500), (_B, 1.0)), "one share of class A is 1,500 of class B", _SINCE),
}


def other_classes(symbol: str) -> tuple[str, ...]:
    """Return the other classes of the same company, the most traded first; () where none is known."""
    return _SIBLINGS.get(symbol, ())


def equal_classes(symbol: str) -> tuple[str, ...]:
    """Return the other classes whose statements value this one: of the same company, with a comparable claim."""
    return () if symbol in UNEQUAL else tuple(other for other in other_classes(symbol) if other not in UNEQUAL)


def class_ratio(symbol: str, day: date) -> QuotedShare | None:
    """Return what a share of a class stands for where the statements count another; None for other symbols."""
    found = CLASS_RATIOS.get(symbol)
    return found if found is not None and found.holds_on(day) else None


def one_of_each_company(symbols: Iterable[str], without: str) -> tuple[str, ...]:
    """Return symbols without `without`, its other classes, and further classes of a company that came before."""
    seen = {without, *other_classes(without)}
    found = []
    for symbol in symbols:
        if symbol not in seen:
            found.append(symbol)
            seen |= {symbol, *other_classes(symbol)}
    return tuple(found)


def first_classes(symbols: Sequence[str]) -> tuple[str, ...]:
    """Return symbols without those of companies that are there under a more traded class."""
    there = set(symbols)
    lesser = {symbol for company in CLASSES for symbol in [one for one in company if one in there][1:]}
    return tuple(symbol for symbol in symbols if symbol not in lesser)
