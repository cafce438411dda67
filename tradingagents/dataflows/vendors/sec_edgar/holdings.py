"""Form 13F: an investment manager's holdings at the end of a quarter, parsed from the complete filing."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from datetime import date, datetime
from typing import Literal

from tradingagents.dataflows.models import Holding, HoldingsReport
from tradingagents.dataflows.responses.lost_rows import lost, not_listed
from tradingagents.dataflows.vendors.sec_edgar.submissions import Entry
from tradingagents.dataflows.vendors.sec_edgar.xml import parse_xml

FORMS = frozenset({"13F-HR", "13F-HR/A"})
IN_DOLLARS_SINCE = date(2023, 1, 3)
"""Reports filed from this day on give values in dollars, those before in thousands of dollars."""
IN_XML_SINCE = date(2013, 7, 1)
THOUSAND = 1000.0
_DOCUMENT = re.compile(rb"<DOCUMENT>(.*?)</DOCUMENT>", re.DOTALL)
_TYPE = re.compile(rb"<TYPE>([^\r\n<]*)")
_XML = re.compile(rb"<XML>\s*(.*?)\s*</XML>", re.DOTALL)
_AMENDMENTS: dict[str, Literal["restatement", "new_holdings"]] = {
    "RESTATEMENT": "restatement",
    "NEW HOLDINGS": "new_holdings",
}


def is_plain_text(filing: bytes, filed_on: date) -> bool:
    """Return whether a filing is of before mid-2013, when reports were plain text: later ones without XML are none."""
    return filed_on < IN_XML_SINCE and _XML.search(filing) is None


def read_holdings(filing: bytes, entry: Entry, cik: int, url: str) -> HoldingsReport | None:
    """Return the report in a complete filing (cover page and information table); None if it has none.

    Args:
        filing: The filing's complete text, which contains all its documents.
        entry: Its line in the index.
        cik: The investor's number.
        url: Public address of the filing.
    """
    documents = dict(_documents(filing))
    cover = documents.get(entry.form)
    if cover is None:
        return None
    period_end = _american_day(_text(cover, "reportCalendarOrQuarter")) or entry.period_end
    name = " ".join(_text(cover, "filingManager/name").split())
    table = documents.get("INFORMATION TABLE")
    if period_end is None or not name or (table is None and _text(cover, "tableEntryTotal") != "0"):
        return None
    factor = 1.0 if entry.filed_on >= IN_DOLLARS_SINCE else THOUSAND
    rows = [_holding(row, factor) for row in table.iter("infoTable")] if table is not None else []
    holdings = tuple(row for row in rows if row is not None)
    if rows and not holdings:
        return None
    not_listed("holding", int(_number(cover, "tableEntryTotal") or 0) - len(rows))
    return HoldingsReport(
        investor=name,
        cik=cik,
        period_end=period_end,
        known_at=entry.known_at,
        filed_on=entry.filed_on,
        accession=entry.accession,
        form=entry.form,
        holdings=holdings,
        amendment=_amendment(cover, entry.form),
        url=url,
    )


def _amendment(cover: ET.Element, form: str) -> Literal["restatement", "new_holdings"] | None:
    """Return how the report amends; one that does not say it restates."""
    if form == "13F-HR":
        return None
    return _AMENDMENTS.get(_text(cover, "amendmentType").upper(), "restatement")


def _documents(filing: bytes) -> Iterator[tuple[str, ET.Element]]:
    """Yield each XML document of a filing by its type, with names freed of their namespaces."""
    for document in _DOCUMENT.findall(filing):
        kind, body = _TYPE.search(document), _XML.search(document)
        root = parse_xml(body.group(1)) if body else None
        if kind is None or root is None:
            continue
        for element in root.iter():
            element.tag = element.tag.rpartition("}")[2]
        yield kind.group(1).decode("ascii", "replace").strip(), root


def _holding(row: ET.Element, factor: float) -> Holding | None:
    issuer, cusip = _text(row, "nameOfIssuer"), _text(row, "cusip").upper()
    value, amount = _number(row, "value"), _number(row, "sshPrnamt")
    if not (issuer or cusip) or value is None or amount is None:
        lost("holding", nameOfIssuer=issuer or cusip or None, value=value, sshPrnamt=amount)
        return None
    return Holding(
        issuer=" ".join(issuer.split()) or cusip,
        title=" ".join(_text(row, "titleOfClass").split()),
        cusip=cusip.zfill(9) if cusip else "",
        kind=_kind(row),
        value=value * factor,
        amount=amount,
    )


def _kind(row: ET.Element) -> Literal["shares", "principal", "call", "put"]:
    option = _text(row, "putCall").lower()
    if option == "put":
        return "put"
    if option == "call":
        return "call"
    return "principal" if _text(row, "sshPrnamtType").upper() == "PRN" else "shares"


def _text(element: ET.Element, path: str) -> str:
    return (element.findtext(f".//{path}") or "").strip()


def _number(element: ET.Element, path: str) -> float | None:
    try:
        value = float(_text(element, path).replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) and value >= 0 else None


def _american_day(text: str) -> date | None:
    """Parse a day written as 12-31-2024; None for anything else."""
    try:
        return datetime.strptime(text, "%m-%d-%Y").date()  # noqa: DTZ007 - a day has no zone
    except ValueError:
        return None
