"""Forms 4: insiders' reports of their own trades, parsed from the filed XML."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Literal

from tradingagents.dataflows.models import InsiderTransaction
from tradingagents.dataflows.vendors.sec_edgar.submissions import day
from tradingagents.dataflows.vendors.sec_edgar.xml import parse_xml

MAX_BYTES = 4_000_000
"""Maximum size of a document: a filing of dozens of trades has about 100 KB."""
Kind = Literal["buy", "sell", "grant", "gift", "exercise", "other"]

_CODES: dict[str, tuple[Kind, str]] = {
    "P": ("buy", "Purchase"),
    "S": ("sell", "Sale"),
    "A": ("grant", "Stock Award"),
    "G": ("gift", "Stock Gift"),
    "M": ("exercise", "Exercise of derivative"),
    "X": ("exercise", "Exercise of derivative"),
    "O": ("exercise", "Exercise of derivative"),
    "C": ("exercise", "Exercise by conversion"),
    "F": ("other", "Shares withheld for price or tax"),
    "D": ("other", "Disposition to the company"),
    "I": ("other", "Discretionary transaction"),
    "J": ("other", "Other acquisition or disposition"),
    "K": ("other", "Equity swap"),
    "L": ("other", "Small acquisition"),
    "U": ("other", "Tender of shares"),
    "W": ("other", "Inheritance"),
    "Z": ("other", "Voting trust"),
}
"""Meaning of the codes of Form 4 (its General Instruction 8), in words that `snapshot.insiders` parses."""
_EXERCISES = frozenset(code for code, (kind, _) in _CODES.items() if kind == "exercise")


def read_ownership(document: bytes, symbol: str, cik: int, known_at: datetime) -> tuple[InsiderTransaction, ...] | None:
    """Return the share trades of a Form 4, as filed; None for a document that isn't such a form.

    Trades in options and similar are left out, except for exercises whose shares the form doesn't list separately.

    Args:
        document: The XML.
        symbol: The company's symbol.
        cik: The company's number; a form about another company's shares has no trades here.
        known_at: When the form was accepted.
    """
    root = parse_xml(document, MAX_BYTES)
    if root is None or root.tag != "ownershipDocument":
        return None
    issuer = _text(root, "issuer/issuerCik")
    if not issuer.isdecimal():
        return None
    if int(issuer) != cik:
        return ()
    shares = list(root.iterfind("nonDerivativeTable/nonDerivativeTransaction"))
    listed = {(_code(row), _day(row)) for row in shares}
    exercises = (
        row
        for row in root.iterfind("derivativeTable/derivativeTransaction")
        if _code(row) in _EXERCISES and (_code(row), _day(row)) not in listed
    )
    owner = " ".join(_text(root, "reportingOwner/reportingOwnerId/rptOwnerName").split())
    relation = ", ".join(_relations(root))
    rows = (_transaction(row, symbol, owner, relation, known_at) for row in (*shares, *exercises))
    return _told_apart([row for row in rows if row is not None])


def _told_apart(trades: Sequence[InsiderTransaction]) -> tuple[InsiderTransaction, ...]:
    """Return trades of which equal ones are numbered: two equal lines of a form are two lots, no repetition."""
    return tuple(
        trade if not (lots := trades[:place].count(trade)) else replace(trade, text=f"{trade.text} Lot {lots + 1}.")
        for place, trade in enumerate(trades)
    )


def _transaction(
    row: ET.Element, symbol: str, owner: str, relation: str, known_at: datetime
) -> InsiderTransaction | None:
    traded, amounts = _day(row), "transactionAmounts/"
    shares = _number(row, f"{amounts}transactionShares/value")
    price = _number(row, f"{amounts}transactionPricePerShare/value")
    if traded is None or shares is None or shares == 0 or not owner:
        return None
    kind, words = _CODES.get(_code(row), ("other", "Transaction"))
    return InsiderTransaction(
        symbol=symbol,
        insider=owner,
        relation=relation,
        kind=kind,
        shares=shares,
        value=None if price is None else shares * price,
        transaction_date=traded,
        known_at=known_at,
        text=f"{words}." if price is None else f"{words} at price {price:.2f} per share.",
    )


def _relations(root: ET.Element) -> Iterator[str]:
    path = "reportingOwner/reportingOwnerRelationship/"
    if _is_true(root, f"{path}isOfficer"):
        yield " ".join(_text(root, f"{path}officerTitle").split()) or "Officer"
    if _is_true(root, f"{path}isDirector"):
        yield "Director"
    if _is_true(root, f"{path}isTenPercentOwner"):
        yield "10% Owner"
    if _is_true(root, f"{path}isOther"):
        yield " ".join(_text(root, f"{path}otherText").split()) or "Other"


def _code(row: ET.Element) -> str:
    return _text(row, "transactionCoding/transactionCode")


def _day(row: ET.Element) -> date | None:
    return day(_text(row, "transactionDate/value"))


def _text(element: ET.Element, path: str) -> str:
    return (element.findtext(path) or "").strip()


def _is_true(element: ET.Element, path: str) -> bool:
    return _text(element, path).lower() in ("1", "true")


def _number(element: ET.Element, path: str) -> float | None:
    try:
        value = float(_text(element, path))
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None
