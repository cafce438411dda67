"""`tradingagents filings`: a store of filings and earnings calls, and answers from it with citations."""

from __future__ import annotations

from ..groups import CommandEntry, KindEntry, command_group, exit_codes

_CODES = "Exit codes: 0 done · 2 usage · 3 configuration · 4 {four} · 130 interrupted."
_ASKED = exit_codes(five="no answer or model failure", several=False, approval=False)

app = command_group(
    "Read filings and earnings calls, search them, and ask questions answered with citations.",
    {
        "add": CommandEntry(
            "filings_add:add",
            "Read filings or calls into the store; what is there already is not read again.",
            _CODES.format(four="a document cannot be read or fetched"),
        ),
        "list": CommandEntry("filings_documents:list_", "List the documents of the store, the newest first."),
        "show": CommandEntry(
            "filings_documents:show",
            "Show what a document is and its items; its headings; or the text of one item or page.",
            _CODES.format(four="no such document"),
        ),
        "search": CommandEntry(
            "filings_search:search",
            "Search filings and calls; print the passages, the best first.",
            _CODES.format(four="nothing found"),
        ),
        "ask": KindEntry(
            "tradingagents.features.filings_qa.kind:filings_qa",
            "Answer a question about companies from their filings, earnings calls and news, with citations.",
            _ASKED,
        ),
        "grid": KindEntry(
            "tradingagents.features.filings_grid.kind:filings_grid",
            "Ask the same questions of many stored filings or calls: each cell cited, absent or in conflict.",
            _ASKED,
        ),
        "chat": CommandEntry(
            "filings_chat:chat",
            "Ask one question after the other, a line each; end with an empty line, exit or Ctrl-D.",
            _ASKED,
        ),
        "remove": CommandEntry(
            "filings_documents:remove",
            "Take documents out of the store; answers that were given stay.",
            _CODES.format(four="no such document"),
        ),
    },
)
