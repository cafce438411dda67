"""`tradingagents filings list`: the documents of the store."""

from __future__ import annotations

from typing import Annotated

from .. import options
from ..command import with_options
from ..console import Terminal
from ..filings_store import SHORT_KEY, as_json
from ..flags import Flags, read_both
from ..text import one_line

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
