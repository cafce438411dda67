"""Guidance that a release prints as a table or a list: rows of a label and a range, under a heading of an outlook.

    Fiscal 2024 Outlook
                              Q2 2024               Full Year 2024
    Revenue                   $510M to $515M        $2.1 billion to $2.2 billion
    Operating margin          20% to 21%            22%

A row becomes the sentence that it stands for. Columns are told apart only where the line above them names them: coming
periods, `Low` and `High`, or `Prior` and `Current`. A row with more figures than that is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tradingagents.retrieval.guidance.guided_items import guided_items, item_mentions
from tradingagents.retrieval.guidance.periods import PERIOD_WORDS
from tradingagents.retrieval.guidance.sentences.amounts import Amount, read_amounts

_MOST_ROWS = 40
"""Lines below a heading within which rows of it stand."""
_HEAD = re.compile(r"^[^.!?]{0,90}\b(?:outlook|guidance)\b[^.!?]{0,60}$", re.IGNORECASE)
_NO_HEAD = re.compile(
    r"\b(?:results?|report\w*|rais\w+|announc\w+|provid\w+|lower\w*|updates|performance|reconcil\w+|actuals?|highlights"
    r"|accounting|standards?|issued|adopted|recent\w*|statements?|see|refer\w*|versus)\b",
    re.IGNORECASE,
)
"""A line that speaks of guidance and heads no table of it."""
_RECONCILES = re.compile(r"\breconcil", re.IGNORECASE)
_RESULTS = re.compile(r"\bhighlights\b|\bresults\b", re.IGNORECASE)
_RECONCILED = 30
"""Lines within which figures are reconciled, or reported, rather than guided to."""
_PROSE = 150
"""Characters from which on a line that ends a sentence is prose, and the rows end."""
_LINK = re.compile(
    r"[\s:\u2248.]{0,20}(?:(?<!\w)(?:approximately|approx\.?|about|roughly|between|in the range of|range of|of"
    r"|at least|at"
    r"|up to|~|is|are"
    r"|to be|expected to be|a range of|from|an? increase of|increase of|growth of|up|down)\s{0,9}){0,9}$",
    re.IGNORECASE,
)
"""Words between a label and its range."""
_BEHIND = re.compile(
    r"\s{0,9}(?:\(\w{1,2}\)|\*+|growth|increase|year[- ]over[- ]year|yoy|or (?:more|higher|greater)|\+|per share"
    r"|y/y|of revenues?"
    r"|of sales|of net sales)?\s{0,9}",
    re.IGNORECASE,
)
_LOW_HIGH = re.compile(r"\blow(?: end)?\b\W+(?:\w+\W+){0,2}high(?: end)?\b", re.IGNORECASE)
_OLD = re.compile(r"\b(?:prior|previous|initial|original|old)\b", re.IGNORECASE)
_NEW = re.compile(r"\b(?:current|updated|new|revised)\b", re.IGNORECASE)
_BASES = re.compile(r"\b(?:non-GAAP|GAAP|Adjusted|Reported)\b", re.IGNORECASE)
_SCALE = re.compile(r"\b(?:in|\$)\s?(?:us\$ )?(?P<scale>million|billion|thousand)s?\b", re.IGNORECASE)
_LABEL = re.compile(r"[A-Z][^|]{2,80}")
"""A row begins with a capital; a line that begins with none goes on a sentence."""
_FIRST_WORD = re.compile(r"[A-Z][a-z]+\b")
_NO_ROW = re.compile(
    r"\b(?:previous|prior|actual|reconcil\w+|headwind|tailwind|impact|versus|compared)\b", re.IGNORECASE
)
_NOTE = re.compile(r"(?<=[A-Za-z)]) \d(?= [$\u20ac\u00a3])")
"""The number of a footnote behind a label."""
_APART = re.compile(r"(?P<sign>[$\u20ac\u00a3]) (?=[\d(])")
"""A sign of a currency in a cell of its own."""
_FOOTNOTE = re.compile(r"(?<=[a-z)])(?:\d(?:,\d)*|\(\w\)|\*+)+(?=\s|$)|\((?:non-)?gaap\)\d?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OutlookLine:
    """A line of a release that names a period of guidance, or a row of it."""

    start: int
    end: int
    """Characters of the line on its page."""
    text: str
    """The sentence that it stands for."""
    words: str
    """The line as it stands."""


@dataclass(slots=True)
class _Table:
    """What the lines above a row have named."""

    lines_left: int = 0
    reconciled_left: int = 0
    """Lines below one that reconciles figures, within which no heading counts."""
    scale: str = ""
    periods: tuple[str, ...] = ()
    is_low_high: bool = False
    newest: int | None = None
    """Which of two columns is the current one; None where the columns are none of `prior` and `current`."""
    bases: tuple[str, ...] = ()
    """The bases that two columns are on, such as GAAP and non-GAAP; empty where the columns name none."""

    def open(self) -> None:
        self.lines_left, self.scale, self.periods = _MOST_ROWS, "", ()
        self.is_low_high, self.newest, self.bases = False, None, ()


def outlook_lines(text: str) -> Iterator[OutlookLine]:
    """Yield the headings and the rows of guidance of a page, in its order."""
    table = _Table()
    for match in re.finditer(r"[^\n]+", text):
        words = " ".join(match[0].split())
        table.reconciled_left = _RECONCILED if _RECONCILES.search(words) else table.reconciled_left - 1
        if table.reconciled_left == _RECONCILED or (len(words) < _PROSE and _RESULTS.search(words)):
            table.lines_left = 0
        if table.reconciled_left <= 0 and _opens(words):
            if table.lines_left <= 0 or PERIOD_WORDS.search(words):
                table.open()
            _name_columns(table, words)
            yield OutlookLine(match.start(), match.end(), f"Outlook: {words}", words)
            continue
        table.lines_left -= 1
        if table.lines_left <= 0:
            continue
        if len(words) > _PROSE and words.endswith((".", ";")):
            table.lines_left = 0
            continue
        scale = _SCALE.search(words)
        table.scale = scale["scale"].lower() if scale else table.scale
        if _is_column_head(words):
            _name_columns(table, words)
            if len(table.periods) == 1:
                yield OutlookLine(match.start(), match.end(), f"Outlook: {words}", words)
            continue
        if re.match(r"\n\s{0,40}[a-z]", text[match.end() : match.end() + 42]):
            continue  # the sentence goes on in the next line
        for row in _row(words, table):
            yield OutlookLine(match.start(), match.end(), row, words)


def _opens(words: str) -> bool:
    """Tell whether a line heads rows of guidance."""
    heads = len(words) < _PROSE and _HEAD.match(words)
    if _OLD.search(words) and _NEW.search(words):
        return False  # heads of two columns
    return bool(heads) and not _NO_HEAD.search(words) and not read_amounts(words)


def _is_column_head(words: str) -> bool:
    """Tell whether a line names columns: periods, ends or versions, and no figure."""
    versions = _OLD.search(words) is not None and _NEW.search(words) is not None
    bases = len(_BASES.findall(words)) == 2
    named = bases or versions or PERIOD_WORDS.search(words) is not None or _LOW_HIGH.search(words) is not None
    return named and len(words) < _PROSE and not read_amounts(PERIOD_WORDS.sub(" ", words))


def _name_columns(table: _Table, words: str) -> None:
    periods = tuple(match[0] for match in PERIOD_WORDS.finditer(words))
    if periods:
        table.periods = periods
    table.is_low_high = table.is_low_high or _LOW_HIGH.search(words) is not None
    old, new = _OLD.search(words), _NEW.search(words)
    if old and new:
        table.newest = 0 if new.start() < old.start() else 1
    bases = tuple(_BASES.findall(words))
    if len(set(bases)) == 2 == len(bases):
        table.bases = bases


def _row(words: str, table: _Table) -> Iterator[str]:
    """Yield the sentences that a row stands for; nothing where it is none, or where its columns are not told apart."""
    plain = _FOOTNOTE.sub("", _APART.sub(r"\g<sign>", _NOTE.sub(" ", words)))
    amounts = read_amounts(plain)
    if not amounts or len(amounts) > 4 or not table.periods:
        return
    label = _LINK.sub("", plain[: amounts[0].parts[0][0]].rstrip("($ ")).strip(" :,-\u2013\u2014\u2022\u25cf*")
    label = re.sub(r",? net$", "", label)
    if not _LABEL.fullmatch(label) or len(label.split()) > 9 or _NO_ROW.search(label) or not _is_all(plain, amounts):
        return
    if table.bases and len(amounts) > 1:
        if len(amounts) == 2 and len(table.periods) == 1 and item_mentions(label):
            for basis, amount in zip(table.bases, amounts, strict=True):
                figure = _printed(plain, amount)
                scaled = figure if _is_per_share(label) else _scaled(figure, table.scale)
                yield f"We expect {basis} {label[0].lower()}{label[1:]} to be {scaled}."
        return
    ranges = _columns(plain, amounts, table)
    is_share = amounts[0].kind == "percent" and not item_mentions(label)
    if ranges is None or is_share:
        return
    if (first := _FIRST_WORD.match(label)) is not None:
        label = f"{label[0].lower()}{label[1:]}" if first[0] not in label[first.end() :] else label
    per_share = _is_per_share(label)
    for period, figure in ranges:
        scaled = figure if per_share else _scaled(figure, table.scale)
        growth = " growth" if re.search(r"\bgrowth|increase\b", plain[amounts[-1].end :], re.IGNORECASE) else ""
        yield f"We expect {label}{growth} to be {scaled}" + (f" for {period}." if period else ".")


def _is_all(text: str, amounts: Sequence[Amount]) -> bool:
    """Tell whether nothing but figures, and words of their unit, stands behind the label."""
    ends = [amount.end for amount in amounts]
    starts = [amount.parts[0][0] for amount in amounts[1:]] + [len(text)]
    gaps = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    return all(_BEHIND.fullmatch(gap) or _LINK.fullmatch(_BEHIND.sub("", gap, count=1)) for gap in gaps)


def _columns(text: str, amounts: Sequence[Amount], table: _Table) -> list[tuple[str, str]] | None:
    """Return each figure with the period of its column, which is empty where a heading holds it; None if unclear."""
    figures = [_printed(text, amount) for amount in amounts]
    if table.is_low_high and len(amounts) == 2 and not any(amount.is_range for amount in amounts):
        return [("", f"{figures[0]} to {figures[1]}")] if len(table.periods) < 2 else None
    if table.newest is not None and len(amounts) == 2:
        return [("", figures[table.newest])]
    if len(amounts) == len(table.periods) > 1:
        return list(zip(table.periods, figures, strict=True))
    return [("", figures[0])] if len(amounts) == 1 and len(table.periods) < 2 and table.newest is None else None


def _printed(text: str, amount: Amount) -> str:
    """Return a figure as printed; the ends of a range, `between A and B` too, are joined by `to`."""
    if len(amount.parts) < 2:
        return text[amount.parts[0][0] : amount.end]
    return " to ".join(text[start:end].strip() for start, end in amount.parts)


def _is_per_share(label: str) -> bool:
    named = item_mentions(label)
    return "per share" in label.lower() or bool(named and guided_items()[named[-1].key].unit == "per_share")


def _scaled(figure: str, scale: str) -> str:
    """Return money with the scale that the head of the table states."""
    amounts = read_amounts(figure)
    if not scale or len(amounts) != 1 or amounts[0].kind != "money" or amounts[0].scaled:
        return figure
    return f"{figure} {scale}"
