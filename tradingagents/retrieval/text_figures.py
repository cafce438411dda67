"""Figures printed at the end of a line: amounts, percentages and dashes, told from dates and note numbers.

Groups of digits are read as printed: `1,234`, `12,34,567`, `1'234`, and `34 176` where the document groups by spaces;
`34.176,5` where it writes decimals after a comma (`writes_decimal_comma`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tradingagents.dataflows.reference.currencies import DECIMAL_COMMA, currency_named
from tradingagents.retrieval.money import CURRENCY_PATTERN, SIGN_PATTERN

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
_GROUP_SPACES = "\u00a0\u2007\u2009\u202f"
"""Spaces that stand within a number only."""
_NUMBER = (
    r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?|\d{1,3}(?:['’]\d{3})+(?:\.\d+)?"  # noqa: RUF001
    rf"|\d{{1,3}}(?:[{_GROUP_SPACES}]\d{{3}})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
)
_COMMA_NUMBER = rf"(?:\d{{1,3}}(?:[.{_GROUP_SPACES}]\d{{3}})+(?:,\d+)?|\d+(?:,\d+)?)"
_SPACED = r"\d{1,3}(?: \d{3})+(?:[.,]\d{1,2})?"
_CURRENCY = rf"{CURRENCY_PATTERN}\s*"
LONGEST_ROW = 2_000
"""Characters of a line that may hold several rows; a longer one is prose, and is read once."""


def _figure_pattern(number: str) -> re.Pattern[str]:
    return re.compile(
        rf"""(?<!\S)(?:{_CURRENCY})?
        (?P<body>
            \(\s*(?:{_CURRENCY})?(?:{_SPACED.replace(" ", "[ ]")}|{number})\s*%?\s*\)(?:\s?%)?
          | (?:[-\u2212\u2013](?:{_CURRENCY})?)?{number}(?:\s?%)?
          | [\u2014\u2013\u2212\u2012-]{{1,3}}(?:\s?%)?
          | (?:NM|N/M|nm|n/m|N/A|n/a)
          | \*{{1,2}}
        )
        (?:\s?(?:pts?\.?|bps|ppts?))?
        (?:\s?\((?:[a-z]|\*)\))?
        (?!\S)""",
        re.VERBOSE,
    )


_FIGURE = _figure_pattern(_NUMBER)
_COMMA_FIGURE = _figure_pattern(_COMMA_NUMBER)
_SURE_COMMA = re.compile(
    rf"(?<![\w.,])(?:\d{{1,3}}(?:[. {_GROUP_SPACES}]\d{{3}})+,\d{{1,2}}|\d{{1,3}}(?:\.\d{{3}}){{2,9}})(?![\w,.])"
)
_SURE_POINT = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+\.\d{1,2})(?![\d,])")
_DOTTED = re.compile(r"(?<![\w.,])\d{1,3}\.\d{3}(?![\w,.])")
_LEAST_DOTTED = 2
_COMMA_CODES = re.compile(r"€|(?<![A-Za-z])(?:R\$|" + "|".join(sorted(DECIMAL_COMMA)) + r")(?![A-Za-z])")
_GROUPED_BY_COMMA = re.compile(r"(?<![\w.,])\d{1,3}(?:,\d{2,3})*,\d{3}(?![\d,])")
_ZERO_GROUP = re.compile(r"(?<![\d.,])\d{1,3} 0\d{2}(?![\d.,])")
_DATE = re.compile(rf"\b{MONTH}\s+\d{{1,2}}(?:,)?(?:\s+(?:19|20)\d\d)?(?=\W|$)", re.IGNORECASE)
_DASHES = "\u2014\u2013\u2212\u2012-"
_MAY_END = re.compile(r"(?:[\d)%*\u2014\u2013\u2212\u2012-]|NM|N/M|nm|n/m|N/A|n/a|pts?\.?|bps)\s*$")
_ROW_AND_HEADING = re.compile(r"\d\)?\s+(?:[$\u20ac\u00a3]\s*)?\(?[\d,.]*\d\)?\s+[A-Z][A-Za-z]{2}")
_SIGN_OF = re.compile(CURRENCY_PATTERN)
_LEADER = re.compile(r"(?:\s?[.…_]){3,}")
_ORPHAN_CURRENCY = re.compile(rf"(?:(?<=\s)|^){SIGN_PATTERN}\s*$")


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """A figure as printed, with its characters on the page."""

    text: str
    value: float | None
    """As printed, without scale; 0 for a dash; None where no number is meant, such as NM and a star."""
    start: int
    end: int
    percent: bool = False
    currency: str = ""
    """The currency of its own sign, as `currency_named` gives it; empty without one."""


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """A line of a page: the words, and the figures that end it."""

    label: str
    figures: tuple[PrintedFigure, ...]
    start: int
    end: int
    text: str


def parse_figure(text: str, *, decimal_comma: bool = False) -> float | None:
    """Return the number that a printed figure stands for: parentheses are negative, a dash is zero."""
    body = text.strip()
    found = re.search(rf"\.?\d(?:[\d.,'’{_GROUP_SPACES} ]*\d)?", body)  # noqa: RUF001
    if found is None:
        return 0.0 if body and body[0] in _DASHES else None
    plain = found[0].replace(".", "").replace(",", ".") if decimal_comma else found[0].replace(",", "")
    value = float(re.sub(r"[^\d.]", "", plain))
    return -value if body.startswith(("(", "-", "\u2212", "\u2013")) else value


def writes_decimal_comma(texts: Iterable[str]) -> bool:
    """Whether a document writes `34.176,5`: some of its numbers can be read in no other way, and few in the other.

    Where all its numbers fit both ways (`34.176`), the home of its currency decides.
    """
    pages = list(texts)
    comma = sum(len(_SURE_COMMA.findall(page)) for page in pages)
    if not comma and not any(_COMMA_CODES.search(page) for page in pages):
        return False
    point = sum(len(_SURE_POINT.findall(page)) for page in pages)
    if comma or point:
        return comma > point
    return sum(len(_DOTTED.findall(page)) for page in pages) >= _LEAST_DOTTED


def groups_by_space(texts: Iterable[str]) -> bool:
    """Whether a document groups digits by plain spaces (`34 020`): no number has a comma, and some need the space."""
    needed = False
    for text in texts:
        if _GROUPED_BY_COMMA.search(text):
            return False
        needed = needed or _ZERO_GROUP.search(text) is not None
    return needed


def join_groups(line: PrintedLine, count: int, *, decimal_comma: bool = False) -> PrintedLine:
    """Return a line whose groups of digits are joined to `count` numbers; one figure without a value in case of doubt.

    `34 176 31 020` are two numbers. `134 176 131 020` could be cut in several ways: numbers of equally many groups are
    meant, as those of one row are of like size.
    """
    if len(line.figures) <= count:
        return line
    ways = list(_cuts(line, count))
    even = [way for way in ways if len({len(group) for group in way}) == 1]
    chosen = ways if len(ways) == 1 else even
    if len(chosen) != 1:
        if not ways:
            return line
        first, last = line.figures[0], line.figures[-1]
        text = line.text[first.start - line.start : last.end - line.start]
        return replace(line, figures=(replace(first, text=text, value=None, end=last.end),))
    joined = tuple(_one_figure(line, group, decimal_comma=decimal_comma) for group in chosen[0])
    return replace(line, figures=joined)


_MOST_WAYS = 8


def _cuts(line: PrintedLine, count: int) -> Iterator[list[list[PrintedFigure]]]:
    """Yield the ways in which a line's figures are `count` numbers, a few at most."""
    ways: list[list[list[PrintedFigure]]] = [[]]
    for figure in line.figures:
        grown: list[list[list[PrintedFigure]]] = []
        for way in ways:
            if way and _continues_number(line, way[-1], figure):
                grown.append([*way[:-1], [*way[-1], figure]])
            if len(way) < count and not (figure.text[:1] == "0" and len(figure.text) > 1 and figure.text.isdigit()):
                grown.append([*way, [figure]])
        ways = grown[: _MOST_WAYS * 8]
    yield from [way for way in ways if len(way) == count][:_MOST_WAYS]


