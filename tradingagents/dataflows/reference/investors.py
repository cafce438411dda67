"""Well-known investors that file Form 13F, by name, and the search for one by name or number."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files

from tradingagents.errors import NoData

MOST_DIGITS = 10
_FORMS = frozenset({"inc", "llc", "lp", "ltd", "co", "corp", "company", "the", "group", "and", "of"})
"""Words that do not tell one investor from another."""


@dataclass(frozen=True, slots=True)
class Investor:
    """An investor that reports its holdings."""

    cik: int
    """The regulator's number of it (CIK)."""
    name: str
    also: tuple[str, ...] = ()
    """Other names, such as that of the person who decides."""

    @property
    def names(self) -> tuple[str, ...]:
        """Every name it is found by."""
        return (self.name, *self.also)


@lru_cache(maxsize=1)
def known_investors() -> tuple[Investor, ...]:
    """Return the investors of the table, in its order."""
    text = files("tradingagents.dataflows.reference").joinpath("investors.csv").read_text(encoding="utf-8")
    return tuple(
        Investor(int(row["cik"]), row["name"], tuple(name for name in row["also"].split(";") if name))
        for row in csv.DictReader(text.splitlines())
    )


def number_of(text: str) -> int | None:
    """Return the CIK that a text is, with or without leading zeros; None for a name."""
    digits = text.strip().upper().removeprefix("CIK").strip()
    if not digits.isascii() or not digits.isdecimal() or len(digits) > MOST_DIGITS:
        return None
    return int(digits) or None


def find_investor(text: str, known: Sequence[Investor]) -> Investor:
    """Return the investor of a name: the one called exactly that, or the only one whose name holds all its words.

    Raises:
        NoData: None is called so, or more than one; the message names the nearest.
    """
    wanted = name_words(text)
    exact = [investor for investor in known if wanted and any(name_words(name) == wanted for name in investor.names)]
    found = exact or [
        investor for investor in known if wanted and any(wanted <= name_words(name) for name in investor.names)
    ]
    if len(found) == 1:
        return found[0]
    shown = " ".join(text.split())[:60]
    if found:
        raise NoData(f"{shown!r} may be {_listed(found)}; name one of them in full, or give its CIK.")
    names = {name.lower(): investor for investor in known for name in investor.names}
    near = dict.fromkeys(names[name].name for name in get_close_matches(shown.lower(), names, n=3, cutoff=0.5))
    hint = f"did you mean {' or '.join(near)}?" if near else f"known by name are {_listed(known)}."
    raise NoData(f"No investor is known by the name {shown!r}; give its CIK, the regulator's number of it; {hint}")


def name_words(name: str) -> frozenset[str]:
    """Return the words of a name in lower case, without legal forms and punctuation."""
    plain = unicodedata.normalize("NFKD", name).casefold().replace(".", "")
    words = "".join(char if char.isalnum() else " " for char in plain).split()
    return frozenset(words) - _FORMS or frozenset(words)


def _listed(investors: Iterable[Investor]) -> str:
    return ", ".join(investor.name for investor in investors)
