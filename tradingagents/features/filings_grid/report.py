"""The report of a grid: the table, whose cells open their passages in place, and every cell with its citation."""

from __future__ import annotations

from collections.abc import Iterator

from markupsafe import Markup

from tradingagents.features.filings_grid.schemas import CitedPassage, FilingsCell, GridDocument, GridRecord, grid_size
from tradingagents.files.plain_text import one_line
from tradingagents.memory.cohort import market_note
from tradingagents.reports import formatting as words
from tradingagents.reports.document import (
    Block,
    Bullets,
    Card,
    Document,
    Line,
    Masthead,
    Section,
    Table,
    one_line_of_markdown,
)
from tradingagents.reports.passage_links import passage_link
from tradingagents.retrieval.calculation import formula_in_words

SHOWN = 80
"""Characters of an answer in the table; the whole of it opens with its passages."""
_ENDINGS = {
    "failed": "This grid failed before it was finished.",
    "budget": "This grid used up its budget and stopped.",
    "interrupted": "This grid was interrupted.",
    "no_answer": "No document answers any of the questions.",
}


def grid_document(record: GridRecord) -> Document:
    """Return the report of a grid."""
    title = grid_size(len(record.documents), len(record.questions))
    facts = [("Asked as of", words.instant(record.as_of)), ("Companies", ", ".join(record.companies))]
    ending = _ENDINGS.get(record.status)
    return Document(
        title=title,
        facts=facts,
        masthead=Masthead(
            title=f"Grid: {title}",
            eyebrow="Grid of filings",
            heading=title,
            detail="",
            facts=facts,
            identity=f"{record.run_id} · status {record.status}",
        ),
        sections=[
            Section(
                "Grid",
                [Line(record.answer), Card("cited_answer", (_table_html(record),), (_table(record),))],
                "grid",
                "Grid",
            ),
            Section("Conflicts", _conflicts(record), "conflicts", "Conflicts"),
            Section("Cells", _cells(record), "cells", only="file"),  # the page opens each cell in place
            Section("Without documents", [Bullets(record.missing)] if record.missing else []),
        ],
        market_note=market_note(record),
        notice=f"{ending} {record.error}".rstrip() if ending else None,
        style="filings.css",
    )


def grid_text(record: GridRecord) -> str:
    """Return the grid as text for a terminal: the answers of each document under its questions."""
    lines: list[str] = []
    by_row = _by_row(record)
    for row, document in enumerate(record.documents):
        lines.append(one_line(document.name))
        for column, question in enumerate(record.questions):
            cell = by_row.get((row, column))
            lines.append(f"  {one_line(question)}  {shown_answer(cell)}{_cited(cell)}")
            lines += [f"    {one_line(other.shown)}" for other in (cell.others if cell else ())]
    return "\n".join(lines)


def shown_answer(cell: FilingsCell | None, longest: int | None = None) -> str:
    """Return what a cell says in a few words: its answer, else why there is none."""
    if cell is None:
        return "not read"
    match cell.status:
        case "value":
            text = cell.answer
        case "quoted":
            text = f"nearest sentence: {cell.answer}"
        case "conflict":
            text = f"conflict: {cell.answer}"
        case _:
            text = cell.status if longest else f"{cell.status}: {cell.reason}"
    line = one_line(text)
    return line if longest is None or len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def passage_address(document: GridDocument, passage: CitedPassage) -> str:
    """Return an address that opens a document at a passage; empty where it has none on the web."""
    return passage_link(document.url, passage.page, passage.text)


def _by_row(record: GridRecord) -> dict[tuple[int, int], FilingsCell]:
    return {(cell.row, cell.column): cell for cell in record.cells}


def _cited(cell: FilingsCell | None) -> str:
    pages = dict.fromkeys(passage.page + 1 for passage in cell.passages) if cell else ()
    return f" (page {', '.join(map(str, pages))})" if pages else ""


def _table(record: GridRecord) -> Table:
    """Return the grid as a table of Markdown."""
    by_row = _by_row(record)
    rows = [
        (
            one_line_of_markdown(document.name),
            *(
                one_line_of_markdown(f"{shown_answer(cell, SHOWN)}{_cited(cell)}")
                for column in range(len(record.questions))
                for cell in [by_row.get((row, column))]
            ),
        )
        for row, document in enumerate(record.documents)
    ]
    return Table(("Document", *map(one_line_of_markdown, record.questions)), rows)


def _table_html(record: GridRecord) -> Markup:
    """Return the grid as HTML: each answer is followed by a button that opens its passages."""
    by_row, passages = _by_row(record), Markup("")
    head = Markup("").join(Markup("<th scope=col>{}</th>").format(question) for question in record.questions)
    body = Markup("")
    for row, document in enumerate(record.documents):
        cells = Markup("")
        for column in range(len(record.questions)):
            cell = by_row.get((row, column))
            opens = f"cell-{row}-{column}"
            detailed = cell is not None and (cell.passages or cell.reason)
            word = "source" if cell is not None and cell.passages else "why"
            button = Markup('<button type="button" class="cite" popovertarget="{}">{}</button>').format(opens, word)
            cells += Markup("<td>{} {}</td>").format(shown_answer(cell, SHOWN), button if detailed else "")
            if cell is not None and detailed:
                passages += _opened(opens, document, cell, record)
        body += Markup("<tr><th scope=row>{}</th>{}</tr>").format(document.name, cells)
    table = Markup("<table><thead><tr><th scope=col>Document</th>{}</tr></thead><tbody>{}</tbody></table>")
    return Markup('<div class="scroll">{}</div>{}').format(table.format(head, body), passages)


def _opened(name: str, document: GridDocument, cell: FilingsCell, record: GridRecord) -> Markup:
    parts = Markup("")
    for passage in cell.passages:
        address = passage_address(document, passage)
        link = Markup('<a href="{}" rel="noreferrer">Open the document</a>').format(address) if address else ""
        parts += Markup("<p><strong>{} page {}</strong></p><blockquote>{}</blockquote>{}").format(
            document.name, passage.page + 1, passage.text, link
        )
    said = "; ".join(
        part for part in (cell.answer, formula_in_words(cell.formula), cell.reason, *_others(cell)) if part
    )
    question = record.questions[cell.column]
    return Markup('<div popover id="{}" class="passage"><p><strong>{}</strong></p><p>{}</p>{}</div>').format(
        name, question, said, parts
    )


def _others(cell: FilingsCell) -> Iterator[str]:
    for other in cell.others:
        yield f"but {other.shown}"


def _conflicts(record: GridRecord) -> list[Block]:
    rows = [
        (record.documents[cell.row].name, record.questions[cell.column], cell.answer, "; ".join(_others(cell)))
        for cell in record.cells
        if cell.status == "conflict"
    ]
    plain = [tuple(map(one_line_of_markdown, row)) for row in rows]
    return [Table(("Document", "Question", "It says", "Others"), plain)] if plain else []


def _cells(record: GridRecord) -> list[Block]:
    """Return every cell with its pages; an address opens the passage."""
    rows = []
    for cell in record.cells:
        document = record.documents[cell.row]
        places = []
        for passage in cell.passages:
            address = passage_address(document, passage)
            page = f"page {passage.page + 1}"
            places.append(f"[{page}]({address})" if address else page)
        said = one_line_of_markdown(shown_answer(cell))
        question = one_line_of_markdown(record.questions[cell.column])
        rows.append((one_line_of_markdown(document.name), question, said, ", ".join(places)))
    return [Table(("Document", "Question", "Answer", "Where"), rows)] if rows else []
