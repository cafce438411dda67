"""A checked report as one HTML page: each figure marked with its verdict and the cell of the data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape

from tradingagents.features.report_check.facts import CheckedCell
from tradingagents.features.report_check.verdicts import WRONG, CheckedFigure, Verdict

VERDICT_WORDS: dict[Verdict, str] = {
    "matches": "matches",
    "wrong_value": "wrong value",
    "wrong_period": "wrong period",
    "wrong_unit": "wrong unit or scale",
    "wrong_company": "wrong company",
    "restated": "restated since",
    "not_found": "not found",
    "not_checkable": "not checkable",
}
_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.55 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; display: block; overflow-x: auto; }
td, th { border-bottom: 1px solid #8886; padding: .25rem .6rem; text-align: left; vertical-align: top; }
mark { border-radius: .2rem; padding: 0 .15rem; color: inherit; }
mark.matches { background: #2e7d3233; }
mark.wrong { background: #c6282844; outline: 1px solid #c62828; }
mark.open { background: #8883; }
mark a { color: inherit; text-decoration: none; }
.count { white-space: nowrap; }
"""


def cell_words(cell: CheckedCell) -> str:
    """Return a cell in words: company, metric, period, value, source."""
    return f"{cell.symbol} {cell.metric} {cell.period}: {shown_value(cell.value)} ({cell.source})"


def shown_value(value: float) -> str:
    """Return a value with its digits grouped, without needless decimals."""
    return f"{value:,.0f}" if abs(value) >= 1e6 else f"{value:,.4f}".rstrip("0").rstrip(".")


def annotated_page(title: str, text: str, checked: Sequence[CheckedFigure]) -> str:
    """Return the page.

    Args:
        title: Heading, such as the company and the day.
        text: The report as it was read, in Markdown.
        checked: Its figures in order, with verdicts.
    """
    counts = Counter(figure.verdict for figure in checked)
    summary = "".join(
        f'<tr><td>{VERDICT_WORDS[name]}</td><td class="count">{counts[name]}</td></tr>'
        for name in VERDICT_WORDS
        if counts[name]
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head><body>\n'
        f"<h1>{escape(title)}</h1>\n<table>{summary}</table>\n{_list(checked)}\n"
        f"<h2>The report as it was read</h2>\n{''.join(_body(text, checked))}\n</body></html>\n"
    )


def _list(checked: Sequence[CheckedFigure]) -> str:
    rows = [
        f'<tr><td><a href="#f{at}">{escape(figure.figure.text)}</a></td><td>{VERDICT_WORDS[figure.verdict]}</td>'
        f"<td>{escape(figure.why)}</td><td>{escape(cell_words(figure.cell)) if figure.cell else ''}</td></tr>"
        for at, figure in enumerate(checked)
        if figure.verdict in WRONG
    ]
    if not rows:
        return "<p>The data contradict no figure of this report.</p>"
    head = "<tr><th>Figure</th><th>Verdict</th><th>Why</th><th>What the data have</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _body(text: str, checked: Sequence[CheckedFigure]) -> Iterator[str]:
    at = number = 0
    in_table = False
    for line in text.split("\n"):
        row = line.lstrip().startswith("|")
        if row != in_table:
            yield "<table>" if row else "</table>\n"
            in_table = row
        own: list[tuple[int, CheckedFigure]] = []
        while number < len(checked) and checked[number].figure.start < at + len(line) + 1:
            own.append((number, checked[number]))
            number += 1
        if row:
            if line.replace("|", "").replace("-", "").replace(":", "").strip():
                yield f"<tr>{''.join(_cells(line, at, own))}</tr>\n"
        elif line.startswith("#"):
            words = line.lstrip("#")
            yield f"<h3>{_marked(words, at + len(line) - len(words), own)}</h3>\n"
        elif line.strip():
            yield f"<p>{_marked(line, at, own)}</p>\n"
        at += len(line) + 1
    if in_table:
        yield "</table>\n"


def _cells(line: str, at: int, own: Sequence[tuple[int, CheckedFigure]]) -> Iterator[str]:
    for cell in line.split("|")[1:-1] if line.rstrip().endswith("|") else line.split("|")[1:]:
        place = at + line.index("|") + 1
        inside = [checked for checked in own if place <= checked[1].figure.start < place + len(cell) + 1]
        yield f"<td>{_marked(cell, place, inside)}</td>"
        at, line = place + len(cell), line[line.index("|") + 1 + len(cell) :]


def _marked(words: str, at: int, own: Sequence[tuple[int, CheckedFigure]]) -> str:
    parts, place = [], 0
    for number, judged in own:
        start, end = judged.figure.start - at, min(judged.figure.end - at, len(words))
        if not place <= start < end:
            continue
        kind = "matches" if judged.verdict == "matches" else "wrong" if judged.verdict in WRONG else "open"
        told = f"{VERDICT_WORDS[judged.verdict]}: {judged.why}" + (f" {cell_words(judged.cell)}" if judged.cell else "")
        parts.append(escape(words[place:start]))
        parts.append(
            f'<mark id="f{number}" class="{kind}" title="{escape(told, quote=True)}">{escape(words[start:end])}</mark>'
        )
        place = end
    return "".join([*parts, escape(words[place:])])
