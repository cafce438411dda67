"""Which tables of a filing are its statements, told by their titles or by rows that only these have."""

from __future__ import annotations

import re

from tradingagents.retrieval.line_items import line_items
from tradingagents.retrieval.lines.asked.asked_places import Statement
from tradingagents.retrieval.models import FiledTable, Row

_ROWS: dict[Statement, tuple[re.Pattern[str], ...]] = {
    "cashflow": (
        re.compile(
            r"(?i)\bnet cash (?:flows? )?(?:\(?(?:provided|used|generated)|from)"
            r"|\bcash flows? from (?:operating|investing|financing)"
        ),
    ),
    "balance": (re.compile(r"(?i)\btotal (?:current )?(?:assets|liabilities)\b"),),
    "income": (
        re.compile(r"(?i)\bnet (?:income|earnings|\(?loss)"),
        re.compile(r"(?i)\bper (?:common |ordinary )?share\b|\b(?:provision|tax|taxes)\b"),
    ),
}
_TITLES: dict[Statement, re.Pattern[str]] = {
    "cashflow": re.compile(r"(?i)\bstatements? of (?:consolidated )?cash flows?\b"),
    "balance": re.compile(r"(?i)\bbalance sheets?\b|\bstatements? of financial position\b"),
    "income": re.compile(r"(?i)\bstatements? of (?:consolidated )?(?:income|operations|earnings)\b"),
}
_OF_A_SUMMARY = re.compile(r"(?i)\b(?:summary|selected|condensed|summarized)\b")


def is_of_statement(table: FiledTable, statement: Statement) -> bool:
    """Return whether a table is a statement of the company, or a page of one."""
    if not statement:
        return True
    title = table.title[-160:]
    if _TITLES[statement].search(title) and not _OF_A_SUMMARY.search(title):
        return True
    texts = [" ".join((*row.headings[-1:], row.label)) for row in table.rows]
    return all(any(pattern.search(text) for text in texts) for pattern in _ROWS[statement])


_PAID = re.compile(
    r"(?i)^(?:additions? to|purchases? of|payments? (?:of|for|to|on)|repayments? of|repurchases? of"
    r"|investments? in|capital expenditures|(?:cash )?dividends paid|treasury stock purchases"
    r"|acquisitions?(?= of|, net|$))\b"
)
"""How the rows of a cash flow statement begin whose figures in brackets are what was paid."""


def as_amount(table: FiledTable, row: Row, item: str, value: float) -> float:
    """Return a figure as it is called: what a cash flow statement prints in brackets as paid is a positive amount."""
    if value >= 0 or not is_of_statement(table, "cashflow"):
        return value
    of_item = bool(item) and line_items()[item].magnitude
    return -value if of_item or _PAID.match(row.label) else value