def _continues_number(line: PrintedLine, group: Sequence[PrintedFigure], figure: PrintedFigure) -> bool:
    last = group[-1]
    between = line.text[last.end - line.start : figure.start - line.start]
    begins = re.fullmatch(r"[-\u2212\u2013]?\d{1,3}", group[0].text) is not None
    goes_on = re.fullmatch(r"\d{3}(?:[.,]\d{1,2})?", figure.text) is not None
    return between == " " and begins and goes_on and not figure.currency and last.text[-3:].isdigit()


def _one_figure(line: PrintedLine, group: Sequence[PrintedFigure], *, decimal_comma: bool) -> PrintedFigure:
    first, last = group[0], group[-1]
    text = line.text[first.start - line.start : last.end - line.start]
    value = first.value if len(group) == 1 else parse_figure(text, decimal_comma=decimal_comma or "," in text)
    return replace(first, text=text, value=value, end=last.end, percent=last.percent)


def read_line(text: str, start: int, *, decimal_comma: bool = False) -> PrintedLine:
    """Split a line that begins at character `start` of its page into its label and its trailing figures."""
    if not _MAY_END.search(text):
        return PrintedLine(clean_label(text), (), start, start + len(text), text)
    masked = _mask(text)
    found: list[re.Match[str]] = list((_COMMA_FIGURE if decimal_comma else _FIGURE).finditer(masked))
    trailing: list[re.Match[str]] = []
    edge = len(masked.rstrip())
    for match in reversed(found):
        if masked[match.end() : edge].strip():
            break
        trailing.append(match)
        edge = match.start()
    trailing.reverse()
    while trailing and is_star(trailing[0].group("body")):  # behind words it is the mark of a footnote
        edge = trailing.pop(0).end()
    if (
        len(trailing) == 1
        and parse_figure(trailing[0].group("body")) == 0
        and not any(map(str.isdigit, trailing[0].group()))
    ):
        trailing = []  # a dash alone joins the label to its next line
    figures = tuple(_figure(text, match, start, decimal_comma=decimal_comma) for match in trailing)
    label = clean_label(text[: edge if trailing else len(text)])
    return PrintedLine(label, figures, start, start + len(text), text)


