"""`tradingagents filings list|show|remove`: the documents of the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import NoData, UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..text import clean, one_line

if TYPE_CHECKING:
    from tradingagents.retrieval.models import DocumentInfo, ItemSection, SourceDocument
    from tradingagents.retrieval.store import DocumentStore

SHORT_KEY = 10
"""Characters of a document's key that are shown; a command accepts any beginning that only one document has."""


def document_named(store: DocumentStore, name: str) -> DocumentInfo:
    """Return the document whose name this is, or whose key begins like this.

    Raises:
        NoData: None or several are meant.
    """
    from tradingagents.errors import NoData
    from tradingagents.retrieval.models import Scope

    known = store.documents(Scope())
    found = [document for document in known if document.name.lower() == name.strip().lower()]
    found = found or [document for document in known if len(name) >= 4 and document.key.startswith(name.lower())]
    if len(found) == 1:
        return found[0]
    if not found:
        raise NoData(f"No document is called {name!r}; `tradingagents filings list` shows those there are.")
    keys = ", ".join(document.key[:SHORT_KEY] for document in found)
    raise NoData(f"{len(found)} documents are called {name!r}; name one by its key: {keys}.")


def as_json(info: DocumentInfo) -> dict[str, Any]:
    """Return a document as JSON."""
    return {
        "key": info.key,
        "name": info.name,
        "kind": info.kind,
        "company": info.company,
        "symbol": info.symbol,
        "form": info.form,
        "known_at": info.known_at.isoformat(),
        "fiscal_year": info.fiscal_year,
        "fiscal_quarter": info.fiscal_quarter,
        "period_end": info.period_end.isoformat() if info.period_end else None,
        "url": info.url,
        "accession": info.accession,
    }


FILTER = options.HelpPanel("Which")


@with_options(options.FILINGS_LIST, lambda given: {"symbol": given["symbol"]})
def list_(
    symbol: Annotated[str | None, FILTER.option("--symbol S", "Of one company.")] = None,
    form: Annotated[str | None, FILTER.option("--form", "Of one form.")] = None,
    year: Annotated[int | None, FILTER.option("--year", "Of one fiscal year.")] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """List the documents of the store, the newest first."""
    from tradingagents.retrieval.models import Scope
    from tradingagents.retrieval.store import open_store

    settings, _ = read_both(flags)
    scope = Scope(
        symbols=(symbol.upper(),) if symbol else (),
        forms=(form,) if form else (),
        fiscal_years=(year,) if year else (),
    )
    with open_store(settings) as store:
        found = store.documents(scope)
    if terminal.json:
        terminal.print_json({"documents": [as_json(document) for document in found]})
        return 0
    if not found:
        terminal.err.print(
            "The store has no such document; add some with: tradingagents filings add TICKER", markup=False
        )
        return 0
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    for document in found:
        cells = (
            document.key[:SHORT_KEY],
            one_line(document.name),
            one_line(document.company),
            document.known_at.strftime("%Y-%m-%d"),
        )
        grid.add_row(*(Text(cell) for cell in cells))
    terminal.out.print(grid)
    return 0


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


@with_options(options.FILINGS_LIST, lambda given: {"documents": given["documents"]})
def remove(
    documents: Annotated[list[str], typer.Argument(metavar="DOCUMENT ...", help="Names, or beginnings of keys.")],
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Take documents out of the store; answers that were given stay."""
    from tradingagents.retrieval.store import open_store

    settings, _ = read_both(flags)
    with open_store(settings) as store:
        found = [document_named(store, name) for name in documents]
        for document in found:
            store.remove(document.key)
    if terminal.json:
        terminal.print_json({"removed": [document.key for document in found]})
    elif not terminal.quiet:
        terminal.print_text(f"Removed: {', '.join(one_line(document.name) for document in found)}.")
    return 0
