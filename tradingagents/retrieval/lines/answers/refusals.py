"""Why figures are missing, with the rows of the filings that are nearest to what was asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tradingagents.retrieval.lines.line_answer import LineValue
from tradingagents.retrieval.lines.rows.asked_line import AskedLine
from tradingagents.retrieval.lines.rows.line_figures import NO_ROW
from tradingagents.retrieval.lines.rows.nearest_names import bears, nearest_names


def reasons_of(lines: Sequence[AskedLine], values: Sequence[LineValue]) -> str:
    """Return why no figure is given, the periods of a line together, with the nearest rows that there are."""
    periods: dict[tuple[str, str, str], list[str]] = {}
    for value in values:
        periods.setdefault((value.company, value.line, value.gap), []).append(value.period)
    reasons = [f"{company}, {line}, {', '.join(of)}: {gap}" for (company, line, gap), of in periods.items()]
    nearest = [note.rstrip(".") for note in dict.fromkeys(nearest_rows(lines, values))]
    return ". ".join(filter(None, ("; ".join(reasons), *nearest)))


def nearest_rows(lines: Sequence[AskedLine], values: Sequence[LineValue]) -> Iterator[str]:
    """Yield a note on the rows that are nearest to each line which no row is called by."""
    without = {(value.company, value.line) for value in values if value.gap.startswith(NO_ROW)}
    for line in lines:
        if (line.books.name, line.name) not in without:
            continue
        phrase = " ".join((*sorted(line.qualifiers), *line.phrases)) or line.name
        names = nearest_names(phrase, line.books.read, line.books.name_words)
        bearing = [name for name in names if bears(name, phrase, line.books.name_words)]
        rows = ", ".join(map(repr, bearing or names))
        if bearing:
            are = "stands" if len(bearing) == 1 else "stand"
            yield f"{rows} {are} in the filings of {line.books.name}, and no column is read as the figure asked for."
        elif names:
            yield f"Nearest to {phrase!r} among the rows of the filings of {line.books.name}: {rows}."
