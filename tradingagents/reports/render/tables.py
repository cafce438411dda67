"""Data sheet, model use and candidates of a page, composed without the template engine: most of a page's cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup, escape

from tradingagents.reports import formatting as words
from tradingagents.reports.anchors import source_markup
from tradingagents.reports.model_text import as_html, as_inline_html
from tradingagents.reports.sheet_groups import SheetFigure, SheetGroup, SheetLine
from tradingagents.schemas.decision import Evidence
from tradingagents.schemas.scan_summary import PickRecord

_DOTS = {"high": "●●●", "medium": "●●○", "low": "●○○"}
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


def pick_items(picks: Sequence[PickRecord]) -> Markup:
    """Return a scan's candidates as items of a list, each with its rank."""
    return Markup("".join(_pick(rank, pick) for rank, pick in enumerate(picks, start=1)))  # noqa: S704 - each part is escaped


def _pick(rank: int, pick: PickRecord) -> str:
    stance = pick.stance
    tags = f'<span class="stance">{escape(stance.replace("_", " "))}</span>' if stance else ""
    tags += f'<span>{escape(pick.sector)}</span><span class="angle">{escape(pick.thesis_angle)}</span>'
    catalysts, risks = _points("Catalysts", "for", pick.key_catalysts), _points("Risks", "against", pick.risks)
    pair = f'  <div class="pair">\n    {catalysts}\n    {risks}\n  </div>\n' if catalysts or risks else ""
    tools = ", ".join([source_markup(tool) for tool in pick.seen_in])
    seen = f'  <p class="seen">Seen in {tools}</p>\n' if pick.seen_in else ""
    return (
        f'    <li class="card pick">\n  <div class="who">\n    <h3><span class="rank">{rank}</span> '
        f'{escape(pick.ticker)} <span class="name">{escape(pick.name)}</span></h3>\n'
        f'    <p class="tags">{tags}{_conviction(pick.conviction)}</p>\n  </div>\n'
        f'  <div class="prose">{as_html(pick.rationale, under=3)}</div>\n'
        f"{pair}{_grounds(pick.evidence)}{seen}</li>\n\n"
    )


def _conviction(level: str) -> str:
    dots = _DOTS.get(level, "")
    return (
        f'<span class="conviction"><span class="dots" aria-hidden="true">{dots}</span> '
        f"{escape(level)} conviction</span>\n"
    )


def _points(title: str, css: str, lines: Sequence[str]) -> str:
    if not lines:
        return ""
    items = "".join([f"    <li>{as_inline_html(line)}</li>\n" for line in lines])
    return f'<div class="points {css}">\n  <h4>{title}</h4>\n  <ul>\n{items}  </ul>\n</div>\n'


def _grounds(evidence: Sequence[Evidence]) -> str:
    if not evidence:
        return ""
    items = [
        f'      <li>{as_inline_html(item.claim)} <span class="source">{source_markup(item.source)}</span></li>\n'
        for item in evidence
    ]
    return (
        '  <div class="grounds">\n    <h4>Evidence</h4>\n    <ul class="evidence">\n'
        f"{''.join(items)}    </ul>\n  </div>\n"
    )


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
