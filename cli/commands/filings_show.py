"""`tradingagents filings show`: a document's items or headings, or the text of one item or page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tradingagents.errors import NoData, UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..filings_store import as_json, document_named
from ..flags import Flags, read_both
from ..text import clean

if TYPE_CHECKING:
    from tradingagents.retrieval.models import ItemSection, SourceDocument

PART = options.HelpPanel("Part")


@with_options(options.FILINGS_LIST, lambda given: {"document": given["document"]})
def show(
    document: Annotated[str, typer.Argument(metavar="DOCUMENT", help="Name, or beginning of its key.")],
    item: Annotated[str | None, PART.option("--item", "Text of one item, such as 1A or 7.")] = None,
    page: Annotated[int | None, PART.option("--page", "Text of one page.", min=1)] = None,
    headings: Annotated[bool, PART.option("--headings", "Its headings with their pages.")] = False,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Show what a document is and its items; its headings; or the text of one item or page."""
    if sum(map(bool, (item, page, headings))) > 1:
        raise UsageError("Name an item, a page or --headings, not more than one of them.")
    from tradingagents.retrieval.store import open_store

    settings, _ = read_both(flags)
    with open_store(settings) as store:
        found = store.get(document_named(store, document).key)
    text = _item(found, item) if item else _page(found, page) if page else _headings(found) if headings else None
    if terminal.json:
        sections = [{"item": section.item, "title": section.title, "page": section.first_page + 1, "sure": section.sure,
                     "doubt": section.doubt} for section in found.sections]  # fmt: skip
        told = {**as_json(found.info), "pages": len(found.pages), "tables": len(found.tables), "sections": sections,
                "warnings": list(found.warnings)}  # fmt: skip
        if headings:
            listed = [{"page": section.page + 1, "text": section.text} for section in found.headings]
            terminal.print_json({**told, "headings": listed})
            return 0
        terminal.print_json(told if text is None else {**told, "text": text})
        return 0
    terminal.print_text(clean(_summary(found) if text is None else text))
    return 0


def _summary(found: SourceDocument) -> str:
    info = found.info
    lines = [
        f"{info.name}: {info.company or 'unknown company'}, {info.form or 'unknown form'}",
        f"Known since {info.known_at:%Y-%m-%d %H:%M} UTC · {len(found.pages)} pages · {len(found.tables)} tables",
        *((f"Address: {info.url}",) if info.url else ()),
        *(f"Note: {warning}" for warning in found.warnings),
        *(
            f"Item {section.item:<6} page {section.first_page + 1:>4}  {section.title}{_doubt(section)}"
            for section in found.sections
        ),
    ]
    return "\n".join(lines)


def _doubt(section: ItemSection) -> str:
    return "" if section.sure else f" (unsure: {section.doubt})"


def _item(found: SourceDocument, item: str) -> str:
    for section in found.sections:
        if section.item.lower() == item.strip().lower():
            return found.section_text(section)
    known = ", ".join(section.item for section in found.sections) or "none"
    raise NoData(f"{found.info.name} has no item {item}; its items are: {known}.")


def _headings(found: SourceDocument) -> str:
    if not found.headings:
        raise NoData(f"{found.info.name} has no headings that were read; add it anew if an earlier version added it.")
    return "\n".join(f"page {heading.page + 1:>4}  {heading.text}" for heading in found.headings)


def _page(found: SourceDocument, page: int) -> str:
    if page > len(found.pages):
        raise NoData(f"{found.info.name} has {len(found.pages)} pages.")
    return found.pages[page - 1].text
