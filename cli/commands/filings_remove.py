"""`tradingagents filings remove`: takes documents out of the store."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..filings_store import document_named
from ..flags import Flags, read_both
from ..text import one_line


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
