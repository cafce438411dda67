"""Renders a document as Markdown: one complete file, and one file for each part that has its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from tradingagents.reports.citation_marks import shown_in_markdown
from tradingagents.reports.document import (
    Block,
    Bullets,
    Card,
    Document,
    Exhibit,
    File,
    Heading,
    Line,
    Notice,
    Prose,
    Section,
    Table,
    one_line_of_markdown,
)
from tradingagents.reports.inner_links import without_links
from tradingagents.reports.model_text import as_markdown
from tradingagents.reports.sections import NO_ADVICE

COMPLETE = "complete_report.md"
"""Name of the complete file."""
_TO_CHANGE = ("<", "  ", "| ", " |")
"""What `_cell` would change in a printable row whose cells are joined by bars, apart from its ends."""


def markdown_files(document: Document) -> dict[str, str]:
    """Return a document's files by relative path. Parts that a run did not reach have no file.

    Models' texts are unchanged, except that headings are moved below ours and unmatched figures are marked.
    """
    single = {file.path: shown_in_markdown(_file(file)) for file in document.files}
    attached = {path: shown_in_markdown(text) for path, text in document.attachments.items()}
    return {**dict(sorted((single | attached).items())), COMPLETE: to_markdown(document)}


def to_markdown(document: Document) -> str:
    """Return the complete Markdown document."""
    facts = [(name, value) for name, value in document.facts if value]
    rendered = [
        _rendered([Notice(told) for told in (document.market_note, document.notice) if told]),
        block_markdown(Table(("Fact", "Value"), facts)),
        *(_section(section) for section in document.sections if section.only != "page"),
        f"---\n\n{NO_ADVICE}",
    ]
    return without_links(shown_in_markdown(_titled(document.title, rendered)))


def block_markdown(block: Block) -> str:
    """Return a block as Markdown; empty if it has no content."""
    match block:
        case Heading():
            return f"{'#' * block.level} {one_line_of_markdown(block.text)}"
        case Prose():
            return as_markdown(block.text, under=block.under)
        case Line():
            return block.markdown
        case Table():
            return _table(block) if block.rows else ""
        case Bullets():
            return "\n".join(f"- {one_line_of_markdown(text)}" for text in block.lines)
        case Notice():
            return f"> **{one_line_of_markdown(block.text)}**"
        case Card():
            return _rendered(block.plain)
        case Exhibit():
            return _exhibit(block)
    assert_never(block)


def _file(file: File) -> str:
    parts = [_section(part) if isinstance(part, Section) else block_markdown(part) for part in file.blocks]
    return _titled(file.title, parts)


def _titled(title: str, parts: Iterable[str]) -> str:
    return "\n\n".join([f"# {one_line_of_markdown(title)}", *(part for part in parts if part)]) + "\n"


def _section(section: Section) -> str:
    body = _rendered(section.blocks)
    return f"## {section.title}\n\n{body}" if body else ""


def _rendered(blocks: Iterable[Block]) -> str:
    return "\n\n".join(text for block in blocks if (text := block_markdown(block)))


def _table(table: Table) -> str:
    lines: list[Sequence[str]] = [table.header, ["---"] * len(table.header), *table.rows]
    return "\n".join(map(_row, lines))


def _row(cells: Sequence[str]) -> str:
    line = "|".join(cells)
    bars = line.count("|") == len(cells) - 1
    if bars and line.isprintable() and line.strip(" ") == line and not any(sign in line for sign in _TO_CHANGE):
        line = line.replace("|", " | ")  # most rows: as one text, it takes a tenth of the time
    else:
        line = " | ".join(map(_cell, cells))
    return f"| {line} |"


def _exhibit(exhibit: Exhibit) -> str:
    caption = one_line_of_markdown(exhibit.caption)
    if exhibit.missing or exhibit.table is None:
        return f"**{caption}:** not drawn: {one_line_of_markdown(exhibit.missing)}" if exhibit.missing else ""
    unit = f" ({one_line_of_markdown(exhibit.unit)})" if exhibit.unit else ""
    source = one_line_of_markdown(exhibit.source)
    return f"**{caption}**{unit}\n\n{_table(exhibit.table)}\n\n*Source: {source}*"


def _cell(text: str) -> str:
    return one_line_of_markdown(text).replace("|", "\\|")
