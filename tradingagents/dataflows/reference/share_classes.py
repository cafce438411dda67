"""Classes of shares of one company, and depositary receipts: how many shares one traded receipt stands for.

Only classes with an equal claim on profits and dividends for each share are listed together, or with a fixed rate of
exchange (BRK-A and BRK-B), from the companies' articles and annual reports. Votes differ, which moves prices by a few
percent; share counts and earnings of the statements are of all classes together.

Statements of a foreign company count its own shares, its price in New York is that of a receipt. Only ratios that are
certain are listed, each with the days for which it holds; sources are the companies' annual reports (Form 20-F, "each
ADS represents …") and the depositaries' notices. A listing that is not here has no known ratio.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from tradingagents.dataflows.reference.exchanges import US

FURTHEST = 4.0
"""A count is by less than so many times another one than about so many shares there are: years of issues and buybacks,
and not another unit."""


@dataclass(frozen=True, slots=True)
class QuotedShare:
    """What one quoted share or receipt stands for, in the shares that a source's statements may count."""

    counts: tuple[tuple[float, float], ...]
    """For each way in which sources count the company's shares: about how many there are, and how many of them one
    quoted share stands for. One entry where all count alike."""
    words: str
    """The ratio as a clause, such as `one receipt stands for 5 shares`."""
    since: date
    """First day for which the ratio is certain."""
    until: date | None = None
    """Last such day; None: it holds still."""

    def holds_on(self, day: date) -> bool:
        """Return whether the ratio is known for a day."""
        return self.since <= day and (self.until is None or day <= self.until)

    def counted_for_one(self, shares: float) -> float | None:
        """Return how many counted shares one quoted share stands for; None where a count fits no way of counting.

        Args:
            shares: All shares as the statements count them: a source may count those of the company (25.9 billion of
                TSM) or the receipts (5.2 billion), and its earnings per share are of the same.
        """
        if len(self.counts) == 1:
            return self.counts[0][1]
        apart = abs(math.log(self.counts[0][0] / self.counts[1][0]))
        near, factor = min((abs(math.log(shares / about)), factor) for about, factor in self.counts)
        return factor if near <= min(apart / 2, math.log(FURTHEST)) else None


def _receipt(shares: float, billions: float, since: str, until: str | None = None) -> QuotedShare:
    many = f"{shares:g} shares" if shares > 1 else "one share" if shares == 1 else f"{shares:g} of a share"
    total = billions * 1e9
    return QuotedShare(
        ((total, 1.0),) if shares == 1 else ((total, shares), (total / shares, 1.0)),
        f"one receipt stands for {many}",
        date.fromisoformat(since),
        date.fromisoformat(until) if until else None,
    )


