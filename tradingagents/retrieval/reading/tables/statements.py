"""Which tables are the primary statements: told by the title above them and by the lines they have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tradingagents.dataflows.models import StatementKind
from tradingagents.retrieval.models import FiledTable

_TITLES: dict[StatementKind, re.Pattern[str]] = {
    "balance": re.compile(
        r"\bbalance sheets?\b|\bstatements? of (?:consolidated )?financial (?:position|condition)\b", re.I
    ),
    "cashflow": re.compile(r"\bstatements? of (?:consolidated )?cash flows?\b|\bcash flows? statements?\b", re.I),
    "income": re.compile(
        r"\bstatements? of (?:consolidated )?(?:net )?(?:operations|income|earnings)\b(?!.{0,300}parent)"
        r"|\bincome statements?\b|\bstatements? of (?:consolidated )?profit (?:or|and) loss\b",
        re.I,
    ),
}
_LINES: dict[StatementKind, tuple[re.Pattern[str], ...]] = {
    "balance": tuple(
        re.compile(words, re.I)
        for words in (
            r"^total assets\b",
            r"^total (?:current )?liabilities\b|^total liabilities",
            r"^total .*(?:equity|deficit)|^(?:share|stock)(?:holders|owners)..? .*equity|^equity",
            r"\bcash\b",
            r"retained earnings|accumulated deficit|reinvested",
        )
    ),
    "cashflow": tuple(
        re.compile(words, re.I)
        for words in (
            r"operating activities",
            r"investing activities",
            r"financing activities",
            r"^net (?:income|earnings|loss)|^consolidated net",
            r"end(?:ing)? (?:of|balance)|ending balances?|, end",
            r"depreciation",
        )
    ),
    "income": tuple(
        re.compile(words, re.I)
        for words in (
            r"^(?:total |net )?(?:net )?(?:sales|revenues?)\b|operating revenues",
            r"^(?:consolidated )?net (?:income|earnings|\(?loss)|^net \(?loss",
            r"income tax",
            r"\bper\b.{0,200}\bshare|^basic|^diluted",
            r"operating (?:income|profit|loss|expenses)|earnings before|income before|costs? of",
        )
    ),
}
_NEEDED: dict[StatementKind, int] = {"balance": 4, "cashflow": 4, "income": 4}
_NOT = re.compile(
    r"\bparent\b|\bcomprehensive income\b(?!.{0,300}\bincome and\b)|\bcondensed consolidating\b|\bselected\b|reclassif",
    re.I,
)


def mark_statements(tables: Sequence[FiledTable], titles: Sequence[Sequence[str]]) -> tuple[FiledTable, ...]:
    """Mark the primary statements.

    Args:
        tables: Tables in the order of the document.
        titles: For each, the short lines in and above it that may be its title.
    """
    best: dict[StatementKind, tuple[float, int]] = {}
    for at, (table, lines) in enumerate(zip(tables, titles, strict=True)):
        for kind in _TITLES:
            score = _score(kind, table, lines)
            if score > best.get(kind, (0.0, -1))[0]:
                best[kind] = (score, at)
    marked = list(tables)
    for kind, (_, at) in best.items():
        marked[at] = replace(marked[at], statement=kind)
    return tuple(marked)


def _score(kind: StatementKind, table: FiledTable, lines: Sequence[str]) -> float:
    found = sum(
        any(pattern.search(text) for row in table.rows for text in (row.label, *row.headings))
        for pattern in _LINES[kind]
    )
    if found < _NEEDED[kind]:
        return 0.0
    title = next((line for line in reversed(lines) if any(pattern.search(line) for pattern in _TITLES.values())), "")
    named = bool(_TITLES[kind].search(title)) and not _NOT.search(title)
    if not named and (kind == "income" or found < len(_LINES[kind])):
        return 0.0
    return found + (4.0 if named else 0.0) + min(len(table.rows), 40) / 40
