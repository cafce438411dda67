"""Figures printed at the end of a line: amounts, percentages and dashes, told from dates and note numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
MONTH = r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?"  # noqa: E501
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
_CURRENCY = r"(?:US|C|A)?[$€£¥]\s*"
LONGEST_ROW = 2_000
"""Characters of a line that may hold several rows; a longer one is prose, and is read once."""
_FIGURE = re.compile(
    rf"""(?<!\S)(?:{_CURRENCY})?
    (?P<body>
        \(\s*(?:{_CURRENCY})?{_NUMBER}\s*%?\s*\)(?:\s?%)?
      | [-\u2212\u2013]?(?:{_CURRENCY})?{_NUMBER}(?:\s?%)?
      | [\u2014\u2013\u2212\u2012-]{{1,3}}(?:\s?%)?
      | (?:NM|N/M|nm|n/m|N/A|n/a)
    )
    (?:\s?(?:pts?\.?|bps|ppts?))?
    (?:\s?\((?:[a-z]|\*)\))?
    (?!\S)""",
    re.VERBOSE,
)
_DATE = re.compile(rf"\b{MONTH}\s+\d{{1,2}}(?:,)?(?:\s+(?:19|20)\d\d)?(?=\W|$)", re.IGNORECASE)
_DASHES = "\u2014\u2013\u2212\u2012-"
_MAY_END = re.compile(r"(?:[\d)%*\u2014\u2013\u2212\u2012-]|NM|N/M|nm|n/m|N/A|n/a|pts?\.?|bps)\s*$")
_ROW_AND_HEADING = re.compile(r"\d\)?\s+(?:[$\u20ac\u00a3]\s*)?\(?[\d,.]*\d\)?\s+[A-Z][A-Za-z]{2}")
_LEADER = re.compile(r"(?:\s?[.…_]){3,}")
_ORPHAN_CURRENCY = re.compile(r"(?:\s|^)(?:US|C|A)?[$€£¥]\s*$")


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """A figure as printed, with its characters on the page."""

    text: str
    value: float | None
    """As printed, without scale; 0 for a dash; None where no number is meant, such as NM."""
    start: int
    end: int
    percent: bool = False
    currency: str = ""


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line of a page: the words, and the figures that end it."""

    label: str
    figures: tuple[PrintedFigure, ...]
    start: int
    end: int
    text: str


def parse_figure(text: str) -> float | None:
    """Return the number that a printed figure stands for: parentheses are negative, a dash is zero."""
    body = text.strip()
    digits = re.sub(r"[^\d.]", "", body)
    if not any(char.isdigit() for char in digits):
        return 0.0 if body and body[0] in _DASHES else None
    value = float(digits)
    return -value if body.startswith(("(", "-", "\u2212", "\u2013")) else value


def read_line(text: str, start: int) -> PrintedLine:
    """Split a line that begins at character `start` of its page into its label and its trailing figures."""
    if not _MAY_END.search(text):
        return PrintedLine(clean_label(text), (), start, start + len(text), text)
    masked = _mask(text)
    found: list[re.Match[str]] = list(_FIGURE.finditer(masked))
    trailing: list[re.Match[str]] = []
    edge = len(masked.rstrip())
    for match in reversed(found):
        if masked[match.end() : edge].strip():
            break
        trailing.append(match)
        edge = match.start()
    trailing.reverse()
    if (
        len(trailing) == 1
        and parse_figure(trailing[0].group("body")) == 0
        and not any(map(str.isdigit, trailing[0].group()))
    ):
        trailing = []  # a dash alone joins the label to its next line
    figures = tuple(_figure(text, match, start) for match in trailing)
    label = clean_label(text[: edge if trailing else len(text)])
    return PrintedLine(label, figures, start, start + len(text), text)


def read_lines(text: str, start: int = 0) -> list[PrintedLine]:
    """Return the lines of a page, each split into its label and its trailing figures; empty lines are left out.

    The text begins at character `start` of its page. Two rows that were set on one line (`Revenue 5 4 Cost 3 2`)
    are two lines.
    """
    lines: list[PrintedLine] = []
    for part in text.split("\n"):
        rest, offset = part.rstrip("\r"), start
        line = read_line(rest, offset)
        while len(line.figures) > 1 and len(rest) < LONGEST_ROW and (cut := _second_row(rest, len(line.figures))):
            lines.append(read_line(rest[:cut], offset))
            rest, offset = rest[cut:], offset + cut
            line = read_line(rest, offset)
        cut = 0 if line.figures else _trailing_words(rest)
        if cut:
            lines.extend((read_line(rest[:cut], offset), read_line(rest[cut:], offset + cut)))
        elif rest.strip():
            lines.append(line)
        start += len(part) + 1
    return lines


def _second_row(text: str, count: int) -> int:
    """Return the character at which a second row begins on a line that ends in `count` figures; 0 if it is one row."""
    masked = _mask(text)
    run, edge = 0, 0
    for match in _FIGURE.finditer(masked):
        between = masked[edge : match.start()]
        if any(char.isalpha() for char in between):
            if run == count and edge and any(char.isalpha() for char in masked[:edge]):
                return edge
            run = 0
        run, edge = run + 1, match.end()
    return 0


def _trailing_words(text: str) -> int:
    """Return the character at which a heading begins that shares its line with the row before it; 0 if none does."""
    if not _ROW_AND_HEADING.search(text):
        return 0
    run, edge = 0, 0
    for match in _FIGURE.finditer(_mask(text)):
        run = run + 1 if edge and not text[edge : match.start()].strip() else 1
        edge = match.end()
    rest = text[edge:].strip()
    return edge if run > 1 and rest[:1].isupper() and not any(map(str.isdigit, rest)) else 0


def clean_label(text: str) -> str:
    """Return a label without leader dots, a currency sign left at its end, and double spaces."""
    plain = _LEADER.sub(" ", text) if "..." in text or ". ." in text or "__" in text or "\u2026" in text else text
    plain = _ORPHAN_CURRENCY.sub("", plain)
    return " ".join(plain.split())


def _mask(text: str) -> str:
    """Return the line with dates and leader dots replaced, character for character, so that they are no figures."""
    without_dates = _DATE.sub(lambda match: "x" * len(match.group()), text)
    return _LEADER.sub(lambda match: " " * len(match.group()), without_dates)


def _figure(text: str, match: re.Match[str], start: int) -> PrintedFigure:
    body = match.group("body")
    whole = match.group()
    currency = next(
        (code for sign, code in (("$", "USD"), ("€", "EUR"), ("£", "GBP"), ("¥", "JPY")) if sign in whole), ""
    )
    first, last = match.span("body")
    return PrintedFigure(text[first:last], parse_figure(body), start + first, start + last, "%" in body, currency)