RECEIPTS: Mapping[str, QuotedShare] = {
    "ABEV": _receipt(1, 15.7, "2013-11-11"),
    "ARM": _receipt(1, 1.05, "2023-09-14"),
    "ASML": _receipt(1, 0.39, "2012-12-01"),
    "ASX": _receipt(2, 4.35, "2018-04-30"),
    "AZN": _receipt(0.5, 1.55, "2015-07-27", "2026-01-30"),
    "BAYRY": _receipt(0.25, 0.98, "2018-06-21"),
    "BABA": _receipt(8, 19.5, "2019-07-30"),
    "BEKE": _receipt(3, 3.5, "2020-08-13"),
    "BHP": _receipt(2, 5.07, "2022-02-01"),
    "BIDU": _receipt(8, 2.8, "2021-03-01"),
    "BP": _receipt(6, 17.0, "2010-01-01"),
    "BTI": _receipt(1, 2.25, "2017-07-25"),
    "BUD": _receipt(1, 1.98, "2016-10-11"),
    "CHT": _receipt(10, 7.757, "2011-03-01"),
    "DEO": _receipt(4, 2.25, "2010-01-01"),
    "EQNR": _receipt(1, 3.0, "2018-05-16"),
    "ERIC": _receipt(1, 3.3, "2010-01-01"),
    "GSK": _receipt(2, 4.1, "2022-07-19"),
    "HDB": _receipt(3, 7.6, "2023-07-13", "2025-08-25"),
    "HSBC": _receipt(5, 18.5, "2010-01-01"),
    "IBN": _receipt(2, 7.0, "2017-06-21"),
    "ING": _receipt(1, 3.3, "2010-01-01"),
    "INFY": _receipt(1, 4.15, "2018-09-11"),
    "ITUB": _receipt(1, 9.8, "2010-01-01"),
    "JD": _receipt(2, 3.1, "2014-05-22"),
    "LI": _receipt(2, 2.0, "2020-07-30"),
    "LVMUY": _receipt(0.2, 0.5, "2012-01-01"),
    "LYG": _receipt(4, 64.0, "2017-01-01"),
    "NGG": _receipt(5, 4.2, "2017-05-22"),
    "NIO": _receipt(1, 2.1, "2018-09-12"),
    "NOK": _receipt(1, 5.5, "2016-01-14"),
    "NSRGY": _receipt(1, 2.6, "2010-01-01"),
    "NTES": _receipt(5, 3.3, "2020-10-01"),
    "NVO": _receipt(1, 4.45, "2023-09-20"),
    "NVS": _receipt(1, 2.05, "2010-01-01"),
    "PBR": _receipt(2, 13.0, "2010-09-30"),
    "PBR-A": _receipt(2, 13.0, "2010-09-30"),
    "PDD": _receipt(4, 5.5, "2018-07-26"),
    "PUK": _receipt(2, 2.7, "2021-10-04"),
    "RELX": _receipt(1, 1.87, "2018-09-10"),
    "RHHBY": _receipt(0.125, 0.8, "2014-02-01"),
    "RIO": _receipt(1, 1.63, "2010-04-30"),
    "SAP": _receipt(1, 1.18, "2006-12-21"),
    "SHEL": _receipt(2, 6.6, "2022-01-31"),
    "SIEGY": _receipt(0.5, 0.79, "2017-01-01"),
    "SNY": _receipt(0.5, 1.25, "2010-01-01"),
    "SONY": _receipt(1, 6.1, "2024-10-08"),
    "TCEHY": _receipt(1, 9.3, "2014-05-15"),
    "TM": _receipt(10, 13.4, "2021-10-01"),
    "TSM": _receipt(5, 25.93, "2010-01-01"),
    "TME": _receipt(2, 3.2, "2018-12-12"),
    "TTE": _receipt(1, 2.4, "2021-06-11"),
    "UL": _receipt(1, 2.5, "2020-11-30"),
    "UMC": _receipt(5, 12.5, "2010-01-01"),
    "VALE": _receipt(1, 4.3, "2017-12-22"),
    "VOD": _receipt(10, 26.5, "2014-02-24"),
    "XPEV": _receipt(2, 1.9, "2020-08-27"),
    **dict.fromkeys(
        ("BMO", "BNS", "CM", "CNI", "CNQ", "ENB", "RACE", "RY", "SPOT", "SU", "TD", "TRP"),
        QuotedShare(((1e9, 1.0),), "the company's own shares are traded", date(2018, 4, 3)),
    ),
}
"""By symbol of the listing in New York. The number of shares, in billions, is of 2024 or near it."""

RECEIPT_PLACES = frozenset({US, "SA", "BA", "NE", "BK"})
"""Suffixes of exchanges on which foreign companies are mostly traded as receipts (ADR, BDR, CEDEAR, CDR, DR)."""
_RECEIPT_NAME = re.compile(
    r"\b(?:ADR|ADS|GDR|GDS|BDR|CDR|CEDEAR|DRC|Depositary|Depository Receipts?)s?\b|\bSpons(?:ored|\.)? A", re.IGNORECASE
)


def receipt_of(symbol: str, day: date) -> QuotedShare | None:
    """Return what one receipt stands for on a day; None where it is not known."""
    found = RECEIPTS.get(symbol)
    return found if found is not None and found.holds_on(day) else None


def is_receipt_name(name: str) -> bool:
    """Return whether the name of an instrument says that it is a depositary receipt."""
    return _RECEIPT_NAME.search(name[:200]) is not None


def trades_receipts(symbol: str) -> bool:
    """Return whether a foreign company on this symbol's exchange may be traded as receipts."""
    head, dot, suffix = symbol.rpartition(".")
    return (suffix if dot and head else US) in RECEIPT_PLACES


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
    lesser = {symbol for company in CLASSES for symbol in [listed for listed in company if listed in there][1:]}
    return tuple(symbol for symbol in symbols if symbol not in lesser)
