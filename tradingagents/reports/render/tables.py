"""The data sheet and the model use of a page, composed without the template engine: most of a page's cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup, escape

from tradingagents.reports import formatting as words
from tradingagents.reports.sheet_groups import SheetFigure, SheetGroup, SheetLine

_TOTAL, _NEXT_FIGURE = ' class="total"', '</td><td class="right">'


def data_sheet(groups: Iterable[SheetGroup]) -> Markup:
    """Return a data sheet as markup: a group of answers in each fold, with its figures and a row for each answer."""
    return Markup("".join(map(_fold, groups)))  # noqa: S704 - each part is escaped below


def use_rows(rows: Sequence[Sequence[str]]) -> Markup:
    """Return model use as rows of a table, each from a name and figures; the last is the total."""
    drawn = [
        f'    <tr{_TOTAL if row is rows[-1] else ""}><th scope="row">{_safe(row[0])}</th>'
        f'<td class="right">{_NEXT_FIGURE.join(row[1:])}</td></tr>'
        for row in rows
    ]
    return Markup("\n".join(drawn))  # noqa: S704 - figures are formatted by us


def _fold(group: SheetGroup) -> str:
    title, method = _safe(group.title), _safe(group.method)
    figures, notes = len(group.figures), len(group.notes)
    symbols = group.symbols
    subject = f" · {symbols} symbols" if symbols > 1 else f" · {_safe(group.lines[0].symbols[0])}" if symbols else ""
    fetched = group.fetched
    read = f" · read {_safe(fetched)}" if fetched and fetched != "computed" else ""
    counts = f" · {figures} {'figure' if figures == 1 else 'figures'}" if figures else ""
    counts += f" · {notes} {'note' if notes == 1 else 'notes'}" if notes else ""
    by = f'<span class="by">{_safe(group.vendor)}{subject}{read}</span>'
    opening = f'<span class="opening"><code>{method}</code>{counts}</span>'
    shown = f'  <dl class="figures">\n{"".join(map(_figure, group.figures))}  </dl>\n' if figures else ""
    said = "".join([f"  <p>{escape(note)}</p>\n" for note in group.notes])
    inputs = f"  <p>Computed with: {escape(', '.join(group.inputs))}</p>\n" if group.inputs else ""
    back = f'<p class="used-in" data-label="{group.anchor}"></p>' if group.anchor else ""
    return (
        f'<details class="card text tool"{_id(group.anchor)}>\n'
        f"  <summary><h3>{title}</h3> {by}{opening}</summary>\n"
        f'  <div class="inside">\n  <p class="method"><code>{method}</code></p>\n{shown}'
        f'  <div class="scroll" role="group" aria-label="Answers of {title}">\n'
        f"{_table(group.lines, several=symbols > 1, read=not fetched)}  </div>\n"
        f"{said}{inputs}{back}\n  </div>\n</details>\n"
    )


def _figure(figure: SheetFigure) -> str:
    named = f'<dt title="{_safe(figure.name)}">{_safe(figure.label)}</dt>'
    return f"    <div{_id(figure.anchor)}>{named}<dd>{words.figure(figure.value)}</dd></div>\n"


def _table(lines: Sequence[SheetLine], *, several: bool, read: bool) -> str:
    """Return the answers as rows; `read`: with a column of the days on which they were read."""
    head = f'<th>{"Symbols" if several else "Symbol"}</th><th>Window</th><th class="right">Rows</th><th>Known by</th>'
    rows = [
        f'      <tr><th scope="row" class="symbols">{escape(", ".join(line.symbols))}</th><td>{_safe(line.window)}</td>'
        f'<td class="right">{words.count(line.rows)}</td><td>{_safe(line.known_at)}</td>'
        f"{f'<td>{_safe(line.fetched)}</td>' if read else ''}</tr>\n"
        for line in lines
    ]
    return (
        f'  <table class="sheet">\n    <thead><tr>{head}{"<th>Read</th>" if read else ""}</tr></thead>\n'
        f"    <tbody>\n{''.join(rows)}    </tbody>\n  </table>\n"
    )


def _id(anchor: str) -> str:
    return f' id="{anchor}"' if anchor else ""


@lru_cache(maxsize=4096)
def _safe(text: str) -> str:
    """Escape a name or a day: most are the same in all runs of a process."""
    return str(escape(text))