def is_star(text: str) -> bool:
    """Return whether a figure is the star that stands for a change that is not meaningful, or marks a footnote."""
    return text.startswith("*")


def read_lines(text: str, start: int = 0, *, decimal_comma: bool = False) -> list[PrintedLine]:
    """Return the lines of a page, each split into its label and its trailing figures; empty lines are left out.

    The text begins at character `start` of its page. Two rows that were set on one line (`Revenue 5 4 Cost 3 2`)
    are two lines.
    """
    lines: list[PrintedLine] = []
    for part in text.split("\n"):
        rest, offset = part.rstrip("\r"), start
        line = read_line(rest, offset, decimal_comma=decimal_comma)
        while len(line.figures) > 1 and len(rest) < LONGEST_ROW and (cut := _second_row(rest, len(line.figures))):
            lines.append(read_line(rest[:cut], offset, decimal_comma=decimal_comma))
            rest, offset = rest[cut:], offset + cut
            line = read_line(rest, offset, decimal_comma=decimal_comma)
        cut = 0 if line.figures else _trailing_words(rest)
        if cut:
            parts = ((rest[:cut], offset), (rest[cut:], offset + cut))
            lines.extend(read_line(words, at, decimal_comma=decimal_comma) for words, at in parts)
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


def _figure(text: str, match: re.Match[str], start: int, *, decimal_comma: bool) -> PrintedFigure:
    body = match.group("body")
    sign = _SIGN_OF.search(match.group())
    currency = currency_named(sign.group()) if sign else ""
    first, last = match.span("body")
    value = parse_figure(body, decimal_comma=decimal_comma or re.search(r" \d{3},\d", body) is not None)
    return PrintedFigure(text[first:last], value, start + first, start + last, "%" in body, currency)
