"""Where a question says that its figures stand: in a statement, or in the report of a year.

Such words choose what is read, and are no part of the name of a row.
"""

from __future__ import annotations

import re
from typing import Literal

Statement = Literal["income", "balance", "cashflow", ""]

_AS_SHOWN = r"(?:(?:as )?(?:shown|reported|stated|given|presented|printed|disclosed|listed|recorded) )?"
_IN = r"(?:in|per|as per|from|on|under|off|according to|based on|by) (?:the |its |their )?(?:consolidated )?"
_OF_INCOME = r"(?:income statements?|p&l|profit and loss (?:statement|account)s?|statements? of (?:income|operations))"
_NAMES: tuple[tuple[Statement, str], ...] = (
    ("cashflow", r"(?:statements? of cash[- ]?flows?|cash[- ]?flows? statements?)"),
    ("balance", r"(?:balance[- ]sheets?|statements? of financial position)"),
    ("income", _OF_INCOME),
)
_STATEMENTS: tuple[tuple[Statement, re.Pattern[str]], ...] = tuple(
    (kind, re.compile(rf",?\s?\(?\b{_AS_SHOWN}{_IN}{name}(?![\w-])\)?|\({name}\)|,\s?{name}(?=\s*(?:[,;?.]|$))"))
    for kind, name in _NAMES
)
_PAID_IN_CASH = re.compile(r"\bcash (?=(?:additions|payments|purchases|outlays?|contributions)\b)")
"""Says that the figure of the cash flow statement is meant."""
_SELECTED = re.compile(
    r",?\s?\(?\b(?:(?:in|per|from|under) (?:the |its )?)?(?:five-year )?(?:selected|summary)(?: consolidated)?"
    r"(?: financial)? data\b\)?"
)
"""A table over several years that older annual reports have: it shows what the statements do."""
_FILING = re.compile(
    rf",?\s?\b{_AS_SHOWN}(?:in|per|as per|from|according to|based on|using) (?:the |its |their )?"
    r"(?:(?:fy|fiscal(?: year)? )\s?'?)?(?P<year>(?:19|20)\d\d) (?:form )?(?:10-?k|annual report)\b"
)
_FILING_SHORT = re.compile(
    rf",?\s?\b{_AS_SHOWN}(?:in|per|as per|from|according to|based on|using) (?:the |its |their )?"
    r"fy\s?'?(?P<year>\d\d) (?:form )?(?:10-?k|annual report)\b"
)
_ANY_FILING = re.compile(r"\b(?:(?:19|20)\d\d|fy\s?'?\d\d) (?:form )?(?:10-?[kq]|annual report|quarterly report)\b")
_PERIOD = re.compile(
    r"\b(?:19|20)\d\d\b|\bfy ?'?\d\d\b|\b(?:last|past|latest) (?:two|three|four|five|\d) (?:fiscal )?years\b"
)


def without_statement(plain: str) -> tuple[str, Statement]:
    """Return a question in small letters without the one statement that it names, and which that is."""
    plain = _SELECTED.sub(" ", plain)
    named = [(kind, pattern) for kind, pattern in _STATEMENTS if pattern.search(plain)]
    if not named and _PAID_IN_CASH.search(plain):
        return _PAID_IN_CASH.sub(" ", plain), "cashflow"
    if len(named) != 1:
        return plain, ""
    ((kind, pattern),) = named
    return pattern.sub(" ", plain), kind


def without_filing(plain: str) -> tuple[str, int]:
    """Return a question without the one annual report that it names beside its periods, and its year; 0 without one."""
    if len(_ANY_FILING.findall(plain)) > 1:
        return plain, 0
    for pattern in (_FILING, _FILING_SHORT):
        if (named := pattern.search(plain)) is None:
            continue
        rest = f"{plain[: named.start()]} {plain[named.end() :]}"
        if _PERIOD.search(rest):
            return rest, int(named["year"]) + (2000 if len(named["year"]) == 2 else 0)
    return plain, 0
