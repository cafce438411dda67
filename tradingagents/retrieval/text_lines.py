"""Lines of a page that is laid out row by row, each a row, a header or other words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from tradingagents.retrieval.text_figures import PrintedLine, clean_label, read_lines
from tradingagents.retrieval.text_headers import header_marks, leading_header

_GOES_ON = re.compile(r"(?:and|or|respectively)\b")
"""Begins the second line of a label: figures at the end of the first line belong to the label."""
_LONGEST_HEAD = 100
_CAPTION_BEGINS = re.compile(r"(?i)(?:(?:u\.?s\.? )?dollars |amounts |\$ )?in (?:thousands|millions|billions)\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_OF_YEARS = re.compile(r"(?i)\b(?:reach\w*|expir\w+|matur\w+|ultimate|through|due|begin\w*|end)\b")
"""What a row says whose figures are years."""


def table_lines(text: str, *, decimal_comma: bool) -> list[PrintedLine]:
    """Return the lines of a page; a header on the line of a row, or behind other words, is a line of its own."""
    lines: list[PrintedLine] = []
    for line in _with_whole_headers(read_lines(text, decimal_comma=decimal_comma)):
        cut = leading_header(line.text, lines[-1].text if lines and not line.figures else "")
        if cut:
            lines.append(PrintedLine(clean_label(line.text[:cut]), (), line.start, line.start + cut, line.text[:cut]))
        rest = read_lines(line.text[cut:], line.start + cut, decimal_comma=decimal_comma) if cut else [line]
        lines.extend(part for each in rest for part in _years_apart(each))
    for index, (line, following) in enumerate(pairwise(lines)):
        if line.figures and following.figures and _GOES_ON.match(following.label):
            lines[index] = PrintedLine(clean_label(line.text), (), line.start, line.end, line.text)
    return lines


def _with_whole_headers(lines: Sequence[PrintedLine]) -> list[PrintedLine]:
    """Return lines of which parts of one header are one again, as `2022 2021 Change 2022 2021` and `Change`.

    So are a caption that ends on the line of years and that line: `In millions, except percentages and basis` and
    `points 2022 2021`.
    """
    joined: list[PrintedLine] = []
    for line in lines:
        before = joined[-1] if joined else None
        between = "" if before is not None and before.end == line.start else "\n"
        one = before is not None and (not between or _goes_on_as_header(before, line))
        if before is not None and one and header_marks(before.text + between + line.text):
            text = before.text + between + line.text
            joined[-1] = PrintedLine(clean_label(text), (), before.start, line.end, text)
        else:
            joined.append(line)
    return joined


def _goes_on_as_header(caption: PrintedLine, line: PrintedLine) -> bool:
    """Whether a line ends the caption that the line before it begins, and goes on with years."""
    begins = _CAPTION_BEGINS.match(caption.text) is not None and not any(map(str.isdigit, caption.text))
    return begins and line.text[:1].islower() and len(_YEAR.findall(line.text)) > 1 and not header_marks(line.text)


def _years_apart(line: PrintedLine) -> tuple[PrintedLine, ...]:
    """Return a line of words and years in two, as `Net sales by region 2022 2021 2020`: the years head what follows."""
    years = [int(figure.text) for figure in line.figures if re.fullmatch(r"(?:19|20)\d\d", figure.text)]
    steps = {one - other for one, other in pairwise(years)}
    if len(years) < len(line.figures) or len(years) < 2 or not line.label or header_marks(line.text):
        return (line,)
    size = len(years) if steps in ({1}, {-1}) else _run_length(years)
    if not size or len(line.label) > _LONGEST_HEAD or _OF_YEARS.search(line.label):
        return (line,)
    cut = line.figures[0].start - line.start
    words, rest = line.text[:cut], line.text[cut:]
    heads = PrintedLine(rest.strip(), line.figures, line.start + cut, line.end, rest)
    return PrintedLine(clean_label(words), (), line.start, line.start + cut, words), heads


def _run_length(years: Sequence[int]) -> int:
    """Return how many consecutive years come again and again; 0 where they do not."""
    size = years.index(years[0], 1) if years[0] in years[1:] else 0
    run = list(years[:size])
    again = size > 1 and run * (len(years) // size) == list(years)
    return size if again and {one - other for one, other in pairwise(run)} in ({1}, {-1}) else 0
