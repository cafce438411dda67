"""Figures quoted in prose (`atr 6.82 USD`, `roe 144.03%`, `19 articles`), and whether the data sheet holds them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tradingagents.dataflows.figures import parse_number
from tradingagents.record import RunRecord

NUMBER = r"[+-]?\d[\d,]*(?:\.\d+)?[TBM]?(?:%|x\b)?"
NAMED = re.compile(rf"\b([a-z][a-z0-9_]*) ({NUMBER})")
COUNTED = re.compile(r"\b(\d+) (articles)\b")


def quoted_figures(text: str, names: Iterable[str]) -> list[tuple[str, float]]:
    """Return the figures a text quotes by name; a word before a number is a name if it is known or looks like one."""
    known = set(names)
    found = [(name, shown) for name, shown in NAMED.findall(text) if name in known or "_" in name]
    found += [(name, shown) for shown, name in COUNTED.findall(text)]
    return [(name, parsed[0]) for name, shown in found if (parsed := parse_number(shown.replace(",", "")))]


def figures_of(record: RunRecord) -> dict[str, set[float]]:
    """Return every value the data sheet holds of each figure."""
    values: dict[str, set[float]] = {}
    for row in record["data_sheet"]:
        for name, value in row["figures"].items():
            values.setdefault(name, set()).add(value)
    return values


def missing_from_sheet(record: RunRecord, text: str) -> list[tuple[str, float]]:
    """Return the quoted figures that do not stand in the data sheet with the very value quoted."""
    sheet = figures_of(record)
    return [(name, value) for name, value in quoted_figures(text, sheet) if value not in sheet.get(name, ())]


def assert_decision_stands_on_the_sheet(record: RunRecord) -> None:
    """Check rationale, key evidence, dissent and what would change it: each quotes figures, all of the data sheet."""
    decision = record["decision"]
    assert decision
    sheet = figures_of(record)
    assert quoted_figures(decision["rationale"], sheet), decision["rationale"]
    for text in (decision["rationale"], decision["dissent"] or "", decision["would_change"] or ""):
        assert missing_from_sheet(record, text) == [], text
    assert decision["key_evidence"]
    sources = {row["method"] for row in record["data_sheet"] if row["figures"]}
    for evidence in decision["key_evidence"]:
        if evidence["claim"].startswith("margin_trend operating "):
            continue  # a tool's reading in words
        assert quoted_figures(evidence["claim"], sheet), evidence
        assert missing_from_sheet(record, evidence["claim"]) == [], evidence
        assert evidence["source"] in sources
