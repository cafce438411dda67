"""Figures quoted in prose (`RSI neutral (49.46)`, `beta 1.40`, `19 articles`), held against the data sheet."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

import pytest

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.dataflows.reference.metrics import Figure, parse_number
from tradingagents.dataflows.reference.sectors import DISPLAY, sector_key
from tradingagents.offline.scan.mentions import READABLE
from tradingagents.schemas.cards import RunRecord, ScanRecord
from tradingagents.schemas.scan_summary import PickRecord

NUMBER = r"[+-]?\d[\d,]*(?:\.\d+)?[TBM]?(?:%|x\b)?"
COUNTED = re.compile(r"\b(\d+) (articles)\b")
CHANGED = re.compile(r" (?:rose|fell) to [^()]+ \(now ([^()]+)\)")
"""A level that a figure might come to, and where it is now."""

_ROW = re.compile(r"^\|\s*([a-z0-9_^.\-]+)\s*\|\s*([^|]*?)\s*\|", re.MULTILINE | re.IGNORECASE)


def parse_figures(markdown: str) -> dict[str, Figure]:
    """Return what every `| name | number unit |` row of a Markdown text states; rows without a number are skipped."""
    found: dict[str, Figure] = {}
    for name, text in _ROW.findall(markdown):
        if parsed := parse_number(text):
            found.setdefault(name, Figure(name, *parsed))
    return found


def quoted_figures(text: str, names: Iterable[str]) -> list[tuple[str, float]]:
    """Return the figures a text quotes: what each is called, by its name or its label, and the value."""
    found = [(label.lower(), shown) for label, shown in _pattern(frozenset(names)).findall(text)]
    found += [(name, shown) for shown, name in COUNTED.findall(text)]
    return [(name, parsed[0]) for name, shown in found if (parsed := parse_number(shown.replace(",", "")))]


@lru_cache(maxsize=64)
def _pattern(names: frozenset[str]) -> re.Pattern[str]:
    called = sorted({word for name in names for word in (name, metric_label(name))}, key=len, reverse=True)
    said = "|".join(map(re.escape, called)) or r"\b\B"
    return re.compile(rf"(?<![\w-])({said})(?: |(?: [a-z]+){{0,4}} \()({NUMBER})(?![\d.-]| derived)", re.IGNORECASE)


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
    known: dict[str, set[float]] = {}
    for name, values in sheet.items():
        for called in {name.lower(), metric_label(name).lower()}:
            known.setdefault(called, set()).update(values)
    told = CHANGED.sub(r" \1", text)
    return [(name, value) for name, value in quoted_figures(told, sheet) if value not in known.get(name, ())]


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
        if evidence["claim"].startswith("Operating margin ") and "trend" in evidence["claim"]:
            continue  # a tool's reading in words
        assert quoted_figures(evidence["claim"], sheet), evidence
        assert missing_from_sheet(record, evidence["claim"]) == [], evidence
        assert evidence["source"] in sources


# Scans

MOVES = {"1-Day": ("change_1d", "1d"), "1-Week": ("1w",), "1-Month": ("1m",)}
MOVE = re.compile(r"(1-Day|1-Week|1-Month) ([+-]?\d[\d,]*\.\d+%|n/a)")
PERCENT = re.compile(r"(?<![\w.])[+-]?\d[\d,]*\.\d+%")
SECTOR_MOVE = re.compile(r"([A-Z][a-z]+(?: [A-Z][a-z]+)?),? moved (?:most over a month: )?([+-]?\d+\.\d+%)")
REPORTS = {called: key for key, called in READABLE.items()}
QUOTED = re.compile(rf"'(.+?)' \(({'|'.join(REPORTS)})\)")
"""A line of a report, and what that report is called."""


def assert_summary_stands_on_what_was_read(record: ScanRecord) -> None:
    """Check every figure and quotation of an offline scan's picks against the data sheet and the reports."""
    assert record["summary"]
    for pick in record["summary"]["stocks_to_investigate"]:
        for text in (pick["rationale"], *pick["key_catalysts"], *pick["risks"]):
            for line, report in QUOTED.findall(text):
                _assert_said(record, line, report)
            _assert_moves(record, pick, QUOTED.sub("", text))
        for fact in pick["evidence"]:
            assert fact["source"] in pick["seen_in"]
            _assert_moves(record, pick, fact["claim"], source=fact["source"])
    _assert_sectors(record, str(record["summary"]))


def _assert_sectors(record: ScanRecord, text: str) -> None:
    """Check every month of a sector that a text tells."""
    months = {DISPLAY[row["sector"]]: row["returns"]["1m"] for row in record["sectors"]}
    told = SECTOR_MOVE.findall(text)
    assert told
    for name, shown in told:
        assert months[name] == pytest.approx(_number(shown), abs=0.005), (name, shown)


def _assert_said(record: ScanRecord, line: str, report: str) -> None:
    """Check that a report holds a quoted line, but for the marks that a quotation leaves out."""
    assert line.rstrip("…") in " ".join(record["reports"][REPORTS[report]].replace('"', "'").split()), line


def _assert_moves(record: ScanRecord, pick: PickRecord, text: str, source: str = "") -> None:
    """Check every percentage of a text: the stock's own move of that period, or the month of its sector."""
    sheet = _figures(record, source)
    for period, shown in MOVE.findall(text):
        if shown != "n/a":
            values = {value for name in MOVES[period] for value in sheet.get(f"{pick['ticker']}_{name}", ())}
            assert _number(shown) in values, (text, values)
    key = sector_key(pick["sector"])
    known = {value for name, values in sheet.items() if name.startswith(f"{pick['ticker']}_") for value in values}
    known |= sheet.get(f"{key}_1m", set())
    for shown in PERCENT.findall(text):
        assert _number(shown) in known, (text, known)


def _figures(record: ScanRecord, source: str) -> dict[str, set[float]]:
    """Return the figures of one answer such as `get_market_movers:day_gainers`; of all where none is named."""
    method, _, subject = source.partition(":")
    values: dict[str, set[float]] = {}
    for row in record["data_sheet"]:
        if not source or (row["method"] == method and (not subject or row["symbol"] == subject)):
            for name, value in row["figures"].items():
                values.setdefault(name, set()).add(value)
    return values


def _number(shown: str) -> float:
    parsed = parse_number(shown.replace(",", ""))
    assert parsed, shown
    return parsed[0]
