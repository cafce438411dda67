"""`tradingagents filings search`: passages of the store that speak of something."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import DateArgument, DateOption, one_day, read_day
from ..text import clean, one_line

FILTER = options.HelpPanel("Where")
NOTHING = 4
SHOWN = 400


@with_options(options.FILINGS_LIST, lambda given: {"query": given["query"]})
def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Key words, or a question.")],
    day: DateArgument = None,
    symbol: Annotated[str | None, FILTER.option("--symbol S", "In one company's.")] = None,
    form: Annotated[str | None, FILTER.option("--form", "In one form.")] = None,
    year: Annotated[int | None, FILTER.option("--year", "In one fiscal year.")] = None,
    item: Annotated[str | None, FILTER.option("--item", "In one item.")] = None,
    date_option: DateOption = None,
    limit: Annotated[int, FILTER.option("--limit", "At most so many.", min=1, max=100)] = 8,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Search filings and calls; print the passages, the best first."""
    from tradingagents.dataflows.cutoff import cutoff_for, utc_now
    from tradingagents.retrieval.models import Scope
    from tradingagents.retrieval.store import open_store

    settings, _ = read_both(flags)
    asked = read_day(one_day(day, date_option))
    scope = Scope(
        as_of=cutoff_for(asked, exchange="XNYS", now=utc_now()).instant if asked else None,
        symbols=(symbol.upper(),) if symbol else (),
        forms=(form,) if form else (),
        fiscal_years=(year,) if year else (),
        items=(item.upper(),) if item else (),
    )
    with open_store(settings) as store:
        hits = store.search(query, scope, limit)
    if terminal.json:
        found = [{"document": hit.info.key, "name": hit.info.name, "page": hit.place.page + 1, "item": hit.item,
                  "speaker": hit.speaker, "kind": hit.kind, "score": round(hit.score, 4), "text": hit.text}
                 for hit in hits]  # fmt: skip
        terminal.print_json({"query": query, "hits": found})
        return 0 if hits else NOTHING
    for hit in hits:
        where = ", ".join(
            part for part in (f"page {hit.place.page + 1}", hit.item and f"Item {hit.item}", hit.speaker) if part
        )
        terminal.out.print(f"{one_line(hit.info.name)}, {one_line(where)}", markup=False, style="bold", soft_wrap=True)
        text = hit.text if len(hit.text) <= SHOWN else f"{hit.text[:SHOWN]} …"
        terminal.print_text(clean(text))
        terminal.out.print()
    if not hits:
        terminal.err.print("Nothing was found.", markup=False)
    return 0 if hits else NOTHING
